/* Basic bisection: halve the region between two lines (HMPI thesis 4.7.1).
 *
 * The thesis halves angles and allows tangents, which are slopes.  Where the
 * midpoint lies depends on the units of both axes then; that of logarithms
 * does not, and it is never far from the answer where the bracket is wide.
 * Steps: k log n where the answer's slope falls like n^-k, but O(n) where it
 * falls exponentially. */
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
