/* Distributed matrices whose elements every process can tell: each is a
 * function of its place, of any type. */
#ifndef HESCA_TESTING_MATRICES_H
#define HESCA_TESTING_MATRICES_H

#include "hesca/dense.h"
#include "testing/layouts.h"
#include <float.h>
#include <string.h>

/* An element, of all types. */
typedef struct {
    double re, im;
} number;

static inline int
is_single(hesca_type type)
{
    return type == HESCA_S || type == HESCA_C;
}

static inline int
is_complex(hesca_type type)
{
    return type == HESCA_C || type == HESCA_Z;
}

static inline double
precision(hesca_type type)
{
    return is_single(type) ? FLT_EPSILON : DBL_EPSILON;
}

static inline size_t
size_of(hesca_type type)
{
    return (is_single(type) ? 4u : 8u) * (is_complex(type) ? 2u : 1u);
}

static inline number
get_number(hesca_type type, const void *at)
{
    float s[2] = {0};
    double d[2] = {0};
    if (is_single(type)) {
        memcpy(s, at, size_of(type));
        return (number){s[0], s[1]};
    }
    memcpy(d, at, size_of(type));
    return (number){d[0], d[1]};
}

static inline void
put_number(hesca_type type, void *at, number x)
{
    const float s[2] = {(float)x.re, (float)x.im};
    const double d[2] = {x.re, x.im};
    memcpy(at, is_single(type) ? (const void *)s : (const void *)d,
           size_of(type));
}

/* A number below 1 that float can hold; of real types the real part only. */
static inline number
some_number(hesca_type type, uint64_t seed, int64_t i, int64_t j)
{
    uint64_t z = seed + (uint64_t)(i * 1000003 + j) * 0x9e3779b97f4a7c15u;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    z ^= z >> 31;
    const double re = (double)(2 * (int64_t)(z & 0xfffff) + 1 - 0x100000);
    const double im = (double)(2 * (int64_t)(z >> 44) + 1 - 0x100000);
    return (number){re / 0x100000, is_complex(type) ? im / 0x100000 : 0};
}

static inline number
times(number x, number y)
{
    if (x.im == 0 && y.im == 0) /* of infinite ones, too */
        return (number){x.re * y.re, 0};
    return (number){x.re * y.re - x.im * y.im, x.re * y.im + x.im * y.re};
}

static inline number
plus(number x, number y)
{
    return (number){x.re + y.re, x.im + y.im};
}

/* |re| + |im| */
static inline double
size_of_number(number x)
{
    return (x.re < 0 ? -x.re : x.re) + (x.im < 0 ? -x.im : x.im);
}

/* ------------------------------------------------ distributed */

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

#endif
