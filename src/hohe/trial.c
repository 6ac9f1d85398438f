/* SPDX-License-Identifier: BSD-3-Clause */
#include "hohe/trial.h"
#include <math.h>
#include <string.h>

/* Predictions that differ by less do not decide, nor do those that differ by
 * less than the largest error that is known of the best one's gain. */
static const double CLOSE = 0.4;

/* The original routine is tried in any case if it is predicted to take no more
 * than three times as long, as soon as what that costs is a tenth of the calls
 * before. */
static const double CLOSE_ORIGINAL = 2, INSURANCE = 0.1;

/* What a way must gain over the original routine. */
static const double GAIN = 0.03;

/* A way that takes so much longer than the best at first is not used again. */
static const double HOPELESS = 1.5;

/* Calls of a way; one more of a way whose first call made plans, unless it is
 * far behind; and one more if it is close to the best. */
enum { TIMES = 2 };
static const double BEHIND = 0.25, TIE = 0.1;

/* \return 1: it is a new one. */
static int
add(hesca_hohe_trial *t, hesca_way way)
{
    for (int k = 0; k < t->n; ++k)
        if (t->way[k] == way)
            return 0;
    t->way[t->n++] = way;
    return 1;
}

void
hesca_hohe_trial_init(hesca_hohe_trial *t, hesca_way chosen,
                      const hesca_hohe_forecast *f)
{
    const double seconds[HESCA_WAYS] = {[HESCA_WAY_ORIGINAL] = f->original,
                                        [HESCA_WAY_HOHE] = f->hohe,
                                        [HESCA_WAY_GRID] =
                                            f->homogeneous ? 0 : f->grid};
    const double margin[HESCA_WAYS] = {
        [HESCA_WAY_ORIGINAL] = fmax(f->hohe_margin, f->grid_margin),
        [HESCA_WAY_HOHE] = f->hohe_margin,
        [HESCA_WAY_GRID] = f->grid_margin};
    hesca_way best = HESCA_WAY_ORIGINAL;
    int possible = 0;
    memset(t, 0, sizeof *t);
    memcpy(t->predicted, seconds, sizeof seconds);
    for (int w = 0; w < HESCA_WAYS; ++w) {
        possible += seconds[w] > 0;
        if (seconds[w] > 0 && seconds[w] < seconds[best])
            best = (hesca_way)w;
    }
    const double most = (1 + fmax(CLOSE, margin[best])) * seconds[best];
    add(t, chosen);
    for (int w = 0; w < HESCA_WAYS; ++w)
        if (seconds[w] > 0 && seconds[w] <= most)
            add(t, (hesca_way)w);
    t->settled = possible < 2;
}

void
hesca_hohe_trial_insure(hesca_hohe_trial *t, int calls)
{
    const double original = t->predicted[HESCA_WAY_ORIGINAL];
    if (!t->settled || t->calls[t->now] == 0)
        return;
    const double excess = original / t->least[t->now] - 1;
    if (excess > CLOSE_ORIGINAL || excess > INSURANCE * calls ||
        !add(t, HESCA_WAY_ORIGINAL))
        return;
    t->settled = 0;
    t->now = t->n - 1;
}

/* Seconds that count in a comparison. */
static double
weight(const hesca_hohe_trial *t, int k)
{
    return t->least[k] * (t->way[k] == HESCA_WAY_ORIGINAL ? 1 - GAIN : 1);
}

static int
best_of(const hesca_hohe_trial *t)
{
    int best = -1;
    for (int k = 0; k < t->n; ++k)
        if (t->calls[k] > 0 && (best < 0 || weight(t, k) < weight(t, best)))
            best = k;
    return best;
}

int
hesca_hohe_trial_recall(hesca_hohe_trial *t, const double *seconds)
{
    int known = 0;
    for (int w = 0; w < HESCA_WAYS; ++w)
        if (seconds[w] > 0 && t->predicted[w] > 0)
            add(t, (hesca_way)w);
    for (int k = 0; k < t->n; ++k) {
        t->least[k] = seconds[t->way[k]];
        t->calls[k] = t->least[k] > 0;
        known += t->calls[k];
    }
    if (known < 2 && known < t->n) {
        memset(t->calls, 0, sizeof t->calls);
        return 0;
    }
    t->now = best_of(t);
    t->settled = 1;
    return 1;
}

/* Whether way k is to be used again for its time. */
static int
is_wanted(const hesca_hohe_trial *t, int k, int best)
{
    const double limit =
        weight(t, best) * (t->calls[k] < TIMES ? HOPELESS : 1 + BEHIND);
    const int times = TIMES + (t->way[k] != HESCA_WAY_ORIGINAL);
    return t->calls[k] < times &&
           (t->calls[k] == 0 || k == best || weight(t, k) <= limit);
}

/* Whether the best is hardly better than another way, and k is one of them. */
static int
rivals(const hesca_hohe_trial *t, int k, int best)
{
    const double limit = (1 + TIE) * weight(t, best);
    int close = 0;
    for (int i = 0; i < t->n; ++i)
        close += i != best && weight(t, i) <= limit;
    return close > 0 && weight(t, k) <= limit;
}

/* Add a way that is predicted to take less than the best of those tried. */
static int
is_surprise(hesca_hohe_trial *t, int best)
{
    for (int w = 0; w < HESCA_WAYS; ++w)
        if (t->predicted[w] > 0 && t->predicted[w] < t->least[best] &&
            add(t, (hesca_way)w))
            return 1;
    return 0;
}

void
hesca_hohe_trial_next(hesca_hohe_trial *t, double seconds)
{
    if (t->settled || !(seconds > 0))
        return;
    double *least = &t->least[t->now];
    if (t->calls[t->now]++ == 0 || seconds < *least)
        *least = seconds;
    const int best = best_of(t);
    for (int k = 0; k < t->n; ++k)
        if (is_wanted(t, k, best)) {
            t->now = k;
            return;
        }
    for (int k = 0; k < t->n; ++k)
        if (t->calls[k] == TIMES && rivals(t, k, best)) {
            t->now = k;
            return;
        }
    t->now = is_surprise(t, best) ? t->n - 1 : best;
    t->settled = t->calls[t->now] > 0;
}
