/* SPDX-License-Identifier: BSD-3-Clause */
/* LPT: elements by descending weight, each to the processor that would finish
 * it first, of several to the first.
 *
 * Evaluating all processors for each element takes O(n p).  A tournament tree
 * therefore holds for each processor a lower bound of its time with any
 * element of the current batch: its time with the lightest of them.  Only
 * processors whose bound is below the best time are evaluated. */
#include "base/status.h"
#include "partition/set/weights.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
    const hesca_weights *x;
    hesca_shares *r;
    int leaves;    /* a power of two, >= p */
    double *bound; /* [2 leaves] bounds; root 1, children of k: 2 k, 2 k + 1 */
} tournament;

/* The processor with the smallest time so far. */
typedef struct {
    double time;
    int i; /* -1: no processor can take the element */
} winner;

/* The time of i with an element; INFINITY if it cannot take it. */
static double
time_with(const tournament *t, int i, int64_t weight)
{
    const hesca_weights *x = t->x;
    const hesca_shares *r = t->r;
    if (r->count[i] == x->most[i] || weight > x->full[i] - r->weight[i])
        return INFINITY;
    return hesca_set_time(x->speed[i], r->weight[i] + weight);
}

/* Build the tree for elements of at least `weight`. */
static void
build(tournament *t, int64_t weight)
{
    for (int i = 0; i < t->leaves; ++i)
        t->bound[t->leaves + i] =
            i < t->x->p ? time_with(t, i, weight) : INFINITY;
    for (int k = t->leaves - 1; k > 0; --k)
        t->bound[k] = fmin(t->bound[2 * k], t->bound[2 * k + 1]);
}

static void
update(tournament *t, int i, int64_t weight)
{
    int k = t->leaves + i;
    t->bound[k] = time_with(t, i, weight);
    while ((k /= 2) > 0)
        t->bound[k] = fmin(t->bound[2 * k], t->bound[2 * k + 1]);
}

/* Find the minimum, from left to right, so that the first of several
 * processors is chosen. */
static void
descend(const tournament *t, int k, int64_t weight, winner *best)
{
    if (t->bound[k] >= best->time)
        return;
    if (k < t->leaves) {
        descend(t, 2 * k, weight, best);
        descend(t, 2 * k + 1, weight, best);
        return;
    }
    const double time = time_with(t, k - t->leaves, weight);
    if (time < best->time)
        *best = (winner){time, k - t->leaves};
}

/* The number of elements from rank k on that form a batch: of similar weight,
 * but enough that building the tree takes no longer than assigning them. */
static int64_t
batch_size(const hesca_weights *x, const int64_t *order, int64_t k)
{
    const int64_t heaviest = x->weight[order[k]];
    const int64_t least = x->p / 16 + 1, most = x->p;
    int64_t n = 1;
    while (k + n < x->n && n < most &&
           (n < least || x->weight[order[k + n]] >= heaviest - heaviest / 100))
        ++n;
    return n;
}

static int
assign_all(tournament *t, const int64_t *order)
{
    const hesca_weights *x = t->x;
    int64_t lightest = 0, until = 0;
    for (int64_t k = 0; k < x->n; ++k) {
        const int64_t e = order[k], weight = x->weight[e];
        winner best = {INFINITY, -1};
        if (k == until) {
            until += batch_size(x, order, k);
            lightest = x->weight[order[until - 1]];
            build(t, lightest);
        }
        descend(t, 1, weight, &best);
        if (best.i < 0)
            return 0;
        t->r->owner[e] = best.i;
        ++t->r->count[best.i];
        t->r->weight[best.i] += weight;
        update(t, best.i, lightest);
    }
    return 1;
}

int
hesca_weights_lpt(const hesca_weights *x, const int64_t *order,
                  hesca_shares *r)
{
    tournament t = {.x = x, .r = r, .leaves = 1};
    while (t.leaves < x->p && t.leaves <= 1 << 29)
        t.leaves *= 2;
    if (t.leaves >= x->p)
        t.bound = malloc(2 * (size_t)t.leaves * sizeof *t.bound);
    if (t.bound == NULL)
        return hesca_fail(HESCA_ERR_NOMEM, 0, "a tournament of %d", x->p);
    memset(r->count, 0, (size_t)x->p * sizeof *r->count);
    memset(r->weight, 0, (size_t)x->p * sizeof *r->weight);
    const int found = assign_all(&t, order);
    free(t.bound);
    return found;
}
