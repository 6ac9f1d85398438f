/* SPDX-License-Identifier: BSD-3-Clause */
/** \file base/arith.h
 * Integer arithmetic that all folders use.  All functions are pure. */
#ifndef HESCA_BASE_ARITH_H
#define HESCA_BASE_ARITH_H

#include <stdint.h>

/** Greatest common divisor of a, b >= 0; gcd(0, 0) = 0. */
int64_t hesca_gcd(int64_t a, int64_t b);

/** Extended Euclidean algorithm: g = gcd(a, b) and x, y with a x + b y = g;
 * a, b > 0. */
int64_t hesca_gcd_ext(int64_t a, int64_t b, int64_t *x, int64_t *y);

/** Least common multiple of a, b >= 1, or limit if it is not below limit. */
int64_t hesca_lcm_below(int64_t a, int64_t b, int64_t limit);

/** The remainder of a / b in 0 ... b - 1, also for a < 0; b > 0. */
static inline int64_t
hesca_mod(int64_t a, int64_t b)
{
    const int64_t r = a % b;
    return r < 0 ? r + b : r;
}

/** The first of n > 0 numbers that is not 0, or 0. */
static inline int64_t
hesca_first_nonzero(const int64_t *x, int n)
{
    int k = 0;
    while (k < n - 1 && x[k] == 0)
        ++k;
    return x[k];
}

static inline int64_t
hesca_min(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

static inline int64_t
hesca_max(int64_t a, int64_t b)
{
    return a > b ? a : b;
}

static inline int64_t
hesca_clamp(int64_t x, int64_t lo, int64_t hi)
{
    return x < lo ? lo : x > hi ? hi : x;
}

#endif
