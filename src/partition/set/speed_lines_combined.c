/* Basic bisection as long as it gets on, modified from there.
 *
 * The thesis (4.7.1) lets the slopes of curves at the first line decide.  What
 * they would tell is whether bisecting slopes narrows sizes, which can be seen
 * directly: when two steps have not halved the largest gap, it does not. */
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
