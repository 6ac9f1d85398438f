/* SPDX-License-Identifier: BSD-3-Clause */
/* Basic bisection as long as it makes progress, then modified bisection.
 *
 * The thesis (4.7.1) decides by the slopes of the curves at the first line,
 * which predict whether bisecting slopes narrows sizes.  Here this is observed
 * directly: two steps that do not halve the largest gap end the basic
 * method. */
#include "partition/set/speed_lines.h"

void
hesca_lines_combined(hesca_lines *x)
{
    int widest, slow = 0;
    double gap = hesca_lines_gap(x, &widest);
    while (gap >= 1 && slow < 2 && hesca_lines_bisect(x)) {
        const double before = gap;
        gap = hesca_lines_gap(x, &widest);
        slow = gap > before / 2 ? slow + 1 : 0;
    }
    hesca_lines_modified(x);
}
