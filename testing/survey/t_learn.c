/* SPDX-License-Identifier: BSD-3-Clause */
/* What is made of measurements, without MPI: values of a survey that become
 * equal, hosts that change, ways that are tried, and files of the cache that
 * runs write at the same time or leave torn. */
#define _POSIX_C_SOURCE 200809L /* mkdtemp, setenv */
#include "base/hash.h"
#include "hohe/trial.h"
#include "survey/cache.h"
#include "survey/learn.h"
#include "survey/program.h"
#include "survey/survey.h"
#include "testing/unit.h"
#include <math.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

/* From 0 to 1. */
static double
fraction(void)
{
    return (double)(check_random() % 100001) / 100000;
}

/* ------------------------------------------------ the survey */

static void
levels(void)
{
    /* Two kinds; the fourth is far from its median, the last uncertain. */
    double value[] = {10, 20, 10.4, 14, 21, 9.8, 3};
    const int kind[] = {0, 1, 0, 0, 1, 0, 0};
    const char certain[] = {1, 1, 1, 1, 1, 1, 0};
    const double expected[] = {10.2, 20.5, 10.2, 14, 20.5, 10.2, 10.2};
    hesca_survey_level(7, kind, certain, 0.1, 0, value);
    for (int k = 0; k < 7; ++k)
        CHECK(fabs(value[k] - expected[k]) < 1e-12, "value %d is %g, not %g",
              k, value[k], expected[k]);
    /* If none is certain, all are their median; what was not measured is no
     * part of it. */
    double rate[] = {5, 0, 7, 9};
    hesca_survey_level(4, (const int[]){0, 0, 0, -1}, (const char[4]){0}, 0.1,
                       0, rate);
    CHECK(rate[0] == 6 && rate[1] == 6 && rate[2] == 6 && rate[3] == 9,
          "%g %g %g %g", rate[0], rate[1], rate[2], rate[3]);
}

/* ------------------------------------------------ changed hosts */

enum { MOST = 12 };

/* A cluster of one or two processes on each host; hosts are `factor` times as
 * fast as their model, and notes are off by as much as noise. */
static void
make_notes(int n, const int *host, const double *model, const double *factor,
           double noise, hesca_learn_note *note)
{
    for (int p = 0; p < n; ++p) {
        note[p].mean = 3e10 * model[p] * factor[host[p]] *
                       exp(noise * (2 * fraction() - 1));
        note[p].doubt = noise;
    }
}

/* Fewer than half of the hosts change, by a quarter at least; all of them are
 * found, relative to the others, and no other. */
static void
changes(void)
{
    for (int trial = 0; trial < 2000; ++trial) {
        const int nhosts = 3 + (int)(check_random() % 4);
        const int each = 1 + (int)(check_random() % 2), n = nhosts * each;
        const int equal = check_random() % 2 == 0;
        const int nchanged =
            (int)(check_random() % (uint64_t)((nhosts + 1) / 2));
        int host[MOST];
        double model[MOST], factor[MOST], found[MOST];
        hesca_learn_note note[MOST];
        for (int h = 0; h < nhosts; ++h)
            factor[h] = h >= nchanged        ? 1
                        : check_random() % 2 ? 0.3 + 0.45 * fraction()
                                             : 1.3 + fraction();
        for (int p = 0; p < n; ++p) {
            host[p] = p % nhosts;
            model[p] = equal ? 1 : 0.2 + 0.1 * host[p];
        }
        make_notes(n, host, model, factor, 0.01, note);
        const int is =
            hesca_learn_compare(n, host, model, note, nhosts, found);
        CHECK(is == (nchanged > 0), "%d of %d changed: %d", nchanged, nhosts,
              is);
        for (int h = 0; h < nhosts; ++h)
            CHECK(factor[h] == 1 ? found[h] == 1
                                 : fabs(found[h] / factor[h] - 1) < 0.05,
                  "host %d of %d: %g is found as %g", h, nhosts, factor[h],
                  found[h]);
    }
}

/* What differs by less than three times its doubt has not changed. */
static void
noise(void)
{
    const int host[] = {0, 1, 2, 3};
    const double model[] = {1, 1, 1, 1}, same[] = {1, 1, 1, 1};
    hesca_learn_note note[4];
    double found[4];
    for (int trial = 0; trial < 2000; ++trial) {
        make_notes(4, host, model, same, 0.3, note);
        CHECK(hesca_learn_compare(4, host, model, note, 4, found) == 0,
              "noise is a change: %g %g %g %g", found[0], found[1], found[2],
              found[3]);
    }
    memset(note, 0, sizeof note);
    CHECK(hesca_learn_compare(4, host, model, note, 4, found) == 0,
          "no notes are a change");
}

/* Of rates that vary by up to a third, also for some measurements together,
 * nine means in ten are within three times their doubt of the truth, and
 * nineteen in twenty within .6 of the largest deviation, or what is no change;
 * two in turn beyond the noise are a change at once, and so is the way back;
 * one is none. */
static void
mean(void)
{
    int mistaken = 0, far = 0;
    for (int trial = 0; trial < 2000; ++trial) {
        const double most = 0.02 + 0.3 * fraction();
        hesca_learn_mean m = {0};
        double deviation = 0;
        for (int k = 0; k < 60; ++k) {
            if (k == 0 || check_random() % 3 == 0)
                deviation = most * (2 * fraction() - 1);
            hesca_learn_add(&m, 3e10 * exp(deviation));
        }
        const double off = fabs(m.usual - log(3e10));
        mistaken += off > HESCA_LEARN_NOISE * hesca_learn_doubt(&m);
        far += off > fmax(HESCA_LEARN_CHANGE, 0.6 * most);

        m.noise = fmin(m.noise, 0.2);
        m.held = 0;
        const double was = m.usual, factor = check_random() % 2 ? 0.4 : 2.5;
        hesca_learn_add(&m, factor * exp(was));
        CHECK(fabs(m.usual - was) < 0.05, "one of %g moves the mean by %g",
              factor, m.usual - was);
        hesca_learn_add(&m, factor * exp(was));
        CHECK(fabs(m.usual - was - log(factor)) < 0.05,
              "two of %g are a change by %g", factor, exp(m.usual - was));
        const double there = m.usual;
        for (int k = (int)(check_random() % 20); k > 0; --k)
            hesca_learn_add(&m, exp(there));
        hesca_learn_add(&m, exp(was));
        hesca_learn_add(&m, exp(was));
        CHECK(fabs(m.usual - was) < 0.05, "two are a recovery by %g",
              exp(m.usual - there));
    }
    CHECK(mistaken < 200 && far < 100,
          "of 2000 means %d are beyond their doubt, "
          "%d far off",
          mistaken, far);
}

/* ------------------------------------------------ changed links */

/* What a process of host h notes: the link that differs least from usual. */
static double
nearest_link(int nhosts, int h, const double *port, double usual)
{
    double nearest = 0;
    for (int i = 0; i < nhosts; ++i) {
        const double slower = port[i] < port[h] ? port[i] : port[h];
        const double faster = port[i] < port[h] ? port[h] : port[i];
        const double x = slower < 1 ? slower : faster;
        if (i != h && (nearest == 0 || fabs(log(x)) < fabs(log(nearest))))
            nearest = x;
    }
    return usual * nearest * exp(0.1 * (2 * fraction() - 1));
}

/* Of three to six hosts so many have a port that is slower or faster that two
 * others are left; it is found, and all links are what their ends are.  With
 * two hosts it is the link. */
static void
links(void)
{
    for (int trial = 0; trial < 2000; ++trial) {
        const int nhosts = 2 + (int)(check_random() % 5);
        const int changed =
            nhosts == 2 ? 2 : (int)(check_random() % (uint64_t)(nhosts - 1));
        const double bias = 0.5 + fraction();
        const int known = nhosts == 2 || 2 * changed >= nhosts - 1 ||
                          check_random() % 2 == 0;
        double usual = known ? bias : 0, found[MOST], port[MOST];
        hesca_learn_note note[MOST];
        int host[MOST];
        port[0] =
            check_random() % 2 ? 0.1 + 0.2 * fraction() : 3.5 + 3 * fraction();
        for (int h = 1; h < nhosts; ++h)
            port[h] = h < changed ? port[0] : 1;
        if (changed == 0)
            port[0] = 1;
        for (int p = 0; p < nhosts; ++p) {
            host[p] = p;
            note[p] =
                (hesca_learn_note){nearest_link(nhosts, p, port, bias), 0.1};
        }
        CHECK(hesca_learn_compare_links(nhosts, host, note, nhosts, &usual,
                                        found) == (changed > 0),
              "%d of %d hosts changed", changed, nhosts);
        CHECK(fabs(log(usual / bias)) < 0.11, "%g is usual: %g", bias, usual);
        for (int h = 0; h < nhosts; ++h)
            CHECK(port[h] == 1 ? found[h] == 1
                               : fabs(log(found[h] / port[h])) < 0.25,
                  "port %d of %d: %g is found as %g", h, nhosts, port[h],
                  found[h]);
    }
    /* What is in doubt is no change, nor is what nobody measured. */
    const int host[] = {0, 1, 2};
    hesca_learn_note note[3] = {{1, 0.1}, {0.1, 0.8}, {1, 0.1}};
    double usual = 1, found[3];
    CHECK(hesca_learn_compare_links(3, host, note, 3, &usual, found) == 0,
          "in doubt: %g", found[1]);
    memset(note, 0, sizeof note);
    CHECK(hesca_learn_compare_links(3, host, note, 3, &usual, found) == 0,
          "no notes");
    CHECK(hesca_learn_link(0.1, 1) == 0.1 && hesca_learn_link(1, 10) == 10 &&
              hesca_learn_link(0.1, 0.5) == 0.1 &&
              hesca_learn_link(10, 5) == 10 && hesca_learn_link(2, 0.5) == 1,
          "links of two ends");
}

/* ------------------------------------------------ ways */

/* Calls that take these times, by way, until a way stays; how often each was
 * used. */
static int
use(hesca_hohe_trial *t, const double *seconds, int *used)
{
    int calls = 0;
    while (!t->settled && calls < 100) {
        ++used[t->way[t->now]];
        ++calls;
        hesca_hohe_trial_next(t, seconds[t->way[t->now]]);
    }
    return calls;
}

/* Whatever ways take, the fastest of those tried stays, or the original
 * routine if none is 3 % faster; what was not tried is predicted to take
 * longer; no way is used more than HESCA_TRIES times after its first call, nor
 * alone more than three times, and one is the first. */
static void
ways(void)
{
    for (int trial = 0; trial < 3000; ++trial) {
        const hesca_hohe_forecast f = {
            .original = 1,
            .hohe = 0.5 + fraction(),
            .grid = check_random() % 3 == 0 ? 0 : 0.5 + fraction()};
        const double predicted[HESCA_WAYS] = {f.original, f.hohe, f.grid};
        const double seconds[HESCA_WAYS] = {0.5 + fraction(), 0.5 + fraction(),
                                            0.5 + fraction()};
        const hesca_way first = (hesca_way)(check_random() % 2);
        hesca_hohe_trial t;
        int used[HESCA_WAYS] = {0}, often = 0;
        hesca_hohe_trial_init(&t, first, &f);
        CHECK(t.way[0] == first, "the first way is %d", (int)t.way[0]);
        const int calls = use(&t, seconds, used);
        const hesca_way best = t.way[t.now];
        CHECK(t.settled && calls <= HESCA_TRIES * HESCA_WAYS + 2, "%d calls",
              calls);
        for (int w = 0; w < HESCA_WAYS; ++w) {
            const double gain = best == HESCA_WAY_ORIGINAL ? 0.97 : 1;
            const int plans = w == HESCA_WAY_HOHE || w == (int)first;
            CHECK(used[w] <= HESCA_TRIES + plans, "way %d: %d calls", w,
                  used[w]);
            often += used[w] > 3 + plans;
            CHECK(used[w] > 0 || predicted[w] == 0 ||
                      predicted[w] >= seconds[best],
                  "way %d, predicted to take %g, was not tried: %g", w,
                  predicted[w], seconds[best]);
            CHECK(used[w] == 0 ||
                      gain * seconds[best] <=
                          (w == HESCA_WAY_ORIGINAL ? 0.97 : 1) * seconds[w],
                  "way %d takes %g, but way %d with %g stays", w, seconds[w],
                  (int)best, seconds[best]);
        }
        CHECK(often != 1, "one way is used often, beside no other");
        /* Another run that finds these times takes the same way at once. */
        hesca_hohe_trial again;
        double kept[HESCA_WAYS] = {0};
        int counts[HESCA_WAYS] = {0};
        for (int k = 0; k < t.n; ++k) {
            kept[t.way[k]] = t.seconds[k];
            counts[t.way[k]] = t.calls[k];
        }
        hesca_hohe_trial_init(&again, first, &f);
        CHECK(hesca_hohe_trial_recall(&again, kept, counts) &&
                  again.way[again.now] == best,
              "another run takes way %d", (int)again.way[again.now]);
        hesca_hohe_trial_resume(&again);
        CHECK(again.settled, "another run tries again");
    }
}

/* Two ways that an earlier run used three times each, and that are close: this
 * one begins with the better, and goes on until each was used HESCA_TRIES
 * times, but does not count calls that make plans or find caches cold. */
static void
later_runs(void)
{
    const hesca_hohe_forecast f = {.original = 1, .hohe = 0.9};
    const double before[HESCA_WAYS] = {0.98, 0.94, 0};
    const double later[HESCA_WAYS] = {0.94, 0.95, 0};
    const int calls[HESCA_WAYS] = {3, 3, 0};
    int used[HESCA_WAYS] = {0};
    hesca_hohe_trial t;
    hesca_hohe_trial_init(&t, HESCA_WAY_ORIGINAL, &f);
    CHECK(hesca_hohe_trial_recall(&t, before, calls) && t.settled &&
              t.way[t.now] == HESCA_WAY_HOHE,
          "way %d is first", (int)t.way[t.now]);
    hesca_hohe_trial_resume(&t);
    CHECK(!t.settled && t.way[t.now] == HESCA_WAY_HOHE,
          "settled, or way %d is first", (int)t.way[t.now]);
    ++used[HESCA_WAY_HOHE];
    hesca_hohe_trial_next(&t, 5); /* makes plans */
    use(&t, later, used);
    CHECK(t.settled && t.way[t.now] == HESCA_WAY_ORIGINAL &&
              used[HESCA_WAY_ORIGINAL] == HESCA_TRIES - 3 &&
              used[HESCA_WAY_HOHE] == HESCA_TRIES - 3 + 1,
          "way %d stays; %d and %d more calls", (int)t.way[t.now],
          used[HESCA_WAY_ORIGINAL], used[HESCA_WAY_HOHE]);
    /* Apart they are settled at once. */
    const double apart[HESCA_WAYS] = {0.98, 0.8, 0};
    hesca_hohe_trial_init(&t, HESCA_WAY_ORIGINAL, &f);
    CHECK(hesca_hohe_trial_recall(&t, apart, calls), "two times decide");
    hesca_hohe_trial_resume(&t);
    CHECK(t.settled && t.way[t.now] == HESCA_WAY_HOHE, "way %d stays",
          (int)t.way[t.now]);
}

/* One call that takes half as long as the others of its way, or twice as long
 * and more, does not decide between ways that are apart. */
static void
outliers(void)
{
    const hesca_hohe_forecast f = {.original = 1, .hohe = 0.9, .grid = 1.1};
    for (int way = 0; way < HESCA_WAYS; ++way)
        for (int best = 0; best < HESCA_WAYS; ++best)
            for (int at = 0; at < 3 * 2 * HESCA_TRIES; ++at) {
                const int bad = at % HESCA_TRIES;
                const double by =
                    at / HESCA_TRIES % 2 ? (way == 0 ? 2 : 2.5) : 0.5;
                int used[HESCA_WAYS] = {0};
                hesca_hohe_trial t;
                hesca_hohe_trial_init(&t, (hesca_way)(at % HESCA_WAYS), &f);
                while (!t.settled) {
                    const int w = (int)t.way[t.now];
                    const int is_bad = w == way && used[w]++ == bad;
                    hesca_hohe_trial_next(&t, (w == best ? 0.7 : 1) *
                                                  (is_bad ? by : 1));
                }
                CHECK((int)t.way[t.now] == best,
                      "way %d stays, not %d: call %d of %d took %g times as "
                      "long",
                      (int)t.way[t.now], best, bad, way, by);
            }
}

/* One way: it is used three times after its first call, and stays if it takes
 * what was predicted.
 */
static void
use_one(hesca_hohe_trial *t, const hesca_hohe_forecast *f, double seconds)
{
    const double all[HESCA_WAYS] = {seconds, seconds, seconds};
    int used[HESCA_WAYS] = {0};
    hesca_hohe_trial_init(t, HESCA_WAY_HOHE, f);
    CHECK(t->n == 1 && !t->settled, "%d ways", t->n);
    CHECK(use(t, all, used) == 4 && t->n == 1, "%d ways", t->n);
}

/* A way whose first call costs as much as 20 calls waits for them, and stays
 * if it is the fastest. */
static void
dear(void)
{
    const hesca_hohe_forecast f = {
        .original = 1, .hohe = 0.9, .grid = 0.95, .grid_first = 16};
    const double seconds[HESCA_WAYS] = {1, 0.8, 0.5};
    int used[HESCA_WAYS] = {0};
    hesca_hohe_trial t;
    hesca_hohe_trial_init(&t, HESCA_WAY_HOHE, &f);
    CHECK(t.n == 3, "%d ways", t.n);
    use(&t, seconds, used);
    CHECK(t.settled && t.way[t.now] == HESCA_WAY_HOHE &&
              used[HESCA_WAY_GRID] == 0,
          "way %d stays, another grid was used %d times", (int)t.way[t.now],
          used[HESCA_WAY_GRID]);
    hesca_hohe_trial_insure(&t, 19);
    CHECK(t.settled, "another grid is tried after 19 calls");
    hesca_hohe_trial_insure(&t, 20);
    CHECK(!t.settled && t.way[t.now] == HESCA_WAY_GRID,
          "another grid is not tried after 20 calls");
    use(&t, seconds, used);
    CHECK(t.settled && t.way[t.now] == HESCA_WAY_GRID, "way %d stays",
          (int)t.way[t.now]);
}

/* Ways far apart in prediction, and calls without a time. */
static void
no_ways(void)
{
    hesca_hohe_forecast f = {.original = 1, .hohe = 0.3, .grid = 2.5};
    const double as_feared[HESCA_WAYS] = {0.6, 1.2, 1};
    int used[HESCA_WAYS] = {0};
    hesca_hohe_trial t;
    use_one(&t, &f, 0.32);
    /* The original routine is not tried for insurance if it is predicted to be
     * far slower. */
    hesca_hohe_trial_insure(&t, 1000);
    CHECK(t.n == 1 && t.settled, "%d ways", t.n);
    /* It is tried if the predicted gain turns out to be none. */
    hesca_hohe_trial_init(&t, HESCA_WAY_HOHE, &f);
    use(&t, as_feared, used);
    CHECK(t.settled && t.way[t.now] == HESCA_WAY_ORIGINAL &&
              used[HESCA_WAY_HOHE] == 4 && used[HESCA_WAY_GRID] == 0,
          "way %d stays", (int)t.way[t.now]);
    f.hohe = 0.5;
    use_one(&t, &f, 0.5);
    hesca_hohe_trial_insure(&t, 9); /* costs 0.5, as much as one call */
    CHECK(t.n == 1 && t.settled, "%d ways", t.n);
    hesca_hohe_trial_insure(&t, 10);
    CHECK(t.n == 2 && t.way[1] == HESCA_WAY_ORIGINAL && !t.settled, "%d ways",
          t.n);
    for (int k = 0; k < 2 * HESCA_TRIES && !t.settled; ++k)
        hesca_hohe_trial_next(&t, t.now == 0 ? 1 : 0.5);
    CHECK(t.settled && t.now == 1, "way %d stays", t.now);
    hesca_hohe_trial_insure(&t, 1000);
    CHECK(t.settled, "it is tried again");
    /* As slow as predicted, it is used once. */
    use_one(&t, &f, 0.5);
    hesca_hohe_trial_insure(&t, 10);
    hesca_hohe_trial_next(&t, 0.65);
    CHECK(t.settled && t.now == 0, "way %d stays", t.now);
    /* Its time was measured before speeds changed. */
    for (int faster = 0; faster < 2; ++faster) {
        use_one(&t, &f, 0.5);
        t.expected = faster ? 0.49 : 0.51;
        hesca_hohe_trial_insure(&t, 1000);
        CHECK(t.settled == !faster, "expected to be faster: %d", faster);
    }
    /* Where there is no other way there is nothing to try. */
    const hesca_hohe_forecast only = {.original = 1};
    hesca_hohe_trial_init(&t, HESCA_WAY_ORIGINAL, &only);
    CHECK(t.n == 1 && t.settled, "%d ways", t.n);
    /* What counts is the error that is known of the best one's gain. */
    const hesca_hohe_forecast sure = {.original = 1.5,
                                      .hohe = 1,
                                      .grid = 1.45,
                                      .hohe_margin = .3,
                                      .grid_margin = .6};
    hesca_hohe_trial_init(&t, HESCA_WAY_HOHE, &sure);
    CHECK(t.n == 1, "%d ways", t.n);
    const hesca_hohe_forecast unsure = {.original = 1.5,
                                        .hohe = 1,
                                        .grid = 1.45,
                                        .hohe_margin = .6,
                                        .grid_margin = .3};
    hesca_hohe_trial_init(&t, HESCA_WAY_HOHE, &unsure);
    CHECK(t.n == 3 && !t.settled, "%d ways", t.n);
    f.hohe = 0.7;
    hesca_hohe_trial_init(&t, HESCA_WAY_ORIGINAL, &f);
    CHECK(t.n == 2 && !t.settled, "%d ways", t.n);
    for (int k = 0; k < 5; ++k)
        hesca_hohe_trial_next(&t, 0);
    CHECK(!t.settled && t.now == 0, "way %d without a time", t.now);
    CHECK(!hesca_hohe_trial_recall(&t, (const double[3]){1, 0, 0},
                                   (const int[3]){3, 0, 0}),
          "one time decides");
}

/* ------------------------------------------------ the cache */

static char folder[] = "/tmp/hesca-learn-XXXXXX";

static void
put(const char *path, const char *text)
{
    FILE *f = fopen(path, "w");
    CHECK(f != NULL && fputs(text, f) >= 0, "%s", path);
    if (f != NULL)
        fclose(f);
}

static void
paths(void)
{
    char path[HESCA_CACHE_PATH], expected[100];
    setenv("XDG_CACHE_HOME", folder, 1);
    snprintf(expected, sizeof expected, "%s/hesca/calls-00000000000000ab",
             folder);
    CHECK(hesca_cache_path("calls", 0xab, path) && strcmp(path, expected) == 0,
          "%s", path);
    setenv("XDG_CACHE_HOME", "relative", 1);
    setenv("HOME", folder, 1);
    CHECK(hesca_cache_path("x", 1, path) &&
              strstr(path, "/.cache/hesca/x-") != NULL,
          "%s", path);
    unsetenv("HOME");
    CHECK(!hesca_cache_path("x", 1, path), "a path without a home");
    setenv("XDG_CACHE_HOME", "/proc/none", 1);
    CHECK(!hesca_cache_path("x", 1, path), "a path in /proc");
    setenv("XDG_CACHE_HOME", folder, 1);
}

static void
files(void)
{
    static hesca_memory m, back;
    char path[HESCA_CACHE_PATH];
    memset(&m, 0, sizeof m);
    CHECK(hesca_cache_path("calls", 7, path), "no folder");
    for (int k = 0; k < 300; ++k) {
        const hesca_memory_record r = {.key = check_random(),
                                       .seconds = {fraction(), 0, 1e-9 * k},
                                       .calls = {k, 0, k % 7}};
        hesca_memory_enter(&m, &r);
        CHECK(hesca_memory_find(&m, r.key)->seconds[0] == r.seconds[0],
              "record %d", k);
    }
    CHECK(m.n == HESCA_MEMORY_MOST, "%d records", m.n);
    hesca_memory_write(path, &m);
    hesca_memory_read(path, &back);
    CHECK(back.n == m.n && !back.changed, "%d of %d records come back", back.n,
          m.n);
    for (int k = 0; k < m.n; ++k) {
        const hesca_memory_record *x = &m.record[k], *y = &back.record[k];
        CHECK(x->key == y->key &&
                  memcmp(x->seconds, y->seconds, sizeof x->seconds) == 0 &&
                  memcmp(x->calls, y->calls, sizeof x->calls) == 0,
              "record %d comes back otherwise", k);
    }
    /* A newer time of a record, and those of another run. */
    static hesca_memory one;
    one.n = 0;
    hesca_memory_enter(&one,
                       &(hesca_memory_record){m.record[9].key, {1, 2, 3}});
    hesca_memory_write(path, &one);
    hesca_memory_read(path, &back);
    CHECK(back.n == m.n &&
              hesca_memory_find(&back, m.record[9].key)->seconds[1] == 2,
          "%d records after another run", back.n);
    /* What is torn or made up is nothing. */
    for (int cut = 1; cut < 40; ++cut) {
        CHECK(truncate(path, 900 - cut) == 0, "truncate");
        hesca_memory_read(path, &back);
        CHECK(back.n == 0, "%d records of a torn file", back.n);
    }
    put(path, "hesca-calls 2\nzz zz 1 zz 1 zz 1\n# complete\n");
    hesca_memory_read(path, &back);
    CHECK(back.n == 0, "%d made up", back.n);
    put(path, "hesca-calls 9\n1 0 0 0 0 0 0\n# complete\n");
    hesca_memory_read(path, &back);
    CHECK(back.n == 0, "%d of another version", back.n);
}

/* What a program called comes back under its name alone; a file that is torn
 * or has other numbers is none. */
static void
programs(void)
{
    static const char *const bad[] = {
        "hesca-program 2\njob gemm 9 2\ngrid 1 2 of 2\n",
        "hesca-program 1\njob none 9 2\ngrid 1 2 of 2\n",
        "hesca-program 1\njob gemm 0 2\ngrid 1 2 of 2\n",
        "hesca-program 1\njob gemm 9 -2\ngrid 1 2 of 2\n",
        "hesca-program 1\njob gemm 9 2\ngrid 2 2 of 3\n",
        "hesca-program 1\njob gemm 9 2\ngrid 99999 99999 of 3\n",
        "hesca-program 1\njob gemm 9 2\n",
        ""};
    char path[HESCA_CACHE_PATH], name[40];
    hesca_program back;
    for (int trial = 0; trial < 200; ++trial) {
        const hesca_program p = {
            .job = {(hesca_routine)(check_random() % HESCA_ROUTINES),
                    1 + (int64_t)(check_random() % 1000000000),
                    1 + (int)(check_random() % 1000000)},
            .nprow = 1 + (int)(check_random() % 40),
            .npcol = 1 + (int)(check_random() % 40),
            .nprocs = 1600 + (int)(check_random() % 3)};
        snprintf(name, sizeof name, "/bin/%d", (int)(check_random() % 9));
        hesca_program_write(name, &p);
        CHECK(hesca_program_read(name, &back) &&
                  back.job.routine == p.job.routine && back.job.n == p.job.n &&
                  back.job.nb == p.job.nb && back.nprow == p.nprow &&
                  back.npcol == p.npcol && back.nprocs == p.nprocs,
              "%s: %s,%lld,%d on %d x %d", name,
              hesca_routine_name(p.job.routine), (long long)p.job.n, p.job.nb,
              p.nprow, p.npcol);
    }
    CHECK(!hesca_program_read("/bin/other", &back) && back.nprocs == 0,
          "a program that never ran");
    CHECK(!hesca_program_read("", &back), "this program");
    hesca_program_write("", &(hesca_program){{0, 9, 2}, 1, 1, 1});
    CHECK(hesca_program_read("", &back) && back.job.n == 9, "this program");
    hesca_cache_path("program", hesca_hash_bytes(HESCA_HASH, "x", 1), path);
    for (size_t k = 0; k < sizeof bad / sizeof *bad; ++k) {
        hesca_cache_write(path, bad[k]);
        CHECK(!hesca_program_read("x", &back) && back.nprocs == 0, "%s",
              bad[k]);
    }
    put(path, "hesca-program 1\njob gemm 9 2\ngrid 1 2 of 2\n");
    CHECK(!hesca_program_read("x", &back), "a torn file");
}

/* Several programs write one file: at any moment it is a whole one. */
static void
crowd(void)
{
    enum { WRITERS = 6, TIMES = 30 };
    static hesca_memory m;
    char path[HESCA_CACHE_PATH];
    int good = 0;
    CHECK(hesca_cache_path("calls", 8, path), "no folder");
    memset(&m, 0, sizeof m);
    hesca_memory_enter(&m, &(hesca_memory_record){.key = 99});
    hesca_memory_write(path, &m);
    fflush(NULL);
    for (int w = 0; w < WRITERS; ++w)
        if (fork() == 0) {
            int bad = 0;
            for (int k = 0; k < TIMES; ++k) {
                hesca_memory_enter(
                    &m, &(hesca_memory_record){.key = (uint64_t)w + 1});
                hesca_memory_write(path, &m);
                bad |= !hesca_cache_is_whole(path);
            }
            _exit(bad);
        }
    for (int w = 0; w < WRITERS; ++w) {
        int status = 1;
        wait(&status);
        good += status == 0;
    }
    CHECK(good == WRITERS, "%d of %d writers saw whole files", good, WRITERS);
    hesca_memory_read(path, &m);
    CHECK(hesca_memory_find(&m, 99) != NULL, "the first record is lost");
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        UNIT(levels),   UNIT(changes), UNIT(noise),      UNIT(mean),
        UNIT(links),    UNIT(ways),    UNIT(later_runs), UNIT(outliers),
        UNIT(dear),     UNIT(no_ways), UNIT(paths),      UNIT(files),
        UNIT(programs), UNIT(crowd)};
    char command[100];
    if (mkdtemp(folder) == NULL)
        return 99;
    unit_begin("survey/t_learn", 20261125);
    const int status = unit_end(cmocka_run_group_tests(tests, NULL, NULL));
    snprintf(command, sizeof command, "rm -rf %s", folder);
    return system(command) == 0 ? status : 99;
}
