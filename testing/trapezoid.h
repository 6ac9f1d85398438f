/* SPDX-License-Identifier: BSD-3-Clause */
/* Which elements belong to a trapezoid: see insidemat() in ScaLAPACK's
 * REDIST/SRC/pdtrmr.c. */
#ifndef HESCA_TESTING_TRAPEZOID_H
#define HESCA_TESTING_TRAPEZOID_H

#include "hesca/redist.h"

/* Whether (i,j) is in a part of an m x n matrix. */
static inline int
trapezoid_has(hesca_part part, int64_t m, int64_t n, int64_t i, int64_t j)
{
    const int64_t down = m > n ? m - n : 0, right = n > m ? n - m : 0;
    if (i < 0 || i >= m || j < 0 || j >= n)
        return 0;
    switch (part) {
    case HESCA_UPPER:
        return i <= j + down;
    case HESCA_UPPER_STRICT:
        return i < j + down;
    case HESCA_LOWER:
        return i >= j - right;
    case HESCA_LOWER_STRICT:
        return i > j - right;
    default:
        return 1;
    }
}

#endif
