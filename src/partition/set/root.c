/* SPDX-License-Identifier: BSD-3-Clause */
/* The time at which sizes sum to a target, by a safeguarded secant method.
 *
 * The first guess is exact for constant speeds; the second assumes that the
 * sum is proportional to time; the others are secants through the last two
 * guesses.  A guess outside the bracket, or after two guesses that did not
 * halve the distance, is replaced by the middle of the bracket on a
 * logarithmic scale.  The thesis (4.7.1) asks for a method of O(p log n) for
 * curves of any shape; in practice this one takes a few steps. sqrt is the
 * only function of libm used, as its rounding is the same on all platforms. */
#include "partition/set/speed_lines.h"
#include <math.h>
#include <stddef.h>

typedef struct {
    double low, high;   /* the bracket, times */
    double at[2], f[2]; /* the last two guesses: time, sum */
    int guesses;
} search;

/* The next guess by the secant, which may be outside the bracket. */
static double
extrapolate(const search *s, double target)
{
    double slope = s->f[1] / s->at[1];
    if (s->guesses > 1)
        slope = (s->f[1] - s->f[0]) / (s->at[1] - s->at[0]);
    return s->at[1] + (target - s->f[1]) / slope;
}

static double
middle(const search *s)
{
    return s->low > 0 ? sqrt(s->low) * sqrt(s->high) : s->high / 1024;
}

/* The initial bracket; returns the first guess. */
static double
enclose(const hesca_set *set, double target, search *s)
{
    const double even = (double)set->n / set->p;
    double speed = 0;
    for (int i = 0; i < set->p; ++i) {
        speed += hesca_speed_at(set->speed[i], even);
        s->high = fmax(s->high, hesca_set_time(set->speed[i], set->most[i]));
    }
    return fmin(target / speed, s->high);
}

double
hesca_root_find(const hesca_set *set, const hesca_shares_options *options,
                double target, double slack, int64_t *steps)
{
    search s = {0};
    double time = enclose(set, target, &s), before = INFINITY;
    for (int slow = 0;;) {
        const double sum = hesca_set_sum(set, time);
        const double off = fabs(sum - target);
        if (options->line != NULL)
            options->line(options->state, 1 / time, sum);
        s = (search){sum <= target ? time : s.low,
                     sum <= target ? s.high : time,
                     {s.at[1], time},
                     {s.f[1], sum},
                     s.guesses + 1};
        if (off <= slack)
            break;
        slow = off > before / 2 ? slow + 1 : 0;
        before = off;
        time = extrapolate(&s, target);
        if (slow > 1 || !(s.low < time && time < s.high))
            time = middle(&s);
        if (!(s.low < time && time < s.high))
            break;
    }
    *steps += s.guesses;
    return s.at[1];
}

double
hesca_set_ideal(const hesca_set *set)
{
    static const hesca_shares_options no_options;
    const double n = (double)set->n;
    int64_t steps = 0;
    if (set->n == 0)
        return 0;
    return hesca_root_find(set, &no_options, n, n * (set->p + 8) * 0x1p-53,
                           &steps);
}
