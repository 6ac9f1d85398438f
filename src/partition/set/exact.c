/* SPDX-License-Identifier: BSD-3-Clause */
/* Quotients compared without rounding: x / s < y / t if x t < y s, as 128-bit
 * products of integers. */
#include "partition/set/speed_lines.h"
#include <math.h>

typedef struct {
    uint64_t high, low;
} wide;

static wide
multiply(uint64_t a, uint64_t b)
{
    const uint64_t mask = 0xffffffffu, a0 = a & mask, a1 = a >> 32,
                   b0 = b & mask, b1 = b >> 32;
    const uint64_t low = a0 * b0, mid = a1 * b0 + (low >> 32),
                   other = a0 * b1 + (mid & mask);
    return (wide){a1 * b1 + (mid >> 32) + (other >> 32),
                  (other << 32) | (low & mask)};
}

/* 0 <= bits < 64, and no bit is lost at the top. */
static wide
shift(wide x, int bits)
{
    if (bits == 0)
        return x;
    return (wide){(x.high << bits) | (x.low >> (64 - bits)), x.low << bits};
}

static int
order(uint64_t a, uint64_t b)
{
    return (a > b) - (a < b);
}

int
hesca_exact_compare(int64_t x, double s, int64_t y, double t)
{
    /* Speeds are 53 bits times a power of two; as the quotients differ by less
     * than a factor of two, the powers differ by less than 56. */
    int es, et;
    const uint64_t ms = (uint64_t)ldexp(frexp(s, &es), 53),
                   mt = (uint64_t)ldexp(frexp(t, &et), 53);
    wide a = multiply((uint64_t)x, mt), b = multiply((uint64_t)y, ms);
    if (et > es)
        a = shift(a, et - es);
    else
        b = shift(b, es - et);
    return a.high != b.high ? order(a.high, b.high) : order(a.low, b.low);
}
