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

/* Eq. 12 keeps j1 and j2 apart, so each is found on its own. */
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

/* Corollary 1 prints, for the first row of a new row of submatrices,
 * (x + P' + (-n) mod P') mod P.  Its last term may carry out of the part of x
 * below P' into the part above, which Eq. 12 keeps apart: R_x(4,6), p_2, from
 * step 1 to step 2 goes from 5 to 0 by Eq. 12 and to 3 as printed.  So both
 * parts advance on their own. */
static int64_t
advance(int64_t x, int64_t shift, int64_t part, int64_t g, int new_submatrix)
{
    int64_t low = x % part, high = x / part + 1;
    if (high == g)
        high = 0;
    if (new_submatrix) {
        low -= hesca_mod(shift, part);
        low = low < 0 ? low + part : low;
    }
    return low + part * high;
}

int64_t
hesca_circulant_next_dest(const hesca_circulant *t, int64_t i, int64_t dest)
{
    return advance(dest, t->n, t->p1, t->g, (i + 1) % t->g == 0);
}

int64_t
hesca_circulant_next_row(const hesca_circulant *t, int64_t i, int64_t row)
{
    return advance(row, t->m, t->k1, t->g, (i + 1) % t->g == 0);
}
