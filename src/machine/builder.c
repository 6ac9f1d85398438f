/* SPDX-License-Identifier: BSD-3-Clause */
#include "machine/builder.h"
#include "base/status.h"
#include "machine/knots.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* --- options ---
 * A builder is initialized before anything can fail, so that it can always be
 * cleared.  Zeros are replaced by defaults first, and the result is checked.
 */

static int
refuse(const char *routine, int argument, const char *name, double value,
       const char *must)
{
    return hesca_fail(HESCA_ERR_ARG, argument,
                      "%s: argument %d, options, has %s %.10g: must be %s",
                      routine, argument, name, value, must);
}

/* An option is unspecified if it is 0; NaN counts as specified. */
static double
or_default(double x, double otherwise)
{
    return x > 0 || x < 0 || isnan(x) ? x : otherwise;
}

static void
set_defaults(hesca_build_options *o)
{
    enum { POINTS = 64, PIECES = 128 };
    const double least = fmax(1, 1e-7 * o->b);
    o->eps = or_default(o->eps, 0.05);
    o->minlen = or_default(o->minlen, fmax(least, (o->b - o->a) / PIECES));
    o->seconds = or_default(o->seconds, INFINITY);
    o->most = o->most == 0 ? POINTS : o->most;
    o->confirm = o->confirm == 0 ? 1 : o->confirm;
}

static int
check(const hesca_build_options *o, const char *routine, int k)
{
    static const double most = 9007199254740992.0; /* 2^53 */
    if (!(o->a >= 1) || !(o->a < o->b) || floor(o->a) < o->a)
        return refuse(routine, k, "a", o->a, "whole, at least 1, less than b");
    if (!(o->b <= most) || floor(o->b) < o->b)
        return refuse(routine, k, "b", o->b, "whole, at most 2^53");
    if (!(o->eps >= 0) || !isfinite(o->eps))
        return refuse(routine, k, "eps", o->eps, "at least 0");
    if (!(o->minlen >= fmax(1, 1e-7 * o->b)))
        return refuse(routine, k, "minlen", o->minlen,
                      "at least 1 and b / 10^7");
    if (o->most < 2 || o->most > HESCA_KNOTS_MAX - 1)
        return refuse(routine, k, "most", o->most, "2 ... 99999");
    if (!(o->seconds >= 0))
        return refuse(routine, k, "seconds", o->seconds, "at least 0");
    if (o->confirm < 1)
        return refuse(routine, k, "confirm", o->confirm, "at least 0");
    return HESCA_SUCCESS;
}

int
hesca_builder_init(hesca_builder *b, const char *routine, int first,
                   const hesca_build_options *options,
                   hesca_build_kernel kernel, void *data,
                   hesca_speed *const *model)
{
    *b = (hesca_builder){.kernel = kernel, .data = data};
    if (options == NULL)
        return hesca_fail_null(routine, first, "options");
    if (kernel == NULL)
        return hesca_fail_null(routine, first + 1, "kernel");
    if (model == NULL)
        return hesca_fail_null(routine, first + 3, "model");
    b->o = *options;
    set_defaults(&b->o);
    b->end.size = b->o.b;
    return check(&b->o, routine, first);
}

/* --- measurements ---
 * point and seconds have npoints entries each, and a capacity that is the
 * least power of two >= npoints.  All recorded points are valid knots.
 * total includes the time of sizes that were too large. */

/* Make room for one more point. */
static int
grow(hesca_build_report *r)
{
    const size_t n = (size_t)r->npoints;
    if ((n & (n - 1)) != 0)
        return HESCA_SUCCESS;
    const size_t room = n > 0 ? 2 * n : 1;
    hesca_knot *point = realloc(r->point, room * sizeof *point);
    if (point != NULL)
        r->point = point;
    double *seconds = realloc(r->seconds, room * sizeof *seconds);
    if (seconds != NULL)
        r->seconds = seconds;
    if (point == NULL || seconds == NULL)
        return hesca_fail(HESCA_ERR_NOMEM, 0, "%zu measured points", room);
    return HESCA_SUCCESS;
}

static int
is_duration(double seconds)
{
    return seconds >= 0 && isfinite(seconds);
}

/* Record a measured point. */
static int
record(hesca_builder *b, const hesca_knot *point, double seconds)
{
    hesca_build_report *r = &b->r;
    const char *fault = hesca_knot_fault(1, point, 0);
    if (fault == NULL && !is_duration(seconds))
        fault = "seconds must be finite and at least 0";
    if (fault != NULL)
        return hesca_fail(HESCA_ERR_ARG, 0,
                          "the kernel reports for size %.10g: speed %.10g, "
                          "low %.10g, high %.10g, %.10g s: %s",
                          point->size, point->speed, point->low, point->high,
                          seconds, fault);
    const int err = grow(r);
    if (err < 0)
        return err;
    r->point[r->npoints] = *point;
    r->seconds[r->npoints++] = seconds;
    r->total += seconds;
    b->peak = fmax(b->peak, point->high);
    return HESCA_BUILD_MEASURED;
}

/* Record that a size was too large: it is the new end. */
static int
end_here(hesca_builder *b, hesca_knot *point, double seconds)
{
    *point = (hesca_knot){.size = point->size};
    if (!is_duration(seconds))
        return hesca_fail(HESCA_ERR_ARG, 0,
                          "the kernel reports that size %.10g is too large, "
                          "after %.10g s: seconds must be finite and at "
                          "least 0",
                          point->size, seconds);
    b->end = *point;
    b->walled = 1;
    b->r.total += seconds;
    return HESCA_BUILD_TOO_LARGE;
}

int
hesca_builder_measure(hesca_builder *b, double size, hesca_knot *point)
{
    const hesca_build_options *o = &b->o;
    double seconds = 0;
    *point = (hesca_knot){.size = size};
    if (b->r.npoints >= o->most || b->r.total >= o->seconds)
        b->stopped = 1;
    if (b->stopped)
        return HESCA_BUILD_STOP;
    if (o->progress != NULL)
        o->progress(b->r.npoints, b->r.total, size, o->progress_data);
    const int got = b->kernel(size, point, &seconds, b->data);
    point->size = size;
    if (got == HESCA_BUILD_MEASURED)
        return record(b, point, seconds);
    if (got == HESCA_BUILD_TOO_LARGE)
        return end_here(b, point, seconds);
    if (got < 0)
        return got;
    b->stopped = 1;
    return HESCA_BUILD_STOP;
}

/* --- the model ---
 * The builder is cleared on success and on failure.  The report owns the
 * points; it is freed here if the caller does not take it. */

static int
compare(const void *x, const void *y)
{
    const double a = ((const hesca_knot *)x)->size;
    const double b = ((const hesca_knot *)y)->size;
    return (a > b) - (a < b);
}

/* The model of the points below the end, sorted by size, and of the end if its
 * speed is 0. */
static int
make_model(hesca_builder *b, hesca_speed **model)
{
    hesca_build_report *r = &b->r;
    int n = 0, err;
    hesca_knot *knot = malloc(((size_t)r->npoints + 1) * sizeof *knot);
    if (knot == NULL)
        return hesca_fail(HESCA_ERR_NOMEM, 0, "a model of %d points",
                          r->npoints);
    for (int k = 0; k < r->npoints; ++k)
        if (r->point[k].size < b->end.size || b->end.speed > 0)
            knot[n++] = r->point[k];
    qsort(knot, (size_t)n, sizeof *knot, compare);
    if (n > 0 && !(b->end.speed > 0) && (!b->o.measure_end || b->walled))
        knot[n++] = b->end;
    err = n > 0 ? hesca_speed_create_monotone(n, knot, INFINITY, model,
                                              &r->changed)
                : hesca_fail(HESCA_ERR_ARG, 0,
                             "no size from %.10g on was measured", b->o.a);
    free(knot);
    return err;
}

static void
estimate_naive(hesca_builder *b, const hesca_speed *model)
{
    hesca_build_report *r = &b->r;
    const double step = (b->o.b - b->o.a) / HESCA_BUILD_NAIVE;
    double ideal = 0, naive = 0;
    for (int k = 0; k < r->npoints; ++k)
        ideal += r->point[k].size / r->point[k].speed;
    for (int i = 0; i < HESCA_BUILD_NAIVE; ++i) {
        const double t = hesca_speed_time(model, b->o.a + i * step);
        naive += isfinite(t) ? t : 0;
    }
    r->naive_seconds = naive * (r->total / ideal);
}

int
hesca_builder_clear(hesca_builder *b, int err, hesca_speed **model,
                    hesca_build_report *report)
{
    if (model != NULL)
        *model = NULL;
    if (err >= 0)
        err = make_model(b, model);
    if (err >= 0) {
        estimate_naive(b, *model);
        b->r.is_complete = !b->stopped;
    } else {
        hesca_build_report_clear(&b->r);
    }
    if (report != NULL)
        *report = b->r;
    else
        hesca_build_report_clear(&b->r);
    return err < 0 ? err : HESCA_SUCCESS;
}

void
hesca_build_report_clear(hesca_build_report *report)
{
    free(report->point);
    free(report->seconds);
    *report = (hesca_build_report){0};
}
