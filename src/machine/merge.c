/* SPDX-License-Identifier: BSD-3-Clause */
/* Merging a measurement into a speed function, and speed functions of noisy
 * measurements.  Both restore ascending times x / s(x), which is all that HMPI
 * thesis 4.7.1 requires.
 *
 * --- order of times ---
 * Each function changes speeds only, and leaves times strictly ascending on
 * its side of the given knot. */
#include "base/status.h"
#include "machine/knots.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

int
hesca_knot_crowded(int n, const hesca_knot *knot, double apart)
{
    for (int j = 1; j < n; ++j) {
        const hesca_knot *x = &knot[j - 1], *y = &knot[j];
        if (y->size < x->size * (1 + apart) ||
            y->size * x->speed < x->size * y->speed * (1 + apart))
            return j;
    }
    return 0;
}

/* Set the speed of a knot, and widen its band to contain it. */
static void
set_speed(hesca_knot *k, double speed)
{
    k->speed = speed;
    k->low = fmin(k->low, speed);
    k->high = fmax(k->high, speed);
}

/* Slow down those of the knots from, from + 1, ... that take less time than
 * the previous one; return the number of changed knots.  A last knot of speed
 * 0 is not changed. */
static int
raise_times(int n, hesca_knot *knot, int from)
{
    int changed = 0;
    for (int j = from; j < n; ++j) {
        const hesca_knot *before = &knot[j - 1];
        const double most = before->speed / (1 + HESCA_APART_MADE) *
                            (knot[j].size / before->size);
        if (knot[j].speed <= most)
            continue;
        set_speed(&knot[j], most);
        ++changed;
    }
    return changed;
}

/* In the other direction: speed up those of the knots to - 1, to - 2, ... that
 * take more time than the next one; return the number of changed knots. */
static int
lower_times(hesca_knot *knot, int to)
{
    int changed = 0;
    for (int j = to - 1; j >= 0; --j) {
        const hesca_knot *after = &knot[j + 1];
        const double least = after->speed * (1 + HESCA_APART_MADE) *
                             (knot[j].size / after->size);
        if (knot[j].speed >= least)
            continue;
        set_speed(&knot[j], least);
        ++changed;
    }
    return changed;
}

/* --- noise ---
 * Only the order of times is repaired; any other fault is left in place and
 * reported by hesca_speed_create(). */

/* Whether a knot is valid apart from the order of times; false for NaN. */
static int
is_repairable(const hesca_knot *before, const hesca_knot *k)
{
    return isfinite(k->size) && k->size > before->size && k->low >= 0 &&
           k->low <= k->speed && k->speed <= k->high && isfinite(k->high);
}

int
hesca_speed_create_monotone(int n, const hesca_knot *point, double limit,
                            hesca_speed **model, int *changed)
{
    int err, raised = 0;
    hesca_knot *knot = NULL;
    if (model == NULL)
        return hesca_fail_null("hesca_speed_create_monotone", 4, "model");
    *model = NULL;
    /* hesca_speed_create() reports what is wrong with n or point. */
    if (n < 1 || n > HESCA_KNOTS_MAX || point == NULL)
        return hesca_speed_create(n, point, limit, model);
    knot = malloc((size_t)n * sizeof *knot);
    if (knot == NULL)
        HESCA_TRY(err, hesca_fail(HESCA_ERR_NOMEM, 0,
                                  "a speed function of %d knots", n));
    memcpy(knot, point, (size_t)n * sizeof *knot);
    for (int j = 1; j < n; ++j)
        if (is_repairable(&knot[j - 1], &knot[j]))
            raised += raise_times(j + 1, knot, j);
    HESCA_TRY(err, hesca_speed_create(n, knot, limit, model));
    if (changed != NULL)
        *changed = raised;
fail:
    free(knot);
    return err;
}

/* --- merging ---
 * The array has room for one knot more than the model.  At the entered point
 * the measurement has priority: its neighbours are changed, not itself. */

static const char merge_routine[] = "hesca_speed_merge";

static int
check_merge(const hesca_speed *model, const hesca_knot *point, double weight)
{
    const char *fault = NULL;
    if (model == NULL || point == NULL)
        return hesca_fail_null(merge_routine, model == NULL ? 1 : 2,
                               model == NULL ? "model" : "point");
    int n;
    const hesca_knot *knot = hesca_speed_knots(model, &n);
    if (point->speed > 0 || !(point->size > knot[0].size))
        fault = hesca_knot_fault(1, point, 0);
    else if (!(point->speed == 0 && point->low == 0 && point->high >= 0))
        fault = "low <= speed <= high must hold";
    else if (!isfinite(point->size) || !isfinite(point->high))
        fault = "it must be finite";
    if (fault != NULL)
        return hesca_fail(HESCA_ERR_ARG, 2,
                          "%s: argument 2, point, is size %.10g, speed "
                          "%.10g, low %.10g, high %.10g: %s",
                          merge_routine, point->size, point->speed, point->low,
                          point->high, fault);
    if (!(weight > 0 && weight <= 1))
        return hesca_fail(HESCA_ERR_ARG, 3,
                          "%s: argument 3, weight, is %.10g: must be more "
                          "than 0, at most 1",
                          merge_routine, weight);
    return HESCA_SUCCESS;
}

static int
is_near(const hesca_knot *k, double size)
{
    return fabs(k->size - size) <= HESCA_SPEED_NEAR * k->size;
}

static double
mix(double before, double now, double weight)
{
    return before + weight * (now - before);
}

/* The nearest of the knots that are near a size; -1 if there is none. */
static int
find_near(int n, const hesca_knot *knot, double size)
{
    int best = -1;
    for (int j = 0; j < n; ++j)
        if (is_near(&knot[j], size) &&
            (best < 0 ||
             fabs(knot[j].size - size) < fabs(knot[best].size - size)))
            best = j;
    return best;
}

/* Enter a point into n knots with room for one more; return its index. */
static int
enter(int *n, hesca_knot *knot, const hesca_knot *point, double weight)
{
    const int near = find_near(*n, knot, point->size);
    if (near >= 0) {
        hesca_knot *k = &knot[near];
        k->speed = mix(k->speed, point->speed, weight);
        k->low = fmin(mix(k->low, point->low, weight), k->speed);
        k->high = fmax(mix(k->high, point->high, weight), k->speed);
        return near;
    }
    int at = *n;
    for (; at > 0 && knot[at - 1].size > point->size; --at)
        knot[at] = knot[at - 1];
    knot[at] = *point;
    ++*n;
    return at;
}

/* Enter a size that cannot be solved: remove the knots that are as large or
 * hardly smaller.  The first knot is not removed but made smaller, since the
 * speed below it is constant.  Return the number of knots removed or changed.
 */
static int
end_at(int *n, hesca_knot *knot, const hesca_knot *point)
{
    const double most = point->size / (1 + HESCA_APART_MADE);
    int left = *n;
    while (left > 1 && knot[left - 1].size > most)
        --left;
    int changed = *n - left;
    if (knot[0].size > most) {
        knot[0].size = most;
        ++changed;
    }
    knot[left] = *point;
    *n = left + 1;
    return changed;
}

int
hesca_speed_merge(const hesca_speed *model, const hesca_knot *point,
                  double weight, hesca_speed **merged, int *changed)
{
    int err, n, moved = 0;
    hesca_knot *knot = NULL;
    if (merged == NULL)
        return hesca_fail_null(merge_routine, 4, "merged");
    *merged = NULL;
    HESCA_TRY(err, check_merge(model, point, weight));
    const hesca_knot *old = hesca_speed_knots(model, &n);
    double limit = hesca_speed_limit(model);
    knot = malloc(((size_t)n + 1) * sizeof *knot);
    if (knot == NULL)
        HESCA_TRY(err, hesca_fail(HESCA_ERR_NOMEM, 0,
                                  "a speed function of %d knots", n + 1));
    memcpy(knot, old, (size_t)n * sizeof *knot);
    if (!(point->speed > 0)) {
        moved = end_at(&n, knot, point);
    } else {
        const hesca_knot *last = &knot[n - 1];
        if (!(last->speed > 0) &&
            (is_near(last, point->size) || point->size > last->size)) {
            --n;
            ++moved;
        }
        if (point->size > limit)
            limit = point->size;
        const int at = enter(&n, knot, point, weight);
        moved += lower_times(knot, at) + raise_times(n, knot, at + 1);
    }
    HESCA_TRY(err, hesca_speed_create(n, knot, limit, merged));
    if (changed != NULL)
        *changed = moved;
fail:
    free(knot);
    return err;
}
