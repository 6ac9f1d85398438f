/* SPDX-License-Identifier: BSD-3-Clause */
/* HMPI thesis 4.1.1.6, Table 4.3 and Figure 4.13: what models built by GBBP
 * and by the naive procedure cost, and how near they are to the curve.  Here
 * sizes are orders of matrices, as there. */
#include "hesca/experimental/build.h"
#include "model_hdpi.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { FIRST = 100, NAIVE_MOST = 400 };

/* A curve that is "measured". */
typedef struct {
    const hesca_speed *speed; /* of elements */
    double flops;             /* of a matrix, over n^3 */
    double band, accuracy, last;
    int steps;
} curve;

typedef struct {
    const model_options *o;
    const char *host;
    int points, naive,
        same; /* same: of the naive one, for as small an error */
    double seconds, naive_seconds, same_seconds;
    double error, naive_error; /* largest, of the largest speed */
    const char *curve;         /* with --curves */
    double order, speed;
} row;

static void
put_costs(fields *s, const void *from)
{
    const row *x = from;
    fields_text(s, "host", x->host);
    fields_text(s, "kernel", x->o->kernel);
    fields_int(s, "points", x->points);
    fields_int(s, "naive_points", x->naive);
    fields_real(s, "seconds", x->seconds);
    fields_real(s, "naive_seconds", x->naive_seconds);
    fields_real(s, "speedup", x->naive_seconds / x->seconds);
    fields_real(s, "error", x->error);
    fields_real(s, "naive_error", x->naive_error);
    fields_int(s, "naive_points_same", x->same);
    fields_real(s, "speedup_same", x->same_seconds / x->seconds);
}

static void
put_curves(fields *s, const void *from)
{
    const row *x = from;
    fields_text(s, "host", x->host);
    fields_text(s, "kernel", x->o->kernel);
    fields_text(s, "curve", x->curve);
    fields_real(s, "order", x->order);
    fields_real(s, "speed", x->speed);
}

static int
run_kernel(double size, hesca_knot *point, double *seconds, void *data)
{
    const curve *c = data;
    const double speed = hesca_speed_at(c->speed, size * size);
    point->speed = point->high = speed;
    point->low = (1 - c->band) * speed;
    *seconds = c->flops * size * size * size / speed;
    return HESCA_BUILD_MEASURED;
}

/* The largest difference of a model and the curve, of the largest speed. */
static double
error_of(const curve *c, const hesca_speed *model)
{
    double worst = 0, peak = 0;
    for (double n = FIRST; n <= c->last; n += 10) {
        const double speed = hesca_speed_at(c->speed, n * n);
        worst = fmax(worst, fabs(speed - hesca_speed_at(model, n)));
        peak = fmax(peak, speed);
    }
    return worst / peak;
}

/* By `naive` equal steps, 0: by GBBP; the model to tell_points(). */
static int
build(const curve *c, int naive, hesca_speed **model,
      hesca_build_report *report)
{
    const hesca_build_options options = {
        .a = FIRST, .b = c->last, .eps = c->accuracy};
    curve data = *c;
    const int err = naive > 0 ? hesca_build_naive(naive, &options, run_kernel,
                                                  &data, model, report)
                              : hesca_build_gbbp(&options, run_kernel, &data,
                                                 model, report);
    return err == 0 || cmdline_fail("%s", hesca_error_text());
}

/* What a procedure costs, and how far it is off. */
static int
try_build(const curve *c, int naive, int *points, double *seconds,
          double *error)
{
    hesca_speed *model;
    hesca_build_report report;
    if (!build(c, naive, &model, &report))
        return 0;
    *points = report.npoints;
    *seconds = report.total;
    *error = error_of(c, model);
    hesca_build_report_clear(&report);
    hesca_speed_free(model);
    return 1;
}

/* How many equal steps it takes to be as near as GBBP; NAIVE_MOST: more. */
static int
match(const curve *c, row *x)
{
    double error = INFINITY;
    for (int n = 2; error > x->error && n <= NAIVE_MOST; ++n)
        if (!try_build(c, n, &x->same, &x->same_seconds, &error))
            return 0;
    return 1;
}

static int
run_costs(const curve *c, row *x, fields_files *out)
{
    if (!try_build(c, 0, &x->points, &x->seconds, &x->error) ||
        !try_build(c, c->steps, &x->naive, &x->naive_seconds,
                   &x->naive_error) ||
        !match(c, x))
        return 0;
    fprintf(out->table,
            "%-6s %-8s %6d %11.4g %7.4f %6d %11.4g %7.4f %8.2f %6d %8.2f\n",
            x->host, x->o->kernel, x->points, x->seconds, x->error, x->naive,
            x->naive_seconds, x->naive_error, x->naive_seconds / x->seconds,
            x->same, x->same_seconds / x->seconds);
    bench_row(out, x);
    return 1;
}

static void
put_point(fields_files *out, row *x, const char *name, double order,
          double speed)
{
    x->curve = name;
    x->order = order;
    x->speed = speed;
    fprintf(out->table, "%-6s %-8s %-6s %7.0f %10.5g\n", x->host, x->o->kernel,
            name, order, speed);
    bench_row(out, x);
}

/* The curve, where it has knots, and the model. */
static int
run_curves(const curve *c, row *x, fields_files *out)
{
    hesca_speed *model;
    int n;
    const hesca_knot *knot = hesca_speed_knots(c->speed, &n);
    for (int j = 0; j < n; ++j)
        put_point(out, x, "real", sqrt(knot[j].size), knot[j].speed);
    if (!build(c, 0, &model, NULL))
        return 0;
    knot = hesca_speed_knots(model, &n);
    for (int j = 0; j < n; ++j)
        put_point(out, x, "GBBP", knot[j].size, knot[j].speed);
    hesca_speed_free(model);
    return 1;
}

static void
describe(const model_options *o, const hesca_speed *speed, curve *c)
{
    int n;
    const hesca_knot *knot = hesca_speed_knots(speed, &n);
    *c = (curve){.speed = speed,
                 .flops = strcmp(o->kernel, "dpotrf") == 0   ? 1. / 3.
                          : strcmp(o->kernel, "dgetrf") == 0 ? 2. / 3.
                                                             : 2.,
                 .band = o->band,
                 .accuracy = o->accuracy,
                 .steps = o->steps,
                 .last = floor(sqrt(knot[n - 1].size))};
}

int
show_building(const model_options *o, fields_files *out)
{
    network net = {.p = 0};
    row x = {.o = o, .host = "", .curve = "", .seconds = 1};
    out->put = o->curves ? put_curves : put_costs;
    int ok = network_read(o->machine, o->kernel, &net);
    if (!o->curves)
        fprintf(out->table, "%-15s %6s %11s %7s %6s %11s %7s %8s %6s %8s\n",
                "", "GBBP", "s", "error", "naive", "s", "error", "times",
                "same", "times");
    for (int i = 0; ok && i < net.p; ++i) {
        curve c;
        x.host = net.machine.host[i].name;
        describe(o, net.speed[i], &c);
        ok = c.last > FIRST || cmdline_fail("%s: host %s: sizes end before %d",
                                            o->machine, x.host, FIRST);
        ok = ok &&
             (o->curves ? run_curves(&c, &x, out) : run_costs(&c, &x, out));
    }
    network_clear(&net);
    return ok;
}
