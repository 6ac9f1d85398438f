/* SPDX-License-Identifier: BSD-3-Clause */
/* HDPI: rectangles for a linear array of processors, by an objective of the
 * user. */
#include "base/status.h"
#include "hdpi.h"
#include "partition/hdpi/hdpi_dp.h"
#include "partition/hdpi/hdpi_models.h"
#include "partition/hdpi/hdpi_rects.h"
#include "partition/matrix/bisect.h"
#include "partition/matrix/sorted_by_share.h"
#include "partition/matrix/strips.h"
#include <math.h>
#include <stdlib.h>

/* A call of one of the three functions: its arguments, and data derived from
 * them. */
typedef struct {
    const char *routine;
    int p, m, n;
    Get_lower_bound lb;
    const hesca_speed **models;
    hesca_tiling_task task;
    double *speed;          /* [p] constant speeds that give the same areas */
    hesca_hdpi_rects rects; /* the current rectangles */
} call;

/* Arguments 1 to 7 are p, pn, speeds, psizes, mlimits, m, n. */
static int
call_begin(call *x, int pn, const double *speeds, const int *psizes,
           const int *mlimits)
{
    int err;
    HESCA_TRY(err, hesca_hdpi_models(x->routine, 2, x->p, pn, speeds, psizes,
                                     mlimits, &x->models));
    err = hesca_tiling_task_init(&x->task, x->routine, 3, x->p, x->models,
                                 x->m, x->n);
    if (err < 0)
        HESCA_TRY(err, hesca_hdpi_fail_limits(x->routine, 5, err));
    HESCA_TRY(err, hesca_hdpi_rects_alloc(x->routine, x->p, &x->rects));
    x->speed = malloc((size_t)x->p * sizeof *x->speed);
    if (x->speed == NULL)
        HESCA_TRY(err, hesca_fail(HESCA_ERR_NOMEM, 0, "%s: speeds of %d",
                                  x->routine, x->p));
    for (int i = 0; i < x->p; ++i)
        x->speed[i] = x->task.is_constant || !(x->task.ideal > 0)
                          ? x->task.weight[i]
                          : x->task.area[i] / x->task.ideal;
fail:
    return err;
}

/* On success copy the rectangles to the caller's arrays; free everything. */
static int
call_end(call *x, int err, const hesca_hdpi_rects *out, int *c)
{
    if (err == HESCA_SUCCESS) {
        hesca_hdpi_copy(x->p, &x->rects, out);
        hesca_hdpi_put_owners(x->p, &x->rects, x->n, 1, c, NULL);
    }
    hesca_hdpi_rects_free(&x->rects);
    free(x->speed);
    hesca_tiling_task_clear(&x->task);
    hesca_hdpi_models_free(x->p, x->models);
    return hesca_hdpi_status(err);
}

static double
bound_of(const call *x, const double *speed)
{
    return x->lb != NULL ? x->lb(x->p, speed, x->m, x->n) : -INFINITY;
}

/* ------------------------------------------------ dynamic programming
 * Rectangles are numbered by ascending speed; order[] maps them to processors.
 */

/* The table for processors in ascending order of speed, and its strips. */
typedef struct {
    hesca_dp dp;
    int *order, *first;   /* [p], [p + 1] */
    double *sorted_speed; /* [p] */
} table;

static int
table_init(const call *x, table *t)
{
    const size_t p = (size_t)x->p;
    int err;
    *t = (table){.first = malloc((p + 1) * sizeof *t->first),
                 .sorted_speed = malloc(p * sizeof *t->sorted_speed)};
    HESCA_TRY(err, hesca_sorted_by_share(&x->task, &t->order, NULL));
    if (t->first == NULL || t->sorted_speed == NULL)
        HESCA_TRY(err, hesca_fail(HESCA_ERR_NOMEM, 0, "%s: an order of %d",
                                  x->routine, x->p));
    for (size_t i = 0; i < p; ++i)
        t->sorted_speed[i] = x->speed[t->order[i]];
    HESCA_TRY(err, hesca_dp_alloc(x->routine, x->p, &t->dp));
fail:
    return err;
}

static void
table_clear(table *t)
{
    hesca_dp_free(&t->dp);
    free(t->order);
    free(t->first);
    free(t->sorted_speed);
}

/* Write the rectangles of c strips to x->rects. */
static int
cut_strips(call *x, const table *t, int type, int c)
{
    const hesca_strips s = {type == ROW_BASED ? HESCA_ROWS : HESCA_COLS, c,
                            t->first, t->order};
    hesca_tiling *tiling = NULL;
    hesca_dp_trace(&t->dp, c, t->first);
    const int err = hesca_strips_make(&x->task, &s, &tiling);
    if (err < 0)
        return hesca_hdpi_fail_limits(x->routine, 5, err);
    hesca_hdpi_write(tiling, &x->rects);
    hesca_tiling_free(tiling);
    return HESCA_SUCCESS;
}

/* The optimum of the user's function. */
static int
by_function(call *x, DP_function dpf, int type)
{
    table t;
    int err, best;
    HESCA_TRY(err, table_init(x, &t));
    HESCA_TRY(err, hesca_dp_run(&t.dp, x->routine, 9, dpf, t.sorted_speed,
                                bound_of(x, t.sorted_speed), &best));
    HESCA_TRY(err, cut_strips(x, &t, type, best));
fail:
    table_clear(&t);
    return err;
}

/* The minimal sum of half perimeters; the matrix need not be square. */
static int
by_half_perimeters(call *x, int type)
{
    hesca_tiling *t = NULL;
    const int err = hesca_tiling_create_strips(x->p, x->models, x->m, x->n,
                                               (hesca_tiling_kind)type,
                                               HESCA_GOAL_SUM, &t);
    if (err < 0)
        return hesca_hdpi_fail_limits(x->routine, 5, err);
    hesca_hdpi_write(t, &x->rects);
    hesca_tiling_free(t);
    return HESCA_SUCCESS;
}

int
Partition_matrix_1d_dp(int p, int pn, const double *speeds, const int *psizes,
                       const int *mlimits, int m, int n, Get_lower_bound lb,
                       DP_function dpf, int type_of_distribution, int *w,
                       int *h, int *trow, int *tcol, int *c)
{
    call x = {
        .routine = "Partition_matrix_1d_dp", .p = p, .m = m, .n = n, .lb = lb};
    const hesca_hdpi_rects out = {w, h, trow, tcol};
    int err;
    HESCA_TRY(err, hesca_hdpi_check_block(x.routine, 6, m, n, 11, &out, 0));
    if (type_of_distribution != ROW_BASED &&
        type_of_distribution != COLUMN_BASED)
        HESCA_TRY(err,
                  hesca_fail(HESCA_ERR_ARG, 10,
                             "%s: argument 10, type_of_distribution, is %d: "
                             "must be ROW_BASED or COLUMN_BASED",
                             x.routine, type_of_distribution));
    HESCA_TRY(err, call_begin(&x, pn, speeds, psizes, mlimits));
    if (dpf != NULL)
        HESCA_TRY(err, by_function(&x, dpf, type_of_distribution));
    else
        HESCA_TRY(err, by_half_perimeters(&x, type_of_distribution));
fail:
    return call_end(&x, err, &out, c);
}

/* ------------------------------------------------ candidates
 * k->best and k->value belong to the first candidate of minimal value. */

static double
sum_of_half_perimeters(int p, const int *w, const int *h, const int *trow,
                       const int *tcol)
{
    double sum = 0;
    (void)trow;
    (void)tcol;
    for (int i = 0; i < p; ++i) {
        const int height = h[(size_t)i * ((size_t)p + 1)];
        sum += w[i] > 0 && height > 0 ? (double)w[i] + height : 0;
    }
    return sum;
}

/* The objective, and the best candidate so far. */
typedef struct {
    Iterative_function cf;
    double bound, value;
    hesca_hdpi_rects best;
    int found, done;
} candidates;

static int
evaluate(call *x, candidates *k)
{
    const double value =
        k->cf(x->p, x->rects.w, x->rects.h, x->rects.trow, x->rects.tcol);
    if (isnan(value))
        return hesca_fail(HESCA_ERR_ARG, 9, "%s: argument 9, cf, returns NaN",
                          x->routine);
    if (!k->found || value < k->value) {
        k->value = value;
        hesca_hdpi_copy(x->p, &x->rects, &k->best);
    }
    k->found = 1;
    k->done = value < 0 || value <= k->bound;
    return HESCA_SUCCESS;
}

/* Evaluate recursive bisection, unless it exceeds the limits. */
static int
evaluate_bisection(call *x, candidates *k)
{
    hesca_tiling *t = NULL;
    const int err = hesca_bisect_array(&x->task, &t);
    if (err == HESCA_ERR_UNSUPPORTED)
        return HESCA_SUCCESS;
    if (err < 0)
        return err;
    hesca_hdpi_write(t, &x->rects);
    hesca_tiling_free(t);
    return evaluate(x, k);
}

/* Evaluate columns and rows of every number, each with the minimal sum of half
 * perimeters; then bisection. */
static int
evaluate_all(call *x, candidates *k)
{
    static const int types[] = {COLUMN_BASED, ROW_BASED};
    table t;
    int err, any;
    HESCA_TRY(err, table_init(x, &t));
    HESCA_TRY(err, hesca_dp_run(&t.dp, x->routine, 0, hesca_dp_half_perimeters,
                                t.sorted_speed, -INFINITY, &any));
    for (int type = 0; type < 2; ++type)
        for (int c = 1; c <= x->p && !k->done; ++c) {
            /* Strips in this number may be unable to keep the limits. */
            err = cut_strips(x, &t, types[type], c);
            if (err == HESCA_ERR_NOMEM)
                goto fail;
            if (err == HESCA_SUCCESS)
                HESCA_TRY(err, evaluate(x, k));
        }
    err = HESCA_SUCCESS;
    if (!k->done)
        HESCA_TRY(err, evaluate_bisection(x, k));
    if (!k->found)
        err = hesca_fail(HESCA_ERR_UNSUPPORTED, 5,
                         "%s: argument 5, mlimits: no candidate keeps them",
                         x->routine);
fail:
    table_clear(&t);
    return err;
}

int
Partition_matrix_1d_iterative(int p, int pn, const double *speeds,
                              const int *psizes, const int *mlimits, int m,
                              int n, Get_lower_bound lb, Iterative_function cf,
                              int *w, int *h, int *trow, int *tcol, int *c)
{
    call x = {.routine = "Partition_matrix_1d_iterative",
              .p = p,
              .m = m,
              .n = n,
              .lb = lb};
    candidates k = {.cf = cf != NULL ? cf : sum_of_half_perimeters};
    const hesca_hdpi_rects out = {w, h, trow, tcol};
    int err;
    HESCA_TRY(err, hesca_hdpi_check_block(x.routine, 6, m, n, 10, &out, 0));
    HESCA_TRY(err, call_begin(&x, pn, speeds, psizes, mlimits));
    HESCA_TRY(err, hesca_hdpi_rects_alloc(x.routine, p, &k.best));
    k.bound = bound_of(&x, x.speed);
    HESCA_TRY(err, evaluate_all(&x, &k));
    hesca_hdpi_copy(p, &k.best, &x.rects);
fail:
    hesca_hdpi_rects_free(&k.best);
    return call_end(&x, err, &out, c);
}

/* ------------------------------------------------ refining
 * x->rects covers the matrix before and after every call of rf; old is the
 * last accepted state. */

static int
overlap(int x, int nx, int y, int ny)
{
    return nx > 0 && ny > 0 && x < y + ny && y < x + nx;
}

/* Whether rectangles cover an m x n block, each element once. */
static int
is_tiling(int p, const hesca_hdpi_rects *x, int m, int n)
{
    const size_t np = (size_t)p;
    int64_t area = 0;
    for (size_t i = 0; i < np; ++i) {
        const int height = x->h[i * (np + 1)], width = x->w[i];
        if (width < 0 || width > n || height < 0 || height > m ||
            x->trow[i] < 0 || x->trow[i] > m - height || x->tcol[i] < 0 ||
            x->tcol[i] > n - width)
            return 0;
        area += (int64_t)width * height;
        for (size_t k = 0; k < i; ++k)
            if (overlap(x->trow[i], height, x->trow[k], x->h[k * (np + 1)]) &&
                overlap(x->tcol[i], width, x->tcol[k], x->w[k]))
                return 0;
    }
    return area == (int64_t)m * n;
}

/* Call rf as long as it improves x->rects; `old` is work space. */
static int
refine(call *x, Refining_function rf, int pn, const double *speeds,
       const int *psizes, const int *mlimits, hesca_hdpi_rects *old)
{
    const double bound = bound_of(x, x->speed);
    for (double best = INFINITY;;) {
        hesca_hdpi_copy(x->p, &x->rects, old);
        const double value =
            rf(x->p, pn, speeds, psizes, mlimits, x->m, x->n, x->rects.w,
               x->rects.h, x->rects.trow, x->rects.tcol);
        if (isnan(value))
            return hesca_fail(HESCA_ERR_ARG, 9,
                              "%s: argument 9, rf, returns NaN", x->routine);
        if (value < 0 || value >= best) {
            hesca_hdpi_copy(x->p, old, &x->rects);
            return HESCA_SUCCESS;
        }
        if (!is_tiling(x->p, &x->rects, x->m, x->n))
            return hesca_fail(HESCA_ERR_ARG, 9,
                              "%s: argument 9, rf, makes rectangles that do "
                              "not cover %d x %d elements, each once",
                              x->routine, x->m, x->n);
        hesca_hdpi_put_common(x->p, &x->rects);
        if (value <= bound)
            return HESCA_SUCCESS;
        best = value;
    }
}

int
Partition_matrix_1d_refining(int p, int pn, const double *speeds,
                             const int *psizes, const int *mlimits, int m,
                             int n, Get_lower_bound lb, Refining_function rf,
                             int *w, int *h, int *trow, int *tcol, int *c)
{
    call x = {.routine = "Partition_matrix_1d_refining",
              .p = p,
              .m = m,
              .n = n,
              .lb = lb};
    const hesca_hdpi_rects out = {w, h, trow, tcol};
    hesca_hdpi_rects old = {0};
    int err;
    HESCA_TRY(err, hesca_hdpi_check_block(x.routine, 6, m, n, 10, &out, 1));
    if (rf == NULL)
        HESCA_TRY(err, hesca_fail_null(x.routine, 9, "rf"));
    HESCA_TRY(err, call_begin(&x, pn, speeds, psizes, mlimits));
    HESCA_TRY(err, hesca_hdpi_rects_alloc(x.routine, p, &old));
    if (w[0] >= 0 && is_tiling(p, &out, m, n)) {
        hesca_hdpi_copy(p, &out, &x.rects);
        hesca_hdpi_put_common(p, &x.rects);
    } else
        HESCA_TRY(err, by_half_perimeters(&x, COLUMN_BASED));
    HESCA_TRY(err, refine(&x, rf, pn, speeds, psizes, mlimits, &old));
fail:
    hesca_hdpi_rects_free(&old);
    return call_end(&x, err, &out, c);
}
