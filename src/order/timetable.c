/* SPDX-License-Identifier: BSD-3-Clause */
#include "hesca/experimental/timetable.h"
#include "base/status.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* --- construction ---
 * The orders of a new timetable are those of the events; its times are
 * undefined. */

void
hesca_timetable_clear(hesca_timetable *t)
{
    free(t->start);
    free(t->end);
    free(t->send);
    free(t->recv_first);
    free(t->recv);
    *t = (hesca_timetable){0};
}

/* Fill recv_first, and the orders by event number. */
static void
order_by_event(hesca_timetable *t, const hesca_events *x)
{
    int64_t *at = t->recv_first;
    for (int64_t e = 0; e < x->n; ++e) {
        t->send[e] = e;
        ++at[x->dest[e] + 1];
    }
    for (int j = 0; j < x->nproc; ++j)
        at[j + 1] += at[j];
    for (int64_t e = 0; e < x->n; ++e)
        t->recv[at[x->dest[e]]++] = e;
    for (int j = x->nproc; j > 0; --j)
        at[j] = at[j - 1];
    at[0] = 0;
}

int
hesca_timetable_alloc(hesca_timetable *t, const hesca_events *x)
{
    const size_t n = x->n > 0 ? (size_t)x->n : 1;
    *t = (hesca_timetable){.n = x->n};
    t->start = malloc(n * sizeof *t->start);
    t->end = malloc(n * sizeof *t->end);
    t->send = malloc(n * sizeof *t->send);
    t->recv = malloc(n * sizeof *t->recv);
    t->recv_first = calloc((size_t)x->nproc + 1, sizeof *t->recv_first);
    if (t->start == NULL || t->end == NULL || t->send == NULL ||
        t->recv == NULL || t->recv_first == NULL) {
        hesca_timetable_clear(t);
        return hesca_fail(HESCA_ERR_NOMEM, 0, "timetable of %lld events",
                          (long long)x->n);
    }
    order_by_event(t, x);
    return HESCA_SUCCESS;
}

void
hesca_timetable_copy(hesca_timetable *to, const hesca_timetable *from)
{
    const size_t n = (size_t)from->n;
    memcpy(to->start, from->start, n * sizeof *to->start);
    memcpy(to->end, from->end, n * sizeof *to->end);
    memcpy(to->send, from->send, n * sizeof *to->send);
    memcpy(to->recv, from->recv, n * sizeof *to->recv);
    to->finish = from->finish;
}

/* --- running the orders ---
 * An event begins when its predecessors in both orders have ended.  It runs
 * when it is the next one of its sender and of its receiver, so the times do
 * not depend on the order in which senders are examined.  If events are left
 * when no sender can proceed, the orders are cyclic. */

/* The progress of the orders: number of events and time from which on each
 * process is free. */
typedef struct {
    const hesca_timetable *t;
    const hesca_events *x;
    int64_t *sent, *received; /* [nproc] number of events that have run */
    double *send, *recv;      /* [nproc] seconds */
    int *stack;               /* [nproc] senders that may proceed */
} walk;

static int
walk_begin(walk *w, const hesca_timetable *t, const hesca_events *x,
           const hesca_ready *ready)
{
    const size_t p = (size_t)x->nproc;
    *w = (walk){.t = t, .x = x};
    w->sent = calloc(2 * p, sizeof *w->sent);
    w->send = calloc(2 * p, sizeof *w->send);
    w->stack = malloc(p * sizeof *w->stack);
    if (w->sent == NULL || w->send == NULL || w->stack == NULL)
        return hesca_fail(HESCA_ERR_NOMEM, 0, "times of %d processes",
                          x->nproc);
    w->received = w->sent + p;
    w->recv = w->send + p;
    if (ready != NULL && ready->send != NULL)
        memcpy(w->send, ready->send, p * sizeof *w->send);
    if (ready != NULL && ready->recv != NULL)
        memcpy(w->recv, ready->recv, p * sizeof *w->recv);
    return HESCA_SUCCESS;
}

static void
walk_end(walk *w)
{
    free(w->sent);
    free(w->send);
    free(w->stack);
}

/* The next event of sender i, or -1. */
static int64_t
next_send(const walk *w, int i)
{
    const int64_t k = w->x->first[i] + w->sent[i];
    return k < w->x->first[i + 1] ? w->t->send[k] : -1;
}

static int64_t
next_recv(const walk *w, int j)
{
    const int64_t k = w->t->recv_first[j] + w->received[j];
    return k < w->t->recv_first[j + 1] ? w->t->recv[k] : -1;
}

/* The error for orders that cannot proceed. */
static int
fail_deadlock(const walk *w)
{
    for (int i = 0; i < w->x->nproc; ++i) {
        const int64_t e = next_send(w, i);
        if (e < 0)
            continue;
        const int j = w->x->dest[e];
        const int64_t f = next_recv(w, j);
        return hesca_fail(HESCA_ERR_ARG, 0,
                          "orders wait for each other: %d is to send to %d, "
                          "which is to receive from %d",
                          i, j, f < 0 ? -1 : w->x->src[f]);
    }
    return HESCA_SUCCESS;
}

/* The orders of a process must contain only its own events. */
static int
check_orders(const hesca_timetable *t, const hesca_events *x)
{
    for (int i = 0; i < x->nproc; ++i) {
        for (int64_t k = x->first[i]; k < x->first[i + 1]; ++k)
            if (t->send[k] < x->first[i] || t->send[k] >= x->first[i + 1])
                return hesca_fail(HESCA_ERR_ARG, 0,
                                  "event %lld is not one that %d sends",
                                  (long long)t->send[k], i);
        for (int64_t k = t->recv_first[i]; k < t->recv_first[i + 1]; ++k)
            if (t->recv[k] < 0 || t->recv[k] >= x->n ||
                x->dest[t->recv[k]] != i)
                return hesca_fail(HESCA_ERR_ARG, 0,
                                  "event %lld is not one that %d receives",
                                  (long long)t->recv[k], i);
    }
    return HESCA_SUCCESS;
}

/* Run the events that sender i can send now, and those of other senders that
 * become possible by this.  No process is on the stack twice, because a
 * receiver enables its next sender only once.  Return the number of events. */
static int64_t
run_from(walk *w, hesca_timetable *t, const double *seconds, int i)
{
    int64_t done = 0;
    int n = 0;
    w->stack[n++] = i;
    while (n > 0) {
        const int s = w->stack[--n];
        for (int64_t e; (e = next_send(w, s)) >= 0;) {
            const int j = w->x->dest[e];
            if (next_recv(w, j) != e)
                break;
            t->start[e] = fmax(w->send[s], w->recv[j]);
            t->end[e] = w->send[s] = w->recv[j] = t->start[e] + seconds[e];
            t->finish = fmax(t->finish, t->end[e]);
            ++w->sent[s];
            ++w->received[j];
            ++done;
            const int64_t f = next_recv(w, j);
            if (f >= 0 && w->x->src[f] != s && next_send(w, w->x->src[f]) == f)
                w->stack[n++] = w->x->src[f];
        }
    }
    return done;
}

int
hesca_timetable_run(hesca_timetable *t, const hesca_events *x,
                    const double *seconds, const hesca_ready *ready)
{
    int err = HESCA_SUCCESS;
    int64_t done = 0;
    walk w = {0};
    HESCA_TRY(err, check_orders(t, x));
    HESCA_TRY(err, walk_begin(&w, t, x, ready));
    t->finish = 0;
    for (int i = 0; i < x->nproc; ++i)
        done += run_from(&w, t, seconds != NULL ? seconds : x->seconds, i);
    if (done < x->n)
        HESCA_TRY(err, fail_deadlock(&w));
fail:
    walk_end(&w);
    return err;
}

/* --- timetables of steps ---
 * The orders are those of the steps, and a process has at most one event per
 * step on each side. */

/* Append an event to an order; it is an error if step s has two. */
static int
append(int64_t *order, int64_t *at, int64_t *last, int64_t e, int64_t s,
       const char *what, int proc)
{
    if (*last == s)
        return hesca_fail(HESCA_ERR_ARG, 0, "process %d %s twice in step %lld",
                          proc, what, (long long)s);
    *last = s;
    order[(*at)++] = e;
    return HESCA_SUCCESS;
}

/* by_step[k]: the k-th event, sorted by step, then by number. */
static int
sort_by_step(const hesca_events *x, int64_t nsteps, const int64_t *step,
             int64_t *by_step)
{
    int64_t *at = calloc((size_t)nsteps + 1, sizeof *at);
    if (at == NULL)
        return hesca_fail(HESCA_ERR_NOMEM, 0, "%lld steps", (long long)nsteps);
    for (int64_t e = 0; e < x->n; ++e)
        ++at[step[e] + 1];
    for (int64_t s = 0; s < nsteps; ++s)
        at[s + 1] += at[s];
    for (int64_t e = 0; e < x->n; ++e)
        by_step[at[step[e]]++] = e;
    free(at);
    return HESCA_SUCCESS;
}

static int
check_steps(const hesca_events *x, int64_t nsteps, const int64_t *step)
{
    for (int64_t e = 0; e < x->n; ++e)
        if (step[e] < 0 || step[e] >= nsteps)
            return hesca_fail(HESCA_ERR_ARG, 0,
                              "event from %d to %d: step is %lld: must be 0 "
                              "... %lld",
                              x->src[e], x->dest[e], (long long)step[e],
                              (long long)nsteps - 1);
    return HESCA_SUCCESS;
}

int
hesca_timetable_of_steps(hesca_timetable *t, const hesca_events *x,
                         int64_t nsteps, const int64_t *step,
                         const hesca_ready *ready)
{
    int err = HESCA_SUCCESS;
    const size_t p = (size_t)x->nproc;
    int64_t *by_step = NULL, *at = NULL, *last = NULL;
    *t = (hesca_timetable){0};
    HESCA_TRY(err, check_steps(x, nsteps, step));
    HESCA_TRY(err, hesca_timetable_alloc(t, x));
    by_step = malloc((x->n > 0 ? (size_t)x->n : 1) * sizeof *by_step);
    at = malloc(2 * p * sizeof *at);
    last = malloc(2 * p * sizeof *last);
    if (by_step == NULL || at == NULL || last == NULL)
        HESCA_TRY(err, hesca_fail(HESCA_ERR_NOMEM, 0, "steps of %lld events",
                                  (long long)x->n));
    HESCA_TRY(err, sort_by_step(x, nsteps, step, by_step));
    memcpy(at, x->first, p * sizeof *at);
    memcpy(at + p, t->recv_first, p * sizeof *at);
    for (size_t i = 0; i < 2 * p; ++i)
        last[i] = -1;
    for (int64_t k = 0; k < x->n; ++k) {
        const int64_t e = by_step[k];
        const size_t i = (size_t)x->src[e], j = (size_t)x->dest[e] + p;
        HESCA_TRY(err, append(t->send, &at[i], &last[i], e, step[e], "sends",
                              x->src[e]));
        HESCA_TRY(err, append(t->recv, &at[j], &last[j], e, step[e],
                              "receives", x->dest[e]));
    }
    HESCA_TRY(err, hesca_timetable_run(t, x, NULL, ready));
fail:
    free(by_step);
    free(at);
    free(last);
    if (err < 0)
        hesca_timetable_clear(t);
    return err;
}

/* --- checks ---
 * Times are compared up to 1e-9 of the finish. */

/* Check one order: events of its process, each once, one after the other from
 * `ready` on. */
static int
check_order(const hesca_timetable *t, const hesca_events *x,
            const int64_t *order, int64_t n, double ready, const int *side,
            int proc, unsigned char *seen)
{
    const double room = 1e-9 * t->finish;
    for (int64_t k = 0; k < n; ++k) {
        const int64_t e = order[k];
        if (e < 0 || e >= x->n || side[e] != proc || seen[e]++)
            return hesca_fail(HESCA_ERR_ARG, 0,
                              "event %lld is not one of process %d's, or is "
                              "there twice",
                              (long long)e, proc);
        if (!(t->start[e] >= ready - room))
            return hesca_fail(HESCA_ERR_ARG, 0,
                              "event from %d to %d begins at %g, before %g, "
                              "when process %d is free",
                              x->src[e], x->dest[e], t->start[e], ready, proc);
        ready = t->end[e];
    }
    return HESCA_SUCCESS;
}

static int
check_times(const hesca_timetable *t, const hesca_events *x)
{
    const double room = 1e-9 * t->finish;
    double finish = 0;
    for (int64_t e = 0; e < x->n; ++e) {
        finish = fmax(finish, t->end[e]);
        if (!(fabs(t->end[e] - t->start[e] - x->seconds[e]) <= room))
            return hesca_fail(HESCA_ERR_ARG, 0,
                              "event from %d to %d takes from %g to %g, not "
                              "%g seconds",
                              x->src[e], x->dest[e], t->start[e], t->end[e],
                              x->seconds[e]);
    }
    if (finish != t->finish)
        return hesca_fail(HESCA_ERR_ARG, 0,
                          "the last event ends at %g, not %g", finish,
                          t->finish);
    return HESCA_SUCCESS;
}

int
hesca_timetable_check(const hesca_timetable *t, const hesca_events *x,
                      const hesca_ready *ready)
{
    int err = HESCA_SUCCESS;
    const int has_send = ready != NULL && ready->send != NULL;
    const int has_recv = ready != NULL && ready->recv != NULL;
    const size_t n = x->n > 0 ? (size_t)x->n : 1;
    unsigned char *seen = calloc(2, n);
    if (seen == NULL)
        return hesca_fail(HESCA_ERR_NOMEM, 0, "%lld events", (long long)x->n);
    HESCA_TRY(err, check_times(t, x));
    for (int i = 0; i < x->nproc; ++i) {
        HESCA_TRY(err,
                  check_order(t, x, t->send + x->first[i],
                              x->first[i + 1] - x->first[i],
                              has_send ? ready->send[i] : 0, x->src, i, seen));
        HESCA_TRY(err, check_order(t, x, t->recv + t->recv_first[i],
                                   t->recv_first[i + 1] - t->recv_first[i],
                                   has_recv ? ready->recv[i] : 0, x->dest, i,
                                   seen + n));
    }
fail:
    free(seen);
    return err;
}

/* --- deadlines ---
 * An event is late if it ends after its deadline; the others count as 0. */

hesca_lateness
hesca_timetable_lateness(const hesca_timetable *t, const double *deadline,
                         unsigned char *late)
{
    hesca_lateness all = {0, 0, 0};
    for (int64_t e = 0; e < t->n; ++e) {
        const double by = t->end[e] - deadline[e];
        if (late != NULL)
            late[e] = by > 0;
        if (by > 0) {
            ++all.missed;
            all.total += by;
            all.most = fmax(all.most, by);
        }
    }
    return all;
}
