/* SPDX-License-Identifier: BSD-3-Clause */
#include "hesca/experimental/speed.h"
#include "base/status.h"
#include "machine/knots.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

struct hesca_speed {
    double limit;
    int n;
    hesca_knot knot[];
};

/* --- creation ---
 * A model is immutable.  Its knots ascend strictly in size and in time,
 * size / speed; only the last one may have speed 0, and the limit is then not
 * above its size. */

const char *
hesca_knot_fault(int n, const hesca_knot *knot, int j)
{
    const hesca_knot k = knot[j];
    if (!(k.size > 0) || !isfinite(k.size))
        return "size must be finite and more than 0";
    if (!isfinite(k.speed) || k.speed < 0 ||
        (k.speed == 0 && (j == 0 || j < n - 1)))
        return "speed must be finite and more than 0, or 0 at the last knot";
    if (!(0 <= k.low && k.low <= k.speed && k.speed <= k.high) ||
        !isfinite(k.high))
        return "low <= speed <= high must hold";
    if (j == 0)
        return NULL;
    if (!(knot[j - 1].size < k.size))
        return "sizes must ascend";
    if (!(knot[j - 1].size * k.speed < k.size * knot[j - 1].speed))
        return "size / speed must ascend";
    return NULL;
}

static int
check(int n, const hesca_knot *knot, double limit)
{
    if (n < 1 || n > HESCA_KNOTS_MAX)
        return hesca_fail_arg("hesca_speed_create", 1, "n", n, "1 ... 100000");
    if (knot == NULL)
        return hesca_fail_null("hesca_speed_create", 2, "knot");
    for (int j = 0; j < n; ++j) {
        const char *fault = hesca_knot_fault(n, knot, j);
        if (fault != NULL)
            return hesca_fail(
                HESCA_ERR_ARG, 2,
                "hesca_speed_create: argument 2, knot[%d], is size %.10g, "
                "speed %.10g, low %.10g, high %.10g: %s",
                j, knot[j].size, knot[j].speed, knot[j].low, knot[j].high,
                fault);
    }
    if (!(limit >= 0))
        return hesca_fail(HESCA_ERR_ARG, 3,
                          "hesca_speed_create: argument 3, limit, is %.10g: "
                          "must be at least 0",
                          limit);
    return HESCA_SUCCESS;
}

int
hesca_speed_create(int n, const hesca_knot *knot, double limit,
                   hesca_speed **model)
{
    int err;
    hesca_speed *x = NULL;
    if (model == NULL)
        return hesca_fail_null("hesca_speed_create", 4, "model");
    HESCA_TRY(err, check(n, knot, limit));
    x = malloc(sizeof *x + (size_t)n * sizeof *knot);
    if (x == NULL)
        HESCA_TRY(err, hesca_fail(HESCA_ERR_NOMEM, 0,
                                  "a speed function of %d knots", n));
    x->n = n;
    memcpy(x->knot, knot, (size_t)n * sizeof *knot);
    x->limit = knot[n - 1].speed > 0 ? limit : fmin(limit, knot[n - 1].size);
fail:
    *model = x;
    return err;
}

int
hesca_speed_create_constant(double speed, double limit, hesca_speed **model)
{
    const hesca_knot knot = {1, speed, speed, speed};
    if (model == NULL)
        return hesca_fail_null("hesca_speed_create_constant", 3, "model");
    return hesca_speed_create(1, &knot, limit, model);
}

int
hesca_speed_copy(const hesca_speed *model, double limit, hesca_speed **copy)
{
    static const char routine[] = "hesca_speed_copy";
    if (copy == NULL)
        return hesca_fail_null(routine, 3, "copy");
    *copy = NULL;
    if (model == NULL)
        return hesca_fail_null(routine, 1, "model");
    return hesca_speed_create(model->n, model->knot, limit, copy);
}

void
hesca_speed_free(hesca_speed *model)
{
    free(model);
}

/* --- evaluation ---
 * Speed is linear between knots and constant outside of them, so that times
 * ascend and hesca_speed_size() is the inverse of hesca_speed_time(). */

const hesca_knot *
hesca_speed_knots(const hesca_speed *model, int *n)
{
    *n = model->n;
    return model->knot;
}

double
hesca_speed_limit(const hesca_speed *model)
{
    return model->limit;
}

/* The first knot with size >= x; n if there is none. */
static int
knot_from(const hesca_speed *model, double x)
{
    int low = 0, high = model->n;
    while (low < high) {
        const int mid = low + (high - low) / 2;
        if (model->knot[mid].size < x)
            low = mid + 1;
        else
            high = mid;
    }
    return low;
}

/* Linear interpolation from the nearer end, so that it is exact at both ends.
 * Otherwise a low speed next to a very high one would be lost in the rounding
 * error of the latter, and times would not ascend. */
static double
between(double x, double x0, double y0, double x1, double y1)
{
    if (x - x0 <= x1 - x)
        return y0 + (y1 - y0) * ((x - x0) / (x1 - x0));
    return y1 + (y0 - y1) * ((x1 - x) / (x1 - x0));
}

double
hesca_speed_at(const hesca_speed *model, double x)
{
    const int j = knot_from(model, x);
    const hesca_knot *k = &model->knot[j];
    if (j == 0 || j == model->n)
        return model->knot[j == 0 ? 0 : j - 1].speed;
    return between(x, k[-1].size, k[-1].speed, k->size, k->speed);
}

void
hesca_speed_band(const hesca_speed *model, double x, double *low, double *high)
{
    const int j = knot_from(model, x);
    const hesca_knot *k = &model->knot[j == 0 ? 0 : j - 1];
    *low = k->low;
    *high = k->high;
    if (j == 0 || j == model->n)
        return;
    *low = between(x, k->size, k->low, k[1].size, k[1].low);
    *high = between(x, k->size, k->high, k[1].size, k[1].high);
}

double
hesca_speed_time(const hesca_speed *model, double x)
{
    if (x <= 0)
        return 0;
    return x > model->limit ? INFINITY : x / hesca_speed_at(model, x);
}

double
hesca_speed_size(const hesca_speed *model, double time)
{
    const hesca_knot *k = model->knot;
    int low = 0, high = model->n; /* low becomes the first knot that takes
                                     more time */
    while (low < high) {
        const int mid = low + (high - low) / 2;
        if (k[mid].size > time * k[mid].speed)
            high = mid;
        else
            low = mid + 1;
    }
    if (low == 0 || low == model->n)
        return time * k[low == 0 ? 0 : low - 1].speed;
    /* On the segment s = a + m x, solve x = time s. */
    const hesca_knot *left = &k[low - 1], *right = &k[low];
    const double m = (right->speed - left->speed) / (right->size - left->size);
    const double x = time * (left->speed - m * left->size) / (1 - time * m);
    return fmin(fmax(x, left->size), right->size);
}
