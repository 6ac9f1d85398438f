#include "base/arith.h"
#include "base/status.h"
#include "partition/rooted.h"
#include <math.h>
#include <stdlib.h>

/* A piece that is still to be cut for several processors: of[first] ...
 * of[last - 1], by ascending target. */
typedef struct {
    int first, last;
} group;

typedef struct {
    const hesca_rooted *r;
    int *of;       /* [p] processors */
    double *upto;  /* [p + 1] sums of their targets */
    int *piece;    /* [n] the first of the group that a vertex belongs to */
    int64_t *load; /* [n] weight of the part of the piece below a vertex */
} halving;

/* An edge, above v, and how many of the group, from its slow or its fast end,
 * get what is below. */
typedef struct {
    int64_t v;
    int many, is_fast;
    double time;
} choice;

/* Sort processors by target, then by number: a stable insertion, which is
 * quick where many are alike. */
static void
sort(const hesca_problem_parts *x, int *of)
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
        fmax(ratio(below, target), ratio(all - below, sum - target));
    if (best->v < 0 || time < best->time)
        *best = (choice){v, many, is_fast, time};
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
    int64_t top = -1;
    for (int64_t i = r->x->n - 1; i >= 0; --i) {
        const int64_t v = r->order[i];
        if (h->piece[v] == g.first)
            h->load[v] = hesca_weight(r->x, v);
    }
    for (int64_t i = r->x->n - 1; i >= 0; --i) {
        const int64_t v = r->order[i], u = r->parent[v];
        if (h->piece[v] != g.first)
            continue;
        top = v;
        if (u >= 0 && h->piece[u] == g.first)
            h->load[u] += h->load[v];
    }
    const double all = top >= 0 ? (double)h->load[top] : 0,
                 sum = h->upto[g.last] - h->upto[g.first];
    for (int64_t v = 0; v < r->x->n; ++v) {
        if (h->piece[v] != g.first || v == top)
            continue;
        for (int is_fast = 0; is_fast < 2; ++is_fast) {
            const int many = count_for(
                h, g, all > 0 ? sum * (double)h->load[v] / all : 0, is_fast);
            try_choice(h, g, v, all, many, is_fast, &best);
            try_choice(h, g, v, all, many + 1, is_fast, &best);
        }
    }
    return best;
}

/* Give what is below v to another group. */
static void
part(halving *h, int64_t v, int from, int to)
{
    const hesca_rooted *r = h->r;
    h->piece[v] = to;
    for (int64_t i = 0; i < r->x->n; ++i) {
        const int64_t u = r->order[i];
        if (r->parent[u] >= 0 && h->piece[u] == from &&
            h->piece[r->parent[u]] == to)
            h->piece[u] = to;
    }
}

/* Give all that group g has to those of it from `to` on. */
static void
rename_group(halving *h, int from, int to)
{
    for (int64_t v = 0; v < h->r->x->n; ++v)
        if (h->piece[v] == from)
            h->piece[v] = to;
}

/* Groups are cut until they have one processor each; the stack is never longer
 * than there are processors. */
static void
cut_groups(halving *h, group *stack)
{
    int n = 1;
    stack[0] = (group){0, h->r->x->p};
    while (n > 0) {
        const group g = stack[--n];
        if (g.last - g.first < 2)
            continue;
        const choice c = find(h, g);
        if (c.v < 0) { /* one vertex at most: for the fastest */
            rename_group(h, g.first, g.last - 1);
            continue;
        }
        const int mid = c.is_fast ? g.last - c.many : g.first + c.many;
        if (c.is_fast)
            part(h, c.v, g.first, mid);
        else {
            rename_group(h, g.first, mid);
            part(h, c.v, mid, g.first);
        }
        stack[n++] = (group){g.first, mid};
        stack[n++] = (group){mid, g.last};
    }
}

int
hesca_tree_halve(const hesca_rooted *r, int *piece)
{
    const size_t p = (size_t)r->x->p;
    halving h = {.r = r,
                 .of = malloc(p * sizeof *h.of),
                 .upto = malloc((p + 1) * sizeof *h.upto),
                 .piece = piece,
                 .load = malloc((size_t)r->x->n * sizeof *h.load + 1)};
    group *stack = malloc((p + 1) * sizeof *stack);
    int err = HESCA_SUCCESS;
    if (h.of == NULL || h.upto == NULL || h.load == NULL || stack == NULL)
        HESCA_TRY(err, hesca_fail(HESCA_ERR_NOMEM, 0, "%zu pieces", p));
    sort(r->x, h.of);
    h.upto[0] = 0;
    for (size_t i = 0; i < p; ++i)
        h.upto[i + 1] = h.upto[i] + r->x->target[h.of[i]];
    for (int64_t v = 0; v < r->x->n; ++v)
        piece[v] = 0;
    cut_groups(&h, stack);
    for (int64_t v = 0; v < r->x->n; ++v)
        piece[v] = h.of[piece[v]];
fail:
    free(h.of);
    free(h.upto);
    free(h.load);
    free(stack);
    return err;
}
