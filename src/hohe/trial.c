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

/* A way is used again if it has taken no more than that, relative to the best:
 * by the calls so far. The first of HoHe and other grids makes plans; the
 * first of all, whatever its way, finds caches and connections cold, for which
 * it may take so many seconds more; the original routine tried for insurance
 * was predicted to take longer, too. */
static const double AGAIN[HESCA_TRIES] = {0,   1.5,  1.25, 1.1, 1.1,
                                          1.1, 1.05, 1.05, 1.05},
                    AFTER_PLANS = 2, COLD = 0.03, AS_PREDICTED = 1.25;

/* More calls than these are for ways close to the best: a quota of processor
 * time alone has calls differ by half. */
enum { TIMES = 3 };

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
    t->first[HESCA_WAY_HOHE] = f->hohe_first;
    t->first[HESCA_WAY_GRID] = f->grid_first;
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

/* Whether way k waits because its first call costs more than all calls so far:
 * if they do not go on, the program has paid no more than twice. */
static int
is_dear(const hesca_hohe_trial *t, int k, double spent)
{
    return t->first[t->way[k]] > spent;
}

/* Try a way that has not been used, and waits no more.
 * \return 1: there is one. */
static int
go_on(hesca_hohe_trial *t, double spent)
{
    for (int k = 0; k < t->n; ++k)
        if (t->calls[k] == 0 && !is_dear(t, k, spent)) {
            t->now = k;
            return 1;
        }
    return 0;
}

void
hesca_hohe_trial_insure(hesca_hohe_trial *t, int calls)
{
    const double original =
        t->expected > 0 ? t->expected : t->predicted[HESCA_WAY_ORIGINAL];
    if (!t->settled || t->calls[t->now] == 0)
        return;
    t->settled = !go_on(t, calls * t->seconds[t->now]);
    if (!t->settled)
        return;
    const double excess = original / t->seconds[t->now] - 1;
    if (excess > CLOSE_ORIGINAL || excess > INSURANCE * calls ||
        (t->expected > 0 && excess > 0) || !add(t, HESCA_WAY_ORIGINAL))
        return;
    t->settled = 0;
    t->is_insured = 1;
    t->now = t->n - 1;
}

/* Enter a time of way k. */
static void
enter(hesca_hohe_trial *t, int k, double seconds)
{
    double *time = t->time[k];
    const int is_cold = t->spent == 0;
    t->spent += seconds;
    if (t->is_recalled[k]) {
        t->is_recalled[k] = 0;
        if (is_cold || t->way[k] == HESCA_WAY_HOHE)
            return;
    }
    if (t->is_first[k])
        t->calls[k] = 0;
    const int is_first = t->calls[k] == 0 && !t->is_first[k];
    /* The original routine has no plans; a first call on another grid is not
     * entered at all. */
    t->is_first[k] = is_first && (is_cold || t->way[k] == HESCA_WAY_HOHE);
    int at = t->calls[k]++;
    for (; at > 0 && time[at - 1] > seconds; --at)
        time[at] = time[at - 1];
    time[at] = seconds;
    t->seconds[k] = time[(t->calls[k] - 1) / 2];
}

/* Seconds that count in a comparison. */
static double
weight(const hesca_hohe_trial *t, int k)
{
    return t->seconds[k] * (t->way[k] == HESCA_WAY_ORIGINAL ? 1 - GAIN : 1);
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
hesca_hohe_trial_recall(hesca_hohe_trial *t, const double *seconds,
                        const int *calls)
{
    int known = 0;
    for (int w = 0; w < HESCA_WAYS; ++w)
        if (seconds[w] > 0 && t->predicted[w] > 0)
            add(t, (hesca_way)w);
    for (int k = 0; k < t->n; ++k) {
        const double median = seconds[t->way[k]];
        int n = calls[t->way[k]];
        n = median > 0 ? (n < 1 ? 1 : n < HESCA_TRIES ? n : HESCA_TRIES) : 0;
        t->calls[k] = n;
        t->is_recalled[k] = n > 0;
        t->seconds[k] = median;
        while (n-- > 0)
            t->time[k][n] = median;
        known += median > 0;
    }
    if (known < 2 && known < t->n) {
        memset(t->calls, 0, sizeof t->calls);
        memset(t->is_recalled, 0, sizeof t->is_recalled);
        return 0;
    }
    t->now = best_of(t);
    t->settled = 1;
    return 1;
}

/* Whether way k is to be used for its time: the best, too often only beside
 * others that are close. */
static int
is_wanted(const hesca_hohe_trial *t, int k, int best)
{
    const int n = t->calls[k];
    int close = n < TIMES;
    if (n == 0 || n == HESCA_TRIES)
        return n == 0 && !is_dear(t, k, t->spent);
    for (int i = 0; i < t->n; ++i)
        close += i != best && weight(t, i) <= AGAIN[TIMES] * weight(t, best);
    double most = AGAIN[n];
    if (n == 1 && (t->way[k] != HESCA_WAY_ORIGINAL || t->is_first[k]))
        most = AFTER_PLANS;
    else if (n == 1 && t->is_insured)
        most = AS_PREDICTED;
    return close > 0 && weight(t, k) <= most * weight(t, best) +
                                            (t->is_first[k] ? COLD : 0);
}

/* Add a way that is predicted to take less than the best of those tried. */
static void
add_surprise(hesca_hohe_trial *t, int best)
{
    for (int w = 0; w < HESCA_WAYS; ++w)
        if (t->predicted[w] > 0 && t->predicted[w] < t->seconds[best] &&
            add(t, (hesca_way)w))
            return;
}

/* The way to be used next for its time, the one used least first; -1: none. */
static int
next_of(const hesca_hohe_trial *t, int best)
{
    for (int n = 0; n < HESCA_TRIES; ++n)
        for (int k = 0; k < t->n; ++k)
            if (t->calls[k] == n && is_wanted(t, k, best))
                return k;
    return -1;
}

void
hesca_hohe_trial_resume(hesca_hohe_trial *t)
{
    t->settled = next_of(t, best_of(t)) < 0;
}

void
hesca_hohe_trial_next(hesca_hohe_trial *t, double seconds)
{
    if (t->settled || !(seconds > 0))
        return;
    enter(t, t->now, seconds);
    const int best = best_of(t), next = next_of(t, best);
    if (next < 0)
        add_surprise(t, best);
    t->now = next < 0 ? best : next;
    t->settled = next < 0 && !go_on(t, t->spent);
}
