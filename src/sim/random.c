/* SPDX-License-Identifier: BSD-3-Clause */
#include "sim/random.h"
#include "base/splitmix.h"
#include <math.h>

uint64_t
hesca_random_bits(hesca_random *r)
{
    return hesca_splitmix(&r->state);
}

double
hesca_random_unit(hesca_random *r)
{
    return (double)(hesca_random_bits(r) >> 11) * 0x1p-53;
}

double
hesca_random_in(hesca_random *r, const hesca_range *range)
{
    const double u = hesca_random_unit(r), low = range->low;
    if (range->low == range->high)
        return range->low; /* without a logarithm, which may not exist */
    const double x = range->is_log ? low * exp(u * log(range->high / low))
                                   : low + u * (range->high - low);
    return x > range->high ? range->high : x;
}

/* Numbers beyond the last whole multiple of n are rejected; otherwise small
 * results would be more probable. */
int
hesca_random_below(hesca_random *r, int n)
{
    const uint64_t most = UINT64_MAX - UINT64_MAX % (uint64_t)n;
    uint64_t bits;
    do
        bits = hesca_random_bits(r);
    while (bits >= most);
    return (int)(bits % (uint64_t)n);
}

/* The seed and k are mixed, because adjacent seeds could give the same stream,
 * shifted. */
hesca_random
hesca_random_run(uint64_t seed, uint64_t k)
{
    return (hesca_random){hesca_splitmix_mix(hesca_splitmix_mix(seed) + k)};
}

/* Source: selection sampling, D. E. Knuth, The Art of Computer Programming 2,
 * section 3.4.2, Algorithm S. */
void
hesca_random_choose(hesca_random *r, int n, int k, int *chosen)
{
    for (int i = 0; i < n; ++i) {
        chosen[i] = hesca_random_below(r, n - i) < k;
        k -= chosen[i];
    }
}
