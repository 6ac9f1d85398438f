/* The time at which sizes sum to a target, by a safeguarded secant method.
 *
 * The first guess is right for constant speeds; the second takes the sum for
 * proportional to time, the others go along the last two.  A guess outside of
 * the bracket, and one after two that have not halved the distance, is
 * replaced by the bracket's middle, on a logarithmic scale.  So the thesis'
 * question for a method of O(p log n) whatever the shape of curves (4.7.1) has
 * an answer in practice: a handful of steps.  No functions of libm but sqrt,
 * which rounds alike everywhere. */
#include "partition/set/speed_lines.h"
#include <math.h>
#include <stddef.h>

typedef struct {
    double low, high;   /* times on both sides of the target */
    double at[2], f[2]; /* the last two guesses: time, sum */
    int guesses;
} search;

/* The next guess as the last ones tell, whether it makes sense or not. */
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

/* Times between which the answer is, and the first guess. */
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
