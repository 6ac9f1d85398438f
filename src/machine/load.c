/* SPDX-License-Identifier: BSD-3-Clause */
/* For every length of average there is one queue of the averages that may
 * still become the maximum, and one for the minimum, best first: an average
 * that is not better than a newer one never becomes the extreme.  So each
 * average is entered once and removed once.  The matrix of all averages in the
 * HMPI thesis (4.1.1.2) costs O(window^2) for each observation. */
#include "hesca/experimental/load.h"
#include "base/status.h"
#include <math.h>
#include <stdint.h>
#include <stdlib.h>

enum { HISTORY_MAX = 1000000 };

/* An average and the number of its first observation. */
typedef struct {
    int64_t first;
    double value;
} average;

/* A ring of at most `history` averages. */
typedef struct {
    int head, n;
    average *ring;
} queue;

struct hesca_load {
    int history, window, cores;
    double period;
    int64_t seen;   /* number of observations so far */
    double *recent; /* [window] the last ones; number k is at k % window */
    queue *best;    /* [2 * window] minima, then maxima, of each length */
    average *rings; /* [2 * window * history] */
};

int
hesca_load_create(int history, int window, double period, int cores,
                  hesca_load **load)
{
    static const char *const routine = "hesca_load_create";
    hesca_load *x;
    if (load == NULL)
        return hesca_fail_null(routine, 5, "load");
    *load = NULL;
    if (history < 1 || history > HISTORY_MAX)
        return hesca_fail_arg(routine, 1, "history", history, "1 ... 1000000");
    if (window < 1 || window > history)
        return hesca_fail_arg(routine, 2, "window", window, "1 ... history");
    if (!(period > 0) || !isfinite(period))
        return hesca_fail(HESCA_ERR_ARG, 3,
                          "%s: argument 3, period, is %g: must be more than 0",
                          routine, period);
    if (cores < 1)
        return hesca_fail_arg(routine, 4, "cores", cores, "at least 1");
    const size_t w = (size_t)window, h = (size_t)history;
    x = calloc(1, sizeof *x);
    if (x != NULL) {
        *x = (hesca_load){.history = history,
                          .window = window,
                          .cores = cores,
                          .period = period,
                          .recent = calloc(w, sizeof *x->recent),
                          .best = calloc(2 * w, sizeof *x->best),
                          .rings = calloc(2 * w * h, sizeof *x->rings)};
    }
    if (x == NULL || x->recent == NULL || x->best == NULL ||
        x->rings == NULL) {
        hesca_load_free(x);
        return hesca_fail(HESCA_ERR_NOMEM, 0, "%d averages of %d loads",
                          window, history);
    }
    for (size_t k = 0; k < 2 * w; ++k)
        x->best[k].ring = x->rings + k * h;
    *load = x;
    return HESCA_SUCCESS;
}

void
hesca_load_free(hesca_load *load)
{
    if (load == NULL)
        return;
    free(load->recent);
    free(load->best);
    free(load->rings);
    free(load);
}

/* --- observations ---
 * A queue is sorted by age, oldest first, and strictly from best to worst, and
 * its averages begin in the last `history` observations.  So its head is the
 * extreme, and it has at most `history` entries. */

/* Enter a new average; remove those that begin before `oldest` and those that
 * are not better than the new one.  sign is 1 for maxima, -1 for minima. */
static void
push(queue *q, int room, double sign, int64_t oldest, average a)
{
    while (q->n > 0 && q->ring[q->head].first < oldest) {
        q->head = (q->head + 1) % room;
        --q->n;
    }
    while (q->n > 0 &&
           sign * q->ring[(q->head + q->n - 1) % room].value <= sign * a.value)
        --q->n;
    q->ring[(q->head + q->n) % room] = a;
    ++q->n;
}

int
hesca_load_add(hesca_load *load, double observed)
{
    if (load == NULL)
        return hesca_fail_null("hesca_load_add", 1, "load");
    const int w = load->window, h = load->history;
    if (!(observed >= 0))
        return hesca_fail(HESCA_ERR_ARG, 2,
                          "hesca_load_add: argument 2, observed, is %g: must "
                          "be at least 0",
                          observed);
    const int64_t now = load->seen++;
    load->recent[now % w] = fmin(observed / load->cores, HESCA_LOAD_MOST);
    double sum = 0;
    for (int i = 1; i <= w && i <= load->seen; ++i) {
        const int64_t first = now - i + 1;
        sum += load->recent[first % w];
        const average a = {first, sum / i};
        push(&load->best[i - 1], h, -1, now - h + 1, a);
        push(&load->best[w + i - 1], h, 1, now - h + 1, a);
    }
    return HESCA_SUCCESS;
}

/* --- curves ---
 * A curve is linear between its points at 1, 2, ... lengths() periods, and
 * constant before and behind them. */

/* The point of the curve of minima (which = 0) or maxima (1) at i periods. */
static double
point(const hesca_load *x, int which, int i)
{
    const queue *q = &x->best[which * x->window + i - 1];
    return q->ring[q->head].value;
}

/* The number of lengths for which there are averages. */
static int
lengths(const hesca_load *x)
{
    return x->seen < x->window ? (int)x->seen : x->window;
}

static double
curve(const hesca_load *x, int which, double t)
{
    const int n = lengths(x);
    const double i = t / x->period;
    if (n == 0)
        return 0;
    if (!(i > 1))
        return point(x, which, 1);
    if (i >= n)
        return point(x, which, n);
    const int k = (int)i;
    const double a = point(x, which, k), b = point(x, which, k + 1);
    return a + (b - a) * (i - k);
}

void
hesca_load_at(const hesca_load *load, double t, double *least, double *most)
{
    *least = curve(load, 0, t);
    *most = curve(load, 1, t);
}

/* The first root of t (1 - l(t)) = ideal in t0 ... t1, where l is linear from
 * l0 to l1; INFINITY if there is none.  It is a root of m t^2 - c t + ideal,
 * where m is the slope. */
static double
root_between(double ideal, double t0, double l0, double t1, double l1)
{
    const double m = (l1 - l0) / (t1 - t0), c = 1 - l0 + m * t0;
    const double d = c * c - 4 * m * ideal;
    if (d < 0)
        return INFINITY;
    /* If c > 0, the first form gives the smaller root for m > 0 and the only
     * positive one for m < 0.  If c <= 0, it would suffer from cancellation,
     * and the second form is used. */
    const double s = sqrt(d);
    const double t = c > 0 ? 2 * ideal / (c + s) : (c - s) / (2 * m);
    return t >= t0 * (1 - 1e-12) && t <= t1 * (1 + 1e-12) ? t : INFINITY;
}

/* The load at the first intersection of formula (3) with a curve. */
static double
intersect(const hesca_load *x, int which, double ideal)
{
    const int n = lengths(x);
    double before = n > 0 ? point(x, which, 1) : 0;
    if (n == 0 || ideal <= x->period * (1 - before))
        return before;
    for (int i = 2; i <= n; ++i) {
        const double now = point(x, which, i);
        const double t = root_between(ideal, (i - 1) * x->period, before,
                                      i * x->period, now);
        if (isfinite(t))
            return fmin(fmax(1 - ideal / t, 0), HESCA_LOAD_MOST);
        before = now;
    }
    return before;
}

int
hesca_load_predict(const hesca_load *load, double ideal, double *least,
                   double *most)
{
    static const char routine[] = "hesca_load_predict";
    if (load == NULL)
        return hesca_fail_null(routine, 1, "load");
    if (least == NULL || most == NULL)
        return hesca_fail_null(routine, least == NULL ? 3 : 4,
                               least == NULL ? "least" : "most");
    if (!(ideal >= 0) || !isfinite(ideal))
        return hesca_fail(HESCA_ERR_ARG, 2,
                          "%s: argument 2, ideal, is %g: must be a time of "
                          "at least 0",
                          routine, ideal);
    *least = intersect(load, 0, ideal);
    *most = intersect(load, 1, ideal);
    return HESCA_SUCCESS;
}

int
hesca_load_band(const hesca_load *load, double speed, double ideal,
                double *low, double *high)
{
    static const char routine[] = "hesca_load_band";
    double least, most;
    int err;
    if (load == NULL)
        return hesca_fail_null(routine, 1, "load");
    if (low == NULL || high == NULL)
        return hesca_fail_null(routine, low == NULL ? 4 : 5,
                               low == NULL ? "low" : "high");
    if (!(speed >= 0) || !isfinite(speed))
        return hesca_fail(HESCA_ERR_ARG, 2,
                          "%s: argument 2, speed, is %g: must be at least 0",
                          routine, speed);
    HESCA_TRY(err, hesca_load_predict(load, ideal, &least, &most));
    *high = speed * (1 - least);
    *low = speed * (1 - most);
fail:
    return err;
}
