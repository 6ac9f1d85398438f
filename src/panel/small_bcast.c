/* SPDX-License-Identifier: BSD-3-Clause */
#include "panel/small_bcast.h"
#include "base/status.h"

static int
forward(hesca_small_bcast *p)
{
    int err = HESCA_SUCCESS;
    p->arrived = 1;
    p->nrequests = 0;
    for (int k = 0; k < p->nchildren; ++k) {
        hesca_comm_sent(p->comm, p->child[k], p->bytes);
        HESCA_MPI(err, Isend, p->data, p->bytes, MPI_BYTE, p->child[k], p->tag,
                  p->comm->mpi, &p->request[p->nrequests]);
        ++p->nrequests;
    }
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
    p->nrequests = 1;
    return hesca_mpi(PMPI_Irecv(data, bytes, MPI_BYTE,
                                rank[(from + place - bit) % n], tag, c->mpi,
                                p->request),
                     "MPI_Irecv");
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
        --p->nrequests;
        if (!p->arrived)
            HESCA_TRY(err, forward(p));
    }
    *over = p->arrived && p->nrequests == 0;
fail:
    return err;
}
