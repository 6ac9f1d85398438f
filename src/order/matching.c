/* SPDX-License-Identifier: BSD-3-Clause */
#include "order/matching.h"
#include "base/arith.h"
#include "base/status.h"
#include "order/lap.h"
#include <math.h>
#include <stdlib.h>

int64_t
hesca_steps_caterpillar(const hesca_events *x, int64_t *step)
{
    for (int64_t e = 0; e < x->n; ++e)
        step[e] = hesca_mod(x->dest[e] - x->src[e], x->nproc);
    return x->nproc;
}

/* --- matchings ---
 * A step is a complete matching of senders and receivers, so each process
 * sends and receives at most once in it.  Pairs of earlier matchings have
 * infinite cost. */

/* Costs of all pairs; a pair without an event costs 0. */
static double *
cost_matrix(const hesca_events *x, int sign)
{
    const size_t p = (size_t)x->nproc;
    double *cost = calloc(p * p, sizeof *cost);
    for (int64_t e = 0; cost != NULL && e < x->n; ++e)
        cost[(size_t)x->src[e] * p + (size_t)x->dest[e]] =
            -sign * x->seconds[e];
    return cost;
}

/* Remove a matching from the graph; return the number of its events.  It was a
 * complete matching of a regular graph, so there is another one as long as
 * there are edges.  Costs only rise, so the prices remain valid. */
static int64_t
take(const hesca_events *x, double *cost, const int *col, int64_t now,
     int64_t *step)
{
    int64_t taken = 0;
    for (int i = 0; i < x->nproc; ++i) {
        const int64_t e = hesca_events_find(x, i, col[i]);
        cost[(size_t)i * (size_t)x->nproc + (size_t)col[i]] = INFINITY;
        if (e >= 0) {
            step[e] = now;
            ++taken;
        }
    }
    return taken;
}

int
hesca_steps_matching(const hesca_events *x, int sign, int64_t *step,
                     int64_t *nsteps)
{
    int err = HESCA_SUCCESS;
    const size_t p = (size_t)x->nproc;
    double *cost = cost_matrix(x, sign), *v = calloc(p, sizeof *v);
    int *col = malloc(p * sizeof *col);
    *nsteps = 0;
    if (cost == NULL || v == NULL || col == NULL)
        HESCA_TRY(err, hesca_fail(HESCA_ERR_NOMEM, 0,
                                  "matchings of %d processes", x->nproc));
    for (int64_t left = x->n; left > 0;) {
        HESCA_TRY(err, hesca_lap_solve(x->nproc, cost, v, col));
        const int64_t taken = take(x, cost, col, *nsteps, step);
        *nsteps += taken > 0;
        left -= taken;
    }
fail:
    free(cost);
    free(v);
    free(col);
    return err;
}

/* --- greedy ---
 * In a step the senders choose one after the other.  Each takes the longest of
 * its events whose receiver has not been taken in this step.  A sender without
 * such an event is idle and is among the first to choose in the next step
 * (BHAT-EXC).
 *
 * The available text of BHAT-EXC is incomplete here: it does not say in which
 * order several idle senders choose, nor which sender begins if none was idle.
 * Here idle senders retain their relative order, the others follow in theirs,
 * and if none was idle the first sender becomes the last.
 */
typedef struct {
    const hesca_events *x;
    int64_t *list;     /* [n] events of each sender, longest first; those that
                          are left are at the front */
    int *left;         /* [nproc] number of events left of each sender */
    int64_t *taken;    /* [nproc] step in which each receiver was taken last */
    int *order, *next; /* [nproc] senders in the order in which they choose,
                          in this step and in the next */
} chooser;

typedef struct {
    double seconds;
    int64_t event;
} timed;

static int
longer(const void *a, const void *b)
{
    const timed *s = a, *t = b;
    if (s->seconds != t->seconds)
        return s->seconds < t->seconds ? 1 : -1;
    return s->event < t->event ? -1 : s->event > t->event;
}

/* Sort the events of every sender by decreasing time. */
static int
rank_events(chooser *c)
{
    const hesca_events *x = c->x;
    timed *list = malloc((size_t)x->nproc * sizeof *list);
    if (list == NULL)
        return hesca_fail(HESCA_ERR_NOMEM, 0, "list of %d events", x->nproc);
    for (int i = 0; i < x->nproc; ++i) {
        const int64_t first = x->first[i], n = x->first[i + 1] - first;
        for (int64_t k = 0; k < n; ++k)
            list[k] = (timed){x->seconds[first + k], first + k};
        qsort(list, (size_t)n, sizeof *list, longer);
        for (int64_t k = 0; k < n; ++k)
            c->list[first + k] = list[k].event;
        c->left[i] = (int)n;
    }
    free(list);
    return HESCA_SUCCESS;
}

/* Let sender i choose in step s; return the event, or -1. */
static int64_t
choose(chooser *c, int i, int64_t s)
{
    int64_t *list = c->list + c->x->first[i];
    for (int k = 0; k < c->left[i]; ++k) {
        const int64_t e = list[k];
        if (c->taken[c->x->dest[e]] == s)
            continue;
        c->taken[c->x->dest[e]] = s;
        --c->left[i];
        for (; k < c->left[i]; ++k)
            list[k] = list[k + 1];
        return e;
    }
    return -1;
}

/* The order of the next step: idle senders first, then the others, without
 * those that have no events left.  Return their number. */
static int
next_order(chooser *c, int n, const unsigned char *idle)
{
    int m = 0, idlers;
    for (int k = 0; k < n; ++k)
        if (idle[k])
            c->next[m++] = c->order[k];
    idlers = m;
    for (int k = 0; k < n; ++k) {
        const int at = idlers > 0 ? k : (k + 1) % n;
        if (!idle[at] && c->left[c->order[at]] > 0)
            c->next[m++] = c->order[at];
    }
    int *old = c->order;
    c->order = c->next;
    c->next = old;
    return m;
}

static int
chooser_begin(chooser *c, const hesca_events *x)
{
    const size_t p = (size_t)x->nproc, n = x->n > 0 ? (size_t)x->n : 1;
    *c = (chooser){.x = x};
    c->list = malloc(n * sizeof *c->list);
    c->left = malloc(p * sizeof *c->left);
    c->taken = malloc(p * sizeof *c->taken);
    c->order = malloc(p * sizeof *c->order);
    c->next = malloc(p * sizeof *c->next);
    if (c->list == NULL || c->left == NULL || c->taken == NULL ||
        c->order == NULL || c->next == NULL)
        return hesca_fail(HESCA_ERR_NOMEM, 0, "lists of %d processes",
                          x->nproc);
    for (size_t j = 0; j < p; ++j)
        c->taken[j] = -1;
    return rank_events(c);
}

int
hesca_steps_greedy(const hesca_events *x, int64_t *step, int64_t *nsteps)
{
    int err = HESCA_SUCCESS, n = 0;
    chooser c = {0};
    unsigned char *idle = calloc((size_t)x->nproc, 1);
    *nsteps = 0;
    HESCA_TRY(err, chooser_begin(&c, x));
    if (idle == NULL)
        HESCA_TRY(err,
                  hesca_fail(HESCA_ERR_NOMEM, 0, "%d processes", x->nproc));
    for (int i = 0; i < x->nproc; ++i)
        if (c.left[i] > 0)
            c.order[n++] = i;
    for (; n > 0; ++*nsteps) {
        for (int k = 0; k < n; ++k) {
            const int64_t e = choose(&c, c.order[k], *nsteps);
            idle[k] = e < 0;
            if (e >= 0)
                step[e] = *nsteps;
        }
        n = next_order(&c, n, idle);
    }
fail:
    free(idle);
    free(c.list);
    free(c.left);
    free(c.taken);
    free(c.order);
    free(c.next);
    return err;
}
