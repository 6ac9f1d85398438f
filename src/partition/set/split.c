/* SPDX-License-Identifier: BSD-3-Clause */
#include "partition/set/split.h"
#include "partition/set/speed_lines.h"
#include <math.h>

/* The part that finishes one more line first.  Times that may be equal but for
 * rounding are compared exactly. */
static int
next(int k, const double *speed, const int64_t *count)
{
    double least = INFINITY;
    int first = 0;
    for (int i = 0; i < k; ++i) {
        const double t = ((double)count[i] + 1) / speed[i];
        if (fabs(t - least) <= 0x1p-50 * fmin(t, least)
                ? hesca_exact_compare(count[i] + 1, speed[i], count[first] + 1,
                                      speed[first]) < 0
                : t < least) {
            least = t;
            first = i;
        }
    }
    return first;
}

/* Proportional shares, rounded down, and then the remaining lines one by one
 * (Beaumont, Boudet, Petitet, Rastello, Robert 2001).  A share that rounding
 * made too large by one would not be corrected, so all are reduced by a small
 * factor.  About k lines at most are assigned one by one: O(k^2). */
void
hesca_split(int64_t n, int k, const double *speed, int64_t *count)
{
    double sum = 0;
    for (int i = 0; i < k; ++i)
        sum += speed[i];
    if (!(sum > 0)) {
        for (int i = 0; i < k; ++i)
            count[i] = n / k + (i < n % k);
        return;
    }
    int64_t left = n;
    for (int i = 0; i < k; ++i) {
        count[i] = (int64_t)((double)n * (speed[i] / sum) * (1 - 4e-15));
        left -= count[i];
    }
    for (; left > 0; --left)
        ++count[next(k, speed, count)];
}
