/* SPDX-License-Identifier: BSD-3-Clause */
/* Open shop: the sender that is free first sends to the receiver of its set
 * that is free first (BHAT-HET 4.3, BHAT-EXC 4).  Ties, which the papers leave
 * open, go to the lowest number.
 *
 * The papers scan a sender's set for every event, O(P K^2) in all.  Here
 * receivers are sorted by the time at which they are free, and the first one
 * in the sender's set is selected.  This takes about P / k comparisons for a
 * set of k, so P log K for all events of a sender; small sets are scanned.
 * The choices, and hence the results, are exactly the same. */
#include "order/openshop.h"
#include "base/status.h"
#include "order/ready_queue.h"
#include <stdlib.h>
#include <string.h>

/* The processes with events left: senders in a tournament tree, receivers
 * sorted; both by time, then by number. */
typedef struct {
    hesca_unscheduled p;
    hesca_ready_queue senders;
    int nreceivers;
    hesca_ready_sender *line; /* [nproc] receivers, ascending */
    int longest_first;
} shop;

/* --- receivers ---
 * line[0 ... nreceivers - 1] are the receivers with events left, in strictly
 * ascending order of (time, number). */

/* Number of the first n entries that come before x. */
static int
rank(const hesca_ready_sender *line, int n, hesca_ready_sender x)
{
    const hesca_ready_sender *base = line;
    while (n > 0) {
        const int half = (n + 1) / 2;
        base += hesca_ready_before(base[half - 1], x) ? half : 0;
        n -= half;
    }
    return (int)(base - line);
}

/* Insert receiver j, which is free from t on, at its position. */
static void
insert(shop *s, double t, int j)
{
    hesca_ready_sender *to =
        s->line + rank(s->line, s->nreceivers, hesca_ready_sender_at(t, j));
    memmove(to + 1, to, (size_t)(s->line + s->nreceivers++ - to) * sizeof *to);
    *to = hesca_ready_sender_at(t, j);
}

static int
is_done(const shop *s, int j)
{
    return s->p.received[j] == s->p.t->recv_first[j + 1];
}

static void
fill_line(shop *s)
{
    for (int j = 0; j < s->p.x->nproc; ++j)
        if (!is_done(s, j))
            insert(s, s->p.recv[j], j);
}

/* Receiver j, which was free from `old` on, has received an event: remove it
 * if it was the last one, or move it to its new position, which is a later
 * one. */
static void
update_receiver(shop *s, int j, double old)
{
    const double t = s->p.recv[j];
    const int done = is_done(s, j);
    hesca_ready_sender *from =
        s->line + rank(s->line, s->nreceivers, hesca_ready_sender_at(old, j));
    hesca_ready_sender *to = s->line + s->nreceivers - 1;
    if (!done && t <= old) /* the event took 0 s in rounded times */
        return;
    if (!done)
        to = from +
             rank(from, (int)(to - from) + 1, hesca_ready_sender_at(t, j)) - 1;
    memmove(from, from + 1, (size_t)(to - from) * sizeof *to);
    if (done)
        --s->nreceivers;
    else
        *to = hesca_ready_sender_at(t, j);
}

/* --- choices ---
 * scan() and walk() return the same event: ties go to the lowest number of the
 * receiver. */

/* A choice, and the values by which it is compared. */
typedef struct {
    int64_t event; /* -1: none */
    double free, start, seconds;
} choice;

/* Whether an event that begins at start, to a receiver that is free at t, is
 * better than the best.  Candidates come in the order of the receivers'
 * numbers, or of their times and numbers. */
static inline int
is_better(const shop *s, const choice *best, double t, double start,
          double seconds)
{
    if (best->event < 0)
        return 1;
    if (!s->longest_first)
        return t < best->free;
    if (start != best->start)
        return start < best->start;
    return seconds > best->seconds ||
           (seconds == best->seconds && t < best->free);
}

static inline void
consider(const shop *s, choice *best, int64_t e, double t, double now)
{
    const double start = t > now ? t : now, seconds = s->p.x->seconds[e];
    if (is_better(s, best, t, start, seconds))
        *best = (choice){e, t, start, seconds};
}

/* Examine all events that sender i has left. */
static choice
scan(const shop *s, int i)
{
    const hesca_events *x = s->p.x;
    choice best = {.event = -1};
    for (int64_t w = s->p.word[i]; w < s->p.word[i + 1]; ++w)
        for (uint64_t set = s->p.bits[w]; set != 0; set &= set - 1) {
            const int64_t e =
                x->first[i] + 64 * (w - s->p.word[i]) + __builtin_ctzll(set);
            consider(s, &best, e, s->p.recv[x->dest[e]], s->p.send[i]);
        }
    return best;
}

/* Examine receivers in the order of their times, until later ones cannot be
 * better. */
static choice
walk(const shop *s, int i)
{
    const hesca_events *x = s->p.x;
    const double now = s->p.send[i];
    choice best = {.event = -1};
    for (int k = 0; k < s->nreceivers; ++k) {
        const double free = hesca_ready_sender_time(s->line[k]);
        if (best.event >= 0 && (!s->longest_first || free > best.start))
            break;
        const int64_t e = hesca_events_find(x, i, (int)s->line[k].rank);
        if (e >= 0 && hesca_unscheduled_has(&s->p, i, e))
            consider(s, &best, e, free, now);
    }
    return best;
}

/* --- the algorithm ---
 * Every iteration begins one event of the sender that is free first, so times
 * of senders never decrease. */

static int
begin(shop *s, const hesca_events *x, const hesca_ready *ready,
      hesca_timetable *t)
{
    int err = HESCA_SUCCESS;
    const size_t n = (size_t)x->nproc;
    HESCA_TRY(err, hesca_unscheduled_init(&s->p, x, ready, t));
    HESCA_TRY(err, hesca_ready_queue_init(&s->senders, &s->p));
    s->line = malloc(n * sizeof *s->line);
    if (s->line == NULL)
        HESCA_TRY(err, hesca_fail(HESCA_ERR_NOMEM, 0, "order of %d processes",
                                  x->nproc));
    fill_line(s);
fail:
    return err;
}

int
hesca_openshop(const hesca_events *x, const hesca_ready *ready,
               int longest_first, hesca_timetable *t)
{
    int err = HESCA_SUCCESS;
    shop s = {.longest_first = longest_first};
    HESCA_TRY(err, begin(&s, x, ready, t));
    for (int i; (i = hesca_ready_queue_first(&s.senders)) >= 0;) {
        const int64_t k = s.p.left[i];
        const choice c = k * k < 2 * x->nproc ? scan(&s, i) : walk(&s, i);
        const int j = x->dest[c.event];
        hesca_unscheduled_take(&s.p, c.event, c.start);
        update_receiver(&s, j, c.free);
        hesca_ready_queue_update(&s.senders);
    }
fail:
    hesca_unscheduled_clear(&s.p);
    free(s.senders.tree);
    free(s.line);
    if (err < 0)
        hesca_timetable_clear(t);
    return err;
}
