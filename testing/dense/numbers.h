/* SPDX-License-Identifier: BSD-3-Clause */
/* Elements of matrices of any type, as complex numbers. */
#ifndef HESCA_TESTING_NUMBERS_H
#define HESCA_TESTING_NUMBERS_H

#include "hesca/experimental/dense.h"
#include <complex.h>
#include <float.h>
#include <math.h>
#include <string.h>

typedef double complex number;

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
        return CMPLX(s[0], s[1]);
    }
    memcpy(d, at, size_of(type));
    return CMPLX(d[0], d[1]);
}

static inline void
put_number(hesca_type type, void *at, number x)
{
    const float s[2] = {(float)creal(x), (float)cimag(x)};
    const double d[2] = {creal(x), cimag(x)};
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
    return CMPLX(re / 0x100000, is_complex(type) ? im / 0x100000 : 0);
}

static inline number
times(number x, number y)
{
    if (cimag(x) == 0 && cimag(y) == 0) /* of infinite ones, too */
        return creal(x) * creal(y);
    return CMPLX(creal(x) * creal(y) - cimag(x) * cimag(y),
                 creal(x) * cimag(y) + cimag(x) * creal(y));
}

/* |re| + |im| */
static inline double
size_of_number(number x)
{
    return fabs(creal(x)) + fabs(cimag(x));
}

/* Equal but for the bound, or both NaN, or the same infinity. */
static inline int
is_close(double x, double y, double bound)
{
    if (isnan(y))
        return isnan(x);
    return isinf(y) ? x == y : fabs(x - y) <= bound;
}

/* BLAS does not promise which part of a complex number is NaN. */
static inline int
are_close(hesca_type type, number x, number y, double bound)
{
    if (!is_complex(type))
        return is_close(creal(x), creal(y), bound);
    if (isnan(creal(y)) || isnan(cimag(y)))
        return isnan(creal(x)) || isnan(cimag(x));
    return is_close(creal(x), creal(y), bound) &&
           is_close(cimag(x), cimag(y), bound);
}

/* The largest sum of moduli of a column. */
static inline double
norm_of(int64_t m, int64_t n, const number *a)
{
    double norm = 0;
    for (int64_t j = 0; j < n; ++j) {
        double sum = 0;
        for (int64_t i = 0; i < m; ++i)
            sum += cabs(a[i + j * m]);
        norm = fmax(norm, sum);
    }
    return norm;
}

#endif
