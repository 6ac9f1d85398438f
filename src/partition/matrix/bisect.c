/* SPDX-License-Identifier: BSD-3-Clause */
#include "partition/matrix/bisect.h"
#include "base/status.h"
#include "partition/matrix/sorted_by_share.h"
#include "partition/set/split.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A bisection, and the weights that it cuts in proportion to. */
typedef struct bisection bisection;
struct bisection {
    const hesca_tiling_task *task;
    double *weight;   /* [p] */
    const int *order; /* [p] of an array: processors by ascending weight */
    double *before;   /* [p + 1] sums of the weights before each */
    void (*cut)(const bisection *, hesca_tiling *);
};

/* Cut a part in two, in proportion to two weights. */
static int
halve(hesca_tiling *t, int node, hesca_direction cut, double low, double high)
{
    const double weight[2] = {low, high};
    const hesca_rect r = t->node[node].r;
    int64_t extent[2];
    hesca_split(cut == HESCA_ROWS ? r.height : r.width, 2, weight, extent);
    return hesca_tiling_divide(t, node, cut, 2, extent);
}

/* ------------------------------------------------ limits
 * Weights only decrease, and only those of processors above their limits. */

static int
is_overfull(const hesca_tiling_task *x, const hesca_tiling *t, int i)
{
    const hesca_rect r = hesca_tiling_rect(t, i);
    return !isfinite(
        hesca_speed_time(x->speed[i], (double)(r.height * r.width)));
}

/* The integer extents within a part are not known when it is cut, so limits
 * are met by iteration: the weight of each processor above its limit is
 * reduced for the next round. */
static int
cut_within_limits(const bisection *b, hesca_tiling *t)
{
    enum { ROUNDS = 100 };
    const hesca_tiling_task *x = b->task;
    int overfull = 0;
    for (int round = 0; overfull >= 0 && round < ROUNDS; ++round) {
        t->nodes = 1;
        b->cut(b, t);
        overfull = -1;
        for (int i = x->p - 1; i >= 0; --i)
            if (is_overfull(x, t, i)) {
                b->weight[i] *= 0.93;
                overfull = i;
            }
    }
    hesca_tiling_measure(x, t);
    if (overfull < 0)
        return HESCA_SUCCESS;
    const hesca_rect r = hesca_tiling_rect(t, overfull);
    return hesca_fail(HESCA_ERR_UNSUPPORTED, x->arg,
                      "%s: argument %d, speed[%d]: recursive bisection gives "
                      "it %lld x %lld elements, and its limit is %.10g",
                      x->routine, x->arg, overfull, (long long)r.height,
                      (long long)r.width,
                      hesca_speed_limit(x->speed[overfull]));
}

static int
make(bisection *b, int nprow, int npcol, hesca_tiling **tiling)
{
    const hesca_tiling_task *x = b->task;
    const size_t size = (size_t)x->p * sizeof *b->weight;
    hesca_tiling *t = hesca_tiling_alloc(x, nprow, npcol);
    int err = t != NULL ? HESCA_SUCCESS : HESCA_ERR_NOMEM;
    b->weight = malloc(size);
    if (err == HESCA_SUCCESS && b->weight == NULL)
        err = hesca_fail(HESCA_ERR_NOMEM, 0, "%s: weights of %d", x->routine,
                         x->p);
    if (err == HESCA_SUCCESS) {
        memcpy(b->weight, x->weight, size);
        err = cut_within_limits(b, t);
    }
    free(b->weight);
    if (err < 0) {
        hesca_tiling_free(t);
        t = NULL;
    }
    *tiling = t;
    return err;
}

/* ------------------------------------------------ of a grid
 * A node of the tiling is cut together with its subgrid. */

/* Rows i0 ... i1 - 1 and columns j0 ... j1 - 1 of a grid. */
typedef struct {
    int i0, i1, j0, j1;
} subgrid;

static double
weight_of(const bisection *b, subgrid g, int q)
{
    double sum = 0;
    for (int i = g.i0; i < g.i1; ++i)
        for (int j = g.j0; j < g.j1; ++j)
            sum += b->weight[i * q + j];
    return sum;
}

static void
cut_subgrid(const bisection *b, hesca_tiling *t, int node, subgrid g)
{
    const int p = g.i1 - g.i0, q = g.j1 - g.j0;
    if (p == 1 && q == 1) {
        hesca_tiling_assign(t, node, g.i0 * t->npcol + g.j0);
        return;
    }
    subgrid low = g, high = g;
    if (p > q)
        low.i1 = high.i0 = g.i0 + p / 2;
    else
        low.j1 = high.j0 = g.j0 + q / 2;
    const int part =
        halve(t, node, p > q ? HESCA_ROWS : HESCA_COLS,
              weight_of(b, low, t->npcol), weight_of(b, high, t->npcol));
    cut_subgrid(b, t, part, low);
    cut_subgrid(b, t, part + 1, high);
}

static void
cut_grid(const bisection *b, hesca_tiling *t)
{
    cut_subgrid(b, t, 0, (subgrid){0, t->nprow, 0, t->npcol});
}

int
hesca_bisect_grid(const hesca_tiling_task *x, int p, int q,
                  hesca_tiling **tiling)
{
    bisection b = {.task = x, .cut = cut_grid};
    return make(&b, p, q, tiling);
}

/* ------------------------------------------------ of a linear array
 * A node is cut together with a range of the order of ascending weight. */

/* The division of low ... high - 1 for which the sums of both parts differ
 * least. */
static int
middle_of(const bisection *b, int low, int high)
{
    const double half = (b->before[low] + b->before[high]) / 2;
    int first = low + 1, last = high - 1;
    while (first < last) {
        const int mid = first + (last - first) / 2;
        if (b->before[mid] < half)
            first = mid + 1;
        else
            last = mid;
    }
    if (first > low + 1 &&
        half - b->before[first - 1] < b->before[first] - half)
        --first;
    return first;
}

/* A node to be cut, for the processors low ... high - 1 of the order. */
typedef struct {
    int node, low, high;
} range;

/* A stack instead of recursion, whose depth could be p if each processor is
 * faster than all slower ones together.  The larger part is pushed, so the
 * depth of the stack is at most log2 p. */
static void
cut_array(const bisection *b, hesca_tiling *t)
{
    range stack[64], now = {0, 0, t->p};
    b->before[0] = 0;
    for (int i = 0; i < t->p; ++i)
        b->before[i + 1] = b->before[i] + b->weight[b->order[i]];
    for (int n = 0;;) {
        if (now.high - now.low == 1) {
            hesca_tiling_assign(t, now.node, b->order[now.low]);
            if (n == 0)
                return;
            now = stack[--n];
            continue;
        }
        const hesca_rect r = t->node[now.node].r;
        const int mid = middle_of(b, now.low, now.high);
        const int part =
            halve(t, now.node, r.height > r.width ? HESCA_ROWS : HESCA_COLS,
                  b->before[now.high] - b->before[mid],
                  b->before[mid] - b->before[now.low]);
        const range fast = {part, mid, now.high};
        const range slow = {part + 1, now.low, mid};
        const int push_fast = fast.high - fast.low > slow.high - slow.low;
        stack[n++] = push_fast ? fast : slow;
        now = push_fast ? slow : fast;
    }
}

int
hesca_bisect_array(const hesca_tiling_task *x, hesca_tiling **tiling)
{
    bisection b = {.task = x, .cut = cut_array};
    int *order = NULL;
    int err = hesca_sorted_by_share(x, &order, &b.before);
    b.order = order;
    *tiling = NULL;
    if (err == HESCA_SUCCESS)
        err = make(&b, 1, x->p, tiling);
    free(order);
    free(b.before);
    return err;
}

int
hesca_tiling_create_recursive(int p, const hesca_speed *const *speed,
                              int64_t m, int64_t n, hesca_tiling **tiling)
{
    static const char routine[] = "hesca_tiling_create_recursive";
    hesca_tiling_task x = {0};
    int err;
    if (tiling == NULL)
        return hesca_fail_null(routine, 5, "tiling");
    *tiling = NULL;
    HESCA_TRY(err, hesca_tiling_task_init(&x, routine, 2, p, speed, m, n));
    HESCA_TRY(err, hesca_bisect_array(&x, tiling));
fail:
    hesca_tiling_task_clear(&x);
    return err;
}
