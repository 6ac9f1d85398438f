/* SPDX-License-Identifier: BSD-3-Clause */
#include "order/priority.h"
#include "base/status.h"
#include "order/port_events.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* --- urgency ---
 * Urgency is a total order: by priority, deadline, length if longest_first,
 * and number.  rank and event are inverse permutations. */

typedef struct {
    double priority, deadline, seconds;
    int64_t event;
} urgency;

static int
more_urgent(const void *a, const void *b)
{
    const urgency *u = a, *v = b;
    if (u->priority != v->priority)
        return u->priority > v->priority ? -1 : 1;
    if (u->deadline != v->deadline)
        return u->deadline < v->deadline ? -1 : 1;
    if (u->seconds != v->seconds)
        return u->seconds > v->seconds ? -1 : 1;
    return u->event < v->event ? -1 : u->event > v->event;
}

/* rank[e]: number of events that are more urgent than e; event[rank[e]] = e.
 */
static int
rank_events(const hesca_events *x, const hesca_alltoallv_order_options *o,
            int longest_first, int64_t *rank, int64_t *event)
{
    urgency *u = malloc((x->n > 0 ? (size_t)x->n : 1) * sizeof *u);
    if (u == NULL)
        return hesca_fail(HESCA_ERR_NOMEM, 0, "order of %lld events",
                          (long long)x->n);
    for (int64_t e = 0; e < x->n; ++e)
        u[e] = (urgency){.priority = o->priority != NULL ? o->priority[e] : 0,
                         .deadline = o->deadline != NULL ? o->deadline[e] : 0,
                         .seconds = longest_first ? x->seconds[e] : 0,
                         .event = e};
    qsort(u, (size_t)x->n, sizeof *u, more_urgent);
    for (int64_t k = 0; k < x->n; ++k) {
        event[k] = u[k].event;
        rank[u[k].event] = k;
    }
    free(u);
    return HESCA_SUCCESS;
}

/* --- critical processes ---
 * Reservations of a port do not overlap, and its list is sorted by time. */

typedef struct {
    double start, seconds;
    int64_t event;
} reservation;

/* Order by start, then by length: of the reservations of one port that begin
 * at the same time, all but the last take 0 s in rounded times. */
static int
earlier(const void *a, const void *b)
{
    const reservation *s = a, *t = b;
    if (s->start != t->start)
        return s->start < t->start ? -1 : 1;
    if (s->seconds != t->seconds)
        return s->seconds < t->seconds ? -1 : 1;
    return s->event < t->event ? -1 : s->event > t->event;
}

/* Events with fixed times.  Ports are numbered as in port_events.h; the
 * reservations of a port are a sorted list, from which those that have begun
 * are removed. */
typedef struct {
    int64_t *head;     /* [2 nproc] first event of a port; -1: none */
    int64_t *next[2];  /* [n] next event of the sender, of the receiver */
    double *start;     /* [n] NAN: not reserved */
    int64_t n, done;   /* reservations, and those that have begun */
    reservation *list; /* [n] all, by time */
} reservations;

typedef struct {
    hesca_port_events ports;
    reservations reservations;
    const hesca_events *x;
    int64_t *rank, *event; /* [n] */
    int64_t *found;        /* [2 n + 1] events that can begin now */
} scheduler;

static int
port_of(const hesca_events *x, int64_t e, int side)
{
    return side == 0 ? x->src[e] : x->nproc + x->dest[e];
}

/* The earliest time, not before t, at which event e does not overlap with a
 * reservation of its ports. */
static double
earliest(const scheduler *f, int64_t e, double t)
{
    const reservations *y = &f->reservations;
    const double seconds = f->x->seconds[e];
    for (int moved = 1; moved;) {
        moved = 0;
        for (int side = 0; side < 2; ++side)
            for (int64_t a = y->head[port_of(f->x, e, side)]; a >= 0;
                 a = y->next[side][a]) {
                const double end = y->start[a] + f->x->seconds[a];
                if (t < end && t + seconds > y->start[a]) {
                    t = end;
                    moved = 1;
                }
            }
    }
    return t;
}

static int
goes_before(const scheduler *f, int64_t e, int64_t other)
{
    const double *start = f->reservations.start, *seconds = f->x->seconds;
    const reservation a = {start[e], seconds[e], e};
    const reservation b = {start[other], seconds[other], other};
    return earlier(&a, &b) < 0;
}

static void
reserve(scheduler *f, int64_t e, double start)
{
    reservations *y = &f->reservations;
    y->start[e] = start;
    for (int side = 0; side < 2; ++side) {
        int64_t *link = &y->head[port_of(f->x, e, side)];
        while (*link >= 0 && goes_before(f, *link, e))
            link = &y->next[side][*link];
        y->next[side][e] = *link;
        *link = e;
    }
    y->list[y->n++] = (reservation){start, f->x->seconds[e], e};
}

/* Reserve times for the n events of one port, from `now` on: first for the one
 * that can begin first, of several for the most urgent. */
static void
reserve_port(scheduler *f, const int64_t *events, int64_t n, double now)
{
    const hesca_events *x = f->x;
    for (;;) {
        int64_t best = -1;
        double at = 0;
        for (int64_t k = 0; k < n; ++k) {
            const int64_t e = events[k];
            if (!isnan(f->reservations.start[e]))
                continue;
            const double ready =
                fmax(f->ports.p.send[x->src[e]], f->ports.p.recv[x->dest[e]]);
            const double t = earliest(f, e, fmax(now, ready));
            if (best < 0 || t < at ||
                (t == at && f->rank[e] < f->rank[best])) {
                best = e;
                at = t;
            }
        }
        if (best < 0)
            return;
        reserve(f, best, at);
        now = at + x->seconds[best];
    }
}

/* Reserve times for the events of critical processes.  The orders of the
 * timetable are still those of hesca_timetable_alloc(), by event, so they list
 * the events of each port. */
static void
reserve_critical(scheduler *f, const hesca_alltoallv_order_options *o)
{
    const hesca_events *x = f->x;
    const hesca_timetable *t = f->ports.p.t;
    for (int k = 0; k < o->ncritical; ++k) {
        const int c = o->critical[k];
        reserve_port(f, t->send + x->first[c], x->first[c + 1] - x->first[c],
                     0);
        reserve_port(f, t->recv + t->recv_first[c],
                     t->recv_first[c + 1] - t->recv_first[c], 0);
    }
    qsort(f->reservations.list, (size_t)f->reservations.n,
          sizeof *f->reservations.list, earlier);
}

/* --- through time ---
 * Reserved events begin at their times; another event begins only if it ends
 * before the next reservation of its ports.  So the port of a reservation is
 * free when it begins. */

/* Whether event e is not reserved and, if it begins now, ends before the next
 * reservation of its ports. */
static int
fits(const scheduler *f, int64_t e, double now)
{
    const reservations *y = &f->reservations;
    const double end = now + f->x->seconds[e];
    if (!isnan(y->start[e]))
        return 0;
    for (int side = 0; side < 2; ++side) {
        const int64_t a = y->head[port_of(f->x, e, side)];
        if (a >= 0 && end > y->start[a])
            return 0;
    }
    return 1;
}

static double
next_reservation(const reservations *y)
{
    return y->done < y->n ? y->list[y->done].start : INFINITY;
}

static int
can_begin(const scheduler *f, int64_t e)
{
    return hesca_port_events_is_free(&f->ports, port_of(f->x, e, 0)) &&
           hesca_port_events_is_free(&f->ports, port_of(f->x, e, 1));
}

/* Begin the reserved events whose time has come.  If the port of one is busy
 * with an event that begins and ends now, it begins after the release of the
 * port, which is also now. */
static void
begin_reserved(scheduler *f, double now)
{
    reservations *y = &f->reservations;
    while (next_reservation(y) <= now &&
           can_begin(f, y->list[y->done].event)) {
        const int64_t e = y->list[y->done++].event;
        for (int side = 0; side < 2; ++side)
            y->head[port_of(f->x, e, side)] = y->next[side][e];
        hesca_port_events_start(&f->ports, e, now);
    }
}

static int
ascending(const void *a, const void *b)
{
    const int64_t i = *(const int64_t *)a, j = *(const int64_t *)b;
    return i < j ? -1 : i > j;
}

/* Begin reserved events, then the other events of the ports that became free,
 * by urgency. */
static void
begin_events(scheduler *f, double now)
{
    const hesca_port_events *d = &f->ports;
    int64_t n = 0;
    hesca_port_events_release(&f->ports, now);
    begin_reserved(f, now);
    for (int k = 0; k < d->nreleased; ++k)
        if (hesca_port_events_is_free(d, d->released[k]))
            n += hesca_port_events_gather(d, d->released[k], f->found + n);
    for (int64_t k = 0; k < n; ++k)
        f->found[k] = f->rank[f->found[k]];
    qsort(f->found, (size_t)n, sizeof *f->found, ascending);
    for (int64_t k = 0; k < n; ++k) {
        const int64_t e = f->event[f->found[k]];
        if (can_begin(f, e) && hesca_unscheduled_has(&d->p, f->x->src[e], e) &&
            fits(f, e, now))
            hesca_port_events_start(&f->ports, e, now);
    }
}

/* --- the algorithm ---
 * Time advances to the next release of a port or the next reservation. */

static int
alloc(scheduler *f)
{
    const size_t n = f->x->n > 0 ? (size_t)f->x->n : 1;
    const size_t ports = 2 * (size_t)f->x->nproc;
    reservations *y = &f->reservations;
    f->rank = malloc(n * sizeof *f->rank);
    f->event = malloc(n * sizeof *f->event);
    f->found = malloc((2 * n + 1) * sizeof *f->found);
    y->head = malloc(ports * sizeof *y->head);
    y->next[0] = malloc(n * sizeof *y->next[0]);
    y->next[1] = malloc(n * sizeof *y->next[1]);
    y->start = malloc(n * sizeof *y->start);
    y->list = malloc(n * sizeof *y->list);
    if (f->rank == NULL || f->event == NULL || f->found == NULL ||
        y->head == NULL || y->next[0] == NULL || y->next[1] == NULL ||
        y->start == NULL || y->list == NULL)
        return hesca_fail(HESCA_ERR_NOMEM, 0, "order of %lld events",
                          (long long)f->x->n);
    for (size_t k = 0; k < ports; ++k)
        y->head[k] = -1;
    for (int64_t e = 0; e < f->x->n; ++e)
        y->start[e] = NAN;
    return HESCA_SUCCESS;
}

static void
clear(scheduler *f)
{
    hesca_port_events_clear(&f->ports);
    free(f->rank);
    free(f->event);
    free(f->found);
    free(f->reservations.head);
    free(f->reservations.next[0]);
    free(f->reservations.next[1]);
    free(f->reservations.start);
    free(f->reservations.list);
}

int
hesca_priority(const hesca_events *x,
               const hesca_alltoallv_order_options *options, int longest_first,
               hesca_timetable *t)
{
    int err = HESCA_SUCCESS;
    scheduler f = {.x = x};
    HESCA_TRY(err, hesca_port_events_init(&f.ports, x, &options->ready, t));
    HESCA_TRY(err, alloc(&f));
    HESCA_TRY(err, rank_events(x, options, longest_first, f.rank, f.event));
    reserve_critical(&f, options);
    for (;;) {
        const double now = fmin(hesca_port_events_next(&f.ports),
                                next_reservation(&f.reservations));
        if (now == INFINITY)
            break;
        begin_events(&f, now);
    }
fail:
    clear(&f);
    if (err < 0)
        hesca_timetable_clear(t);
    return err;
}
