/* SPDX-License-Identifier: BSD-3-Clause */
#include "coll/pipelined_bcast.h"
#include "base/arith.h"
#include "base/status.h"
#include "exec/transfer.h"
#include <stdio.h>

/* Progress of a process. */
typedef struct {
    const hesca_comm *comm;
    const hesca_pipelined_bcast *part;
    hesca_record *record;
    int64_t pieces;
    int64_t in;  /* pieces that it has */
    int64_t out; /* pieces sent: next is piece out / nchildren to child out %
                    nchildren */
    int receiving, sending; /* a piece is in flight */
    double in_begun, out_begun;
    hesca_transfer from, to;
} progress_state;

static int64_t
piece_bytes(const progress_state *x, int64_t k)
{
    const hesca_pipelined_bcast *p = x->part;
    return hesca_min(p->piece, p->bytes - k * p->piece);
}

static int
receive(progress_state *x, int *progress)
{
    const hesca_pipelined_bcast *p = x->part;
    const int64_t n = piece_bytes(x, x->in);
    int err = HESCA_SUCCESS;
    if (!x->receiving) {
        x->in_begun = hesca_record_now(x->record);
        x->receiving = 1;
        x->from =
            hesca_transfer_begin(x->comm, p->parent, 0,
                                 p->at + x->in * p->piece, n, p->parent_piece);
    }
    HESCA_TRY(err, hesca_transfer_advance(&x->from, progress));
    if (x->from.done < n)
        return HESCA_SUCCESS;
    hesca_record_note(x->record, 0, p->parent, (double)n, x->in_begun,
                      hesca_record_now(x->record));
    x->receiving = 0;
    ++x->in;
fail:
    return err;
}

static int
send(progress_state *x, int *progress)
{
    const hesca_pipelined_bcast *p = x->part;
    const int64_t k = x->out / p->nchildren, n = piece_bytes(x, k);
    const hesca_child *child = &p->child[x->out % p->nchildren];
    int err = HESCA_SUCCESS;
    if (!x->sending) {
        x->out_begun = hesca_record_now(x->record);
        x->sending = 1;
        x->to = hesca_transfer_begin(x->comm, child->rank, 1,
                                     p->at + k * p->piece, n, child->piece);
    }
    HESCA_TRY(err, hesca_transfer_advance(&x->to, progress));
    if (x->to.done < n)
        return HESCA_SUCCESS;
    hesca_record_note(x->record, 1, child->rank, (double)n, x->out_begun,
                      hesca_record_now(x->record));
    x->sending = 0;
    ++x->out;
fail:
    return err;
}

static void
pause_once(const progress_state *x, hesca_backoff *wait)
{
    const hesca_pipelined_bcast *p = x->part;
    char what[96];
    if (x->comm->params.timeout > 0 && x->in < x->pieces)
        snprintf(what, sizeof what, "rank %d to send piece %lld of %lld",
                 p->parent, (long long)x->in + 1, (long long)x->pieces);
    else if (x->comm->params.timeout > 0)
        snprintf(what, sizeof what, "rank %d to take piece %lld of %lld",
                 p->child[x->out % p->nchildren].rank,
                 (long long)(x->out / p->nchildren) + 1, (long long)x->pieces);
    hesca_comm_pause(x->comm, wait, what);
}

int
hesca_pipelined_bcast_run(const hesca_comm *c,
                          const hesca_pipelined_bcast *part,
                          hesca_record *record)
{
    progress_state x = {.comm = c, .part = part, .record = record};
    hesca_backoff wait = hesca_comm_backoff(c);
    int err = HESCA_SUCCESS;
    x.pieces = part->bytes / part->piece + (part->bytes % part->piece != 0);
    x.in = part->parent < 0 ? x.pieces : 0;
    const int64_t all = x.pieces * part->nchildren;
    while (x.in < x.pieces || x.out < all) {
        int progress = 0;
        if (x.in < x.pieces)
            HESCA_TRY(err, receive(&x, &progress));
        if (x.out < x.in * part->nchildren)
            HESCA_TRY(err, send(&x, &progress));
        if (progress)
            wait = hesca_comm_backoff(c);
        else
            pause_once(&x, &wait);
    }
fail:
    return err;
}
