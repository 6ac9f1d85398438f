/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/arith.h"
#include <assert.h>

int64_t
hesca_gcd(int64_t a, int64_t b)
{
    while (b != 0) {
        const int64_t r = a % b;
        a = b;
        b = r;
    }
    return a;
}

int64_t
hesca_gcd_ext(int64_t a, int64_t b, int64_t *x, int64_t *y)
{
    int64_t x0 = 1, y0 = 0, x1 = 0, y1 = 1;
    assert(a > 0 && b > 0);
    while (b != 0) {
        const int64_t q = a / b, r = a % b, x2 = x0 - q * x1, y2 = y0 - q * y1;
        a = b, x0 = x1, y0 = y1;
        b = r, x1 = x2, y1 = y2;
    }
    *x = x0;
    *y = y0;
    return a;
}

int64_t
hesca_lcm_below(int64_t a, int64_t b, int64_t limit)
{
    int64_t lcm;
    assert(a >= 1 && b >= 1);
    if (__builtin_mul_overflow(a / hesca_gcd(a, b), b, &lcm))
        return limit;
    return hesca_min(lcm, limit);
}
