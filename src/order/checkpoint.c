/* SPDX-License-Identifier: BSD-3-Clause */
#include "order/checkpoint.h"
#include "base/status.h"
#include "hesca/experimental/timetable.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

static size_t
at_least_one(int64_t n)
{
    return n > 0 ? (size_t)n : 1;
}

/* --- estimates ---
 * The factor of a process is 1 if none of its events has ended.  Every
 * estimate is finite and > 0. */

/* Fit the factors of one side to the events that have ended, for given factors
 * of the other side. */
static void
fit(const hesca_events *x, const hesca_so_far *g, const int *side,
    const int *other, const double *given, double *real, double *factor)
{
    memset(real, 0, (size_t)x->nproc * sizeof *real);
    memset(factor, 0, (size_t)x->nproc * sizeof *factor);
    for (int64_t e = 0; e < x->n; ++e)
        if (!isnan(g->end[e])) {
            real[side[e]] += g->end[e] - g->start[e];
            factor[side[e]] += x->seconds[e] * given[other[e]];
        }
    for (int i = 0; i < x->nproc; ++i)
        factor[i] = factor[i] > 0 && real[i] > 0 ? real[i] / factor[i] : 1;
}

/* The estimate, or the planned time if the estimate is unusable: a message can
 * take 0 s in rounded times, and factors can be out of range. */
static double
estimate_or(double estimate, double planned)
{
    return estimate > 0 && isfinite(estimate) ? estimate : planned;
}

int
hesca_reestimate(const hesca_events *x, const hesca_so_far *progress,
                 double *seconds)
{
    enum { ROUNDS = 4 };
    const size_t p = (size_t)x->nproc;
    double *send = malloc(3 * p * sizeof *send);
    if (send == NULL)
        return hesca_fail(HESCA_ERR_NOMEM, 0, "factors of %d processes",
                          x->nproc);
    double *recv = send + p, *real = recv + p;
    for (size_t j = 0; j < p; ++j)
        recv[j] = 1;
    for (int k = 0; k < ROUNDS; ++k) {
        fit(x, progress, x->src, x->dest, recv, real, send);
        fit(x, progress, x->dest, x->src, send, real, recv);
    }
    for (int64_t e = 0; e < x->n; ++e)
        seconds[e] = estimate_or(isnan(progress->end[e])
                                     ? x->seconds[e] * send[x->src[e]] *
                                           recv[x->dest[e]]
                                     : progress->end[e] - progress->start[e],
                                 x->seconds[e]);
    free(send);
    return HESCA_SUCCESS;
}

/* --- the rest ---
 * Events that have begun are at the front of their orders.  So the rest of an
 * order is its tail, which can be replaced without changing the front. */

/* The events that have not begun, numbered on their own, and the times from
 * which on their processes are free. */
typedef struct {
    hesca_events x;
    int64_t *event; /* [x.n] number among all events */
    int64_t *place; /* [all events] number here; -1: has begun */
    double *send, *recv;
} rest;

static void
rest_clear(rest *r)
{
    hesca_events_clear(&r->x);
    free(r->event);
    free(r->place);
    free(r->send);
    free(r->recv);
}

static hesca_ready
rest_ready(const rest *r)
{
    return (hesca_ready){r->send, r->recv};
}

static int
rest_events(rest *r, const hesca_events *x, const double *seconds,
            const double *start)
{
    int64_t n = 0;
    hesca_event *list = malloc(at_least_one(x->n) * sizeof *list);
    if (list == NULL)
        return hesca_fail(HESCA_ERR_NOMEM, 0, "rest of %lld events",
                          (long long)x->n);
    for (int64_t e = 0; e < x->n; ++e) {
        r->place[e] = isnan(start[e]) ? n : -1;
        if (!isnan(start[e]))
            continue;
        r->event[n] = e;
        list[n++] =
            (hesca_event){x->src[e], x->dest[e], x->bytes[e], seconds[e]};
    }
    const int err = hesca_events_init(&r->x, x->nproc, n, list);
    free(list);
    return err;
}

/* until[e]: the time at which an event that has begun ends. */
static int
rest_make(rest *r, const hesca_events *x, const double *seconds, double now,
          const double *start, const double *until)
{
    int err = HESCA_SUCCESS;
    const size_t p = (size_t)x->nproc;
    *r = (rest){0};
    r->event = malloc(at_least_one(x->n) * sizeof *r->event);
    r->place = malloc(at_least_one(x->n) * sizeof *r->place);
    r->send = malloc(p * sizeof *r->send);
    r->recv = malloc(p * sizeof *r->recv);
    if (r->event == NULL || r->place == NULL || r->send == NULL ||
        r->recv == NULL)
        HESCA_TRY(err, hesca_fail(HESCA_ERR_NOMEM, 0, "rest of %lld events",
                                  (long long)x->n));
    HESCA_TRY(err, rest_events(r, x, seconds, start));
    for (size_t i = 0; i < p; ++i)
        r->send[i] = r->recv[i] = now;
    for (int64_t e = 0; e < x->n; ++e)
        if (!isnan(start[e])) {
            r->send[x->src[e]] = fmax(r->send[x->src[e]], until[e]);
            r->recv[x->dest[e]] = fmax(r->recv[x->dest[e]], until[e]);
        }
fail:
    return err;
}

/* The events of an order that have not begun, which must be its tail. */
static int
tail(const rest *r, const int64_t *order, int64_t n, int64_t *out)
{
    int64_t m = 0;
    for (int64_t k = 0; k < n; ++k) {
        const int64_t e = r->place[order[k]];
        if (e >= 0)
            out[m++] = e;
        else if (m > 0)
            return hesca_fail(HESCA_ERR_ARG, 0,
                              "event %lld has begun before one that is "
                              "ordered before it",
                              (long long)order[k]);
    }
    return HESCA_SUCCESS;
}

/* The timetable of the rest in the old orders. */
static int
rest_by_old(const rest *r, const hesca_events *x, const hesca_timetable *old,
            hesca_timetable *t)
{
    int err = HESCA_SUCCESS;
    const hesca_ready ready = rest_ready(r);
    HESCA_TRY(err, hesca_timetable_alloc(t, &r->x));
    for (int i = 0; i < x->nproc; ++i) {
        const int64_t sent = x->first[i], received = old->recv_first[i];
        HESCA_TRY(err, tail(r, old->send + sent, x->first[i + 1] - sent,
                            t->send + r->x.first[i]));
        HESCA_TRY(err, tail(r, old->recv + received,
                            old->recv_first[i + 1] - received,
                            t->recv + t->recv_first[i]));
    }
    err = hesca_timetable_run(t, &r->x, NULL, &ready);
fail:
    return err;
}

/* Replace the tails of the orders and the times of the rest. */
static void
rest_merge(const rest *r, const hesca_events *x, const hesca_timetable *part,
           hesca_timetable *t)
{
    for (int64_t k = 0; k < part->n; ++k) {
        t->start[r->event[k]] = part->start[k];
        t->end[r->event[k]] = part->end[k];
    }
    for (int i = 0; i < x->nproc; ++i) {
        int64_t to = x->first[i + 1];
        for (int64_t k = r->x.first[i + 1]; k-- > r->x.first[i];)
            t->send[--to] = r->event[part->send[k]];
        to = t->recv_first[i + 1];
        for (int64_t k = part->recv_first[i + 1]; k-- > part->recv_first[i];)
            t->recv[--to] = r->event[part->recv[k]];
    }
    t->finish = 0;
    for (int64_t e = 0; e < t->n; ++e)
        t->finish = fmax(t->finish, t->end[e]);
}

/* --- rescheduling ---
 * Times of events that have begun are measured ones, and those of the rest are
 * estimates not before now.  The new orders are used only if they finish
 * earlier than the old ones. */

/* The old timetable with the measured times; events in progress end as
 * estimated, but not before now. */
static int
record_progress(const hesca_events *x, const hesca_timetable *old,
                const hesca_so_far *g, hesca_timetable *t)
{
    int err = HESCA_SUCCESS;
    HESCA_TRY(err, hesca_timetable_alloc(t, x));
    hesca_timetable_copy(t, old);
    for (int64_t e = 0; e < x->n; ++e) {
        if (isnan(g->start[e]) ? !isnan(g->end[e]) : g->start[e] > g->now)
            HESCA_TRY(err, hesca_fail(HESCA_ERR_ARG, 0,
                                      "event from %d to %d: began at %g, "
                                      "ended at %g, it is %g",
                                      x->src[e], x->dest[e], g->start[e],
                                      g->end[e], g->now));
        t->start[e] = g->start[e];
        t->end[e] = isnan(g->end[e])
                        ? fmax(g->now, g->start[e] + x->seconds[e])
                        : g->end[e];
    }
fail:
    return err;
}

int
hesca_reschedule(const hesca_events *x, const hesca_timetable *old,
                 const hesca_so_far *progress, const hesca_heuristic *h,
                 hesca_timetable *t, int *changed)
{
    int err = HESCA_SUCCESS;
    rest r = {0};
    hesca_timetable unchanged = {0}, part = {0};
    *t = (hesca_timetable){0};
    HESCA_TRY(err, record_progress(x, old, progress, t));
    HESCA_TRY(err, rest_make(&r, x, x->seconds, progress->now, progress->start,
                             t->end));
    HESCA_TRY(err, rest_by_old(&r, x, old, &unchanged));
    const hesca_alltoallv_order_options options = {.ready = rest_ready(&r)};
    if (h != NULL)
        HESCA_TRY(err, h->make(&r.x, &options, &part));
    const int better = h != NULL && part.finish < unchanged.finish;
    rest_merge(&r, x, better ? &part : &unchanged, t);
    if (changed != NULL)
        *changed = better;
fail:
    rest_clear(&r);
    hesca_timetable_clear(&unchanged);
    hesca_timetable_clear(&part);
    if (err < 0)
        hesca_timetable_clear(t);
    return err;
}

/* --- execution ---
 * actual is what happens if the plan is not changed again; its times before
 * the present checkpoint do not change any more.  endings lists its events in
 * the order in which they end. */

typedef struct {
    double end;
    int64_t event;
} ending;

typedef struct {
    const hesca_events *x;
    const double *real;     /* [n] seconds that events take */
    hesca_timetable plan;   /* known to the processes */
    double made;            /* time at which the plan was made */
    hesca_timetable actual; /* times of events by the orders of the plan */
    ending *endings;        /* [n] of actual, by time */
    double *start, *end;    /* [n] progress */
    double *seconds;        /* [n] estimates */
} execution;

static int
ends_earlier(const void *a, const void *b)
{
    const ending *s = a, *t = b;
    if (s->end != t->end)
        return s->end < t->end ? -1 : 1;
    return s->event < t->event ? -1 : s->event > t->event;
}

static void
sort_endings(execution *w)
{
    for (int64_t e = 0; e < w->x->n; ++e)
        w->endings[e] = (ending){w->actual.end[e], e};
    qsort(w->endings, (size_t)w->x->n, sizeof *w->endings, ends_earlier);
}

static int
execution_begin(execution *w, const hesca_timetable *plan)
{
    int err = HESCA_SUCCESS;
    const size_t n = at_least_one(w->x->n);
    w->endings = malloc(n * sizeof *w->endings);
    w->start = malloc(n * sizeof *w->start);
    w->end = malloc(n * sizeof *w->end);
    w->seconds = malloc(n * sizeof *w->seconds);
    if (w->endings == NULL || w->start == NULL || w->end == NULL ||
        w->seconds == NULL)
        HESCA_TRY(err, hesca_fail(HESCA_ERR_NOMEM, 0, "%lld events",
                                  (long long)w->x->n));
    HESCA_TRY(err, hesca_timetable_alloc(&w->plan, w->x));
    HESCA_TRY(err, hesca_timetable_alloc(&w->actual, w->x));
    hesca_timetable_copy(&w->plan, plan);
    hesca_timetable_copy(&w->actual, plan);
    HESCA_TRY(err, hesca_timetable_run(&w->actual, w->x, w->real, NULL));
    sort_endings(w);
fail:
    return err;
}

/* The progress at a checkpoint.  Events that begin exactly now count as not
 * begun. */
static hesca_so_far
observe(execution *w, double now)
{
    for (int64_t e = 0; e < w->x->n; ++e) {
        const int begun = w->actual.start[e] < now;
        w->start[e] = begun ? w->actual.start[e] : NAN;
        w->end[e] = begun && w->actual.end[e] <= now ? w->actual.end[e] : NAN;
    }
    return (hesca_so_far){now, w->start, w->end};
}

/* Compute actual for the orders of the plan from now on. */
static int
follow(execution *w, double now)
{
    int err = HESCA_SUCCESS;
    rest r = {0};
    hesca_timetable part = {0};
    HESCA_TRY(err, rest_make(&r, w->x, w->real, now, w->start, w->actual.end));
    HESCA_TRY(err, rest_by_old(&r, w->x, &w->plan, &part));
    rest_merge(&r, w->x, &part, &w->actual);
    sort_endings(w);
fail:
    rest_clear(&r);
    hesca_timetable_clear(&part);
    return err;
}

static int
reschedule(execution *w, double now, const hesca_heuristic *h, int *changed)
{
    int err = HESCA_SUCCESS;
    hesca_events estimate = {0};
    hesca_timetable t = {0};
    const hesca_so_far g = observe(w, now);
    HESCA_TRY(err, hesca_reestimate(w->x, &g, w->seconds));
    HESCA_TRY(err, hesca_events_retime(&estimate, w->x, w->seconds));
    HESCA_TRY(err, hesca_reschedule(&estimate, &w->plan, &g, h, &t, changed));
    hesca_timetable_copy(&w->plan, &t);
    w->made = now;
    if (*changed)
        err = follow(w, now);
fail:
    hesca_events_clear(&estimate);
    hesca_timetable_clear(&t);
    return err;
}

/* Number of events that have ended at the checkpoint after that of `done`. */
static int64_t
next_check(hesca_check_policy policy, int64_t done, int64_t n)
{
    return policy == HESCA_CHECK_EVENT ? done + 1 : done + (n - done + 1) / 2;
}

/* The largest difference between plan and actual of endings from ... to - 1.
 */
static double
deviation(const execution *w, int64_t from, int64_t to)
{
    double most = 0;
    for (int64_t k = from; k < to; ++k)
        most = fmax(
            most, fabs(w->endings[k].end - w->plan.end[w->endings[k].event]));
    return most;
}

static int
check_real(const hesca_events *x, const double *real, double threshold)
{
    if (!(threshold >= 0))
        return hesca_fail(HESCA_ERR_ARG, 0, "threshold is %g: must be >= 0",
                          threshold);
    for (int64_t e = 0; e < x->n; ++e)
        if (!isfinite(real[e]) || real[e] <= 0)
            return hesca_fail(HESCA_ERR_ARG, 0,
                              "event from %d to %d: real seconds are %g: must "
                              "be finite and > 0",
                              x->src[e], x->dest[e], real[e]);
    return HESCA_SUCCESS;
}

int
hesca_checkpoint_run(const hesca_events *x, const double *real,
                     const hesca_timetable *plan, hesca_check_policy policy,
                     double threshold, const hesca_heuristic *h,
                     hesca_checkpoint_outcome *r)
{
    int err = HESCA_SUCCESS;
    execution w = {.x = x, .real = real};
    *r = (hesca_checkpoint_outcome){0};
    HESCA_TRY(err, check_real(x, real, threshold));
    HESCA_TRY(err, execution_begin(&w, plan));
    for (int64_t done = 0, next; done < x->n; done = next) {
        next = next_check(policy, done, x->n);
        if (next >= x->n)
            break;
        const double now = w.endings[next - 1].end;
        int changed = 0;
        ++r->checks;
        if (deviation(&w, done, next) > threshold * (now - w.made))
            HESCA_TRY(err, reschedule(&w, now, h, &changed));
        r->changes += changed;
    }
fail:
    r->t = w.actual;
    hesca_timetable_clear(&w.plan);
    free(w.endings);
    free(w.start);
    free(w.end);
    free(w.seconds);
    if (err < 0)
        hesca_timetable_clear(&r->t);
    return err;
}
