/* SPDX-License-Identifier: BSD-3-Clause */
#include "panel/small_bcast.h"
#include "base/arith.h"
#include "base/status.h"
#include "exec/transfer.h"

/* Bytes of a piece between two processes, the same at both ends. */
static int
piece_of(const hesca_small_bcast *p, int src, int dest)
{
    const int64_t most = HESCA_SMALL_BCAST_PIECES;
    return (int)hesca_max(hesca_transfer_piece_of(p->comm, src, dest),
                          (p->bytes + most - 1) / most);
}

/* An empty message is one piece, too. */
static int
receive(hesca_small_bcast *p, int rank)
{
    const int piece = piece_of(p, rank, p->comm->rank);
    int err = HESCA_SUCCESS, at = 0;
    do {
        HESCA_MPI(err, Irecv, p->data + at,
                  (int)hesca_min(piece, p->bytes - at), MPI_BYTE, rank, p->tag,
                  p->comm->mpi, &p->request[p->nrequests++]);
        at += (int)hesca_min(piece, p->bytes - at);
    } while (at < p->bytes);
fail:
    return err;
}

static int
send(hesca_small_bcast *p, int rank)
{
    const int piece = piece_of(p, p->comm->rank, rank);
    int err = HESCA_SUCCESS, at = 0;
    hesca_comm_sent(p->comm, rank, p->bytes);
    do {
        HESCA_MPI(err, Isend, p->data + at,
                  (int)hesca_min(piece, p->bytes - at), MPI_BYTE, rank, p->tag,
                  p->comm->mpi, &p->request[p->nrequests++]);
        at += (int)hesca_min(piece, p->bytes - at);
    } while (at < p->bytes);
fail:
    return err;
}

static int
forward(hesca_small_bcast *p)
{
    int err = HESCA_SUCCESS;
    p->arrived = 1;
    p->nrequests = 0;
    for (int k = 0; k < p->nchildren; ++k)
        HESCA_TRY(err, send(p, p->child[k]));
fail:
    return err;
}

/* Places are counted from the sender. The process at x receives the message
 * from x - 2^k, where 2^k is the lowest set bit of x, and sends it to x + 2^j
 * for all smaller j, the longest distance first. */
int
hesca_small_bcast_begin(hesca_small_bcast *p, const hesca_comm *c, int tag,
                        const int *rank, int n, int me, int from, void *data,
                        int bytes)
{
    const int64_t place = (me - from + n) % n;
    int64_t bit = 1;
    while (bit < n && (place & bit) == 0)
        bit *= 2;
    *p = (hesca_small_bcast){
        .comm = c, .data = data, .bytes = bytes, .tag = tag};
    for (int64_t step = bit / 2; step > 0; step /= 2)
        if (place + step < n)
            p->child[p->nchildren++] = rank[(from + place + step) % n];
    if (place == 0)
        return forward(p);
    return receive(p, rank[(from + place - bit) % n]);
}

int
hesca_small_bcast_advance(hesca_small_bcast *p, int *over)
{
    int err = HESCA_SUCCESS, done = 1;
    while (p->nrequests > 0 && done) {
        HESCA_MPI(err, Test, &p->request[p->nrequests - 1], &done,
                  MPI_STATUS_IGNORE);
        if (!done)
            break;
        if (--p->nrequests == 0 && !p->arrived)
            HESCA_TRY(err, forward(p));
    }
    *over = p->arrived && p->nrequests == 0;
fail:
    return err;
}
