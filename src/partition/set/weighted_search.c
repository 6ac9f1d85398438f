/* SPDX-License-Identifier: BSD-3-Clause */
/* Branch and bound: elements by descending weight, each on every processor
 * whose time stays below the best so far; of processors that are equal in
 * speed, limit and load only on the first.
 * */
#include "base/status.h"
#include "partition/set/weights.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { DEEP = 64, NODES = 200000 };

typedef struct {
    const hesca_weights *x;
    const int64_t *order;
    hesca_shares *r;        /* the best so far */
    int64_t *count, *load;  /* [p] of the branch */
    int64_t *full;          /* [p] most weight below the best time */
    int *owner;             /* [n] by rank, of the branch */
    int nodes, found, done; /* done: r is optimal */
} tree;

/* Bound the weight of each processor so that only times below `time`
 * remain. */
static void
prune(tree *t, double time)
{
    const hesca_weights *x = t->x;
    int64_t held = 0;
    for (int i = 0; i < x->p; ++i) {
        t->full[i] =
            hesca_set_within(x->speed[i], x->full[i], nextafter(time, 0));
        held += t->full[i] < x->total - held ? t->full[i] : x->total - held;
    }
    t->done = held < x->total || time <= x->bound;
}

static void
accept(tree *t)
{
    const size_t p = (size_t)t->x->p * sizeof *t->count;
    memcpy(t->r->count, t->count, p);
    memcpy(t->r->weight, t->load, p);
    for (int64_t k = 0; k < t->x->n; ++k)
        t->r->owner[t->order[k]] = t->owner[k];
    t->found = 1;
    hesca_result_set_time(t->r, t->x->speed);
    prune(t, t->r->time);
}

/* Whether an earlier processor leads to an equivalent branch. */
static int
is_repeated(const tree *t, int i)
{
    for (int j = 0; j < i; ++j)
        if (t->load[j] == t->load[i] && t->count[j] == t->count[i] &&
            hesca_weights_equal(t->x, i, j))
            return 1;
    return 0;
}

static void
branch(tree *t, int64_t k)
{
    if (k == t->x->n) {
        accept(t);
        return;
    }
    const int64_t w = t->x->weight[t->order[k]];
    for (int i = 0; i < t->x->p && !t->done && t->nodes > 0; ++i) {
        if (t->count[i] == t->x->most[i] || w > t->full[i] - t->load[i] ||
            is_repeated(t, i))
            continue;
        --t->nodes;
        t->owner[k] = i;
        ++t->count[i];
        t->load[i] += w;
        branch(t, k + 1);
        --t->count[i];
        t->load[i] -= w;
    }
}

int
hesca_weights_search(const hesca_weights *x, const int64_t *order, int *found,
                     hesca_shares *r)
{
    const size_t p = (size_t)x->p;
    tree t = {.x = x,
              .order = order,
              .r = r,
              .count = calloc(3 * p, sizeof *t.count),
              .owner = malloc(((size_t)x->n + 1) * sizeof *t.owner),
              .nodes = NODES,
              .found = *found};
    int err = HESCA_SUCCESS;
    if (t.count == NULL || t.owner == NULL)
        HESCA_TRY(err, hesca_fail(HESCA_ERR_NOMEM, 0, "a search of %lld",
                                  (long long)x->n));
    t.load = t.count + p;
    t.full = t.load + p;
    hesca_result_set_time(r, x->speed);
    prune(&t, t.found ? r->time : INFINITY);
    const int is_small = x->n <= DEEP && x->p <= DEEP;
    if (!t.done && is_small)
        branch(&t, 0);
    r->is_exact = t.done || (is_small && t.nodes > 0);
    *found = t.found;
fail:
    free(t.count);
    free(t.owner);
    return err;
}
