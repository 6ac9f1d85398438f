/* SPDX-License-Identifier: BSD-3-Clause */
/* Load functions: numbers of a small history, and against averages taken one
 * by one and roots found by bisection on random ones. */
#include "hesca/experimental/load.h"
#include "testing/nomem.h"
#include <math.h>

static hesca_load *
make(int history, int window, double period, int cores)
{
    hesca_load *x;
    CHECK(hesca_load_create(history, window, period, cores, &x) ==
              HESCA_SUCCESS,
          "%s", hesca_error_text());
    return x;
}

static void
known(void)
{
    static const double load[] = {0.1, 0.3, 0.2, 0.4, 0.0, 0.2};
    static const double most[] = {0.4, 0.3, 0.3}, least[] = {0, 0.1, 0.2};
    static const struct {
        double ideal, least, most;
    } want[] = {{0.5, 0, 0.4}, {1.5, 0.0594875, 0.3}, {10, 0.2, 0.3}};
    hesca_load *x = make(6, 3, 1, 1);
    double low, high;
    hesca_load_at(x, 1, &low, &high);
    CHECK(!(low > 0) && !(high > 0), "nothing was observed");
    for (int k = 0; k < 6; ++k)
        CHECK(hesca_load_add(x, load[k]) == HESCA_SUCCESS, "%s",
              hesca_error_text());
    for (int i = 0; i < 3; ++i) {
        hesca_load_at(x, i + 1, &low, &high);
        CHECK(fabs(low - least[i]) < 1e-15 && fabs(high - most[i]) < 1e-15,
              "%d: %g %g", i + 1, low, high);
    }
    for (int k = 0; k < 3; ++k) {
        hesca_load_predict(x, want[k].ideal, &low, &high);
        CHECK(fabs(low - want[k].least) < 1e-7 &&
                  fabs(high - want[k].most) < 1e-7,
              "%g s alone: %.9g %.9g", want[k].ideal, low, high);
        double slow, fast;
        hesca_load_band(x, 50, want[k].ideal, &slow, &fast);
        CHECK(fabs(slow - 50 * (1 - high)) < 1e-12 &&
                  fabs(fast - 50 * (1 - low)) < 1e-12,
              "band %g %g", slow, fast);
    }
    hesca_load_free(x);
}

/* ------------------------------------------------ by definition */

typedef struct {
    int h, w, cores, n;
    double period, load[400];
} history;

/* Extremes of all averages of i of the last h observations. */
static void
extremes(const history *s, int i, double *least, double *most)
{
    *least = INFINITY;
    *most = -INFINITY;
    for (int j = s->n > s->h ? s->n - s->h : 0; j + i <= s->n; ++j) {
        double sum = 0;
        for (int k = j; k < j + i; ++k)
            sum += fmin(s->load[k] / s->cores, HESCA_LOAD_MOST);
        *least = fmin(*least, sum / i);
        *most = fmax(*most, sum / i);
    }
}

/* The first time at which `ideal` seconds of work are done: small steps until
 * the sign changes, then bisection. */
static double
first_root(const hesca_load *x, const history *s, int which, double ideal)
{
    const double end = ideal / (1 - HESCA_LOAD_MOST) + s->period;
    const double far = s->period * (s->w + 1), step = s->period / 500;
    double t = 0, low = 0, high = end;
    for (; t < far; t += step) {
        double l[2];
        hesca_load_at(x, t, &l[0], &l[1]);
        if (t * (1 - l[which]) >= ideal) {
            high = t;
            break;
        }
        low = t;
    }
    for (int k = 0; k < 60; ++k) {
        double l[2];
        t = (low + high) / 2;
        hesca_load_at(x, t, &l[0], &l[1]);
        if (t * (1 - l[which]) >= ideal)
            high = t;
        else
            low = t;
    }
    return high;
}

static void
check_curves(const hesca_load *x, const history *s)
{
    const int n = s->n < s->w ? s->n : s->w;
    double low, high, least = 0, most = 0;
    for (int i = 1; i <= n; ++i) {
        extremes(s, i, &least, &most);
        hesca_load_at(x, i * s->period, &low, &high);
        CHECK(fabs(low - least) < 1e-9 && fabs(high - most) < 1e-9,
              "%d of %d, history %d: %g %g, not %g %g", i, s->n, s->h, low,
              high, least, most);
    }
    hesca_load_at(x, s->period * (n + 7), &low, &high);
    CHECK(fabs(low - least) < 1e-9 && fabs(high - most) < 1e-9, "beyond");
}

static void
check_roots(const hesca_load *x, const history *s)
{
    for (int k = 0; k < 4; ++k) {
        const double ideal = s->period * check_uniform(0, 1500 * s->w) / 1e3;
        double got[2];
        CHECK(hesca_load_predict(x, ideal, &got[0], &got[1]) == HESCA_SUCCESS,
              "%s", hesca_error_text());
        CHECK(got[0] >= 0 && got[0] <= got[1] && got[1] <= HESCA_LOAD_MOST,
              "%g %g", got[0], got[1]);
        for (int which = 0; which < 2; ++which) {
            const double t = ideal / (1 - got[which]);
            const double want = first_root(x, s, which, ideal);
            CHECK(fabs(t - want) <= 1e-6 * (want + s->period),
                  "%g s alone, curve %d: %.12g, not %.12g", ideal, which, t,
                  want);
        }
    }
}

static void
at_random(void)
{
    static history s;
    for (int c = 0; c < check_cases(60); ++c) {
        s.h = check_uniform(1, 40);
        s.w = check_uniform(1, s.h);
        s.cores = check_uniform(1, 3);
        s.period = check_uniform(1, 900);
        hesca_load *x = make(s.h, s.w, s.period, s.cores);
        const int total = check_uniform(1, 120);
        for (s.n = 0; s.n < total;) {
            s.load[s.n] = check_uniform(0, 1000) * 1e-3 *
                          (check_uniform(0, 9) == 0 ? 5 : 1);
            CHECK(hesca_load_add(x, s.load[s.n++]) == HESCA_SUCCESS, "%s",
                  hesca_error_text());
            check_curves(x, &s);
        }
        check_roots(x, &s);
        hesca_load_free(x);
    }
}

/* ------------------------------------------------ what is refused */

static void
refusing(void)
{
    hesca_load *x = make(4, 2, 60, 2), *y = x;
    double a, b;
    CHECK(hesca_load_create(0, 1, 1, 1, &y) == HESCA_ERR_ARG && y == NULL,
          "history 0");
    CHECK(hesca_load_create(1000001, 1, 1, 1, &y) == HESCA_ERR_ARG,
          "a long history");
    CHECK(hesca_load_create(4, 5, 1, 1, &y) == HESCA_ERR_ARG &&
              strstr(hesca_error_text(), "window") != NULL,
          "%s", hesca_error_text());
    CHECK(hesca_load_create(4, 0, 1, 1, &y) == HESCA_ERR_ARG, "window 0");
    CHECK(hesca_load_create(4, 2, 0, 1, &y) == HESCA_ERR_ARG &&
              hesca_load_create(4, 2, NAN, 1, &y) == HESCA_ERR_ARG &&
              hesca_load_create(4, 2, INFINITY, 1, &y) == HESCA_ERR_ARG,
          "period");
    CHECK(hesca_load_create(4, 2, 1, 0, &y) == HESCA_ERR_ARG, "no cores");
    CHECK(hesca_load_add(x, -0.1) == HESCA_ERR_ARG &&
              hesca_load_add(x, NAN) == HESCA_ERR_ARG,
          "observed");
    CHECK(hesca_load_add(x, INFINITY) == HESCA_SUCCESS, "full load");
    hesca_load_at(x, 5, &a, &b);
    CHECK(fabs(a - HESCA_LOAD_MOST) < 1e-15, "%g", a);
    CHECK(hesca_load_predict(x, -1, &a, &b) == HESCA_ERR_ARG &&
              hesca_load_predict(x, NAN, &a, &b) == HESCA_ERR_ARG &&
              hesca_load_predict(x, INFINITY, &a, &b) == HESCA_ERR_ARG,
          "ideal");
    CHECK(hesca_load_band(x, -1, 1, &a, &b) == HESCA_ERR_ARG &&
              hesca_load_band(x, NAN, 1, &a, &b) == HESCA_ERR_ARG &&
              hesca_load_band(x, 1, NAN, &a, &b) == HESCA_ERR_ARG,
          "speed");
    CHECK(hesca_load_create(4, 2, 1, 1, NULL) == HESCA_ERR_ARG &&
              hesca_load_add(NULL, 1) == HESCA_ERR_ARG,
          "no load");
    CHECK(hesca_load_predict(NULL, 1, &a, &b) == HESCA_ERR_ARG &&
              hesca_load_predict(x, 1, NULL, &b) == HESCA_ERR_ARG &&
              hesca_load_predict(x, 1, &a, NULL) == HESCA_ERR_ARG &&
              strstr(hesca_error_text(), "argument 4, most") != NULL,
          "%s", hesca_error_text());
    CHECK(hesca_load_band(NULL, 1, 1, &a, &b) == HESCA_ERR_ARG &&
              hesca_load_band(x, 1, 1, NULL, &b) == HESCA_ERR_ARG &&
              hesca_load_band(x, 1, 1, &a, NULL) == HESCA_ERR_ARG &&
              strstr(hesca_error_text(), "argument 5, high") != NULL,
          "%s", hesca_error_text());
    hesca_load_free(x);
    hesca_load_free(NULL);
}

static int
try_creating(void *unused)
{
    hesca_load *x;
    (void)unused;
    const int err = hesca_load_create(10, 5, 60, 4, &x);
    CHECK((x == NULL) == (err < 0), "loads without success");
    hesca_load_free(x);
    return err;
}

static void
no_memory(void)
{
    nomem_check("loads", 4, try_creating, NULL);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {UNIT(known), UNIT(at_random),
                                       UNIT(refusing), UNIT(no_memory)};
    unit_begin("machine/t_load", 20261128);
    return unit_end(cmocka_run_group_tests(tests, NULL, NULL));
}
