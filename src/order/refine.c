/* SPDX-License-Identifier: BSD-3-Clause */
#include "order/refine.h"
#include "base/status.h"
#include "order/ready_queue.h"
#include <stdlib.h>
#include <string.h>

enum { WINDOW = 24 };

/* The unscheduled events, and the receivers of every sender's events in the
 * order of t->send: first those that have been sent, then the rest in the old
 * order. */
typedef struct {
    hesca_unscheduled p;
    hesca_ready_queue senders;
    int *dest; /* [n] */
} window;

/* Position, among the next events of sender i, of the first one that can begin
 * earliest.  The loop has no branches, because they would be mispredicted; the
 * next event, which is often the result, is tested before it. */
static int
choose(const window *a, int i, double *start)
{
    const int *dest = a->dest + a->p.sent[i];
    const double *recv = a->p.recv, now = a->p.send[i];
    const int n = a->p.left[i] < WINDOW ? a->p.left[i] : WINDOW;
    int best = 0;
    double first = recv[dest[0]];
    if (first > now)
        for (int k = 1; k < n; ++k) {
            const double t = recv[dest[k]];
            best = t < first ? k : best;
            first = t < first ? t : first;
        }
    *start = first > now ? first : now;
    return best;
}

/* Move event k of the unscheduled ones of sender i to their front. */
static int64_t
bring_forward(window *a, int i, int k)
{
    int64_t *next = a->p.t->send + a->p.sent[i];
    int *dest = a->dest + a->p.sent[i];
    const int64_t e = next[k];
    const int j = dest[k];
    memmove(next + 1, next, (size_t)k * sizeof *next);
    memmove(dest + 1, dest, (size_t)k * sizeof *dest);
    next[0] = e;
    dest[0] = j;
    return e;
}

/* Open shop restricted to the next WINDOW events of each sender. */
static int
look_ahead(const hesca_events *x, const hesca_timetable *old,
           const hesca_ready *ready, hesca_timetable *t)
{
    int err = HESCA_SUCCESS;
    window a = {.dest =
                    malloc((x->n > 0 ? (size_t)x->n : 1) * sizeof *a.dest)};
    HESCA_TRY(err, hesca_unscheduled_init(&a.p, x, ready, t));
    HESCA_TRY(err, hesca_ready_queue_init(&a.senders, &a.p));
    if (a.dest == NULL)
        HESCA_TRY(err, hesca_fail(HESCA_ERR_NOMEM, 0, "order of %lld events",
                                  (long long)x->n));
    memcpy(t->send, old->send, (size_t)x->n * sizeof *t->send);
    for (int64_t k = 0; k < x->n; ++k)
        a.dest[k] = x->dest[t->send[k]];
    for (int i; (i = hesca_ready_queue_first(&a.senders)) >= 0;) {
        double start;
        const int k = choose(&a, i, &start);
        hesca_unscheduled_take(&a.p, bring_forward(&a, i, k), start);
        hesca_ready_queue_update(&a.senders);
    }
fail:
    hesca_unscheduled_clear(&a.p);
    free(a.senders.tree);
    free(a.dest);
    return err;
}

int
hesca_refine(const hesca_events *x, const hesca_timetable *old,
             const hesca_ready *ready, double slack, hesca_timetable *t)
{
    int err = HESCA_SUCCESS;
    double bound = 0;
    hesca_timetable other = {0};
    *t = (hesca_timetable){0};
    if (!(slack >= 0))
        HESCA_TRY(err, hesca_fail(HESCA_ERR_ARG, 0,
                                  "slack is %g: must be >= 0", slack));
    if (old->n != x->n)
        HESCA_TRY(err, hesca_fail(HESCA_ERR_ARG, 0,
                                  "timetable of %lld events: there are %lld",
                                  (long long)old->n, (long long)x->n));
    HESCA_TRY(err, hesca_timetable_alloc(t, x));
    hesca_timetable_copy(t, old);
    HESCA_TRY(err, hesca_timetable_run(t, x, NULL, ready));
    HESCA_TRY(err, hesca_events_bound(x, ready, &bound));
    if (t->finish <= (1 + slack) * bound)
        goto fail;
    HESCA_TRY(err, look_ahead(x, old, ready, &other));
    if (other.finish < t->finish) {
        const hesca_timetable worse = *t;
        *t = other;
        other = worse;
    }
fail:
    hesca_timetable_clear(&other);
    if (err < 0)
        hesca_timetable_clear(t);
    return err;
}
