/* SPDX-License-Identifier: BSD-3-Clause */
#include "sched/circulant.h"
#include "base/arith.h"
#include <assert.h>

hesca_circulant
hesca_circulant_make(int64_t k, int64_t p)
{
    hesca_circulant t = {.k = k, .p = p};
    int64_t x, y;
    assert(k >= 1 && p >= 1);
    t.g = hesca_gcd(k, p);
    t.k1 = k / t.g;
    t.p1 = p / t.g;
    hesca_gcd_ext(t.k1, t.p1, &x, &y); /* x K' + y P' = 1 */
    t.n = x;
    t.m = -y;
    t.inverse = t.k1; /* n K' = 1 modulo P' */
    return t;
}

int64_t
hesca_circulant_dest(const hesca_circulant *t, int64_t i, int64_t j)
{
    return hesca_mod(t->n * (j / t->g - i / t->g), t->p1) +
           t->p1 * hesca_mod(i % t->g - j % t->g, t->g);
}

/* In Eq. 12 j1 and j2 are independent, so each is computed separately. */
int64_t
hesca_circulant_source(const hesca_circulant *t, int64_t i, int64_t dest)
{
    const int64_t low = dest % t->p1, high = dest / t->p1;
    const int64_t j1 = hesca_mod(t->inverse * low + i / t->g, t->p1);
    return j1 * t->g + hesca_mod(i % t->g - high, t->g);
}

int64_t
hesca_circulant_row(const hesca_circulant *t, int64_t i, int64_t j)
{
    return hesca_mod(t->m * (j / t->g - i / t->g), t->k1) +
           t->k1 * hesca_mod(i % t->g - j % t->g, t->g);
}
