/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/arith.h"
#include "base/status.h"
#include "partition/tree/rooted.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A piece that is to be cut for the processors of[first] ... of[last - 1], by
 * ascending target; its vertices, parents first, are list[v0] ... list[v1 -
 * 1]. */
typedef struct {
    int first, last;
    int64_t v0, v1;
} group;

typedef struct {
    const hesca_rooted *r;
    int *of;        /* [p] processors by ascending target */
    double *before; /* [p + 1] sums of the targets before each */
    int *piece;     /* [n] `first` of the group of each vertex */
    int64_t *load; /* [n] weight of the subtree of a vertex within its piece */
    int64_t *list, *moved; /* [n]; moved: work space */
    double good_enough;    /* smaller ratios, relative to the ideal, count as
                              equal */
} halving;

/* A split at the edge above v: nprocs processors of the group, from its slow
 * or its fast end, get the subtree of v. */
typedef struct {
    int64_t v;
    int nprocs, is_fast, even; /* even: processors in the smaller group */
    double time;
} split;

/* --- choice of an edge ---
 * load[] holds the subtrees within the group under consideration. */

/* Sort processors by target, then by number: a stable insertion sort, which is
 * fast if many targets are equal. */
static void
sort_processors(const hesca_partition_problem *x, int *of)
{
    for (int i = 0; i < x->p; ++i) {
        int k = i;
        for (; k > 0 && x->target[of[k - 1]] > x->target[i]; --k)
            of[k] = of[k - 1];
        of[k] = i;
    }
}

static double
ratio(double load, double target)
{
    return load <= 0 ? 0 : target > 0 ? load / target : INFINITY;
}

/* Even splits take few levels, O(n log p) in all: for trees with n p above
 * this they have priority over the last thousandth of the proportion. */
static const double large = 1e8;

/* Evaluate the split at v with nprocs processors. */
static void
try_choice(const halving *h, group g, int64_t v, double all, int nprocs,
           int is_fast, split *best)
{
    const double sum = h->before[g.last] - h->before[g.first],
                 below = (double)h->load[v];
    if (nprocs < 1 || nprocs >= g.last - g.first)
        return;
    const double target =
        is_fast ? h->before[g.last] - h->before[g.last - nprocs]
                : h->before[g.first + nprocs] - h->before[g.first];
    const double time =
        fmax(fmax(ratio(below, target), ratio(all - below, sum - target)),
             h->good_enough * ratio(all, sum));
    const int rest = g.last - g.first - nprocs,
              even = nprocs < rest ? nprocs : rest;
    if (best->v < 0 || time < best->time ||
        (time <= best->time && even > best->even))
        *best = (split){v, nprocs, is_fast, even, time};
}

/* The number of processors, from one end, whose targets sum up to at most
 * target_sum. */
static int
count_for(const halving *h, group g, double target_sum, int is_fast)
{
    int low = 0, high = g.last - g.first;
    while (high - low > 1) {
        const int mid = (low + high) / 2;
        const double sum = is_fast
                               ? h->before[g.last] - h->before[g.last - mid]
                               : h->before[g.first + mid] - h->before[g.first];
        if (sum <= target_sum)
            low = mid;
        else
            high = mid;
    }
    return low;
}

static split
find_split(halving *h, group g)
{
    const hesca_rooted *r = h->r;
    split best = {.v = -1};
    for (int64_t i = g.v0; i < g.v1; ++i)
        h->load[h->list[i]] = hesca_weight(r->x, h->list[i]);
    for (int64_t i = g.v1 - 1; i > g.v0; --i)
        h->load[r->parent[h->list[i]]] += h->load[h->list[i]];
    const double all = g.v1 > g.v0 ? (double)h->load[h->list[g.v0]] : 0,
                 sum = h->before[g.last] - h->before[g.first];
    for (int64_t i = g.v0 + 1; i < g.v1; ++i) {
        const int64_t v = h->list[i];
        for (int is_fast = 0; is_fast < 2; ++is_fast) {
            const int nprocs = count_for(
                h, g, all > 0 ? sum * (double)h->load[v] / all : 0, is_fast);
            try_choice(h, g, v, all, nprocs, is_fast, &best);
            try_choice(h, g, v, all, nprocs + 1, is_fast, &best);
        }
    }
    return best;
}

/* --- recursion ---
 * The lists of the groups on the stack are disjoint, and each is in the order
 * parents first. */

/* Set the group of all vertices of a group to `to`. */
static void
rename_group(halving *h, group g, int to)
{
    for (int64_t i = g.v0; i < g.v1; ++i)
        h->piece[h->list[i]] = to;
}

/* Move the subtree of v to group `to`, and to the end of the list; the order
 * is otherwise unchanged.  Returns where it begins in the list. */
static int64_t
move_below(halving *h, group g, int64_t v, int to)
{
    const hesca_rooted *r = h->r;
    int64_t nstay = g.v0, nmoved = 0;
    h->piece[v] = to;
    for (int64_t i = g.v0; i < g.v1; ++i) {
        const int64_t u = h->list[i];
        if (i > g.v0 && h->piece[r->parent[u]] == to)
            h->piece[u] = to;
        if (h->piece[u] == to)
            h->moved[nmoved++] = u;
        else
            h->list[nstay++] = u;
    }
    memcpy(h->list + nstay, h->moved, (size_t)nmoved * sizeof *h->moved);
    return nstay;
}

/* Cut groups until each has one processor; the stack never has more than p
 * entries. */
static void
cut_groups(halving *h, group *stack)
{
    int n = 1;
    stack[0] = (group){0, h->r->x->p, 0, h->r->x->n};
    while (n > 0) {
        const group g = stack[--n];
        if (g.last - g.first < 2)
            continue;
        const split c = find_split(h, g);
        if (c.v < 0) { /* one vertex at most: to the fastest */
            rename_group(h, g, g.last - 1);
            continue;
        }
        const int mid = c.is_fast ? g.last - c.nprocs : g.first + c.nprocs;
        if (!c.is_fast)
            rename_group(h, g, mid);
        const int64_t at = move_below(h, g, c.v, c.is_fast ? mid : g.first);
        stack[n++] = (group){g.first, mid, c.is_fast ? g.v0 : at,
                             c.is_fast ? at : g.v1};
        stack[n++] =
            (group){mid, g.last, c.is_fast ? at : g.v0, c.is_fast ? g.v1 : at};
    }
}

int
hesca_tree_halve(const hesca_rooted *r, int *piece)
{
    const size_t p = (size_t)r->x->p,
                 size = (size_t)r->x->n * sizeof(int64_t) + 1;
    halving h = {.r = r,
                 .of = malloc(p * sizeof *h.of),
                 .before = malloc((p + 1) * sizeof *h.before),
                 .piece = piece,
                 .load = malloc(size),
                 .list = malloc(size),
                 .moved = malloc(size),
                 .good_enough = (double)r->x->n * r->x->p > large ? 1.001 : 1};
    group *stack = malloc((p + 1) * sizeof *stack);
    int err = HESCA_SUCCESS;
    if (h.of == NULL || h.before == NULL || h.load == NULL || h.list == NULL ||
        h.moved == NULL || stack == NULL)
        HESCA_TRY(err, hesca_fail(HESCA_ERR_NOMEM, 0, "%zu pieces", p));
    sort_processors(r->x, h.of);
    h.before[0] = 0;
    for (size_t i = 0; i < p; ++i)
        h.before[i + 1] = h.before[i] + r->x->target[h.of[i]];
    for (int64_t v = 0; v < r->x->n; ++v) {
        piece[v] = 0;
        h.list[v] = r->order[v];
    }
    cut_groups(&h, stack);
    for (int64_t v = 0; v < r->x->n; ++v)
        piece[v] = h.of[piece[v]];
fail:
    free(h.of);
    free(h.before);
    free(h.load);
    free(h.list);
    free(h.moved);
    free(stack);
    return err;
}
