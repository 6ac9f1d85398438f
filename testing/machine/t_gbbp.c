/* SPDX-License-Identifier: BSD-3-Clause */
/* Building speed functions: the sizes measured on known shapes, how near the
 * models come and with how many points, against equal steps; what cannot be
 * measured, and what is refused. */
#include "testing/machine/shapes.h"
#include "testing/nomem.h"

/* ------------------------------------------------ known sizes */

static const double line_sizes[] = {100, 200, 3300, 1750, 4850};
static const double parabola_sizes[] = {100,  200,  3300, 1750, 975,
                                        2525, 4850, 4075, 5625};
static const double polyline_sizes[] = {100,  200,  300,  400,  3400, 1900,
                                        2650, 2275, 2087, 2462, 3025, 2837,
                                        2743, 2931, 4900, 4150, 5650};

/* Digits of errors, and of the time of 20 equal steps relative to ours, as an
 * independent program printed them. */
static const struct {
    int n;
    const double *size;
    double error, times;
} want[] = {{5, line_sizes, 0.000, 11.5},
            {9, parabola_sizes, 0.004, 7.2},
            {17, polyline_sizes, 0.031, 3.0}};
enum { WANTED = 3 };

static hesca_speed *
build(const shape *s, const hesca_build_options *o, hesca_build_report *r)
{
    hesca_speed *model = NULL;
    const int err = hesca_build_gbbp(o, shape_kernel, (void *)s, &model, r);
    CHECK(err == HESCA_SUCCESS, "%s: %s", s->name, hesca_error_text());
    return model;
}

static void
check_sizes(const char *what, const hesca_build_report *r, int n,
            const double *size)
{
    CHECK(r->npoints == n, "%s: %d points, not %d", what, r->npoints, n);
    for (int k = 0; k < n && k < r->npoints; ++k)
        CHECK(fabs(r->point[k].size - size[k]) < 0.5, "%s, %d: %g, not %g",
              what, k, r->point[k].size, size[k]);
}

static void
known(void)
{
    const hesca_build_options o = shape_options();
    for (int k = 0; k < WANTED; ++k) {
        const shape *s = &shapes[k];
        hesca_build_report r, even;
        hesca_speed *x = build(s, &o, &r), *y;
        check_sizes(s->name, &r, want[k].n, want[k].size);
        CHECK(r.is_complete && r.changed == 0, "%s: %d changed", s->name,
              r.changed);
        CHECK(fabs(shape_error(s, x) - want[k].error) < 1.5e-3, "%s: %g off",
              s->name, shape_error(s, x));
        CHECK(hesca_build_naive(20, &o, shape_kernel, (void *)s, &y, &even) ==
                  HESCA_SUCCESS,
              "%s", hesca_error_text());
        CHECK(fabs(even.total / r.total - want[k].times) < 0.06,
              "%s: %.3f times the time", s->name, even.total / r.total);
        /* What is estimated without measuring it: a model is least exact where
         * speed is almost 0, which takes longest. */
        CHECK(r.naive_seconds > 0.5 * even.total &&
                  r.naive_seconds < 1.5 * even.total,
              "%s: %g s estimated, %g s", s->name, r.naive_seconds,
              even.total);
        CHECK(!(hesca_speed_at(x, SHAPE_B) > 0) &&
                  fabs(hesca_speed_limit(x) - SHAPE_B) < 1e-9,
              "%s: limit %g", s->name, hesca_speed_limit(x));
        hesca_speed_free(x);
        hesca_speed_free(y);
        hesca_build_report_clear(&r);
        hesca_build_report_clear(&even);
    }
}

/* Points, and the bound that is kept for all shapes that building assumes. */
static double
build_all(const hesca_build_options *o, int points[SHAPES])
{
    double bound = 0;
    for (int k = 0; k < SHAPES; ++k) {
        hesca_build_report r;
        hesca_speed *x = build(&shapes[k], o, &r);
        points[k] = r.npoints;
        if (shapes[k].is_plain)
            bound = fmax(bound, shape_error(&shapes[k], x));
        hesca_speed_free(x);
        hesca_build_report_clear(&r);
    }
    return bound;
}

/* Equal steps have their number fixed before anything is known of the curve:
 * one number for all shapes that building assumes, at the bound that building
 * kept for all of them.  It takes three times as many points or more.  For one
 * shape that is known already equal steps can be as few: no steps are better
 * than equal ones where the curvature is constant. */
static void
a_third(void)
{
    for (int doubling = 0; doubling < 2; ++doubling) {
        hesca_build_options o = shape_options();
        int points[SHAPES], steps = 0;
        o.doubling = doubling;
        const double bound = build_all(&o, points);
        CHECK(bound < o.eps, "%g off", bound);
        for (int k = 0; k < SHAPES; ++k) {
            shape_steps s = {0};
            if (!shapes[k].is_plain)
                continue;
            CHECK(shape_count_steps(&shapes[k], bound, &s) == HESCA_SUCCESS,
                  "%s", hesca_error_text());
            CHECK(s.always > 0, "%s: %d steps are not enough", shapes[k].name,
                  SHAPE_MOST);
            steps = s.always > steps ? s.always : steps;
        }
        for (int k = 0; k < SHAPES; ++k)
            if (shapes[k].is_plain)
                CHECK(3 * points[k] <= steps, "%s: %d points, %d equal steps",
                      shapes[k].name, points[k], steps);
    }
}

/* ------------------------------------------------ random curves */

typedef struct {
    shape s;
    hesca_knot seen[400];
    int n;
    double wall;
} recorder;

static int
record(double size, hesca_knot *point, double *seconds, void *data)
{
    recorder *r = data;
    CHECK(size >= 1 && fabs(floor(size) - size) < 1e-9, "size %.10g", size);
    for (int k = 0; k < r->n; ++k)
        CHECK(fabs(r->seen[k].size - size) > 0.5, "%g again", size);
    if (size >= r->wall)
        return HESCA_BUILD_TOO_LARGE;
    const int got = shape_kernel(size, point, seconds, &r->s);
    if (got == HESCA_BUILD_MEASURED && r->n < 400)
        r->seen[r->n++] = *point;
    return got;
}

/* Whatever is measured the model is valid, has the points, and ends where it
 * must; and building ends. */
static void
at_random(void)
{
    for (int c = 0; c < check_cases(500); ++c) {
        recorder r = {.s = {.name = "random", .n = 6}, .wall = 1e9};
        hesca_build_options o = shape_options();
        hesca_build_report report;
        hesca_speed *x;
        double size = 100;
        for (int k = 0; k < 6; ++k) {
            const double speed = check_uniform(1, 1000) / 3.0;
            r.s.knot[k] = (hesca_knot){size, speed, speed, speed};
            size += check_uniform(1, 2000);
        }
        o.eps = check_uniform(1, 300) * 1e-3;
        o.minlen = check_uniform(1, 200);
        o.measure_end = check_uniform(0, 1);
        o.doubling = check_uniform(0, 1);
        o.confirm = check_uniform(0, 3);
        o.most = check_uniform(2, 200);
        if (check_uniform(0, 3) == 0)
            r.wall = check_uniform(101, 6400);
        CHECK(hesca_build_gbbp(&o, record, &r, &x, &report) == HESCA_SUCCESS,
              "%s", hesca_error_text());
        CHECK(report.npoints == r.n && report.npoints <= o.most, "%d points",
              report.npoints);
        CHECK(report.is_complete || report.npoints == o.most,
              "given up after %d", report.npoints);
        double before = 0;
        for (int k = 1; k < 64; ++k) {
            const double t = hesca_speed_time(x, 100.0 * k);
            CHECK(t > before || isinf(t), "%d: %g after %g", k, t, before);
            before = t;
        }
        for (int k = 0; k < r.n && report.changed == 0; ++k)
            CHECK(r.seen[k].size >= hesca_speed_limit(x) ||
                      fabs(hesca_speed_at(x, r.seen[k].size) -
                           r.seen[k].speed) < 1e-9 * r.seen[k].speed,
                  "at %g: %g", r.seen[k].size,
                  hesca_speed_at(x, r.seen[k].size));
        CHECK(o.measure_end ? hesca_speed_limit(x) >= SHAPE_B ||
                                  hesca_speed_limit(x) >= r.wall
                            : hesca_speed_limit(x) <= SHAPE_B,
              "limit %g", hesca_speed_limit(x));
        hesca_speed_free(x);
        hesca_build_report_clear(&report);
    }
}

/* ------------------------------------------------ options */

/* A speed that rises for long: doubling passes it quickly. */
static void
doubling(void)
{
    hesca_build_options o = shape_options();
    hesca_build_report slow, fast;
    const shape *s = &shapes[SHAPES - 1];
    hesca_speed *x = build(s, &o, &slow);
    o.doubling = 1;
    hesca_speed *y = build(s, &o, &fast);
    CHECK(2 * fast.npoints < slow.npoints && shape_error(s, y) < o.eps,
          "%d points, %d by doubling, %g off", slow.npoints, fast.npoints,
          shape_error(s, y));
    hesca_speed_free(x);
    hesca_speed_free(y);
    hesca_build_report_clear(&slow);
    hesca_build_report_clear(&fast);
}

/* Step and plateau pass one confirmation, not two. */
static void
confirming(void)
{
    hesca_build_options o = shape_options();
    hesca_build_report once, twice;
    const shape *s = &shapes[4];
    hesca_speed *x = build(s, &o, &once);
    o.confirm = 2;
    hesca_speed *y = build(s, &o, &twice);
    CHECK(shape_error(s, x) > 0.2 && 2 * shape_error(s, y) < shape_error(s, x),
          "%s: %g off with %d points, %g with %d", s->name, shape_error(s, x),
          once.npoints, shape_error(s, y), twice.npoints);
    hesca_speed_free(x);
    hesca_speed_free(y);
    hesca_build_report_clear(&once);
    hesca_build_report_clear(&twice);
}

/* Points and time run out; a flat curve needs hardly any. */
static void
bounds(void)
{
    static const shape flat = {
        "flat", {{100, 50, 50, 50}, {6400, 50, 50, 50}}, 2, NULL, 50, 1};
    hesca_build_options o = shape_options();
    hesca_build_report r;
    o.most = 4;
    hesca_speed *x = build(&shapes[2], &o, &r);
    CHECK(r.npoints == 4 && !r.is_complete, "%d points", r.npoints);
    hesca_speed_free(x);
    hesca_build_report_clear(&r);
    o.most = 0;
    o.seconds = 10;
    x = build(&shapes[2], &o, &r);
    CHECK(r.total >= 10 && !r.is_complete &&
              r.total - r.seconds[r.npoints - 1] < 10,
          "%g s", r.total);
    hesca_speed_free(x);
    hesca_build_report_clear(&r);
    o.seconds = 0;
    o.measure_end = 1;
    x = build(&flat, &o, &r);
    const double sizes[] = {100, 6400, 200, 3300};
    check_sizes("flat", &r, 4, sizes);
    CHECK(isinf(hesca_speed_limit(x)) && r.is_complete, "limit %g",
          hesca_speed_limit(x));
    hesca_speed_free(x);
    hesca_build_report_clear(&r);
}

static void
progress(int npoints, double seconds, double next, void *data)
{
    int *calls = data;
    CHECK(npoints == (*calls)++ && seconds >= 0 && next >= SHAPE_A,
          "%d points, %g s, %g", npoints, seconds, next);
}

static void
telling(void)
{
    hesca_build_options o = shape_options();
    hesca_build_report r;
    int calls = 0;
    o.progress = progress;
    o.progress_data = &calls;
    hesca_speed *x = build(&shapes[2], &o, &r);
    CHECK(calls == r.npoints, "%d calls", calls);
    double sum = 0;
    for (int k = 0; k < r.npoints; ++k)
        sum += r.seconds[k];
    CHECK(fabs(sum - r.total) < 1e-9 * sum, "%g s", sum);
    hesca_speed_free(x);
    hesca_build_report_clear(&r);
}

/* ------------------------------------------------ walls */

static void
walls(void)
{
    recorder r = {.s = shapes[0], .wall = 2000};
    hesca_build_options o = shape_options();
    hesca_speed *x;
    for (int end = 0; end < 2; ++end) {
        o.measure_end = end;
        r.n = 0;
        CHECK(hesca_build_gbbp(&o, record, &r, &x, NULL) == HESCA_SUCCESS,
              "%s", hesca_error_text());
        CHECK(hesca_speed_limit(x) >= 2000 && hesca_speed_limit(x) < 2150 &&
                  hesca_speed_at(x, 1900) > 0,
              "limit %g", hesca_speed_limit(x));
        hesca_speed_free(x);
        r.n = 0;
        CHECK(hesca_build_naive(64, &o, record, &r, &x, NULL) == HESCA_SUCCESS,
              "%s", hesca_error_text());
        CHECK(hesca_speed_limit(x) >= 2000 && hesca_speed_limit(x) <= 2100,
              "limit %g", hesca_speed_limit(x));
        hesca_speed_free(x);
    }
    r.wall = 50;
    r.n = 0;
    CHECK(hesca_build_gbbp(&o, record, &r, &x, NULL) == HESCA_ERR_ARG &&
              x == NULL && strstr(hesca_error_text(), "100") != NULL,
          "%s", hesca_error_text());
}

static void
even_steps(void)
{
    hesca_build_options o = shape_options();
    hesca_build_report r;
    hesca_speed *x;
    const double four[] = {100, 1675, 3250, 4825},
                 end[] = {100, 2200, 4300, 6400};
    recorder c = {.s = {.name = "flat",
                        .n = 2,
                        .knot = {{100, 5, 5, 5}, {6400, 5, 5, 5}}},
                  .wall = 1e9};
    CHECK(hesca_build_naive(4, &o, record, &c, &x, &r) == HESCA_SUCCESS, "%s",
          hesca_error_text());
    check_sizes("four", &r, 4, four);
    CHECK(r.is_complete && !(hesca_speed_at(x, SHAPE_B) > 0), "end");
    hesca_speed_free(x);
    hesca_build_report_clear(&r);
    o.measure_end = 1;
    c.n = 0;
    CHECK(hesca_build_naive(4, &o, record, &c, &x, &r) == HESCA_SUCCESS, "%s",
          hesca_error_text());
    check_sizes("four with the end", &r, 4, end);
    CHECK(hesca_speed_at(x, 9000) > 0, "no end");
    hesca_speed_free(x);
    hesca_build_report_clear(&r);
}

/* ------------------------------------------------ what is refused */

typedef struct {
    int after, code;
    hesca_knot point;
    double seconds;
} failure;

static int
failing(double size, hesca_knot *point, double *seconds, void *data)
{
    failure *f = data;
    *point = (hesca_knot){size, 1, 1, 1};
    *seconds = 1;
    if (f->after-- > 0)
        return HESCA_BUILD_MEASURED;
    *point = f->point;
    point->size = size;
    *seconds = f->seconds;
    return f->code;
}

static void
failures(void)
{
    const hesca_build_options o = shape_options();
    static const struct {
        failure f;
        int err;
    } all[] = {
        {{3, HESCA_ERR_MPI, {0, 1, 1, 1}, 1}, HESCA_ERR_MPI},
        {{0, HESCA_ERR_NOMEM, {0, 1, 1, 1}, 1}, HESCA_ERR_NOMEM},
        {{2, HESCA_BUILD_STOP, {0, 1, 1, 1}, 1}, HESCA_SUCCESS},
        {{0, HESCA_BUILD_STOP, {0, 1, 1, 1}, 1}, HESCA_ERR_ARG},
        {{1, HESCA_BUILD_MEASURED, {0, 0, 0, 0}, 1}, HESCA_ERR_ARG},
        {{1, HESCA_BUILD_MEASURED, {0, -1, -1, 1}, 1}, HESCA_ERR_ARG},
        {{1, HESCA_BUILD_MEASURED, {0, NAN, 1, 1}, 1}, HESCA_ERR_ARG},
        {{1, HESCA_BUILD_MEASURED, {0, 1, 2, 3}, 1}, HESCA_ERR_ARG},
        {{1, HESCA_BUILD_MEASURED, {0, 1, 1, INFINITY}, 1}, HESCA_ERR_ARG},
        {{1, HESCA_BUILD_MEASURED, {0, 1, 1, 1}, NAN}, HESCA_ERR_ARG},
        {{1, HESCA_BUILD_MEASURED, {0, 1, 1, 1}, -1}, HESCA_ERR_ARG},
        {{1, HESCA_BUILD_MEASURED, {0, 1, 1, 1}, INFINITY}, HESCA_ERR_ARG},
        {{1, HESCA_BUILD_TOO_LARGE, {0, 0, 0, 0}, 1}, HESCA_SUCCESS},
        {{1, HESCA_BUILD_TOO_LARGE, {0, 0, 0, 0}, NAN}, HESCA_ERR_ARG},
        {{1, HESCA_BUILD_TOO_LARGE, {0, 0, 0, 0}, -1}, HESCA_ERR_ARG},
        {{1, HESCA_BUILD_TOO_LARGE, {0, 0, 0, 0}, INFINITY}, HESCA_ERR_ARG}};
    for (size_t k = 0; k < sizeof all / sizeof *all; ++k)
        for (int even = 0; even < 2; ++even) {
            failure f = all[k].f;
            hesca_build_report r;
            hesca_speed *x = NULL;
            const int err = even
                                ? hesca_build_naive(9, &o, failing, &f, &x, &r)
                                : hesca_build_gbbp(&o, failing, &f, &x, &r);
            CHECK(err == all[k].err && (x == NULL) == (err < 0) &&
                      (err == HESCA_SUCCESS) == (r.npoints > 0),
                  "%zu: %d, %s", k, err, hesca_error_text());
            hesca_speed_free(x);
            hesca_build_report_clear(&r);
        }
}

static void
check_options(const hesca_build_options *o, const char *word)
{
    hesca_speed *x = (hesca_speed *)(void *)&x;
    hesca_build_report r;
    CHECK(hesca_build_gbbp(o, shape_kernel, (void *)&shapes[0], &x, &r) ==
                  HESCA_ERR_ARG &&
              x == NULL && r.npoints == 0 &&
              strstr(hesca_error_text(), word) != NULL,
          "%s: %s", word, hesca_error_text());
    CHECK(hesca_build_naive(5, o, shape_kernel, (void *)&shapes[0], &x, &r) ==
                  HESCA_ERR_ARG &&
              x == NULL,
          "%s: %s", word, hesca_error_text());
}

static void
refusing(void)
{
    static const double bad[] = {NAN, -1, INFINITY, -INFINITY};
    const hesca_build_options good = shape_options();
    hesca_speed *x;
    for (int k = 0; k < 4; ++k) {
        hesca_build_options o = good;
        o.a = bad[k];
        check_options(&o, "a ");
        o = good;
        o.b = bad[k];
        check_options(&o, k == 2 ? "b " : "a ");
        o = good;
        o.eps = bad[k];
        check_options(&o, "eps");
        if (k == 2)
            continue;
        o = good;
        o.minlen = bad[k];
        check_options(&o, "minlen");
        o = good;
        o.seconds = bad[k];
        check_options(&o, "seconds");
    }
    hesca_build_options o = good;
    o.a = 0;
    check_options(&o, "a ");
    o.a = 100.5;
    check_options(&o, "whole");
    o = good;
    o.b = 1e17;
    check_options(&o, "2^53");
    o = good;
    o.most = 1;
    check_options(&o, "most");
    o.most = HESCA_KNOTS_MAX;
    check_options(&o, "most");
    o = good;
    o.confirm = -1;
    check_options(&o, "confirm");
    check_options(NULL, "options");
    CHECK(hesca_build_gbbp(&good, NULL, NULL, &x, NULL) == HESCA_ERR_ARG,
          "no kernel");
    CHECK(hesca_build_gbbp(&good, shape_kernel, (void *)&shapes[0], NULL,
                           NULL) == HESCA_ERR_ARG &&
              strstr(hesca_error_text(), "argument 4, model") != NULL,
          "%s", hesca_error_text());
    CHECK(hesca_build_naive(5, &good, shape_kernel, (void *)&shapes[0], NULL,
                            NULL) == HESCA_ERR_ARG &&
              strstr(hesca_error_text(), "argument 5, model") != NULL,
          "%s", hesca_error_text());
    static const int steps[] = {0, -1, -2147483647 - 1, 6301, 100000};
    for (int k = 0; k < 5; ++k)
        CHECK(hesca_build_naive(steps[k], &good, shape_kernel,
                                (void *)&shapes[0], &x, NULL) == HESCA_ERR_ARG,
              "%d steps", steps[k]);
    o = good;
    o.measure_end = 1;
    CHECK(hesca_build_naive(1, &o, shape_kernel, (void *)&shapes[0], &x,
                            NULL) == HESCA_ERR_ARG,
          "one step with the end");
}

static int
try_building(void *naive)
{
    const hesca_build_options o = shape_options();
    hesca_build_report r;
    hesca_speed *x;
    const int err =
        naive != NULL
            ? hesca_build_naive(20, &o, shape_kernel, (void *)&shapes[0], &x,
                                &r)
            : hesca_build_gbbp(&o, shape_kernel, (void *)&shapes[0], &x, &r);
    CHECK((x == NULL) == (err < 0) && (r.npoints > 0) == (err >= 0),
          "a model without success");
    hesca_speed_free(x);
    hesca_build_report_clear(&r);
    return err;
}

static void
no_memory(void)
{
    int naive = 1;
    nomem_check("bisection", 8, try_building, NULL);
    nomem_check("equal steps", 8, try_building, &naive);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        UNIT(known),      UNIT(a_third),  UNIT(at_random), UNIT(doubling),
        UNIT(confirming), UNIT(bounds),   UNIT(telling),   UNIT(walls),
        UNIT(even_steps), UNIT(failures), UNIT(refusing),  UNIT(no_memory)};
    unit_begin("machine/t_gbbp", 20261129);
    return unit_end(cmocka_run_group_tests(tests, NULL, NULL));
}
