#include "base/arith.h"
#include "base/status.h"
#include "partition/tree/rooted.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A piece that is still to be cut for several processors: of[first] ...
 * of[last - 1], by ascending target; its vertices, parents first, are list[v0]
 * ... list[v1 - 1]. */
typedef struct {
    int first, last;
    int64_t v0, v1;
} group;

typedef struct {
    const hesca_rooted *r;
    int *of;       /* [p] processors */
    double *upto;  /* [p + 1] sums of their targets */
    int *piece;    /* [n] the first of the group that a vertex belongs to */
    int64_t *load; /* [n] weight of the part of the piece below a vertex */
    int64_t *list, *moved; /* [n]; moved: room */
    double enough;         /* times proportion: as good as that */
} halving;

/* An edge, above v, and how many of the group, from its slow or its fast end,
 * get what is below. */
typedef struct {
    int64_t v;
    int many, is_fast, even; /* even: the fewer of the two groups */
    double time;
} choice;

/* Sort processors by target, then by number: a stable insertion, which is
 * quick where many are alike. */
static void
sort(const hesca_partition_problem *x, int *of)
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

/* Even halves take few levels, O(n log p) in all: of large trees they come
 * before the last thousandth of proportion. */
static const double large = 1e8;

/* The proportion if `many` of the group get what is below v. */
static void
try_choice(const halving *h, group g, int64_t v, double all, int many,
           int is_fast, choice *best)
{
    const double sum = h->upto[g.last] - h->upto[g.first],
                 below = (double)h->load[v];
    if (many < 1 || many >= g.last - g.first)
        return;
    const double target = is_fast ? h->upto[g.last] - h->upto[g.last - many]
                                  : h->upto[g.first + many] - h->upto[g.first];
    const double time =
        fmax(fmax(ratio(below, target), ratio(all - below, sum - target)),
             h->enough * ratio(all, sum));
    const int rest = g.last - g.first - many, even = many < rest ? many : rest;
    if (best->v < 0 || time < best->time ||
        (time <= best->time && even > best->even))
        *best = (choice){v, many, is_fast, even, time};
}

/* How many, from one end, have a target of about `want`. */
static int
count_for(const halving *h, group g, double want, int is_fast)
{
    int low = 0, high = g.last - g.first;
    while (high - low > 1) {
        const int mid = (low + high) / 2;
        const double sum = is_fast ? h->upto[g.last] - h->upto[g.last - mid]
                                   : h->upto[g.first + mid] - h->upto[g.first];
        if (sum <= want)
            low = mid;
        else
            high = mid;
    }
    return low;
}

static choice
find(halving *h, group g)
{
    const hesca_rooted *r = h->r;
    choice best = {.v = -1};
    for (int64_t i = g.v0; i < g.v1; ++i)
        h->load[h->list[i]] = hesca_weight(r->x, h->list[i]);
    for (int64_t i = g.v1 - 1; i > g.v0; --i)
        h->load[r->parent[h->list[i]]] += h->load[h->list[i]];
    const double all = g.v1 > g.v0 ? (double)h->load[h->list[g.v0]] : 0,
                 sum = h->upto[g.last] - h->upto[g.first];
    for (int64_t i = g.v0 + 1; i < g.v1; ++i) {
        const int64_t v = h->list[i];
        for (int is_fast = 0; is_fast < 2; ++is_fast) {
            const int many = count_for(
                h, g, all > 0 ? sum * (double)h->load[v] / all : 0, is_fast);
            try_choice(h, g, v, all, many, is_fast, &best);
            try_choice(h, g, v, all, many + 1, is_fast, &best);
        }
    }
    return best;
}

/* Give all that a group has to those of it from `to` on. */
static void
rename_group(halving *h, group g, int to)
{
    for (int64_t i = g.v0; i < g.v1; ++i)
        h->piece[h->list[i]] = to;
}

/* Give what is below v, and v, to those from `to` on; it goes to the end of
 * the group's list, whose order is kept.  Where it begins there. */
static int64_t
part(halving *h, group g, int64_t v, int to)
{
    const hesca_rooted *r = h->r;
    int64_t stay = g.v0, gone = 0;
    h->piece[v] = to;
    for (int64_t i = g.v0; i < g.v1; ++i) {
        const int64_t u = h->list[i];
        if (i > g.v0 && h->piece[r->parent[u]] == to)
            h->piece[u] = to;
        if (h->piece[u] == to)
            h->moved[gone++] = u;
        else
            h->list[stay++] = u;
    }
    memcpy(h->list + stay, h->moved, (size_t)gone * sizeof *h->moved);
    return stay;
}

/* Groups are cut until they have one processor each; the stack is never longer
 * than there are processors. */
static void
cut_groups(halving *h, group *stack)
{
    int n = 1;
    stack[0] = (group){0, h->r->x->p, 0, h->r->x->n};
    while (n > 0) {
        const group g = stack[--n];
        if (g.last - g.first < 2)
            continue;
        const choice c = find(h, g);
        if (c.v < 0) { /* one vertex at most: for the fastest */
            rename_group(h, g, g.last - 1);
            continue;
        }
        const int mid = c.is_fast ? g.last - c.many : g.first + c.many;
        if (!c.is_fast)
            rename_group(h, g, mid);
        const int64_t at = part(h, g, c.v, c.is_fast ? mid : g.first);
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
                 .upto = malloc((p + 1) * sizeof *h.upto),
                 .piece = piece,
                 .load = malloc(size),
                 .list = malloc(size),
                 .moved = malloc(size),
                 .enough = (double)r->x->n * r->x->p > large ? 1.001 : 1};
    group *stack = malloc((p + 1) * sizeof *stack);
    int err = HESCA_SUCCESS;
    if (h.of == NULL || h.upto == NULL || h.load == NULL || h.list == NULL ||
        h.moved == NULL || stack == NULL)
        HESCA_TRY(err, hesca_fail(HESCA_ERR_NOMEM, 0, "%zu pieces", p));
    sort(r->x, h.of);
    h.upto[0] = 0;
    for (size_t i = 0; i < p; ++i)
        h.upto[i + 1] = h.upto[i] + r->x->target[h.of[i]];
    for (int64_t v = 0; v < r->x->n; ++v) {
        piece[v] = 0;
        h.list[v] = r->order[v];
    }
    cut_groups(&h, stack);
    for (int64_t v = 0; v < r->x->n; ++v)
        piece[v] = h.of[piece[v]];
fail:
    free(h.of);
    free(h.upto);
    free(h.load);
    free(h.list);
    free(h.moved);
    free(stack);
    return err;
}
