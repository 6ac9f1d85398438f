/* SPDX-License-Identifier: BSD-3-Clause */
#include "partition/matrix/cartesian.h"
#include "base/arith.h"
#include "base/status.h"
#include "partition/matrix/min_makespan.h"
#include "partition/set/split.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { STARTS = 4 };

/* A cut of a grid, and work space for a better one. */
typedef struct {
    int p, q;
    const int *at;
    hesca_min_makespan makespan;
    int64_t *width, *height; /* [q], [p] */
    int64_t *new_width, *new_height;
    double *speed; /* [max(p, q)] */
} grid;

/* The problem for the extents of lines (columns, or rows), given the extents
 * of the lines that cross them. */
typedef struct {
    const int *at;
    int n, step;           /* lines; processor k of line l is at */
    int cross, stride;     /* l step + k stride, 0 <= k < cross */
    int64_t length;        /* the sum of the extents */
    const int64_t *extent; /* [cross] */
} line_problem;

static line_problem
columns_of(const grid *g, int64_t n, const int64_t *height)
{
    return (line_problem){g->at, g->q, 1, g->p, g->q, n, height};
}

static line_problem
rows_of(const grid *g, int64_t m, const int64_t *width)
{
    return (line_problem){g->at, g->p, g->q, g->q, 1, m, width};
}

/* --- lines in one direction ---
 * The extents of crossing lines are fixed; then the problem is separable, and
 * bisection over time solves it exactly. */

/* The largest extent of line l: the minimum over its processors. */
static int64_t
widest(const line_problem *x, int l, const int64_t *count)
{
    int64_t most = x->length;
    for (int k = 0; k < x->cross; ++k)
        if (x->extent[k] > 0)
            most = hesca_min(most, count[x->at[l * x->step + k * x->stride]] /
                                       x->extent[k]);
    return most;
}

static int
suffices(const void *what, const int64_t *count)
{
    const line_problem *x = what;
    int64_t sum = 0;
    for (int l = 0; l < x->n && sum < x->length; ++l)
        sum += hesca_min(widest(x, l, count), x->length - sum);
    return sum == x->length;
}

/* The optimal extents of lines for the lines that cross them; 0 if there are
 * none. */
static int
cut_lines(grid *g, const line_problem *x, int64_t *extent)
{
    g->makespan.what = x;
    g->makespan.suffices = suffices;
    if (!hesca_min_makespan_time(&g->makespan))
        return 0;
    for (int l = 0; l < x->n; ++l)
        g->speed[l] = (double)widest(x, l, g->makespan.count);
    hesca_split(x->length, x->n, g->speed, extent);
    return 1;
}

/* --- descent ---
 * g->width and g->height always sum up to n and m, and the objective never
 * increases. */

/* The objective: the largest time, or (by_limit) the largest ratio of elements
 * to capacity. */
static double
value(const grid *g, const int64_t *width, const int64_t *height)
{
    const hesca_tiling_task *x = g->makespan.task;
    double worst = 0;
    for (int i = 0; i < g->p; ++i)
        for (int j = 0; j < g->q; ++j) {
            const int iproc = g->at[i * g->q + j];
            const double area = (double)(width[j] * height[i]);
            const double t = g->makespan.by_limit
                                 ? area / (double)g->makespan.most[iproc]
                                 : hesca_speed_time(x->speed[iproc], area);
            worst = area > 0 ? fmax(worst, t) : worst;
        }
    return worst;
}

/* Optimize columns and rows alternately until neither improves the
 * objective. */
static double
descend(grid *g, int rows_first)
{
    const hesca_tiling_task *x = g->makespan.task;
    double now = value(g, g->width, g->height);
    for (int phase = rows_first, failed = 0; failed < 2; ++phase) {
        const line_problem q = phase % 2 ? rows_of(g, x->m, g->width)
                                         : columns_of(g, x->n, g->height);
        int64_t *extent = phase % 2 ? g->new_height : g->new_width;
        int64_t *old = phase % 2 ? g->height : g->width;
        memcpy(g->new_width, g->width, (size_t)g->q * sizeof *g->width);
        memcpy(g->new_height, g->height, (size_t)g->p * sizeof *g->height);
        const double trial = cut_lines(g, &q, extent)
                                 ? value(g, g->new_width, g->new_height)
                                 : INFINITY;
        failed = trial < now ? 0 : failed + 1;
        if (trial < now) {
            now = trial;
            memcpy(old, extent, (size_t)q.n * sizeof *old);
        }
    }
    return now;
}

/* The weight of a line: the sum of its speeds, or the inverse of the sum of
 * their inverses, which gives more influence to the slowest. */
static double
line_weight(const grid *g, const line_problem *x, int l, int is_inverse)
{
    const double *weight = g->makespan.task->weight;
    double sum = 0;
    for (int k = 0; k < x->cross; ++k) {
        const double w = weight[x->at[l * x->step + k * x->stride]];
        sum += is_inverse ? 1 / w : w;
    }
    return is_inverse ? 1 / sum : sum;
}

/* Two steps: widths in proportion to the sums of columns, heights in
 * proportion to those of rows (HMPI thesis 3.5.1). */
static void
cut_in_proportion(grid *g, int is_inverse)
{
    const hesca_tiling_task *x = g->makespan.task;
    for (int phase = 0; phase < 2; ++phase) {
        const line_problem q = phase ? rows_of(g, x->m, g->width)
                                     : columns_of(g, x->n, g->height);
        for (int l = 0; l < q.n; ++l)
            g->speed[l] = line_weight(g, &q, l, is_inverse);
        hesca_split(q.length, q.n, g->speed, phase ? g->height : g->width);
    }
}

/* Descend from a proportional cut; if it exceeds limits, first descend in the
 * use of memory until it fits.  There are STARTS starts. */
static double
cut_in_least_time(grid *g, int start)
{
    enum { ROWS_FIRST = 1, INVERSE = 2 };
    const int rows_first = start & ROWS_FIRST;
    cut_in_proportion(g, (start & INVERSE) != 0);
    if (!isfinite(value(g, g->width, g->height))) {
        g->makespan.by_limit = 1;
        descend(g, rows_first);
        g->makespan.by_limit = 0;
    }
    return descend(g, rows_first);
}

static int
allocate(grid *g, const hesca_tiling_task *x)
{
    const size_t p = (size_t)g->p, q = (size_t)g->q;
    const int err = hesca_min_makespan_init(&g->makespan, x);
    g->new_width = malloc(q * sizeof *g->width);
    g->new_height = malloc(p * sizeof *g->height);
    g->speed = malloc((p > q ? p : q) * sizeof *g->speed);
    if (err == HESCA_SUCCESS && (!g->new_width || !g->new_height || !g->speed))
        return hesca_fail(HESCA_ERR_NOMEM, 0, "%s: a grid of %d x %d",
                          x->routine, g->p, g->q);
    return err;
}

int
hesca_cartesian_cut(const hesca_tiling_task *x, int p, int q, const int *at,
                    hesca_tiling_cut cut, int64_t *width, int64_t *height)
{
    grid g = {.p = p, .q = q, .at = at, .width = width, .height = height};
    int err;
    HESCA_TRY(err, allocate(&g, x));
    cut_in_proportion(&g, 0);
    if (cut == HESCA_TILING_PROPORTIONAL && x->is_constant &&
        isfinite(value(&g, width, height)))
        goto fail;
    int best = 0;
    double makespan = INFINITY;
    for (int start = 0; start < STARTS; ++start) {
        const double now = cut_in_least_time(&g, start);
        if (now < makespan) {
            makespan = now;
            best = start;
        }
    }
    cut_in_least_time(&g, best);
    if (!isfinite(makespan))
        err = hesca_tiling_fail_limits(x, HESCA_ERR_UNSUPPORTED,
                                       "no Cartesian tiling was found");
fail:
    hesca_min_makespan_clear(&g.makespan);
    free(g.new_width);
    free(g.new_height);
    free(g.speed);
    return err;
}
