/* SPDX-License-Identifier: BSD-3-Clause */
#include "blas.h"
#include "harness.h"
#include "hdpi_real.h"
#include "yield.h"
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double one = 1, minus = -1;
static const int step = 1;

/* A process's columns, those of its blocks in their order. */
typedef struct {
    const lu_task *t;
    const int *owner;
    int rank;
    int64_t cols;    /* of its own */
    double *a;       /* [n * cols] */
    double *panel;   /* [n * block + block] factors, and pivots from 1 on */
    double *scratch; /* [n * cols] what repeated work spoils, or NULL */
    double *seconds; /* [blocks] of updates */
    int *ipiv;       /* [block] */
} factors;

static int
open_factors(factors *f, const lu_task *t, const int *owner, int rank,
             const emulation *e)
{
    const int is_repeated = e->slow > 1 || e->paging > 1;
    *f = (factors){.t = t, .owner = owner, .rank = rank};
    f->cols = lu_columns(t, owner, rank, 0);
    f->a = hdpi_matrix(t->n, f->cols);
    f->panel = hdpi_matrix(t->n + 1, t->block);
    f->scratch = is_repeated ? hdpi_matrix(t->n, f->cols) : NULL;
    f->seconds = hdpi_matrix(lu_blocks(t), 1);
    f->ipiv = calloc((size_t)t->block, sizeof *f->ipiv);
    if (f->a == NULL || f->panel == NULL || f->seconds == NULL ||
        f->ipiv == NULL || (is_repeated && f->scratch == NULL))
        return 0;
    int64_t local = 0;
    for (int64_t k = 0; k < lu_blocks(t); ++k)
        if (owner[k] == rank) {
            hdpi_fill(f->a + local * t->n, 3, t->n, k * t->block,
                      lu_width(t, k));
            local += lu_width(t, k);
        }
    return 1;
}

static void
close_factors(factors *f)
{
    free(f->a);
    free(f->panel);
    free(f->scratch);
    free(f->seconds);
    free(f->ipiv);
}

/* ----- a step ----- */

/* What an update works on: columns right of the panel, rows from it on. */
typedef struct {
    const double *panel; /* [m * width] */
    double *a, *scratch; /* [m] of columns lda apart */
    int m, width, lda;
} trailing;

/* The first time in place, then where it does no harm, in turn forward and
 * back so that numbers stay small. */
static void
subtract(void *state, int64_t columns, int k)
{
    const trailing *x = state;
    const int rows = x->m - x->width, cols = (int)columns;
    double *to = (k == 0 ? x->a : x->scratch) + x->width;
    if (rows > 0 && cols > 0)
        dgemm_("N", "N", &rows, &cols, &x->width, k % 2 == 0 ? &minus : &one,
               x->panel + x->width, &x->m, x->a, &x->lda, &one, to, &x->lda);
}

static void
update(trailing *x, int64_t columns, const int *ipiv, const emulation *e)
{
    const int cols = (int)columns;
    if (cols == 0)
        return;
    dlaswp_(&cols, x->a, &x->lda, &step, &x->width, ipiv, &step);
    dtrsm_("L", "L", "N", "U", &x->width, &cols, &one, x->panel, &x->m, x->a,
           &x->lda);
    hdpi_repeat(e, columns, x->m, subtract, x);
}

/* The owner factorizes a panel, all get it. */
static void
share_panel(factors *f, int64_t k, int64_t local, int m, int width)
{
    const int n = (int)f->t->n;
    MPI_Request request;
    if (f->owner[k] == f->rank) {
        double *a = f->a + local * n + (n - m);
        int info;
        dgetrf_(&m, &width, a, &n, f->ipiv, &info);
        for (int j = 0; j < width; ++j)
            memcpy(f->panel + (int64_t)j * m, a + (int64_t)j * n,
                   (size_t)m * sizeof *a);
        for (int j = 0; j < width; ++j)
            f->panel[(int64_t)width * m + j] = f->ipiv[j];
    }
    MPI_Ibcast(f->panel, width * m + width, MPI_DOUBLE, f->owner[k],
               MPI_COMM_WORLD, &request);
    yield_wait(&request);
    for (int j = 0; j < width; ++j)
        f->ipiv[j] = (int)f->panel[(int64_t)width * m + j];
}

/* All steps; pivot [n], from 0 on, where rows went. */
static void
factorize(factors *f, const emulation *e, int64_t *pivot)
{
    const lu_task *t = f->t;
    const int n = (int)t->n;
    int64_t local = 0; /* own columns left of the panel */
    for (int64_t k = 0; k < lu_blocks(t); ++k) {
        const int m = n - (int)k * t->block, width = (int)lu_width(t, k);
        const int left = (int)local;
        share_panel(f, k, local, m, width);
        for (int j = 0; j < width; ++j)
            pivot[n - m + j] = n - m + f->ipiv[j] - 1;
        dlaswp_(&left, f->a + (n - m), &n, &step, &width, f->ipiv, &step);
        local += f->owner[k] == f->rank ? width : 0;
        trailing x = {f->panel,
                      f->a + local * n + (n - m),
                      f->scratch ? f->scratch + local * n + (n - m) : NULL,
                      m,
                      width,
                      n};
        const double start = yield_clock();
        update(&x, f->cols - local, f->ipiv, e);
        f->seconds[k] = yield_clock() - start;
    }
}

/* ----- whether it is right ----- */

/* All columns to process 0, in their order. */
static void
gather(const factors *f, double *all)
{
    const lu_task *t = f->t;
    int64_t local = 0;
    for (int64_t k = 0; k < lu_blocks(t); ++k) {
        const int count = (int)(t->n * lu_width(t, k));
        double *to = f->rank == 0 ? all + t->n * k * t->block : NULL;
        const double *from = f->a + local * t->n;
        const int is_mine = f->owner[k] == f->rank;
        MPI_Request request;
        if (is_mine && f->rank == 0) {
            memcpy(to, from, (size_t)count * sizeof *to);
        } else if (is_mine) {
            MPI_Isend(from, count, MPI_DOUBLE, 0, 0, MPI_COMM_WORLD, &request);
            yield_wait(&request);
        } else if (f->rank == 0) {
            MPI_Irecv(to, count, MPI_DOUBLE, f->owner[k], 0, MPI_COMM_WORLD,
                      &request);
            yield_wait(&request);
        }
        local += is_mine ? lu_width(t, k) : 0;
    }
}

/* || P A - L U || / (n epsilon || A ||), in the norms of Frobenius. */
static double
residual_of(const lu_task *t, const double *lu, double *product,
            const int64_t *pivot)
{
    const int n = (int)t->n;
    double wrong = 0, norm = 0;
    int64_t *row = calloc((size_t)t->n, sizeof *row);
    if (row == NULL)
        return INFINITY;
    for (int64_t j = 0; j < t->n; ++j)
        for (int64_t i = 0; i <= j; ++i)
            product[j * t->n + i] = lu[j * t->n + i];
    dtrmm_("L", "L", "N", "U", &n, &n, &one, lu, &n, product, &n);
    for (int64_t i = 0; i < t->n; ++i)
        row[i] = i;
    for (int64_t i = 0; i < t->n; ++i) {
        const int64_t other = row[pivot[i]];
        row[pivot[i]] = row[i];
        row[i] = other;
    }
    for (int64_t j = 0; j < t->n; ++j)
        for (int64_t i = 0; i < t->n; ++i) {
            const double a = bench_element(3, row[i], j);
            const double d = a - product[j * t->n + i];
            wrong += d * d;
            norm += a * a;
        }
    free(row);
    return sqrt(wrong / norm) / ((double)t->n * DBL_EPSILON);
}

static double
check(const factors *f, const int64_t *pivot)
{
    const int64_t n = f->rank == 0 ? f->t->n : 0;
    double *lu = hdpi_matrix(n, n), *product = hdpi_matrix(n, n);
    double residual = 0;
    if (!yield_all(lu != NULL && product != NULL)) {
        residual = INFINITY;
    } else {
        gather(f, lu);
        if (f->rank == 0)
            residual = residual_of(f->t, lu, product, pivot);
    }
    free(lu);
    free(product);
    return residual;
}

/* ----- all of it ----- */

/* The largest update of each step, summed, and that over the mean. */
static void
sum_updates(factors *f, taken *t)
{
    const int blocks = (int)lu_blocks(f->t);
    double mean = 0;
    for (int k = 0; k < blocks; ++k)
        mean += f->seconds[k];
    yield_allreduce(&mean, 1, MPI_DOUBLE, MPI_SUM);
    yield_allreduce(f->seconds, blocks, MPI_DOUBLE, MPI_MAX);
    t->compute = 0;
    for (int k = 0; k < blocks; ++k)
        t->compute += f->seconds[k];
    t->imbalance = t->compute * f->t->p / mean;
}

int
lu_run(const lu_task *task, const int *owner, const emulation *e, int checks,
       taken *t)
{
    int rank;
    factors f;
    int64_t *pivot = calloc((size_t)task->n, sizeof *pivot);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    const int ok =
        yield_all(open_factors(&f, task, owner, rank, e) && pivot != NULL);
    if (ok) {
        yield_barrier();
        const double start = yield_clock();
        factorize(&f, e, pivot);
        t->total = yield_clock() - start;
        yield_allreduce(&t->total, 1, MPI_DOUBLE, MPI_MAX);
        sum_updates(&f, t);
        t->residual = checks ? check(&f, pivot) : 0;
        yield_allreduce(&t->residual, 1, MPI_DOUBLE, MPI_MAX);
    }
    close_factors(&f);
    free(pivot);
    return ok;
}

double
lu_probe(const lu_task *task, int64_t cols, const emulation *e, double least)
{
    const int64_t n = task->n;
    double *panel = hdpi_matrix(n, task->block), *a = hdpi_matrix(n, cols);
    double *scratch = hdpi_matrix(n, cols), seconds = -1;
    int *ipiv = calloc((size_t)task->block, sizeof *ipiv);
    if (panel != NULL && a != NULL && scratch != NULL && ipiv != NULL) {
        trailing x = {panel, a, scratch, (int)n, task->block, (int)n};
        hdpi_fill(panel, 4, n, 0, task->block);
        for (int64_t k = 0; k < n * task->block; ++k)
            panel[k] /= (double)n; /* so that nothing grows */
        hdpi_fill(a, 3, n, 0, cols);
        for (int j = 0; j < task->block; ++j)
            ipiv[j] = j + 1; /* no rows are exchanged */
        const double start = yield_clock();
        int times = 0;
        do {
            update(&x, cols, ipiv, e);
            ++times;
            seconds = yield_clock() - start;
        } while (seconds < least);
        seconds /= times;
    }
    free(panel);
    free(a);
    free(scratch);
    free(ipiv);
    return seconds;
}
