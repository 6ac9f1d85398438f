/* SPDX-License-Identifier: BSD-3-Clause */
#include "partition/set/speed_lines.h"
#include "base/arith.h"
#include "base/status.h"
#include <math.h>
#include <stddef.h>

int
hesca_set_check_speeds(const char *routine, int arg, int p,
                       const hesca_speed *const *speed)
{
    for (int i = 0; speed != NULL && i < p; ++i)
        if (speed[i] == NULL)
            return hesca_fail(HESCA_ERR_ARG, arg,
                              "%s: argument %d, speed[%d], is NULL", routine,
                              arg, i);
    return HESCA_SUCCESS;
}

int
hesca_set_all_constant(int p, const hesca_speed *const *speed)
{
    int knots = 1;
    for (int i = 0; i < p && knots == 1; ++i)
        hesca_speed_knots(speed[i], &knots);
    return knots == 1;
}

int64_t
hesca_set_capacity(const hesca_speed *speed, int is_limited, int64_t n)
{
    int knots;
    const hesca_knot *k = hesca_speed_knots(speed, &knots);
    double most = is_limited ? floor(hesca_speed_limit(speed)) : INFINITY;
    /* At a last knot of speed 0 nothing is ever finished. */
    if (!(k[knots - 1].speed > 0))
        most = fmin(most, ceil(k[knots - 1].size) - 1);
    return most < (double)n ? (int64_t)most : n;
}

double
hesca_set_time(const hesca_speed *speed, int64_t x)
{
    return x > 0 ? (double)x / hesca_speed_at(speed, (double)x) : 0;
}

int64_t
hesca_set_within(const hesca_speed *speed, int64_t most, double time)
{
    const double size = hesca_speed_size(speed, time);
    int64_t low = size < (double)most ? (int64_t)size : most, high = low + 1;
    /* The size is off by rounding, seldom by more than one.  Double the step
     * until low can be finished in time and high cannot. */
    if (hesca_set_time(speed, low) <= time)
        for (int64_t step = 1;
             high <= most && hesca_set_time(speed, high) <= time; step *= 2) {
            low = high;
            high = hesca_min(high + step, most + 1);
        }
    else
        for (int64_t step = 1; hesca_set_time(speed, low) > time; step *= 2) {
            high = low;
            low = hesca_max(low - step, 0);
        }
    while (high - low > 1) {
        const int64_t mid = low + (high - low) / 2;
        if (hesca_set_time(speed, mid) <= time)
            low = mid;
        else
            high = mid;
    }
    return low;
}

double
hesca_set_sum(const hesca_set *set, double time)
{
    double sum = 0;
    for (int i = 0; i < set->p; ++i)
        sum +=
            fmin(hesca_speed_size(set->speed[i], time), (double)set->most[i]);
    return sum;
}

/* Sizes on a line, and their sum.  As in the thesis, the size of a processor
 * without a limit may exceed n. */
static double
meet(const hesca_set *set, double slope, double *at)
{
    double sum = 0;
    for (int i = 0; i < set->p; ++i) {
        at[i] = hesca_speed_size(set->speed[i], 1 / slope);
        if (set->most[i] < set->n)
            at[i] = fmin(at[i], (double)set->most[i]);
        sum += at[i];
    }
    return sum;
}

void
hesca_lines_begin(hesca_lines *x)
{
    const hesca_set *set = x->set;
    const double even = (double)set->n / set->p;
    double low = INFINITY, high = 0, least = INFINITY;
    for (int i = 0; i < set->p; ++i) {
        const double slope = hesca_speed_at(set->speed[i], even) / even;
        high = fmax(high, slope);
        if (slope > 0)
            low = fmin(low, slope);
        if (set->most[i] > 0)
            least =
                fmin(least, 1 / hesca_set_time(set->speed[i], set->most[i]));
    }
    meet(set, high, x->at_high);
    /* With limits, or if a speed of 0 ends a curve, other processors take
     * more: the line at which all capacities are used is low enough. */
    if (meet(set, low, x->at_low) < (double)set->n && least < low)
        meet(set, low = least, x->at_low);
    x->low = low;
    x->high = high;
}

int
hesca_lines_cut(hesca_lines *x, double slope)
{
    if (!(x->low < slope && slope < x->high))
        return 0;
    const double sum = meet(x->set, slope, x->at_mid);
    const int is_steep = sum <= (double)x->set->n;
    double **end = is_steep ? &x->at_high : &x->at_low, *old = *end;
    *(is_steep ? &x->high : &x->low) = slope;
    *end = x->at_mid;
    x->at_mid = old;
    ++x->steps;
    if (x->options->line != NULL)
        x->options->line(x->options->state, slope, sum);
    return 1;
}

double
hesca_lines_gap(const hesca_lines *x, int *widest)
{
    double gap = -1;
    for (int i = 0; i < x->set->p; ++i)
        if (x->at_low[i] - x->at_high[i] > gap) {
            gap = x->at_low[i] - x->at_high[i];
            *widest = i;
        }
    return gap;
}
