/* SPDX-License-Identifier: BSD-3-Clause */
#include "coll/ordered_sendrecv.h"
#include "base/status.h"
#include "exec/transfer.h"
#include <stdio.h>

/* One direction. */
typedef struct {
    hesca_ordered_message *message;
    int n, at; /* messages; the one in flight */
    int sending;
    int active;           /* its transfer has begun */
    hesca_transfer piece; /* that transfer */
} direction;

/* Advance the message in flight, and begin the next one. */
static int
advance(direction *l, const hesca_comm *c, hesca_record *record, int *progress)
{
    int err = HESCA_SUCCESS;
    while (l->at < l->n) {
        hesca_ordered_message *x = &l->message[l->at];
        if (!l->active) {
            x->begin = PMPI_Wtime();
            l->active = 1;
            l->piece = hesca_transfer_begin(c, x->rank, l->sending, x->at,
                                            x->bytes, x->piece);
        }
        HESCA_TRY(err, hesca_transfer_advance(&l->piece, progress));
        if (l->piece.done < l->piece.bytes)
            return HESCA_SUCCESS;
        x->end = PMPI_Wtime();
        hesca_record_note(record, l->sending, x->rank, (double)x->bytes,
                          hesca_record_at(record, x->begin),
                          hesca_record_at(record, x->end));
        l->active = 0;
        ++l->at;
    }
fail:
    return err;
}

static void
pause_once(const hesca_comm *c, const direction *in, const direction *out,
           hesca_backoff *wait)
{
    const direction *l = in->at < in->n ? in : out;
    char what[96];
    if (c->params.timeout > 0)
        snprintf(what, sizeof what, "rank %d to %s, message %d of %d",
                 l->message[l->at].rank,
                 l->sending ? "take data" : "send data", l->at + 1, l->n);
    hesca_comm_pause(c, wait, what);
}

int
hesca_ordered_run(const hesca_comm *c, int nout, hesca_ordered_message *out,
                  int nin, hesca_ordered_message *in, hesca_record *record)
{
    direction o = {.message = out, .n = nout, .sending = 1};
    direction i = {.message = in, .n = nin};
    hesca_backoff wait = hesca_comm_backoff(c);
    int err = HESCA_SUCCESS;
    while (o.at < o.n || i.at < i.n) {
        int progress = 0;
        HESCA_TRY(err, advance(&i, c, record, &progress));
        HESCA_TRY(err, advance(&o, c, record, &progress));
        if (progress)
            wait = hesca_comm_backoff(c);
        else if (o.at < o.n || i.at < i.n)
            pause_once(c, &i, &o, &wait);
    }
fail:
    return err;
}
