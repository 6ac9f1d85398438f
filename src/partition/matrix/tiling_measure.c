/* SPDX-License-Identifier: BSD-3-Clause */
/* The quality of a tiling, and its lower bounds. */
#include "base/arith.h"
#include "partition/matrix/tiling.h"
#include <math.h>

/* The minimal half perimeter of a rectangle of given area in a matrix whose
 * shorter side is s. */
static double
half_perimeter(double area, double s)
{
    if (!(area > 0))
        return 0;
    return area <= s * s ? 2 * sqrt(area) : s + area / s;
}

void
hesca_tiling_measure(const hesca_tiling_task *x, hesca_tiling *t)
{
    const double side = (double)hesca_min(x->m, x->n);
    t->sum = t->max = 0;
    t->time = t->sum_bound = t->max_bound = 0;
    t->ideal = x->ideal;
    for (int i = 0; i < x->p; ++i) {
        const hesca_rect r = hesca_tiling_rect(t, i);
        const int64_t area = r.height * r.width;
        const int64_t half = area > 0 ? r.height + r.width : 0;
        const double bound = half_perimeter(x->area[i], side);
        t->sum += half;
        t->max = hesca_max(t->max, half);
        t->time = fmax(t->time, hesca_speed_time(x->speed[i], (double)area));
        t->sum_bound += bound;
        t->max_bound = fmax(t->max_bound, bound);
    }
}

double
hesca_tiling_time(const hesca_tiling *tiling)
{
    return tiling->time;
}

double
hesca_tiling_ideal(const hesca_tiling *tiling)
{
    return tiling->ideal;
}

double
hesca_tiling_imbalance(const hesca_tiling *tiling)
{
    return tiling->ideal > 0 ? tiling->time / tiling->ideal : 1;
}

int64_t
hesca_tiling_sum(const hesca_tiling *tiling)
{
    return tiling->sum;
}

int64_t
hesca_tiling_max(const hesca_tiling *tiling)
{
    return tiling->max;
}

double
hesca_tiling_sum_bound(const hesca_tiling *tiling)
{
    return tiling->sum_bound;
}

double
hesca_tiling_max_bound(const hesca_tiling *tiling)
{
    return tiling->max_bound;
}
