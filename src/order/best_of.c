/* Open shop looks at rank is free first, not at rank has most to do; then the
 * port that decides the finish, the one with the largest sum, idles now and
 * then, or is left with partners that are busy elsewhere.  A pass of ours goes
 * through time as well and lets no event wait while both its ends are free,
 * but a port that gets free takes, of the free ports of the other side, the
 * one that has most left to do.  The event between them counts once more, or
 * several times: beside a long event in the end nothing can be put.
 *
 * A port that ends after the lower bound has been served too late.  What it
 * was late by, times BONUS, is added to what it has to do in the next pass
 * (squeaky wheel optimization).  The best timetable wins, that of fixed steps
 * among them. */
#include "order/best_of.h"
#include "base/status.h"
#include "order/matching.h"
#include "order/openshop.h"
#include "order/port_events.h"
#include <stdlib.h>
#include <string.h>

/* Passes among few processes take longer, beside open shop. */
enum { BONUS = 4, PASSES = 8, FEW = 32, PASSES_FEW = 6 };

/* What an event counts in each pass.  Passes that differ in it find better
 * timetables than passes that do not; found by trial. */
static const double event_weight[PASSES] = {1, 2, 0, 1, 4, 1, 2, 0};

typedef struct {
    hesca_port_events desk;
    double *weight; /* [2 nproc] what each port has left to do */
    int64_t *list;  /* [nproc] */
    double event;   /* what an event counts */
} pass;

/* The ports that got free, those with most to do first.  Mostly there are two,
 * at the beginning there are all. */
static void
sort_fresh(pass *a, int *space)
{
    int *port = a->desk.fresh;
    const int n = a->desk.nfresh;
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

/* The best event that a port can begin now, -1: none. */
static int64_t
best_of_port(pass *a, int port)
{
    const hesca_events *x = a->desk.p.x;
    const int n = hesca_port_events_gather(&a->desk, port, a->list);
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

static void
serve(pass *a, double now, int *space)
{
    const hesca_events *x = a->desk.p.x;
    hesca_port_events_release(&a->desk, now);
    sort_fresh(a, space);
    for (int k = 0; k < a->desk.nfresh; ++k) {
        const int port = a->desk.fresh[k];
        if (!hesca_port_events_is_free(&a->desk, port))
            continue;
        const int64_t e = best_of_port(a, port);
        if (e < 0)
            continue;
        a->weight[x->src[e]] -= x->seconds[e];
        a->weight[x->nproc + x->dest[e]] -= x->seconds[e];
        hesca_port_events_start(&a->desk, e, now);
    }
}

/* One pass; bonus, [2 nproc] seconds, is what ports seem to have to do beyond
 * their events. */
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
    HESCA_TRY(err, hesca_port_events_init(&a.desk, x, ready, t));
    if (a.weight == NULL || a.list == NULL || space == NULL)
        HESCA_TRY(err, hesca_fail(HESCA_ERR_NOMEM, 0,
                                  "weights of %d processes", x->nproc));
    memcpy(a.weight, bonus, 2 * n * sizeof *a.weight);
    for (int64_t e = 0; e < x->n; ++e) {
        a.weight[x->src[e]] += x->seconds[e];
        a.weight[x->nproc + x->dest[e]] += x->seconds[e];
    }
    while (a.desk.nheap > 0)
        serve(&a, hesca_port_events_next(&a.desk), space);
fail:
    hesca_port_events_clear(&a.desk);
    free(a.weight);
    free(a.list);
    free(space);
    if (err < 0)
        hesca_timetable_clear(t);
    return err;
}

/* Add what a port, whose last event is e, is late by. */
static void
add_lateness(const hesca_timetable *t, int64_t e, double bound, double *bonus)
{
    if (t->end[e] > bound)
        *bonus += BONUS * (t->end[e] - bound);
}

static void
learn(const hesca_events *x, const hesca_timetable *t, double bound,
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

/* The better of two takes the place of the first; the other is cleared. */
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

/* Where messages hardly differ no order is better than fixed steps, and going
 * through time leaves gaps in the end. */
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
        learn(x, &next, bound, bonus);
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
