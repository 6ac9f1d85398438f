/* SPDX-License-Identifier: BSD-3-Clause */
/* Speed functions: size and time are inverse, time grows; noise and new
 * measurements leave models that are valid; what makes no sense is refused. */
#include "hesca/experimental/speed.h"
#include "testing/nomem.h"
#include <math.h>

/* Processor P0 and P2 of the worked example: pages early, rises. */
static const hesca_knot pages[] = {{100, 200, 180, 220},
                                   {400, 200, 190, 210},
                                   {800, 100, 90, 110},
                                   {1000, 50, 45, 50}};
static const hesca_knot rises[] = {{100, 40, 40, 40},
                                   {400, 60, 60, 60},
                                   {800, 80, 80, 80},
                                   {1000, 80, 80, 80}};

static hesca_speed *
make(int n, const hesca_knot *knot, double limit)
{
    hesca_speed *x;
    CHECK(hesca_speed_create(n, knot, limit, &x) == HESCA_SUCCESS, "%s",
          hesca_error_text());
    return x;
}

static int
is_near(double x, double y)
{
    return fabs(x - y) <= 1e-9 * fabs(y);
}

/* ------------------------------------------------ reading one */

static void
known(void)
{
    hesca_speed *p = make(4, pages, INFINITY), *r = make(4, rises, 950);
    double low, high;
    CHECK(is_near(hesca_speed_at(p, 500), 175) &&
              is_near(hesca_speed_at(r, 500), 65),
          "at 500: %g, %g", hesca_speed_at(p, 500), hesca_speed_at(r, 500));
    CHECK(is_near(hesca_speed_at(p, 1), 200) &&
              is_near(hesca_speed_at(p, 5000), 50),
          "outside the knots");
    /* The exact solution for 1500 elements. */
    CHECK(fabs(hesca_speed_size(p, 5.354955939726) - 686.90298) < 1e-5 &&
              fabs(hesca_speed_size(r, 5.354955939726) - 277.60142) < 1e-5,
          "%.8f, %.8f", hesca_speed_size(p, 5.354955939726),
          hesca_speed_size(r, 5.354955939726));
    hesca_speed_band(p, 600, &low, &high);
    CHECK(is_near(low, 140) && is_near(high, 160), "band %g %g", low, high);
    CHECK(isinf(hesca_speed_time(r, 951)) &&
              is_near(hesca_speed_time(r, 950), 950.0 / 80),
          "limit");
    hesca_speed_free(p);
    hesca_speed_free(r);
}

/* Knots at random, sizes ascending, in any order of their times. */
static int
draw(hesca_knot *knot, int most)
{
    const int n = check_uniform(1, most);
    double size = 0;
    for (int j = 0; j < n; ++j) {
        size += check_uniform(1, 1000) / 7.0;
        const double speed = check_uniform(1, 100000) / 13.0;
        knot[j] = (hesca_knot){size, speed, 0.9 * speed, 1.1 * speed};
    }
    if (n > 1 && check_uniform(0, 3) == 0)
        knot[n - 1].speed = knot[n - 1].low = knot[n - 1].high = 0;
    return n;
}

static void
check_inverse(const hesca_speed *x)
{
    int n;
    const hesca_knot *k = hesca_speed_knots(x, &n);
    const double end = fmin(hesca_speed_limit(x), 1.5 * k[n - 1].size);
    double before = 0;
    for (int i = 1; i <= 60; ++i) {
        const double size = end * (i - 0.5) / 60;
        const double time = hesca_speed_time(x, size);
        CHECK(time > before, "%.17g takes %.17g, less takes %.17g", size, time,
              before);
        before = time;
        CHECK(fabs(hesca_speed_size(x, time) - size) <= 1e-6 * end,
              "%.17g takes %.17g, in which %.17g are done", size, time,
              hesca_speed_size(x, time));
    }
}

/* ------------------------------------------------ noise */

/* The running maximum of the times, by its definition. */
static void
check_envelope(int n, const hesca_knot *point, const hesca_speed *x,
               int changed)
{
    double most = 0;
    int moved = 0, m;
    const hesca_knot *knot = hesca_speed_knots(x, &m);
    CHECK(m == n, "%d knots of %d", m, n);
    for (int j = 0; j < n; ++j) {
        const hesca_knot *k = &knot[j];
        most = fmax(most, point[j].size / point[j].speed);
        if (k->speed < point[j].speed)
            ++moved;
        CHECK(k->speed <= point[j].speed && k->low <= k->speed &&
                  k->high >= k->speed,
              "knot %d", j);
        CHECK(!(k->speed > 0) ||
                  fabs(k->size / k->speed - most) <= 1e-6 * most,
              "knot %d takes %.12g, not %.12g", j, k->size / k->speed, most);
    }
    CHECK(moved == changed, "%d changed, not %d", moved, changed);
}

static void
noise(void)
{
    int repaired = 0;
    for (int c = 0; c < check_cases(2000); ++c) {
        hesca_knot knot[30];
        hesca_speed *x;
        int changed = -1;
        const int n = draw(knot, 30);
        CHECK(hesca_speed_create_monotone(n, knot, INFINITY, &x, &changed) ==
                  HESCA_SUCCESS,
              "%s", hesca_error_text());
        check_envelope(n, knot, x, changed);
        check_inverse(x);
        repaired += changed > 0;
        hesca_speed_free(x);
    }
    CHECK(repaired > 0, "nothing was out of order");
    hesca_speed *same;
    int changed = -1;
    CHECK(hesca_speed_create_monotone(4, rises, 7, &same, &changed) ==
                  HESCA_SUCCESS &&
              changed == 0,
          "%d changed", changed);
    int n;
    CHECK(memcmp(hesca_speed_knots(same, &n), rises, sizeof rises) == 0,
          "what was in order has changed");
    hesca_speed_free(same);
}

/* ------------------------------------------------ merging */

static hesca_speed *
merge(const hesca_speed *x, double size, double speed, double weight,
      int *changed)
{
    const hesca_knot k = {size, speed, 0.9 * speed, 1.1 * speed};
    hesca_speed *y;
    CHECK(hesca_speed_merge(x, &k, weight, &y, changed) == HESCA_SUCCESS, "%s",
          hesca_error_text());
    return y;
}

static void
merging(void)
{
    hesca_speed *x = make(4, pages, INFINITY), *y;
    int n, changed;
    const hesca_knot *k;
    /* Near 400: a quarter of the way from 200 to 180, at the knot's size. */
    y = merge(x, 403, 180, 0.25, &changed);
    k = hesca_speed_knots(y, &n);
    CHECK(n == 4 && changed == 0 && is_near(k[1].size, 400) &&
              is_near(k[1].speed, 195) && is_near(k[1].low, 183) &&
              is_near(k[1].high, 207),
          "%g %g %g %g", k[1].size, k[1].speed, k[1].low, k[1].high);
    hesca_speed_free(y);
    /* Between knots it is accepted unchanged. */
    y = merge(x, 600, 120, 0.25, &changed);
    k = hesca_speed_knots(y, &n);
    CHECK(n == 5 && changed == 0 && is_near(k[2].speed, 120) &&
              is_near(hesca_speed_at(y, 600), 120),
          "%d knots", n);
    hesca_speed_free(y);
    /* So slow that what is larger must be slower, too: 600 take 12, 800 and
     * 1000 took 8 and 20. */
    y = merge(x, 600, 50, 1, &changed);
    k = hesca_speed_knots(y, &n);
    CHECK(n == 5 && changed == 1 && fabs(k[3].speed - 800.0 / 12) < 1e-5 &&
              k[3].low <= k[3].speed && is_near(k[4].speed, 50),
          "800: %g", k[3].speed);
    hesca_speed_free(y);
    /* So fast that what is smaller must be faster: 1 second. */
    y = merge(x, 600, 600, 1, &changed);
    k = hesca_speed_knots(y, &n);
    CHECK(n == 5 && changed == 1 && fabs(k[1].speed - 400) < 1e-4 &&
              is_near(k[0].speed, 200) && k[1].high >= k[1].speed,
          "400: %g", k[1].speed);
    hesca_speed_free(y);
    hesca_speed_free(x);
}

static void
limits(void)
{
    const hesca_knot ends[] = {{100, 9, 9, 9}, {500, 8, 8, 8}, {900, 0, 0, 0}};
    const hesca_knot wall = {450, 0, 0, 3}, none = {90, 0, 0, 0};
    hesca_speed *x = make(3, ends, INFINITY), *y;
    int n, changed;
    y = merge(x, 895, 7, 1, &changed);
    hesca_speed_knots(y, &n);
    CHECK(n == 3 && changed == 1 && is_near(hesca_speed_limit(y), 900) &&
              is_near(hesca_speed_at(y, 900), 7),
          "near the end: %d knots, limit %g", n, hesca_speed_limit(y));
    hesca_speed_free(y);
    y = merge(x, 2000, 7, 1, &changed);
    CHECK(is_near(hesca_speed_limit(y), 2000), "limit %g",
          hesca_speed_limit(y));
    hesca_speed_free(y);
    CHECK(hesca_speed_merge(x, &wall, 0.5, &y, &changed) == HESCA_SUCCESS,
          "%s", hesca_error_text());
    hesca_speed_knots(y, &n);
    CHECK(n == 2 && changed == 2 && is_near(hesca_speed_limit(y), 450) &&
              isinf(hesca_speed_time(y, 451)),
          "a wall: %d knots, limit %g", n, hesca_speed_limit(y));
    hesca_speed_free(y);
    CHECK(hesca_speed_merge(x, &none, 0.5, &y, NULL) == HESCA_ERR_ARG &&
              y == NULL,
          "no size can be solved");
    hesca_speed_free(x);
}

/* A size hardly beyond the first knot cannot be solved: the knots stay so far
 * apart that they differ in a machine file. */
static void
ending_near(void)
{
    static const double beyond[] = {1 + 1e-15, 1 + 1e-12, 1 + 1e-9, 1 + 1.9e-8,
                                    1 + 3e-8};
    hesca_speed *x = make(4, pages, INFINITY), *y;
    for (int c = 0; c < 5; ++c) {
        const hesca_knot wall = {.size = pages[0].size * beyond[c]};
        int n, changed;
        CHECK(hesca_speed_merge(x, &wall, 1, &y, &changed) == HESCA_SUCCESS,
              "%s", hesca_error_text());
        const hesca_knot *k = hesca_speed_knots(y, &n);
        CHECK(n == 2 && changed == 3 + (c < 4) &&
                  k[0].size * (1 + 1.9e-8) < k[1].size &&
                  k[0].size > pages[0].size * (1 - 3e-8) &&
                  is_near(hesca_speed_at(y, 50), pages[0].speed) &&
                  hesca_speed_limit(y) <= wall.size,
              "%d: %d knots, %d changed, %.12g", c, n, changed, k[0].size);
        hesca_speed_free(y);
    }
    hesca_speed_free(x);
}

static int
has_knot(const hesca_speed *x, double size, double speed)
{
    int n;
    const hesca_knot *k = hesca_speed_knots(x, &n);
    for (int j = 0; j < n; ++j)
        if (fabs(k[j].size - size) <= HESCA_SPEED_NEAR * k[j].size &&
            is_near(k[j].speed, speed))
            return 1;
    return 0;
}

/* Whatever is measured, the model stays valid and accepts it. */
static void
learning(void)
{
    for (int c = 0; c < check_cases(300); ++c) {
        hesca_knot knot[8];
        hesca_speed *x, *y;
        const int n = draw(knot, 8);
        CHECK(hesca_speed_create_monotone(n, knot, INFINITY, &x, NULL) ==
                  HESCA_SUCCESS,
              "%s", hesca_error_text());
        for (int k = 0; k < 12; ++k) {
            const double size = check_uniform(1, 20000) / 7.0;
            const double speed = check_uniform(1, 100000) / 13.0;
            y = merge(x, size, speed, 1, NULL);
            check_inverse(y);
            CHECK(has_knot(y, size, speed), "%g at %g is not believed", speed,
                  size);
            hesca_speed_free(x);
            x = y;
        }
        hesca_speed_free(x);
    }
}

/* ------------------------------------------------ what is refused */

static void
refusing(void)
{
    static const struct {
        int n;
        hesca_knot knot[3];
        const char *word;
    } bad[] = {{1, {{0, 1, 1, 1}}, "size must"},
               {1, {{NAN, 1, 1, 1}}, "size must"},
               {1, {{INFINITY, 1, 1, 1}}, "size must"},
               {1, {{1, 0, 0, 0}}, "speed must"},
               {1, {{1, -1, -1, 0}}, "speed must"},
               {1, {{1, NAN, 1, 1}}, "speed must"},
               {1, {{1, INFINITY, 1, INFINITY}}, "speed must"},
               {1, {{1, 1, 2, 2}}, "low <= speed"},
               {1, {{1, 1, NAN, 2}}, "low <= speed"},
               {1, {{1, 1, 1, NAN}}, "low <= speed"},
               {1, {{1, 1, 1, INFINITY}}, "low <= speed"},
               {2, {{1, 1, 1, 1}, {1, 0.5, 0, 1}}, "knot[1]"},
               {2, {{2, 1, 1, 1}, {1, 0.1, 0, 1}}, "sizes must ascend"},
               {3, {{1, 1, 1, 1}, {2, 0, 0, 0}, {3, 1, 1, 1}}, "knot[1]"}};
    hesca_speed *x = make(4, pages, 2000), *y = x;
    int changed = 77;
    for (size_t k = 0; k < sizeof bad / sizeof *bad; ++k)
        for (int monotone = 0; monotone < 2; ++monotone) {
            y = x;
            const int err =
                monotone ? hesca_speed_create_monotone(bad[k].n, bad[k].knot,
                                                       1, &y, &changed)
                         : hesca_speed_create(bad[k].n, bad[k].knot, 1, &y);
            CHECK(err == HESCA_ERR_ARG && y == NULL && changed == 77 &&
                      strstr(hesca_error_text(), bad[k].word) != NULL,
                  "%zu: %d, %s", k, err, hesca_error_text());
        }
    for (int n = -1; n < 1; ++n)
        CHECK(hesca_speed_create_monotone(n, pages, 1, &y, NULL) ==
                  HESCA_ERR_ARG,
              "%d knots", n);
    CHECK(hesca_speed_create_monotone(3, NULL, 1, &y, NULL) == HESCA_ERR_ARG,
          "no knots");
    CHECK(hesca_speed_create_monotone(4, pages, NAN, &y, NULL) ==
              HESCA_ERR_ARG,
          "limit NaN");
    hesca_speed_free(x);
}

static void
refusing_points(void)
{
    static const hesca_knot bad[] = {{0, 1, 1, 1},
                                     {-5, 1, 1, 1},
                                     {NAN, 1, 1, 1},
                                     {50, 1, 2, 2},
                                     {50, NAN, 1, 1},
                                     {50, 1, 1, INFINITY},
                                     {50, -1, 0, 0},
                                     {INFINITY, 0, 0, 0},
                                     {500, 0, 0, NAN},
                                     {500, 0, 1, 1},
                                     {500, INFINITY, 1, INFINITY}};
    static const double weights[] = {0, -1, 1.0001, NAN, INFINITY};
    hesca_speed *x = make(4, pages, 2000), *y = x;
    for (size_t k = 0; k < sizeof bad / sizeof *bad; ++k)
        CHECK(hesca_speed_merge(x, &bad[k], 1, &y, NULL) == HESCA_ERR_ARG &&
                  y == NULL && strstr(hesca_error_text(), "point") != NULL,
              "%zu: %s", k, hesca_error_text());
    for (size_t k = 0; k < sizeof weights / sizeof *weights; ++k)
        CHECK(hesca_speed_merge(x, &pages[1], weights[k], &y, NULL) ==
                      HESCA_ERR_ARG &&
                  strstr(hesca_error_text(), "weight") != NULL,
              "weight %g", weights[k]);
    CHECK(hesca_speed_merge(NULL, &pages[1], 1, &y, NULL) == HESCA_ERR_ARG &&
              hesca_speed_merge(x, NULL, 1, &y, NULL) == HESCA_ERR_ARG,
          "NULL");
    hesca_speed_free(x);
}

/* A pointer that is NULL is an argument like others. */
static void
refusing_null(void)
{
    hesca_speed *x = make(4, pages, 2000), *y = x;
    CHECK(hesca_speed_create_constant(1, 1, NULL) == HESCA_ERR_ARG &&
              strstr(hesca_error_text(), "constant: argument 3") != NULL,
          "%s", hesca_error_text());
    CHECK(hesca_speed_create(4, pages, 1, NULL) == HESCA_ERR_ARG &&
              strstr(hesca_error_text(), "argument 4, model") != NULL,
          "%s", hesca_error_text());
    CHECK(hesca_speed_create_monotone(4, pages, 1, NULL, NULL) ==
                  HESCA_ERR_ARG &&
              strstr(hesca_error_text(), "monotone: argument 4") != NULL,
          "%s", hesca_error_text());
    CHECK(hesca_speed_merge(x, &pages[1], 1, NULL, NULL) == HESCA_ERR_ARG &&
              strstr(hesca_error_text(), "argument 4, merged") != NULL,
          "%s", hesca_error_text());
    CHECK(hesca_speed_copy(x, 1, NULL) == HESCA_ERR_ARG &&
              strstr(hesca_error_text(), "argument 3, copy") != NULL,
          "%s", hesca_error_text());
    CHECK(hesca_speed_copy(NULL, 1, &y) == HESCA_ERR_ARG && y == NULL &&
              strstr(hesca_error_text(), "argument 1, model") != NULL,
          "%s", hesca_error_text());
    hesca_speed_free(x);
}

/* ------------------------------------------------ no memory */

static int
try_monotone(void *unused)
{
    hesca_speed *x;
    (void)unused;
    const int err = hesca_speed_create_monotone(4, rises, 9, &x, NULL);
    CHECK((x == NULL) == (err < 0), "a model without success");
    hesca_speed_free(x);
    return err;
}

static int
try_merge(void *model)
{
    hesca_speed *x;
    const int err = hesca_speed_merge(model, &pages[2], 0.5, &x, NULL);
    CHECK((x == NULL) == (err < 0), "a model without success");
    hesca_speed_free(x);
    return err;
}

static void
no_memory(void)
{
    hesca_speed *x = make(4, rises, INFINITY);
    nomem_check("monotone", 2, try_monotone, NULL);
    nomem_check("merge", 2, try_merge, x);
    hesca_speed_free(x);
}

/* A drop by a factor of 10^9: speeds at knots are those that were given, and
 * times ascend. */
static void
steep(void)
{
    static const hesca_knot knot[3] = {{5, 5e9, 5e9, 5e9},
                                       {6, 11.425415815773897, 11, 12},
                                       {13, 24.7, 24, 25}};
    hesca_speed *s;
    CHECK(hesca_speed_create(3, knot, INFINITY, &s) == HESCA_SUCCESS, "%s",
          hesca_error_text());
    for (int j = 0; j < 3; ++j)
        CHECK(hesca_speed_at(s, knot[j].size) == knot[j].speed,
              "knot %d: %.17g", j, hesca_speed_at(s, knot[j].size));
    for (int x = 1; x < 20; ++x)
        CHECK(hesca_speed_time(s, x) < hesca_speed_time(s, x + 1),
              "%d takes %.17g, one more %.17g", x, hesca_speed_time(s, x),
              hesca_speed_time(s, x + 1));
    hesca_speed_free(s);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        UNIT(known),         UNIT(noise),
        UNIT(merging),       UNIT(limits),
        UNIT(ending_near),   UNIT(learning),
        UNIT(refusing),      UNIT(refusing_points),
        UNIT(refusing_null), UNIT(no_memory),
        UNIT(steep)};
    unit_begin("machine/t_speed", 20261127);
    return unit_end(cmocka_run_group_tests(tests, NULL, NULL));
}
