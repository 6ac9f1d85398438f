#include "order/priority.h"
#include "base/status.h"
#include "order/port_events.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ----- rank is more urgent ------------------------------------------------
 */

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

/* rank[e]: how many events are more urgent than e; event[rank[e]] = e. */
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

/* ----- critical processes ------------------------------------------------ */

typedef struct {
    double start, seconds;
    int64_t event;
} appointment;

/* Of those that begin together on one port all but the last are so short that
 * they end when they begin, rounded. */
static int
earlier(const void *a, const void *b)
{
    const appointment *s = a, *t = b;
    if (s->start != t->start)
        return s->start < t->start ? -1 : 1;
    if (s->seconds != t->seconds)
        return s->seconds < t->seconds ? -1 : 1;
    return s->event < t->event ? -1 : s->event > t->event;
}

/* Events with fixed times.  Ports are numbered as in port_events.h; the
 * appointments of a port are a list in order, and those that have begun are
 * taken off. */
typedef struct {
    int64_t *head;    /* [2 nproc] event, -1: none */
    int64_t *next[2]; /* [n] of the sender, of the receiver */
    double *start;    /* [n] NAN: none */
    int64_t n, done;
    appointment *list; /* [n], in order */
} diary;

typedef struct {
    hesca_port_events desk;
    diary diary;
    const hesca_events *x;
    int64_t *rank, *event; /* [n] */
    int64_t *found;        /* [2 n + 1] */
} office;

static int
port_of(const hesca_events *x, int64_t e, int side)
{
    return side == 0 ? x->src[e] : x->nproc + x->dest[e];
}

/* When event e can begin, not before t, so that no appointment of its ports is
 * in the way. */
static double
earliest(const office *f, int64_t e, double t)
{
    const diary *y = &f->diary;
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
goes_before(const office *f, int64_t e, int64_t other)
{
    const double *start = f->diary.start, *seconds = f->x->seconds;
    const appointment a = {start[e], seconds[e], e};
    const appointment b = {start[other], seconds[other], other};
    return earlier(&a, &b) < 0;
}

static void
fix(office *f, int64_t e, double start)
{
    diary *y = &f->diary;
    y->start[e] = start;
    for (int side = 0; side < 2; ++side) {
        int64_t *link = &y->head[port_of(f->x, e, side)];
        while (*link >= 0 && goes_before(f, *link, e))
            link = &y->next[side][*link];
        y->next[side][e] = *link;
        *link = e;
    }
    y->list[y->n++] = (appointment){start, f->x->seconds[e], e};
}

/* Give times to the n events, which are those of one port, from `now` on: the
 * one that can begin first, of these the most urgent. */
static void
fix_port(office *f, const int64_t *events, int64_t n, double now)
{
    const hesca_events *x = f->x;
    for (;;) {
        int64_t best = -1;
        double at = 0;
        for (int64_t k = 0; k < n; ++k) {
            const int64_t e = events[k];
            if (!isnan(f->diary.start[e]))
                continue;
            const double ready =
                fmax(f->desk.p.send[x->src[e]], f->desk.p.recv[x->dest[e]]);
            const double t = earliest(f, e, fmax(now, ready));
            if (best < 0 || t < at ||
                (t == at && f->rank[e] < f->rank[best])) {
                best = e;
                at = t;
            }
        }
        if (best < 0)
            return;
        fix(f, best, at);
        now = at + x->seconds[best];
    }
}

/* The timetable's orders are still by event: they list a port's events. */
static void
fix_critical(office *f, const hesca_alltoallv_order_options *o)
{
    const hesca_events *x = f->x;
    const hesca_timetable *t = f->desk.p.t;
    for (int k = 0; k < o->ncritical; ++k) {
        const int c = o->critical[k];
        fix_port(f, t->send + x->first[c], x->first[c + 1] - x->first[c], 0);
        fix_port(f, t->recv + t->recv_first[c],
                 t->recv_first[c + 1] - t->recv_first[c], 0);
    }
    qsort(f->diary.list, (size_t)f->diary.n, sizeof *f->diary.list, earlier);
}

/* ----- through time ------------------------------------------------------ */

/* Whether event e, begun now, ends before its ports have appointments. */
static int
fits(const office *f, int64_t e, double now)
{
    const diary *y = &f->diary;
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
next_appointment(const diary *y)
{
    return y->done < y->n ? y->list[y->done].start : INFINITY;
}

static int
can_begin(const office *f, int64_t e)
{
    return hesca_port_events_is_free(&f->desk, port_of(f->x, e, 0)) &&
           hesca_port_events_is_free(&f->desk, port_of(f->x, e, 1));
}

/* One whose port has another that begins now, and ends now, is the next after
 * that port's release, which is now, too. */
static void
begin_appointments(office *f, double now)
{
    diary *y = &f->diary;
    while (next_appointment(y) <= now &&
           can_begin(f, y->list[y->done].event)) {
        const int64_t e = y->list[y->done++].event;
        for (int side = 0; side < 2; ++side)
            y->head[port_of(f->x, e, side)] = y->next[side][e];
        hesca_port_events_start(&f->desk, e, now);
    }
}

static int
ascending(const void *a, const void *b)
{
    const int64_t i = *(const int64_t *)a, j = *(const int64_t *)b;
    return i < j ? -1 : i > j;
}

static void
serve(office *f, double now)
{
    const hesca_port_events *d = &f->desk;
    int64_t n = 0;
    hesca_port_events_release(&f->desk, now);
    begin_appointments(f, now);
    for (int k = 0; k < d->nfresh; ++k)
        if (hesca_port_events_is_free(d, d->fresh[k]))
            n += hesca_port_events_gather(d, d->fresh[k], f->found + n);
    for (int64_t k = 0; k < n; ++k)
        f->found[k] = f->rank[f->found[k]];
    qsort(f->found, (size_t)n, sizeof *f->found, ascending);
    for (int64_t k = 0; k < n; ++k) {
        const int64_t e = f->event[f->found[k]];
        if (can_begin(f, e) && hesca_unscheduled_has(&d->p, f->x->src[e], e) &&
            fits(f, e, now))
            hesca_port_events_start(&f->desk, e, now);
    }
}

/* ----- the whole --------------------------------------------------------- */

static int
alloc(office *f)
{
    const size_t n = f->x->n > 0 ? (size_t)f->x->n : 1;
    const size_t ports = 2 * (size_t)f->x->nproc;
    diary *y = &f->diary;
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
clear(office *f)
{
    hesca_port_events_clear(&f->desk);
    free(f->rank);
    free(f->event);
    free(f->found);
    free(f->diary.head);
    free(f->diary.next[0]);
    free(f->diary.next[1]);
    free(f->diary.start);
    free(f->diary.list);
}

int
hesca_priority(const hesca_events *x,
               const hesca_alltoallv_order_options *options, int longest_first,
               hesca_timetable *t)
{
    int err = HESCA_SUCCESS;
    office f = {.x = x};
    HESCA_TRY(err, hesca_port_events_init(&f.desk, x, &options->ready, t));
    HESCA_TRY(err, alloc(&f));
    HESCA_TRY(err, rank_events(x, options, longest_first, f.rank, f.event));
    fix_critical(&f, options);
    for (;;) {
        const double now =
            fmin(hesca_port_events_next(&f.desk), next_appointment(&f.diary));
        if (now == INFINITY)
            break;
        serve(&f, now);
    }
fail:
    clear(&f);
    if (err < 0)
        hesca_timetable_clear(t);
    return err;
}
