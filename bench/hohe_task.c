/* SPDX-License-Identifier: BSD-3-Clause */
/* Matrices in these parts.  Elements follow from their indices, so that all
 * parts of a matrix are there without a message, and vectors are whole on
 * every process: results are looked at by products with one. */
#include "base/sort.h"
#include "blas.h"
#include "hesca/experimental/dense.h"
#include "hohe.h"
#include <float.h>
#include <math.h>
#include <mpi.h>
#include <stdlib.h>
#include <string.h>

/* Seconds of a run that is not repeated. */
static const double LONG = 5;

/* What a process has of an n x n matrix, of three of them. */
typedef struct {
    int64_t n, rows, cols;
    int64_t *i, *j; /* [rows], [cols] global indices */
    double *a, *b, *c;
    double *v[4]; /* [n] */
} part;

/* Symmetric; the diagonal outweighs the rest. */
static double
definite(int64_t i, int64_t j, int64_t n)
{
    return bench_element(1, i > j ? i : j, i > j ? j : i) +
           (i == j ? (double)n : 0);
}

/* ----- memory ----- */

static void
part_close(part *t)
{
    free(t->i);
    free(t->j);
    free(t->a);
    free(t->b);
    free(t->c);
    for (int k = 0; k < 4; ++k)
        free(t->v[k]);
}

static int
part_open(const hohe_options *o, const hohe_net *x, const hohe_case *c,
          part *t)
{
    const hesca_layout *layout = hesca_gblock_layout(c->g);
    int64_t other;
    int ok = 1;
    *t = (part){.n = c->n};
    hesca_layout_local_size(layout, x->rank, &t->rows, &t->cols);
    const size_t size = (size_t)t->rows * (size_t)t->cols + 1;
    const size_t second = o->routine == HESCA_ROUTINE_GEMM ? size : 1;
    t->i = calloc((size_t)t->rows + 1, sizeof *t->i);
    t->j = calloc((size_t)t->cols + 1, sizeof *t->j);
    t->a = calloc(size, sizeof *t->a);
    t->b = calloc(second, sizeof *t->b);
    t->c = calloc(second, sizeof *t->c);
    for (int k = 0; k < 4; ++k) {
        t->v[k] = calloc((size_t)c->n, sizeof *t->v[k]);
        ok = ok && t->v[k] != NULL;
    }
    if (!ok || t->i == NULL || t->j == NULL || t->a == NULL || t->b == NULL ||
        t->c == NULL)
        return 0;
    if (t->cols == 0 || t->rows == 0)
        t->rows = t->cols = 0;
    for (int64_t k = 0; k < t->rows; ++k)
        hesca_layout_global(layout, x->rank, k, 0, t->i + k, &other);
    for (int64_t k = 0; k < t->cols; ++k)
        hesca_layout_global(layout, x->rank, 0, k, &other, t->j + k);
    return 1;
}

static void
fill(const hohe_options *o, part *t)
{
    for (int64_t q = 0, at = 0; q < t->cols; ++q)
        for (int64_t p = 0; p < t->rows; ++p, ++at) {
            const int64_t i = t->i[p], j = t->j[q];
            if (o->routine == HESCA_ROUTINE_POTRF) {
                t->a[at] = definite(i, j, t->n);
                continue;
            }
            t->a[at] = bench_element(1, i, j);
            t->b[at] = bench_element(2, i, j);
            t->c[at] = 0;
        }
}

/* ----- residuals ----- */

/* Which elements of a local array count, and how. */
typedef enum { WHOLE, MAGNITUDES, LOWER, LOWER_TRANSPOSED, DEFINITE } kind;

/* y := X x, everywhere. */
static void
apply(const part *t, kind what, const double *local, const double *x,
      double *y)
{
    memset(y, 0, (size_t)t->n * sizeof *y);
    for (int64_t q = 0, at = 0; q < t->cols; ++q)
        for (int64_t p = 0; p < t->rows; ++p, ++at) {
            const int64_t i = t->i[p], j = t->j[q];
            if (what == DEFINITE)
                y[i] += definite(i, j, t->n) * x[j];
            else if (what == MAGNITUDES)
                y[i] += fabs(local[at]) * fabs(x[j]);
            else if (what == WHOLE || (what == LOWER && i >= j))
                y[i] += local[at] * x[j];
            else if (what == LOWER_TRANSPOSED && i >= j)
                y[j] += local[at] * x[i];
        }
    yield_allreduce(y, (int)t->n, MPI_DOUBLE, MPI_SUM);
}

static double
worst(int64_t n, const double *x, const double *gauge, double scale)
{
    double most = 0;
    for (int64_t i = 0; i < n; ++i) {
        const double ratio = fabs(x[i]) / (gauge == NULL ? 1 : gauge[i]);
        most = ratio <= most ? most : isnan(ratio) ? INFINITY : ratio;
    }
    return most / scale;
}

/* |C x - A (B x)| / (eps |A| |B| |x|), the largest row, as of time_gemm. */
static double
gemm_residual(part *t)
{
    double *x = t->v[0], *y = t->v[1], *z = t->v[2], *w = t->v[3];
    apply(t, WHOLE, t->b, x, y);
    apply(t, WHOLE, t->a, y, z);
    apply(t, WHOLE, t->c, x, y);
    for (int64_t i = 0; i < t->n; ++i)
        z[i] -= y[i];
    apply(t, MAGNITUDES, t->b, x, y);
    apply(t, MAGNITUDES, t->a, y, w);
    return worst(t->n, z, w, DBL_EPSILON / 2);
}

/* ||A x - L (L^T x)|| / (n eps ||A|| ||x||); ||A||, the greatest row sum, is
 * at least its diagonal. */
static double
potrf_residual(part *t)
{
    double *x = t->v[0], *y = t->v[1], *z = t->v[2], *w = t->v[3];
    const double n = (double)t->n;
    apply(t, LOWER_TRANSPOSED, t->a, x, y);
    apply(t, LOWER, t->a, y, z);
    apply(t, DEFINITE, t->a, x, w);
    for (int64_t i = 0; i < t->n; ++i)
        z[i] -= w[i];
    return worst(t->n, z, NULL,
                 n * n * DBL_EPSILON / 2 * worst(t->n, x, NULL, 1));
}

double
hohe_threshold(hesca_routine routine)
{
    return routine == HESCA_ROUTINE_GEMM ? 16 : 3; /* ScaLAPACK's testers' */
}

/* ----- runs ----- */

static int
compute(const hohe_options *o, const hohe_case *c, part *t)
{
    const hesca_layout *layout = hesca_gblock_layout(c->g);
    const double one = 1, zero = 0;
    const int64_t n = c->n, lld = t->rows > 0 ? t->rows : 1;
    const hesca_matrix a = {.layout = layout, .local = t->a, .lld = lld};
    const hesca_matrix b = {.layout = layout, .local = t->b, .lld = lld};
    const hesca_matrix p = {.layout = layout, .local = t->c, .lld = lld};
    int64_t info = 0;
    const int err =
        o->routine == HESCA_ROUTINE_GEMM
            ? hesca_gemm(HESCA_D, 'N', 'N', n, n, n, &one, &a, &b, &zero, &p,
                         MPI_COMM_WORLD)
            : hesca_potrf(HESCA_D, 'L', n, &a, MPI_COMM_WORLD, &info);
    return err < 0 ? err : info != 0;
}

/* Seconds of the slowest process; below 0 after a message. */
static double
run_once(const hohe_options *o, const hohe_net *x, const hohe_case *c, part *t)
{
    fill(o, t);
    yield_long_barrier();
    if (o->nspeeds > 0)
        blas_pace(x->speed[x->rank]);
    yield_barrier();
    const double from = yield_clock();
    const int err = compute(o, c, t);
    double seconds = yield_clock() - from;
    blas_pace(0);
    yield_long_barrier();
    yield_allreduce(&seconds, 1, MPI_DOUBLE, MPI_MAX);
    if (err == 0)
        return seconds;
    if (x->rank == 0)
        cmdline_fail("%s", err > 0 ? "the matrix is not positive definite"
                                   : hesca_error_text());
    return -1;
}

int
hohe_case_run(const hohe_options *o, const hohe_net *x, hohe_case *c)
{
    double seconds[HOHE_RUNS_MAX], unused[2];
    part t;
    int ok = yield_all(part_open(o, x, c, &t));
    if (!ok && x->rank == 0)
        cmdline_fail("no memory for matrices of order %lld", (long long)c->n);
    for (c->runs = 0; ok && c->runs < o->runs; ++c->runs) {
        if (c->runs > 0 && seconds[0] > LONG)
            break;
        seconds[c->runs] = run_once(o, x, c, &t);
        ok = seconds[c->runs] >= 0;
    }
    if (ok) {
        for (int64_t i = 0; i < c->n; ++i)
            t.v[0][i] = bench_element(3, i, 0);
        c->residual = o->routine == HESCA_ROUTINE_GEMM ? gemm_residual(&t)
                                                       : potrf_residual(&t);
        hesca_sort(seconds, c->runs);
        c->ends[0] = seconds[0];
        c->ends[1] = seconds[c->runs - 1];
        c->seconds = hesca_median(seconds, c->runs, unused);
    }
    part_close(&t);
    return ok;
}
