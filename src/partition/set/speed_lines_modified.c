/* SPDX-License-Identifier: BSD-3-Clause */
/* Modified bisection: halve the candidates, the lines that meet a curve at a
 * whole size (HMPI thesis 4.7.1).
 *
 * The interval of the processor with the most candidates between the lines is
 * divided in the middle.  (The thesis prints (v - w) / 2 for the middle of v
 * and w; it must be (v + w) / 2.) After p steps at most half of all candidates
 * remain, for curves of any shape: p log n steps. */
#include "partition/set/speed_lines.h"

int
hesca_lines_divide(hesca_lines *x)
{
    int i = 0;
    hesca_lines_gap(x, &i);
    const double mid = (x->at_low[i] + x->at_high[i]) / 2;
    return hesca_lines_cut(x, hesca_speed_at(x->set->speed[i], mid) / mid);
}

void
hesca_lines_modified(hesca_lines *x)
{
    int widest;
    while (hesca_lines_gap(x, &widest) >= 1 && hesca_lines_divide(x))
        ;
}
