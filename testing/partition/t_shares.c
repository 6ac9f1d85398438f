/* SPDX-License-Identifier: BSD-3-Clause */
/* Shares of equal elements: the numbers of the thesis' algorithms, the optimum
 * of small cases, and all methods against each other. */
#include "testing/partition/sets.h"

static const hesca_shares_options by[] = {
    {.method = HESCA_SHARES_ROOT},
    {.method = HESCA_SHARES_BASIC},
    {.method = HESCA_SHARES_BASIC, .by_log = 1},
    {.method = HESCA_SHARES_MODIFIED},
    {.method = HESCA_SHARES_COMBINED},
    {.method = HESCA_SHARES_COMBINED, .by_log = 1, .rounds = 1},
    {.method = HESCA_SHARES_ROOT, .rounds = 1},
    {.method = HESCA_SHARES_MODIFIED, .rounds = 1},
    {.method = HESCA_SHARES_GREEDY},
};
enum { WAYS = sizeof by / sizeof *by, GREEDY = WAYS - 1 };

static hesca_shares *
make(const models *m, int64_t n, const hesca_shares_options *options)
{
    hesca_shares *s;
    CHECK(hesca_shares_create_by(m->p, m->speed, n, options, &s) ==
              HESCA_SUCCESS,
          "p=%d n=%lld: %s", m->p, (long long)n, hesca_error_text());
    return s;
}

static void
check_counts(const models *m, int64_t n, const int64_t *want)
{
    for (int k = 0; k < WAYS; ++k) {
        hesca_shares *s = make(m, n, &by[k]);
        for (int i = 0; i < m->p; ++i)
            CHECK(hesca_shares_count(s, i) == want[i],
                  "n=%lld, way %d: %lld for %d, not %lld", (long long)n, k,
                  (long long)hesca_shares_count(s, i), i, (long long)want[i]);
        hesca_shares_free(s);
    }
}

/* ----- three processors: one that pages early, a flat, a rising one -------
 */

static const double size[4] = {100, 400, 800, 1000};
static const double speed[3][4] = {
    {200, 200, 100, 50}, {100, 100, 100, 100}, {40, 60, 80, 80}};

static void
three(models *m, const double *limit)
{
    m->p = 0;
    for (int i = 0; i < 3; ++i)
        models_add(m, 4, size, speed[i], limit != NULL ? limit[i] : INFINITY);
}

static int64_t
steps(const models *m, int64_t n, int method)
{
    hesca_shares *s = make(m, n, &(hesca_shares_options){.method = method});
    const int64_t count = hesca_shares_steps(s);
    hesca_shares_free(s);
    return count;
}

static void
three_processors(void)
{
    static const struct {
        int64_t n, want[3];
        double time;
        int basic, modified;
    } row[] = {
        {300, {177, 88, 35}, 0.885, 8, 9},
        {1000, {537, 325, 138}, 3.25, 9, 10},
        {1500, {687, 535, 278}, 5.359897172237, 10, 9},
        {2000, {780, 745, 475}, 7.450980, 9, 9},
        {2400, {832, 906, 662}, 9.06, 9, 9},
        {3000, {894, 1170, 936}, 11.7, 10, 10},
    };
    models m;
    three(&m, NULL);
    for (size_t k = 0; k < sizeof row / sizeof *row; ++k) {
        check_counts(&m, row[k].n, row[k].want);
        hesca_shares *s = make(&m, row[k].n, NULL);
        CHECK(fabs(hesca_shares_time(s) - row[k].time) < 1e-6, "%.12g",
              hesca_shares_time(s));
        CHECK(hesca_shares_is_exact(s) && hesca_shares_rounds(s) == 1, "n=%d",
              (int)row[k].n);
        CHECK(steps(&m, row[k].n, HESCA_SHARES_BASIC) == row[k].basic,
              "n=%d: %d steps", (int)row[k].n,
              (int)steps(&m, row[k].n, HESCA_SHARES_BASIC));
        CHECK(steps(&m, row[k].n, HESCA_SHARES_MODIFIED) == row[k].modified,
              "n=%d: %d steps", (int)row[k].n,
              (int)steps(&m, row[k].n, HESCA_SHARES_MODIFIED));
        hesca_shares_free(s);
    }
    /* 300 / (c + 1/4) + 100 / c + (100 / 3) / (c - 1/15) = 1500 */
    hesca_shares *s = make(&m, 1500, NULL);
    CHECK(fabs(hesca_shares_ideal(s) - 5.354955939726) < 1e-12, "%.15g",
          hesca_shares_ideal(s));
    hesca_shares_free(s);
    models_clear(&m);
}

/* The lines that are tried, as a search on paper has them. */
typedef struct {
    int n;
    double slope[20], sum[20];
} lines_seen;

static void
see(void *state, double slope, double sum)
{
    lines_seen *seen = state;
    if (seen->n < 20) {
        seen->slope[seen->n] = slope;
        seen->sum[seen->n] = sum;
    }
    ++seen->n;
}

static void
slopes(void)
{
    static const double slope[10] = {
        0.24,      0.185,      0.2125,      0.19875,      0.191875,
        0.1884375, 0.18671875, 0.187578125, 0.1871484375, 0.18693359375};
    static const double sum[10] = {1221.2193, 1511.8859, 1347.8083, 1424.0343,
                                   1466.3206, 1488.6662, 1500.1631, 1494.3869,
                                   1497.2680, 1498.7138};
    static const double sizes[3] = {527.4725, 648.3516, 587.9121};
    lines_seen basic = {0}, modified = {0};
    models m;
    three(&m, NULL);
    hesca_shares_free(make(
        &m, 1500,
        &(hesca_shares_options){.method = 1, .line = see, .state = &basic}));
    CHECK(basic.n == 10, "%d steps", basic.n);
    for (int k = 0; k < 10; ++k)
        CHECK(fabs(basic.slope[k] - slope[k]) < 1e-12 &&
                  fabs(basic.sum[k] - sum[k]) < 5.1e-5,
              "%d: %.12g %.8g", k, basic.slope[k], basic.sum[k]);
    hesca_shares_free(
        make(&m, 1500,
             &(hesca_shares_options){.method = HESCA_SHARES_MODIFIED,
                                     .line = see,
                                     .state = &modified}));
    /* All on the flat processor, whose speed is 100. */
    for (int k = 0; k < 3; ++k)
        CHECK(fabs(100 / modified.slope[k] - sizes[k]) < 5.1e-5, "%d: %.12g",
              k, 100 / modified.slope[k]);
    models_clear(&m);
}

static void
limits(void)
{
    static const struct {
        double limit[3];
        int64_t want[3];
        double time;
        int rounds;
    } row[] = {
        {{600, 700, 1200}, {600, 583, 317}, 5.83, 2},
        {{300, 500, 1200}, {300, 500, 700}, 9.333333, 2},
        {{300, 450, 800}, {300, 450, 750}, 9.677419, 2},
        {{687, 535, 278}, {687, 535, 278}, 5.359897, 1},
    };
    models m;
    for (size_t k = 0; k < sizeof row / sizeof *row; ++k) {
        three(&m, row[k].limit);
        check_counts(&m, 1500, row[k].want);
        hesca_shares *s = make(&m, 1500, &(hesca_shares_options){.rounds = 1});
        CHECK(hesca_shares_rounds(s) == row[k].rounds, "%d rounds",
              hesca_shares_rounds(s));
        CHECK(fabs(hesca_shares_time(s) - row[k].time) < 1e-6, "%.12g",
              hesca_shares_time(s));
        hesca_shares_free(s);
        models_clear(&m);
    }
    hesca_shares *s = (hesca_shares *)&m;
    three(&m, (const double[]){300, 450, 700});
    CHECK(hesca_shares_create(3, m.speed, 1500, &s) == HESCA_ERR_ARG &&
              s == NULL && strstr(hesca_error_text(), "hold 1450 elements"),
          "%s", hesca_error_text());
    models_clear(&m);
}

/* A curve that falls exponentially and a speed near 0: where bisecting slopes
 * is slow. */
static void
stress(void)
{
    enum { N = 2000 };
    hesca_knot knot[N];
    hesca_speed *made[2];
    models m = {.p = 2};
    for (int j = 0; j < N; ++j) {
        const double x = 2 * j + 1, s = 1e6 * exp(-x / 50);
        knot[j] = (hesca_knot){x, s, s, s};
    }
    CHECK(hesca_speed_create(N, knot, INFINITY, &made[0]) == HESCA_SUCCESS &&
              hesca_speed_create_constant(1e-20, INFINITY, &made[1]) ==
                  HESCA_SUCCESS,
          "%s", hesca_error_text());
    for (int i = 0; i < 2; ++i)
        m.speed[i] = m.made[i] = made[i];
    check_counts(&m, 2000, (const int64_t[]){2000, 0});
    CHECK(steps(&m, 2000, HESCA_SHARES_BASIC) == 36, "%d steps",
          (int)steps(&m, 2000, HESCA_SHARES_BASIC));
    CHECK(steps(&m, 2000, HESCA_SHARES_MODIFIED) == 12, "%d steps",
          (int)steps(&m, 2000, HESCA_SHARES_MODIFIED));
    CHECK(steps(&m, 2000, HESCA_SHARES_ROOT) < 60, "%d steps",
          (int)steps(&m, 2000, HESCA_SHARES_ROOT));
    models_clear(&m);
}

static void
constants(void)
{
    static const struct {
        int p;
        int64_t n;
        double speed[3];
        int64_t want[3];
    } row[] = {
        {3, 10, {5, 3, 2}, {5, 3, 2}},
        {3, 7, {5, 3, 2}, {4, 2, 1}},
        {3, 100, {1, 1, 1}, {34, 33, 33}},
        {3, 6, {.33, .51, .16}, {2, 3, 1}},
        {3, 10, {4, 4, 1}, {5, 4, 1}},
        {3, 0, {4, 4, 1}, {0, 0, 0}},
        {3, 1, {1, 4, 4}, {0, 1, 0}},
        {1, 5, {.001}, {5}},
        /* 2^53 elements, ties by the thousand */
        {3,
         (int64_t)1 << 53,
         {2, 1, 1},
         {(int64_t)1 << 52, (int64_t)1 << 51, (int64_t)1 << 51}},
        {3,
         ((int64_t)1 << 53) - 1,
         {2, 1, 1},
         {(int64_t)1 << 52, (int64_t)1 << 51, ((int64_t)1 << 51) - 1}},
    };
    for (size_t k = 0; k < sizeof row / sizeof *row; ++k) {
        models m = {.p = 0};
        for (int i = 0; i < row[k].p; ++i)
            models_add_constant(&m, row[k].speed[i], INFINITY);
        if (row[k].n < 1000)
            check_counts(&m, row[k].n, row[k].want);
        hesca_shares *s = make(&m, row[k].n, NULL);
        for (int i = 0; i < row[k].p; ++i)
            CHECK(hesca_shares_count(s, i) == row[k].want[i], "row %d: %lld",
                  (int)k, (long long)hesca_shares_count(s, i));
        hesca_shares_free(s);
        models_clear(&m);
    }
}

/* ----- small cases -------------------------------------------------------
 */

/* The least largest time of processors i ... p - 1 with n elements. */
static double
optimum(const models *m, int i, int64_t n)
{
    double best = INFINITY;
    if (i == m->p - 1)
        return hesca_speed_time(m->speed[i], (double)n);
    for (int64_t x = 0; x <= n; ++x) {
        const double own = hesca_speed_time(m->speed[i], (double)x);
        if (own >= best || own == INFINITY)
            break;
        best = fmin(best, fmax(own, optimum(m, i + 1, n - x)));
    }
    return best;
}

static void
check_small(const models *m, int64_t n, int c)
{
    const double best = optimum(m, 0, n);
    hesca_shares *s, *greedy = NULL;
    for (int k = GREEDY; k >= 0; --k) {
        const int err = hesca_shares_create_by(m->p, m->speed, n, &by[k], &s);
        CHECK((err == HESCA_SUCCESS) == (best < INFINITY),
              "case %d, way %d: %d, optimum %g", c, k, err, best);
        if (s == NULL)
            continue;
        int64_t total = 0;
        for (int i = 0; i < m->p; ++i) {
            const int64_t x = hesca_shares_count(s, i);
            CHECK(greedy == NULL || hesca_shares_count(greedy, i) == x,
                  "case %d, way %d, processor %d: %lld, not %lld", c, k, i,
                  (long long)x, (long long)hesca_shares_count(greedy, i));
            total += x;
        }
        CHECK(total == n, "case %d: %lld of %lld", c, (long long)total,
              (long long)n);
        /* Not even a last bit apart: the same divisions. */
        CHECK(hesca_shares_time(s) == best,
              "case %d, way %d, p=%d n=%lld: %.17g, optimum %.17g", c, k, m->p,
              (long long)n, hesca_shares_time(s), best);
        CHECK(hesca_shares_ideal(s) <= best && hesca_shares_rounds(s) <= m->p,
              "case %d: ideal %.17g", c, hesca_shares_ideal(s));
        if (k == GREEDY)
            greedy = s;
        else
            hesca_shares_free(s);
    }
    hesca_shares_free(greedy);
}

static void
small(void)
{
    for (int c = 0; c < check_cases(4000); ++c) {
        const int p = check_uniform(1, 5);
        const int64_t n = check_uniform(0, p < 4 ? 40 : 14);
        models m;
        models_random(&m, p, (models_kind)(c % KINDS),
                      fmax(2, 1.2 * (double)n), c / KINDS % 2);
        check_small(&m, n, c);
        models_clear(&m);
    }
}

/* ----- large ones --------------------------------------------------------
 */

/* No processor could give its last element to another and end earlier. */
static void
check_optimal(const models *m, const hesca_shares *s)
{
    double next = INFINITY;
    for (int i = 0; i < m->p; ++i)
        next =
            fmin(next, hesca_speed_time(m->speed[i],
                                        (double)hesca_shares_count(s, i) + 1));
    CHECK(hesca_shares_time(s) <= next, "p=%d: %.17g, but %.17g is next", m->p,
          hesca_shares_time(s), next);
}

static void
large(void)
{
    for (int c = 0; c < check_cases(60); ++c) {
        const int p = c < 10 ? PROCS : check_uniform(2, 60);
        const int64_t n = (int64_t)pow(10, check_uniform(3, 12));
        models m;
        models_random(&m, p, (models_kind)(c % KINDS), 3 * (double)n / p,
                      c / KINDS % 2);
        models_add_constant(&m, 1, INFINITY); /* so that limits hold n */
        hesca_shares *first = make(&m, n, NULL);
        check_optimal(&m, first);
        for (int k = 1; k < (n <= 100000 ? WAYS : GREEDY); ++k) {
            hesca_shares *s = make(&m, n, &by[k]);
            for (int i = 0; i < m.p; ++i)
                CHECK(hesca_shares_count(s, i) == hesca_shares_count(first, i),
                      "case %d, way %d, p=%d n=%lld, processor %d: %lld, not "
                      "%lld",
                      c, k, m.p, (long long)n, i,
                      (long long)hesca_shares_count(s, i),
                      (long long)hesca_shares_count(first, i));
            CHECK(hesca_shares_ideal(s) == hesca_shares_ideal(first),
                  "case %d", c);
            hesca_shares_free(s);
        }
        CHECK(hesca_shares_steps(first) < 30, "case %d: %d steps", c,
              (int)hesca_shares_steps(first));
        hesca_shares_free(first);
        models_clear(&m);
        m.p = 0;
    }
}

/* Times that hardly grow: speeds that are all but proportional to size. */
static void
flat(void)
{
    for (int c = 0; c < check_cases(200); ++c) {
        const int p = check_uniform(1, 5);
        const int64_t n = (int64_t)(check_random() % 1000000000000);
        models m = {.p = 0};
        for (int i = 0; i < p; ++i) {
            const double x[2] = {1e3, 1e12},
                         s[2] = {1, 1e9 * (1 - 1e-15 * check_uniform(1, 9))};
            models_add(&m, 2, x, s, INFINITY);
        }
        for (int k = 0; k < GREEDY; ++k) {
            hesca_shares *r = make(&m, n, &by[k]);
            int64_t total = 0;
            for (int i = 0; i < p; ++i)
                total += hesca_shares_count(r, i);
            CHECK(total == n, "way %d: %lld of %lld", k, (long long)total,
                  (long long)n);
            CHECK(hesca_shares_time(r) <= 1000 * (1 + 1e-14), "way %d: %.17g",
                  k, hesca_shares_time(r));
            hesca_shares_free(r);
        }
        models_clear(&m);
    }
}

/* ----- what it says of itself, and what is wrong -------------------------
 */

static void
chunks(void)
{
    models m = {.p = 0};
    for (int i = 0; i < 4; ++i)
        models_add_constant(&m, (const double[]){3, 1e-9, 1, 2}[i], INFINITY);
    hesca_shares *s = make(&m, 12, NULL);
    CHECK(hesca_shares_parts(s) == 4 && hesca_shares_elements(s) == 12, "%d",
          hesca_shares_parts(s));
    for (int64_t e = 0; e < 12; ++e) {
        const int i = hesca_shares_owner(s, e);
        const int64_t first = hesca_shares_first(s, i);
        CHECK(i == (e < 6   ? 0
                    : e < 8 ? 2
                            : 3) &&
                  first <= e && e < first + hesca_shares_count(s, i),
              "%d has %d", i, (int)e);
        CHECK(hesca_shares_place(s, i) == i &&
                  hesca_shares_weight(s, i) == hesca_shares_count(s, i),
              "%d", i);
    }
    hesca_shares_free(s);
    models_clear(&m);
    CHECK(hesca_shares_create(3, NULL, 8, &s) == HESCA_SUCCESS &&
              hesca_shares_count(s, 0) == 3 && hesca_shares_count(s, 2) == 2 &&
              hesca_shares_time(s) == 3 && hesca_shares_ideal(s) == 8 / 3.,
          "%s", hesca_error_text());
    hesca_shares_free(s);
    CHECK(strcmp(hesca_shares_method_name(HESCA_SHARES_COMBINED),
                 "combined") == 0 &&
              hesca_shares_method_name(-1) == NULL &&
              hesca_shares_method_name(HESCA_SHARES_METHODS) == NULL,
          "names");
}

static void
bad_arguments(void)
{
    models m = {.p = 0};
    hesca_shares *s = NULL;
    models_add_constant(&m, 1, 5);
    sets_bad(hesca_shares_create(0, m.speed, 3, &s), "argument 1, p, is 0");
    sets_bad(hesca_shares_create(1, m.speed, -1, &s), "argument 3, n, is -1");
    sets_bad(hesca_shares_create(1, m.speed, ((int64_t)1 << 53) + 1, &s),
             "argument 3, n, is 9007199254740993");
    sets_bad(hesca_shares_create(1, m.speed, 6, &s), "less than n = 6");
    sets_bad(hesca_shares_create(1, m.speed, 3, NULL), "argument 4, shares");
    sets_bad(hesca_shares_create_by(1, m.speed, 3,
                                    &(hesca_shares_options){.method = 7}, &s),
             "method of options, is 7");
    const hesca_speed *const none[2] = {m.speed[0], NULL};
    sets_bad(hesca_shares_create(2, none, 3, &s),
             "argument 2, speed[1], is NULL");
    sets_bad(hesca_shares_create_weighted(2, none, 1, (int64_t[]){1}, &s),
             "argument 2, speed[1], is NULL");
    models_add_constant(&m, 1e-251, INFINITY);
    sets_bad(hesca_shares_create(2, m.speed, 3, &s),
             "argument 2, speed[1], has a speed that is not within");
    CHECK(s == NULL, "not cleared");
    models_clear(&m);
}

/* Speeds as far apart as may be: times of 10^-250 ... 10^266. */
static void
extreme(void)
{
    for (int c = 0; c < check_cases(500); ++c) {
        const int64_t n = (int64_t)pow(2, sets_number(0, 53));
        models m = {.p = 0};
        for (int i = check_uniform(0, 4); i >= 0; --i) {
            const double a = pow(10, sets_number(-248, 249));
            const double x[3] = {10, 1000, 1e10};
            const double s[3] = {a, a * sets_number(0.1, 2),
                                 a * sets_number(0.01, 0.09)};
            models_add(&m, check_uniform(0, 1) ? 3 : 1, x, s, INFINITY);
        }
        for (int k = 0; k < GREEDY; ++k) {
            hesca_shares *r = make(&m, n, &by[k]);
            int64_t total = 0;
            for (int i = 0; i < m.p; ++i)
                total += hesca_shares_count(r, i);
            CHECK(total == n && hesca_shares_time(r) < INFINITY &&
                      hesca_shares_ideal(r) <= hesca_shares_time(r),
                  "case %d, way %d: %lld of %lld", c, k, (long long)total,
                  (long long)n);
            hesca_shares_free(r);
        }
        models_clear(&m);
    }
}

int
main(void)
{
    const struct CMUnitTest tests[] = {UNIT(three_processors),
                                       UNIT(slopes),
                                       UNIT(limits),
                                       UNIT(stress),
                                       UNIT(constants),
                                       UNIT(small),
                                       UNIT(large),
                                       UNIT(flat),

                                       UNIT(chunks),
                                       UNIT(bad_arguments),
                                       UNIT(extreme)};
    unit_begin("partition/t_shares", 20261127);
    return unit_end(cmocka_run_group_tests(tests, NULL, NULL));
}
