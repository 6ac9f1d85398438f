/* SPDX-License-Identifier: BSD-3-Clause */
/* Processes per host: the numbers of the HMPI thesis, their bounds, given
 * totals against an exhaustive search; all of placement without memory. */
#include "hesca/experimental/place.h"
#include "testing/nomem.h"
#include <math.h>

enum { HOSTS = 6 };

static hesca_machine
hosts(int n, const double *speed)
{
    char text[HOSTS][16];
    const char *name[HOSTS];
    hesca_machine m = hesca_machine_default();
    for (int i = 0; i < n; ++i) {
        snprintf(text[i], sizeof text[i], "h%d", i);
        name[i] = text[i];
    }
    CHECK(hesca_machine_set_hosts(&m, n, name) == HESCA_SUCCESS, "%s",
          hesca_error_text());
    for (int i = 0; i < n; ++i)
        m.host[i].speed = speed[i];
    return m;
}

static void
expect(const hesca_machine *m, const hesca_job *job,
       const hesca_place_limits *l, const int *expected)
{
    int count[HOSTS];
    CHECK(hesca_place_counts(m, job, l, count) == HESCA_SUCCESS, "%s",
          hesca_error_text());
    for (int i = 0; i < m->nhosts; ++i)
        CHECK(count[i] == expected[i], "host %d: %d, not %d", i, count[i],
              expected[i]);
}

/* HMPI thesis Table 3.3: four computers of two processors, two of
 * one; 6, 2 and 1 processes on each processor, 51 in all, by the speeds of
 * dgemm as well as of dgesv. */
static void
thesis(void)
{
    static const double speed[2][HOSTS] = {{2429, 2429, 2429, 2429, 563, 412},
                                           {2139, 2139, 2139, 2139, 494, 392}};
    static const int expected[] = {12, 12, 12, 12, 2, 1};
    const hesca_place_limits l = hesca_place_limits_default();
    const hesca_job jobs[] = {{HESCA_ROUTINE_GEMM, 1000, 32},
                              {HESCA_ROUTINE_GESV, 2000, 32}};
    static const char *const kernel[] = {"dgemm", "dgetrf"};
    for (int k = 0; k < 2; ++k) {
        const double ones[HOSTS] = {1, 1, 1, 1, 1, 1};
        hesca_machine m = hosts(HOSTS, speed[k]);
        for (int i = 0; i < 4; ++i)
            m.host[i].cores = 2;
        expect(&m, NULL, &l, expected);
        expect(&m, &jobs[k], &l, expected);
        hesca_machine_clear(&m);

        m = hosts(HOSTS, ones); /* the same by models */
        for (int i = 0; i < HOSTS; ++i) {
            hesca_speed *model;
            m.host[i].cores = i < 4 ? 2 : 1;
            CHECK(hesca_speed_create_constant(1e6 * speed[k][i], INFINITY,
                                              &model) == HESCA_SUCCESS &&
                      hesca_machine_set_speed(&m, i, kernel[k], model) ==
                          HESCA_SUCCESS,
                  "%s", hesca_error_text());
            hesca_speed_free(model);
        }
        expect(&m, &jobs[k], &l, expected);
        hesca_machine_clear(&m);
    }
}

/* Measured speeds of shares .6 .6 .2 .2; parts of cores; caps. */
static void
bounds(void)
{
    const double speed[] = {0.6018, 0.5987, 0.1989, 0.2003};
    const hesca_job job = {HESCA_ROUTINE_GEMM, 1000, 50}; /* 24 MB */
    hesca_place_limits l = hesca_place_limits_default();
    hesca_machine m = hosts(4, speed);
    expect(&m, NULL, &l, (const int[]){3, 3, 1, 1});
    m.host[0].cores = 1.25;
    expect(&m, NULL, &l, (const int[]){4, 3, 1, 1});
    m.host[0].cores = 0.5;
    expect(&m, NULL, &l, (const int[]){2, 3, 1, 1});
    m.host[0].cores = 1;
    l.per_core = 2;
    expect(&m, NULL, &l, (const int[]){2, 2, 1, 1});
    l.per_core = 0.1;
    expect(&m, NULL, &l, (const int[]){1, 1, 1, 1});
    l.per_core = 8;
    l.most = 8;
    expect(&m, NULL, &l, (const int[]){3, 3, 1, 1});
    l.most = 7; /* 3 / .5987 is less than 1 / .1989 */
    expect(&m, NULL, &l, (const int[]){3, 3, 0, 1});
    l.most = 2;
    expect(&m, NULL, &l, (const int[]){1, 1, 0, 0});
    l.most = 0;
    /* Memory for two of 3 MB of matrices each and 1 MB besides. */
    l.bytes = 1e6;
    m.host[0].memory = 8.5e6;
    expect(&m, &job, &l, (const int[]){1, 3, 1, 1}); /* 7 of 3.43 MB: two do
                                                        not fit any more */
    m.host[1].memory = 100;
    expect(&m, &job, &l, (const int[]){0, 0, 1, 1});
    hesca_machine_clear(&m);
}

/* The least max count / (speed cores) of all counts with the sum n. */
static double
best_of_all(const hesca_machine *m, const int *most, int i, int left)
{
    double best = INFINITY;
    if (i == m->nhosts)
        return left == 0 ? 0 : INFINITY;
    for (int c = 0; c <= left && c <= most[i]; ++c)
        best = fmin(best, fmax(c / (m->host[i].speed * m->host[i].cores),
                               best_of_all(m, most, i + 1, left - c)));
    return best;
}

static void
given(void)
{
    for (int k = 0; k < check_cases(200); ++k) {
        const int nhosts = check_uniform(1, 4);
        double speed[HOSTS];
        int most[HOSTS], count[HOSTS], room = 0;
        hesca_place_limits l = hesca_place_limits_default();
        for (int i = 0; i < nhosts; ++i)
            speed[i] = check_uniform(1, 40) / 8.0;
        hesca_machine m = hosts(nhosts, speed);
        l.per_core = check_uniform(1, 3);
        for (int i = 0; i < nhosts; ++i) {
            m.host[i].cores = check_uniform(1, 3);
            most[i] = (int)(m.host[i].cores * l.per_core);
            room += most[i];
        }
        l.nprocs = check_uniform(1, room + 2);
        const int err = hesca_place_counts(&m, NULL, &l, count);
        if (l.nprocs > room) {
            char word[32];
            snprintf(word, sizeof word, "allow %d", room);
            CHECK(err == HESCA_ERR_ARG &&
                      strstr(hesca_error_text(), word) != NULL,
                  "%d of %d: %s", l.nprocs, room, hesca_error_text());
            hesca_machine_clear(&m);
            continue;
        }
        double longest = 0;
        int n = 0;
        CHECK(err == HESCA_SUCCESS, "%s", hesca_error_text());
        for (int i = 0; i < nhosts; ++i) {
            CHECK(count[i] >= 0 && count[i] <= most[i], "host %d: %d of %d", i,
                  count[i], most[i]);
            longest = fmax(longest, count[i] / (speed[i] * m.host[i].cores));
            n += count[i];
        }
        CHECK(n == l.nprocs, "%d, not %d", n, l.nprocs);
        CHECK(longest <= best_of_all(&m, most, 0, n) * (1 + 1e-12),
              "%g instead of %g", longest, best_of_all(&m, most, 0, n));
        hesca_machine_clear(&m);
    }
}

static void
refused(int err, const char *word)
{
    CHECK(err == HESCA_ERR_ARG && strstr(hesca_error_text(), word) != NULL,
          "%d, without '%s': %s", err, word, hesca_error_text());
}

static void
bad_limits(void)
{
    const double speed[] = {1, 2};
    const hesca_job job = {HESCA_ROUTINE_GEMM, 1000, 50};
    const hesca_place_limits good = hesca_place_limits_default();
    const hesca_machine none = hesca_machine_default();
    hesca_machine m = hosts(2, speed);
    hesca_place_limits l = good;
    int count[2] = {-7, -7};
    refused(hesca_place_counts(NULL, NULL, &l, count), "machine");
    refused(hesca_place_counts(&none, NULL, &l, count), "nhosts");
    refused(hesca_place_counts(&m, NULL, NULL, count), "limits");
    refused(hesca_place_counts(&m, NULL, &l, NULL), "count");
    l.nprocs = -1;
    refused(hesca_place_counts(&m, NULL, &l, count), "limits->nprocs, is -1");
    l.nprocs = 4;
    l.most = 3;
    refused(hesca_place_counts(&m, NULL, &l, count), "limits->most");
    l = good;
    l.most = -1;
    refused(hesca_place_counts(&m, NULL, &l, count), "limits->most, is -1");
    const double wrong[] = {0, -1, NAN, INFINITY};
    for (int k = 0; k < 4; ++k) {
        l = good;
        l.per_core = wrong[k];
        refused(hesca_place_counts(&m, NULL, &l, count), "per_core");
        l = good;
        l.bytes = wrong[k];
        if (k > 0)
            refused(hesca_place_counts(&m, NULL, &l, count), "bytes");
    }
    m.host[0].memory = m.host[1].memory = 1000;
    refused(hesca_place_counts(&m, &job, &good, count), "memory");
    CHECK(count[0] == -7 && count[1] == -7, "%d %d", count[0], count[1]);
    hesca_machine_clear(&m);
}

/* ------------------------------------------------ without memory */

static int
call_counts(void *m)
{
    hesca_place_limits l = hesca_place_limits_default();
    int count[HOSTS];
    l.nprocs = 5;
    return hesca_place_counts(m, NULL, &l, count);
}

static const hesca_job job = {HESCA_ROUTINE_GESV, 500, 50};
static const int host[] = {0, 0, 0, 1, 1, 2};

static int
call_forecast(void *m)
{
    hesca_forecast f;
    return hesca_forecast_make(m, &job, 2, 3, host, &f);
}

static int
call_grid(void *m)
{
    int process[6];
    return hesca_place_grid(m, &job, 6, host, 2, 2, process, NULL);
}

static int
call_by_speed(void *m)
{
    int process[6];
    return hesca_place_grid_by_speed(m, &job, 6, host, 2, 2, process, NULL);
}

static int
call_shape(void *m)
{
    int p, q;
    return hesca_place_shape(m, &job, 6, host, &p, &q, NULL, NULL);
}

static void
no_memory(void)
{
    const double speed[] = {3, 2, 1};
    hesca_machine m = hosts(3, speed);
    nomem_check("hesca_place_counts", 5, call_counts, &m);
    nomem_check("hesca_forecast_make", 12, call_forecast, &m);
    nomem_check("hesca_place_grid", 16, call_grid, &m);
    nomem_check("hesca_place_grid_by_speed", 14, call_by_speed, &m);
    nomem_check("hesca_place_shape", 100, call_shape, &m);
    hesca_machine_clear(&m);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {UNIT(thesis), UNIT(bounds), UNIT(given),
                                       UNIT(bad_limits), UNIT(no_memory)};
    unit_begin("place/t_counts", 20261122);
    return unit_end(cmocka_run_group_tests(tests, NULL, NULL));
}
