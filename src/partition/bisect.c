#include "partition/bisect.h"
#include "base/status.h"
#include "partition/ascending.h"
#include "partition/split.h"
#include <math.h>
#include <stdlib.h>

/* Limits are not looked at while cutting, since a part does not know how whole
 * lines will come out within it. */
static int
finish(const hesca_tiling_task *x, hesca_tiling *t)
{
    const int who = hesca_tiling_overfull(x, t);
    hesca_tiling_measure(x, t);
    if (who < 0)
        return HESCA_SUCCESS;
    const hesca_rect r = hesca_tiling_rect(t, who);
    return hesca_fail(HESCA_ERR_UNSUPPORTED, x->arg,
                      "%s: argument %d, speed[%d]: recursive bisection gives "
                      "it %lld x %lld elements, and its limit is %.10g",
                      x->routine, x->arg, who, (long long)r.height,
                      (long long)r.width, hesca_speed_limit(x->speed[who]));
}

/* Nothing is left behind where it failed. */
static int
settle(int err, hesca_tiling *t, hesca_tiling **tiling)
{
    if (err < 0) {
        hesca_tiling_free(t);
        t = NULL;
    }
    *tiling = t;
    return err;
}

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

/* ------------------------------------------------ of a grid */

/* Rows and columns of a grid: first ones, and those behind the last. */
typedef struct {
    int i0, i1, j0, j1;
} subgrid;

static double
weight_of(const hesca_tiling_task *x, subgrid g, int q)
{
    double sum = 0;
    for (int i = g.i0; i < g.i1; ++i)
        for (int j = g.j0; j < g.j1; ++j)
            sum += x->weight[i * q + j];
    return sum;
}

static void
cut_grid(const hesca_tiling_task *x, hesca_tiling *t, int node, subgrid g)
{
    const int p = g.i1 - g.i0, q = g.j1 - g.j0;
    if (p == 1 && q == 1) {
        hesca_tiling_give(t, node, g.i0 * t->npcol + g.j0);
        return;
    }
    subgrid low = g, high = g;
    if (p > q)
        low.i1 = high.i0 = g.i0 + p / 2;
    else
        low.j1 = high.j0 = g.j0 + q / 2;
    const int part =
        halve(t, node, p > q ? HESCA_ROWS : HESCA_COLS,
              weight_of(x, low, t->npcol), weight_of(x, high, t->npcol));
    cut_grid(x, t, part, low);
    cut_grid(x, t, part + 1, high);
}

int
hesca_bisect_grid(const hesca_tiling_task *x, int p, int q,
                  hesca_tiling **tiling)
{
    int err;
    hesca_tiling *t = hesca_tiling_alloc(x, p, q);
    if (t == NULL)
        HESCA_TRY(err, HESCA_ERR_NOMEM);
    cut_grid(x, t, 0, (subgrid){0, p, 0, q});
    HESCA_TRY(err, finish(x, t));
fail:
    return settle(err, t, tiling);
}

/* ------------------------------------------------ of a linear array */

/* Processors by their weights, ascending, and the weights of those before
 * each. */
typedef struct {
    const int *order;     /* [p] */
    const double *before; /* [p + 1] */
} sorted;

/* Where low ... high - 1 is best divided in two: the sums of both parts differ
 * least. */
static int
middle_of(const sorted *s, int low, int high)
{
    const double half = (s->before[low] + s->before[high]) / 2;
    int a = low + 1, b = high - 1;
    while (a < b) {
        const int mid = a + (b - a) / 2;
        if (s->before[mid] < half)
            a = mid + 1;
        else
            b = mid;
    }
    if (a > low + 1 && half - s->before[a - 1] < s->before[a] - half)
        --a;
    return a;
}

/* The part that is still to be cut, for processors low ... high - 1. */
typedef struct {
    int node, low, high;
} pending;

/* A stack instead of recursion, which would be p deep where each is faster
 * than all before it together; the larger part waits, so log2 p are enough. */
static void
cut_array(hesca_tiling *t, const sorted *s)
{
    pending stack[64], now = {0, 0, t->p};
    int n = 0;
    for (;;) {
        if (now.high - now.low == 1) {
            hesca_tiling_give(t, now.node, s->order[now.low]);
            if (n == 0)
                return;
            now = stack[--n];
            continue;
        }
        const hesca_rect r = t->node[now.node].r;
        const int mid = middle_of(s, now.low, now.high);
        const int part =
            halve(t, now.node, r.height > r.width ? HESCA_ROWS : HESCA_COLS,
                  s->before[now.high] - s->before[mid],
                  s->before[mid] - s->before[now.low]);
        const pending fast = {part, mid, now.high};
        const pending slow = {part + 1, now.low, mid};
        const int fast_waits = fast.high - fast.low > slow.high - slow.low;
        stack[n++] = fast_waits ? fast : slow;
        now = fast_waits ? slow : fast;
    }
}

int
hesca_bisect_array(const hesca_tiling_task *x, hesca_tiling **tiling)
{
    hesca_tiling *t = NULL;
    int *order = NULL, err;
    double *before = NULL;
    HESCA_TRY(err, hesca_ascending(x, &order, &before));
    t = hesca_tiling_alloc(x, 1, x->p);
    if (t == NULL)
        HESCA_TRY(err, HESCA_ERR_NOMEM);
    cut_array(t, &(sorted){order, before});
    HESCA_TRY(err, finish(x, t));
fail:
    free(order);
    free(before);
    return settle(err, t, tiling);
}

int
hesca_tiling_create_recursive(int p, const hesca_speed *const *speed,
                              int64_t m, int64_t n, hesca_tiling **tiling)
{
    static const char routine[] = "hesca_tiling_create_recursive";
    hesca_tiling_task x = {0};
    int err;
    if (tiling == NULL)
        return hesca_fail(HESCA_ERR_ARG, 5, "%s: argument 5, tiling, is NULL",
                          routine);
    *tiling = NULL;
    HESCA_TRY(err, hesca_tiling_begin(&x, routine, 2, p, speed, m, n));
    HESCA_TRY(err, hesca_bisect_array(&x, tiling));
fail:
    hesca_tiling_clear(&x);
    return err;
}
