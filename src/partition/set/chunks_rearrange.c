/* SPDX-License-Identifier: BSD-3-Clause */
/* A good order of many processors for chunks.
 *
 * A chunk ends where the next element would exceed the time, so every
 * processor has some time unused.  Within a time, each place is taken by that
 * processor, of the next WINDOW by decreasing speed, whose chunk leaves least
 * unused; for the last places there is no choice.  Bisection finds
 * approximately the minimal time for which the chunks cover all elements, and
 * exchanges improve the order.  O(p log n) for a probe. */
#include "base/arith.h"
#include "base/status.h"
#include "partition/set/weights.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { WINDOW = 64, PROBES = 30 };
static const int64_t budget = 1000000; /* chunks in exchanges */

typedef struct {
    double speed;
    int i;
} rated;

static int
is_slower(const void *a, const void *b)
{
    const rated *x = a, *y = b;
    if (x->speed < y->speed || x->speed > y->speed)
        return x->speed < y->speed ? 1 : -1;
    return x->i - y->i;
}

/* Processors by decreasing speed at the real-valued optimum. */
static int
rate(const hesca_weights *x, int *order)
{
    rated *all = malloc((size_t)x->p * sizeof *all);
    if (all == NULL)
        return hesca_fail(HESCA_ERR_NOMEM, 0, "an order of %d", x->p);
    for (int i = 0; i < x->p; ++i)
        all[i] = (rated){hesca_speed_size(x->speed[i], x->ideal), i};
    qsort(all, (size_t)x->p, sizeof *all, is_slower);
    for (int i = 0; i < x->p; ++i)
        order[i] = all[i].i;
    free(all);
    return HESCA_SUCCESS;
}

static void
exchange(int *place, int a, int b)
{
    const int i = place[a];
    place[a] = place[b];
    place[b] = i;
}

/* Move the processor at `from` to `to` <= from; those between shift by one. */
static void
pull(int *order, int from, int to)
{
    for (; from > to; --from)
        exchange(order, from, from - 1);
}

/* --- orders within a time ---
 * order[] is always a permutation; places before k are final. */

/* Make an order whose chunks cover all elements within a time, from the order
 * by decreasing speed; 0 if there is none. weight: work space for p
 * numbers. */
static int
fit(const hesca_chunks *c, double time, int *order, int64_t *weight)
{
    const hesca_weights *x = c->x;
    int64_t from = 0;
    for (int i = 0; i < x->p; ++i)
        weight[i] = hesca_set_within(x->speed[i], x->full[i], time);
    for (int k = 0; k < x->p && from < x->n; ++k) {
        int64_t least = INT64_MAX, next = from;
        int best = k;
        for (int l = k; l < hesca_min(k + WINDOW, x->p); ++l) {
            const int i = order[l];
            const int64_t end = hesca_chunks_end(c, i, from, weight[i]);
            const int64_t spare = weight[i] - (c->sum[end] - c->sum[from]);
            if (spare < least) {
                least = spare;
                best = l;
                next = end;
            }
        }
        pull(order, best, k);
        from = next;
    }
    return from == x->n;
}

/* Approximately the minimal time for which fit() finds an order. */
static int
fit_all(const hesca_chunks *c, const int *rated_order, int *place,
        double *time)
{
    const size_t p = (size_t)c->x->p;
    int64_t *weight = malloc(p * sizeof *weight);
    int *order = malloc(p * sizeof *order);
    double low = c->x->bound;
    int err = HESCA_SUCCESS;
    if (weight == NULL || order == NULL)
        HESCA_TRY(err,
                  hesca_fail(HESCA_ERR_NOMEM, 0, "an order of %d", c->x->p));
    for (int k = 0; k < PROBES && low < *time; ++k) {
        double mid = low + (*time - low) / 2;
        memcpy(order, rated_order, p * sizeof *order);
        if (fit(c, mid, order, weight) && hesca_chunks_probe(c, order, &mid)) {
            memcpy(place, order, p * sizeof *order);
            *time = mid;
        } else
            low = mid;
    }
fail:
    free(weight);
    free(order);
    return err;
}

/* --- exchanges ---
 * *time belongs to place[], and only decreases. */

/* Exchange two processors where it reduces the time, until no exchange does or
 * the budget is exhausted. */
static void
improve(const hesca_chunks *c, int *place, double *time)
{
    int64_t left = budget;
    for (int helped = 1; helped;) {
        helped = 0;
        for (int a = 0; a < c->x->p; ++a)
            for (int b = a + 1; b < c->x->p; ++b) {
                exchange(place, a, b);
                const int probes = hesca_chunks_optimize(c, place, time);
                if (probes > 0)
                    helped = 1;
                else
                    exchange(place, a, b);
                if ((left -= c->x->p * hesca_max(probes, 1)) < 0)
                    return;
            }
    }
}

int
hesca_chunks_rearrange(const hesca_chunks *c, int *place, double *time)
{
    const int p = c->x->p;
    int *order = malloc((size_t)p * sizeof *order);
    int err = HESCA_SUCCESS;
    if (order == NULL)
        HESCA_TRY(err, hesca_fail(HESCA_ERR_NOMEM, 0, "orders of %d", p));
    HESCA_TRY(err, rate(c->x, order));
    if (hesca_chunks_optimize(c, order, time))
        memcpy(place, order, (size_t)p * sizeof *order);
    HESCA_TRY(err, fit_all(c, order, place, time));
    if (*time < INFINITY)
        improve(c, place, time);
fail:
    free(order);
    return err;
}
