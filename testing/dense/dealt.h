/* Matrices of any type in random layouts of all kinds, for tests of dense
 * algebra: every process knows the whole matrix, as complex numbers, and has
 * its part of it. */
#ifndef HESCA_TESTING_DENSE_DEALT_H
#define HESCA_TESTING_DENSE_DEALT_H

#include "dense/kernels.h"
#include "hesca/dense.h"
#include "testing/check.h"
#include <complex.h>
#include <float.h>
#include <math.h>
#include <string.h>

enum { DEALT_MOST = 16 }; /* processes */

typedef double complex number;

typedef struct {
    hesca_type type;
    int64_t m, n;       /* of the matrix */
    int64_t rows, cols; /* of the submatrix */
    hesca_matrix a;
    hesca_layout *layout;
    int64_t locr, locc;
    char *before; /* a copy of the local array */
    char text[500];
} dealt;

static inline double
dealt_eps(hesca_type type)
{
    return type == HESCA_S || type == HESCA_C ? FLT_EPSILON / 2
                                              : DBL_EPSILON / 2;
}

static inline void
dealt_store(hesca_type type, void *at, number z)
{
    if (type == HESCA_S)
        *(float *)at = (float)creal(z);
    else if (type == HESCA_D)
        *(double *)at = creal(z);
    else if (type == HESCA_C)
        *(float complex *)at = (float complex)z;
    else
        *(number *)at = z;
}

static inline number
dealt_load(hesca_type type, const void *at)
{
    if (type == HESCA_S)
        return *(const float *)at;
    if (type == HESCA_D)
        return *(const double *)at;
    if (type == HESCA_C)
        return *(const float complex *)at;
    return *(const number *)at;
}

static inline size_t
dealt_size(hesca_type type)
{
    static const size_t size[] = {4, 8, 8, 16};
    return size[type];
}

/* -1 ... 1, and what a type can hold. */
static inline number
dealt_random(hesca_type type)
{
    const double re = check_uniform(-1000000, 1000000) / 1e6;
    const double im = check_uniform(-1000000, 1000000) / 1e6;
    number z = type == HESCA_C || type == HESCA_Z ? CMPLX(re, im) : re;
    if (type == HESCA_S || type == HESCA_C)
        z = CMPLX((float)creal(z), (float)cimag(z));
    return z;
}

/* Lengths of which some are 0, and their sum. */
static inline int64_t
dealt_lengths(int n, int64_t *length, int64_t sum)
{
    int64_t all = 0;
    for (int k = 0; k < n; ++k)
        all += length[k] = check_uniform(0, 3) == 0 ? 0 : check_uniform(1, 40);
    if (all == 0)
        all = length[check_uniform(0, n - 1)] = 5;
    if (sum > 0) { /* another one is wanted */
        for (int k = 0; k < n; ++k) {
            length[k] = k < n - 1 ? check_uniform(0, (int)sum) : sum;
            sum -= length[k];
        }
    }
    return all;
}

static inline int
dealt_layout(dealt *x, int kind, int nprow, int npcol, const int *ranks)
{
    int64_t h[DEALT_MOST], w[DEALT_MOST], sum;
    int at = snprintf(x->text, sizeof x->text, "kind %d, %dx%d, ranks", kind,
                      nprow, npcol);
    for (int k = 0; k < nprow * npcol; ++k)
        at += snprintf(x->text + at, sizeof x->text - (size_t)at, " %d",
                       ranks[k]);
    if (kind == 0) {
        const int mb = check_uniform(1, 24), nb = check_uniform(1, 24);
        snprintf(x->text + at, sizeof x->text - (size_t)at, ", %dx%d", mb, nb);
        return hesca_layout_create_cyclic(
            x->m, x->n, mb, nb, check_uniform(0, nprow - 1),
            check_uniform(0, npcol - 1), nprow, npcol, ranks, &x->layout);
    }
    sum = dealt_lengths(nprow, h, 0);
    dealt_lengths(npcol, w, 0);
    if (kind == 1)
        return hesca_layout_create_generalized(x->m, x->n, nprow, npcol, h, w,
                                               ranks, &x->layout);
    if (kind == 2) {
        int64_t all[DEALT_MOST];
        for (int q = 0; q < npcol; ++q) {
            dealt_lengths(nprow, h, sum);
            for (int p = 0; p < nprow; ++p)
                all[p * npcol + q] = h[p];
        }
        return hesca_layout_create_column_based(x->m, x->n, nprow, npcol, all,
                                                w, ranks, &x->layout);
    }
    int64_t all[DEALT_MOST];
    sum = dealt_lengths(npcol, w, 0);
    for (int p = 0; p < nprow; ++p)
        dealt_lengths(npcol, all + p * npcol, sum);
    return hesca_layout_create_row_based(x->m, x->n, nprow, npcol, h, all,
                                         ranks, &x->layout);
}

/* A random grid and layout for a rows x cols submatrix somewhere in a matrix.
 */
static inline void
dealt_make(dealt *x, hesca_type type, int64_t rows, int64_t cols, int size)
{
    int nprow, npcol, ranks[DEALT_MOST], me;
    memset(x, 0, sizeof *x);
    x->type = type;
    x->rows = rows;
    x->cols = cols;
    x->a.i = check_uniform(0, 3) == 0 ? check_uniform(0, 30) : 0;
    x->a.j = check_uniform(0, 3) == 0 ? check_uniform(0, 30) : 0;
    x->m = x->a.i + rows + check_uniform(0, 1) * check_uniform(0, 20);
    x->n = x->a.j + cols + check_uniform(0, 1) * check_uniform(0, 20);
    do {
        nprow = check_uniform(1, size);
        npcol = check_uniform(1, size);
    } while (nprow * npcol > size);
    for (int k = 0; k < size; ++k)
        ranks[k] = k;
    for (int k = size - 1; k > 0; --k) {
        const int with = check_uniform(0, k), rank = ranks[k];
        ranks[k] = ranks[with];
        ranks[with] = rank;
    }
    if (dealt_layout(x, check_uniform(0, 3), nprow, npcol, ranks) < 0) {
        fprintf(stderr, "%s: %s\n", x->text, hesca_error_text());
        abort();
    }
    MPI_Comm_rank(MPI_COMM_WORLD, &me);
    hesca_layout_local_size(x->layout, me, &x->locr, &x->locc);
    const int more = check_uniform(0, 5);
    x->a.layout = x->layout;
    x->a.lld = (x->locr > 1 ? x->locr : 1) + more;
    const size_t bytes = (size_t)(x->a.lld * x->locc) * dealt_size(type) + 16;
    x->a.local = malloc(bytes);
    x->before = malloc(bytes);
    memset(x->a.local, 0x5a, bytes);
    snprintf(x->text + strlen(x->text), sizeof x->text - strlen(x->text),
             "; %lldx%lld at (%lld,%lld) of %lldx%lld", (long long)rows,
             (long long)cols, (long long)x->a.i, (long long)x->a.j,
             (long long)x->m, (long long)x->n);
}

static inline void
dealt_free(dealt *x)
{
    hesca_layout_free(x->layout);
    free(x->a.local);
    free(x->before);
}

/* This process's element (i,j) of the matrix; NULL: it has not. */
static inline char *
dealt_at(const dealt *x, char *local, int64_t i, int64_t j)
{
    int rank, me;
    int64_t il, jl;
    MPI_Comm_rank(MPI_COMM_WORLD, &me);
    hesca_layout_locate(x->layout, i, j, &rank, &il, &jl);
    return rank == me
               ? local + (size_t)(il + jl * x->a.lld) * dealt_size(x->type)
               : NULL;
}

/* Deal the whole submatrix out, all else is 7; keep a copy. */
static inline void
dealt_put(dealt *x, const number *whole)
{
    for (int64_t j = 0; j < x->n; ++j)
        for (int64_t i = 0; i < x->m; ++i) {
            const int64_t r = i - x->a.i, c = j - x->a.j;
            const int in = r >= 0 && r < x->rows && c >= 0 && c < x->cols;
            char *at = dealt_at(x, x->a.local, i, j);
            if (at != NULL)
                dealt_store(x->type, at, in ? whole[r + c * x->rows] : 7);
        }
    memcpy(x->before, x->a.local,
           (size_t)(x->a.lld * x->locc) * dealt_size(x->type));
}

/* Collect the submatrix on all processes, and count the bytes elsewhere that
 * have changed. */
static inline int64_t
dealt_get(const dealt *x, number *whole)
{
    const size_t size = dealt_size(x->type);
    const int64_t bytes = x->a.lld * x->locc * (int64_t)size;
    int64_t changed = 0;
    const int64_t count = x->rows * x->cols;
    for (int64_t k = 0; k < count; ++k)
        whole[k] = 0;
    for (int64_t c = 0; c < x->cols; ++c)
        for (int64_t r = 0; r < x->rows; ++r) {
            char *at = dealt_at(x, x->a.local, x->a.i + r, x->a.j + c);
            if (at == NULL)
                continue;
            whole[r + c * x->rows] = dealt_load(x->type, at);
            memcpy(x->before + (at - (char *)x->a.local), at, size);
        }
    for (int64_t k = 0; k < bytes; ++k)
        changed += ((const char *)x->a.local)[k] != x->before[k];
    check_barrier(MPI_COMM_WORLD);
    MPI_Allreduce(MPI_IN_PLACE, whole, (int)(2 * count), MPI_DOUBLE, MPI_SUM,
                  MPI_COMM_WORLD);
    return changed;
}

/* The largest sum of moduli of a column. */
static inline double
dealt_norm(int64_t m, int64_t n, const number *a)
{
    double norm = 0;
    for (int64_t j = 0; j < n; ++j) {
        double sum = 0;
        for (int64_t i = 0; i < m; ++i)
            sum += cabs(a[i + j * m]);
        norm = sum > norm ? sum : norm;
    }
    return norm;
}

#endif
