/* SPDX-License-Identifier: BSD-3-Clause */
/* Basic bisection: halve the region between two lines (HMPI thesis 4.7.1).
 *
 * The thesis bisects angles, or tangents, which are slopes.  Their midpoint
 * depends on the units of both axes; that of logarithms does not, and it stays
 * close to the solution if the bracket is wide.  Steps: k log n if the slope
 * of the solution decreases like n^-k, but O(n) if it decreases
 * exponentially. */
#include "partition/set/speed_lines.h"
#include <math.h>

int
hesca_lines_bisect(hesca_lines *x)
{
    return hesca_lines_cut(x, x->options->by_log ? sqrt(x->low) * sqrt(x->high)
                                                 : (x->low + x->high) / 2);
}

void
hesca_lines_basic(hesca_lines *x)
{
    int widest;
    while (hesca_lines_gap(x, &widest) >= 1 && hesca_lines_bisect(x))
        ;
}
