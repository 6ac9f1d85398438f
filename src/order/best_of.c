/* SPDX-License-Identifier: BSD-3-Clause */
/* Open shop selects the process that is free first, not the one with the most
 * remaining work.  So the port with the largest sum, which determines the
 * finish, is idle at times, or its last partners are busy with other ports.
 * A pass of this algorithm also goes through time and lets no event wait while
 * both its ports are free.  But a port that becomes free selects, among the
 * free ports of the other side, the one with the largest weight: its remaining
 * seconds, plus a multiple of the seconds of the event between the two,
 * because nothing overlaps with a long event at the end of the schedule.
 *
 * A port that ends after the lower bound was selected too late.  Its lateness,
 * times BONUS, is added to its weight in the next pass (squeaky wheel
 * optimization).  The result is the best timetable of open shop, of all passes
 * and of fixed steps. */
#include "order/best_of.h"
#include "base/status.h"
#include "order/matching.h"
#include "order/openshop.h"
#include "order/port_events.h"
#include <stdlib.h>
#include <string.h>

/* With few processes a pass takes longer relative to open shop, so there are
 * fewer passes. */
enum { BONUS = 4, PASSES = 8, FEW = 32, PASSES_FEW = 6 };

/* --- one pass ---
 * weight[port] is always the bonus of the port plus the seconds of its events
 * that have not begun, and no event waits while both its ports are free. */

/* Multiple of an event's seconds that is added, in each pass.  Different
 * values find better timetables than equal ones; determined by experiment. */
static const double event_weight[PASSES] = {1, 2, 0, 1, 4, 1, 2, 0};

typedef struct {
    hesca_port_events ports;
    double *weight; /* [2 nproc] seconds left, and bonus, of each port */
    int64_t *list;  /* [nproc] */
    double event;   /* multiple of an event's seconds */
} pass;

/* Sort the ports that became free by decreasing weight: merge sort, stable.
 * There are usually two of them, and all at the beginning. */
static void
sort_released(pass *a, int *space)
{
    int *port = a->ports.released;
    const int n = a->ports.nreleased;
    for (int width = 1; width < n; width *= 2) {
        for (int from = 0; from < n; from += 2 * width) {
            const int mid = from + width < n ? from + width : n;
            const int end = mid + width < n ? mid + width : n;
            int i = from, j = mid;
            for (int k = from; k < end; ++k)
                space[k] = j >= end || (i < mid && a->weight[port[i]] >=
                                                       a->weight[port[j]])
                               ? port[i++]
                               : port[j++];
        }
        memcpy(port, space, (size_t)n * sizeof *port);
    }
}

/* The best event that a port can begin now; -1 if there is none. */
static int64_t
best_of_port(pass *a, int port)
{
    const hesca_events *x = a->ports.p.x;
    const int n = hesca_port_events_gather(&a->ports, port, a->list);
    int64_t best = -1;
    double most = 0;
    for (int k = 0; k < n; ++k) {
        const int64_t e = a->list[k];
        const int other = port < x->nproc ? x->nproc + x->dest[e] : x->src[e];
        const double now = a->weight[other] + a->event * x->seconds[e];
        if (best < 0 || now > most || (now == most && e < best)) {
            best = e;
            most = now;
        }
    }
    return best;
}

/* Begin events at the ports that become free now. */
static void
begin_events(pass *a, double now, int *space)
{
    const hesca_events *x = a->ports.p.x;
    hesca_port_events_release(&a->ports, now);
    sort_released(a, space);
    for (int k = 0; k < a->ports.nreleased; ++k) {
        const int port = a->ports.released[k];
        if (!hesca_port_events_is_free(&a->ports, port))
            continue;
        const int64_t e = best_of_port(a, port);
        if (e < 0)
            continue;
        a->weight[x->src[e]] -= x->seconds[e];
        a->weight[x->nproc + x->dest[e]] -= x->seconds[e];
        hesca_port_events_start(&a->ports, e, now);
    }
}

/* One pass; bonus, [2 nproc] seconds, is added to the weights of ports. */
static int
run_pass(const hesca_events *x, const hesca_ready *ready, const double *bonus,
         double event, hesca_timetable *t)
{
    int err = HESCA_SUCCESS;
    const size_t n = (size_t)x->nproc;
    pass a = {.event = event,
              .weight = malloc(2 * n * sizeof *a.weight),
              .list = malloc(n * sizeof *a.list)};
    int *space = malloc(2 * n * sizeof *space);
    HESCA_TRY(err, hesca_port_events_init(&a.ports, x, ready, t));
    if (a.weight == NULL || a.list == NULL || space == NULL)
        HESCA_TRY(err, hesca_fail(HESCA_ERR_NOMEM, 0,
                                  "weights of %d processes", x->nproc));
    memcpy(a.weight, bonus, 2 * n * sizeof *a.weight);
    for (int64_t e = 0; e < x->n; ++e) {
        a.weight[x->src[e]] += x->seconds[e];
        a.weight[x->nproc + x->dest[e]] += x->seconds[e];
    }
    while (a.ports.nheap > 0)
        begin_events(&a, hesca_port_events_next(&a.ports), space);
fail:
    hesca_port_events_clear(&a.ports);
    free(a.weight);
    free(a.list);
    free(space);
    if (err < 0)
        hesca_timetable_clear(t);
    return err;
}

/* --- passes ---
 * t is the best timetable so far, and the search ends when it reaches the
 * lower bound. */

/* Add the lateness of a port, whose last event is e, to its bonus. */
static void
add_lateness(const hesca_timetable *t, int64_t e, double bound, double *bonus)
{
    if (t->end[e] > bound)
        *bonus += BONUS * (t->end[e] - bound);
}

static void
add_bonuses(const hesca_events *x, const hesca_timetable *t, double bound,
            double *bonus)
{
    for (int i = 0; i < x->nproc; ++i) {
        if (x->first[i] < x->first[i + 1])
            add_lateness(t, t->send[x->first[i + 1] - 1], bound, &bonus[i]);
        if (t->recv_first[i] < t->recv_first[i + 1])
            add_lateness(t, t->recv[t->recv_first[i + 1] - 1], bound,
                         &bonus[x->nproc + i]);
    }
}

/* Store the better of two in t, clear the other one. */
static void
keep_better(hesca_timetable *t, hesca_timetable *other)
{
    if (other->finish < t->finish) {
        const hesca_timetable worse = *t;
        *t = *other;
        *other = worse;
    }
    hesca_timetable_clear(other);
}

/* If messages hardly differ, no order is better than fixed steps, and passes
 * through time leave gaps at the end. */
static int
try_steps(const hesca_events *x, const hesca_ready *ready, hesca_timetable *t)
{
    hesca_timetable other = {0};
    int64_t *step = malloc(((size_t)x->n + 1) * sizeof *step);
    int err = HESCA_SUCCESS;
    if (step == NULL)
        return hesca_fail(HESCA_ERR_NOMEM, 0, "steps of %lld events",
                          (long long)x->n);
    const int64_t nsteps = hesca_steps_caterpillar(x, step);
    HESCA_TRY(err, hesca_timetable_of_steps(&other, x, nsteps, step, ready));
    keep_better(t, &other);
fail:
    free(step);
    return err;
}

int
hesca_best_of(const hesca_events *x, const hesca_ready *ready,
              hesca_timetable *t)
{
    int err = HESCA_SUCCESS;
    double bound = 0;
    double *bonus = calloc(2 * (size_t)x->nproc, sizeof *bonus);
    HESCA_TRY(err, hesca_openshop(x, ready, 0, t));
    if (bonus == NULL)
        HESCA_TRY(err,
                  hesca_fail(HESCA_ERR_NOMEM, 0, "%d processes", x->nproc));
    HESCA_TRY(err, hesca_events_bound(x, ready, &bound));
    const int most = x->nproc < FEW ? PASSES_FEW : PASSES;
    for (int k = 0; k < most && t->finish > bound; ++k) {
        hesca_timetable next;
        HESCA_TRY(err, run_pass(x, ready, bonus, event_weight[k], &next));
        add_bonuses(x, &next, bound, bonus);
        keep_better(t, &next);
    }
    if (t->finish > bound)
        HESCA_TRY(err, try_steps(x, ready, t));
fail:
    free(bonus);
    if (err < 0)
        hesca_timetable_clear(t);
    return err;
}
