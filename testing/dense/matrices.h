/* SPDX-License-Identifier: BSD-3-Clause */
/* Distributed matrices whose elements every process knows: each is a
 * function of its place, of any type, or one of an array that all have. */
#ifndef HESCA_TESTING_MATRICES_H
#define HESCA_TESTING_MATRICES_H

#include "testing/dense/numbers.h"
#include "testing/layouts.h"

typedef struct {
    hesca_type type;
    int64_t m, n; /* of the submatrix */
    uint64_t seed;
    hesca_matrix a;
    size_t bytes;
    int64_t locr, locc;
    unsigned char *before; /* the local part as it was filled */
    int64_t odd_i, odd_j;  /* this element of the submatrix, if any, is: */
    number odd;
} matrix;

/* Element (i,j) of the submatrix. */
static inline number
element(const matrix *x, int64_t i, int64_t j)
{
    return i == x->odd_i && j == x->odd_j
               ? x->odd
               : some_number(x->type, x->seed, x->a.i + i, x->a.j + j);
}

/* Elements outside of the submatrix and between columns are bytes 0x5b. */
static inline void
fill(matrix *x)
{
    int rank;
    unsigned char *local = x->a.local;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    memset(local, 0x5b, x->bytes);
    for (int64_t j = 0; j < x->n; ++j)
        for (int64_t i = 0; i < x->m; ++i) {
            int owner;
            int64_t il, jl;
            hesca_layout_locate(x->a.layout, x->a.i + i, x->a.j + j, &owner,
                                &il, &jl);
            if (owner == rank)
                put_number(x->type,
                           local +
                               (size_t)(il + jl * x->a.lld) * size_of(x->type),
                           element(x, i, j));
        }
    memcpy(x->before, local, x->bytes);
}

/* sub(A) of m x n elements at (i,j) of a matrix in a layout, which is the
 * matrix's from now on. */
static inline matrix
make_matrix(hesca_type type, hesca_layout *layout, int64_t m, int64_t n,
            int64_t i, int64_t j)
{
    matrix x = {.type = type, .m = m, .n = n, .odd_i = -1, .odd_j = -1};
    int rank;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    x.seed = check_random();
    hesca_layout_local_size(layout, rank, &x.locr, &x.locc);
    x.a = (hesca_matrix){.layout = layout, .i = i, .j = j};
    x.a.lld = x.locr + (int64_t)(x.seed % 3) + (x.locr == 0);
    x.bytes = (size_t)(x.a.lld * x.locc) * size_of(type);
    x.a.local = malloc(x.bytes + 1);
    x.before = malloc(x.bytes + 1);
    fill(&x);
    return x;
}

/* The same in a random layout, somewhere in a larger matrix. */
static inline matrix
draw_matrix(hesca_type type, int size, int64_t m, int64_t n)
{
    const int64_t i = check_uniform(0, 2) ? check_uniform(0, 20) : 0;
    const int64_t j = check_uniform(0, 2) ? check_uniform(0, 20) : 0;
    const int64_t more_i = check_uniform(0, 9), more_j = check_uniform(0, 9);
    return make_matrix(type,
                       draw_layout(size, i + m + more_i, j + n + more_j, 16),
                       m, n, i, j);
}

static inline void
free_matrix(matrix *x)
{
    hesca_layout_free((hesca_layout *)(uintptr_t)x->a.layout);
    free(x->a.local);
    free(x->before);
}

/* Whether the local part is what it was, but for those elements of the
 * submatrix that are not to be looked at. */
static inline int
is_untouched(const matrix *x, int but_inside)
{
    int rank;
    unsigned char *copy = malloc(x->bytes + 1);
    memcpy(copy, x->a.local, x->bytes);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    for (int64_t j = 0; but_inside && j < x->n; ++j)
        for (int64_t i = 0; i < x->m; ++i) {
            int owner;
            int64_t il, jl;
            hesca_layout_locate(x->a.layout, x->a.i + i, x->a.j + j, &owner,
                                &il, &jl);
            const size_t at = (size_t)(il + jl * x->a.lld) * size_of(x->type);
            if (owner == rank)
                memcpy(copy + at, x->before + at, size_of(x->type));
        }
    const int same = memcmp(copy, x->before, x->bytes) == 0;
    free(copy);
    return same;
}

/* ------------------------------------------------ whole matrices */

/* This process's element (i,j) of the submatrix; NULL: it has none. */
static inline unsigned char *
own_element(const matrix *x, int64_t i, int64_t j)
{
    int owner, rank;
    int64_t il, jl;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    hesca_layout_locate(x->a.layout, x->a.i + i, x->a.j + j, &owner, &il, &jl);
    return owner == rank ? (unsigned char *)x->a.local +
                               (size_t)(il + jl * x->a.lld) * size_of(x->type)
                         : NULL;
}

/* All of the submatrix, as elements of its type; the caller frees it. */
static inline unsigned char *
whole_of(const matrix *x)
{
    const size_t esize = size_of(x->type);
    unsigned char *whole = malloc((size_t)(x->m * x->n) * esize + 1);
    for (int64_t k = 0; k < x->m * x->n; ++k)
        put_number(x->type, whole + (size_t)k * esize,
                   element(x, k % x->m, k / x->m));
    return whole;
}

/* Make the submatrix whole[m * n], which all processes have. */
static inline void
put_whole(matrix *x, const number *whole)
{
    for (int64_t j = 0; j < x->n; ++j)
        for (int64_t i = 0; i < x->m; ++i) {
            unsigned char *at = own_element(x, i, j);
            if (at != NULL)
                put_number(x->type, at, whole[i + j * x->m]);
        }
    memcpy(x->before, x->a.local, x->bytes);
}

/* Collect the submatrix on all processes. */
static inline void
get_whole(const matrix *x, number *whole)
{
    const int64_t count = x->m * x->n;
    for (int64_t k = 0; k < count; ++k) {
        const unsigned char *at = own_element(x, k % x->m, k / x->m);
        whole[k] = at != NULL ? get_number(x->type, at) : 0;
    }
    check_barrier(MPI_COMM_WORLD);
    MPI_Allreduce(MPI_IN_PLACE, whole, (int)(2 * count), MPI_DOUBLE, MPI_SUM,
                  MPI_COMM_WORLD);
}

#endif
