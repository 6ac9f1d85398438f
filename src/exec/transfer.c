/* SPDX-License-Identifier: BSD-3-Clause */
#include "exec/transfer.h"
#include "base/arith.h"
#include "base/status.h"

int64_t
hesca_transfer_piece(const hesca_link_costs *o, int src, int dest)
{
    const int64_t most = 1 << 30; /* MPI counts bytes in int */
    if (o->network == NULL ||
        !hesca_wire_is_slow(hesca_network_wire(o->network, src, dest)))
        return most;
    return HESCA_SHORT_PIECE;
}

int64_t
hesca_transfer_piece_of(const hesca_comm *c, int src, int dest)
{
    const hesca_link_costs links = {
        .network = c->network.nproc > 0 ? &c->network : NULL};
    return hesca_transfer_piece(&links, src, dest);
}

hesca_transfer
hesca_transfer_begin(const hesca_comm *c, int rank, int sending, char *at,
                     int64_t bytes, int64_t piece)
{
    return (hesca_transfer){.comm = c,
                            .rank = rank,
                            .sending = sending,
                            .at = at,
                            .bytes = bytes,
                            .piece = piece};
}

static int
post_piece(hesca_transfer *t)
{
    const int n = (int)hesca_min(t->piece, t->bytes - t->posted);
    const int is_end = t->posted == 0 || t->posted + n == t->bytes;
    const MPI_Comm comm = t->comm->mpi;
    char *at = t->at + t->posted;
    MPI_Request *request =
        &t->request[(t->head + t->used) % HESCA_TRANSFER_WINDOW];
    t->posted += n;
    ++t->used;
    if (!t->sending)
        return hesca_mpi(PMPI_Irecv(at, n, MPI_BYTE, t->rank, HESCA_TAG_DATA,
                                    comm, request),
                         "MPI_Irecv");
    hesca_comm_sent(t->comm, t->rank, n);
    if (is_end)
        return hesca_mpi(PMPI_Issend(at, n, MPI_BYTE, t->rank, HESCA_TAG_DATA,
                                     comm, request),
                         "MPI_Issend");
    return hesca_mpi(
        PMPI_Isend(at, n, MPI_BYTE, t->rank, HESCA_TAG_DATA, comm, request),
        "MPI_Isend");
}

/* Whether the next piece may begin: the first one is sent alone. */
static int
may_post_piece(const hesca_transfer *t)
{
    return t->used < HESCA_TRANSFER_WINDOW && t->posted < t->bytes &&
           (!t->sending || t->done > 0 || t->posted == 0);
}

int
hesca_transfer_advance(hesca_transfer *t, int *progress)
{
    int err = HESCA_SUCCESS, done = 1;
    while (may_post_piece(t))
        HESCA_TRY(err, post_piece(t));
    while (done && t->used > 0) {
        HESCA_MPI(err, Test, &t->request[t->head], &done, MPI_STATUS_IGNORE);
        if (!done)
            break;
        t->done = hesca_min(t->done + t->piece, t->bytes);
        t->head = (t->head + 1) % HESCA_TRANSFER_WINDOW;
        --t->used;
        *progress = 1;
    }
fail:
    return err;
}
