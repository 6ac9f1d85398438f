/* SPDX-License-Identifier: BSD-3-Clause */
/* Strips of any number of rectangles, and recursive bisection, against the
 * best of all divisions. */
#include "testing/partition/tilings.h"

/* ------------------------------------------------ all divisions */

enum { MANY = 8 };

/* Areas of a unit square, and which strip each is in. */
typedef struct {
    int p;
    double area[MANY];
    int strip[MANY];
} division;

static double
sum_of(const division *d, int strips)
{
    double sum = strips;
    for (int k = 0; k < strips; ++k) {
        double width = 0;
        int n = 0;
        for (int i = 0; i < d->p; ++i)
            if (d->strip[i] == k) {
                width += d->area[i];
                ++n;
            }
        sum += n * width;
    }
    return sum;
}

static double
max_of(const division *d, int strips)
{
    double max = 0;
    for (int k = 0; k < strips; ++k) {
        double width = 0, largest = 0;
        for (int i = 0; i < d->p; ++i)
            if (d->strip[i] == k) {
                width += d->area[i];
                largest = fmax(largest, d->area[i]);
            }
        max = fmax(max, width + largest / width);
    }
    return max;
}

/* Every way to put the areas from i on into strips, new ones in turn. */
static void
best_of(division *d, int i, int strips, double *sum, double *max)
{
    if (i == d->p) {
        *sum = fmin(*sum, sum_of(d, strips));
        *max = fmin(*max, max_of(d, strips));
        return;
    }
    for (int k = 0; k <= strips; ++k) {
        d->strip[i] = k;
        best_of(d, i + 1, strips + (k == strips), sum, max);
    }
}

/* ------------------------------------------------ tests */

static hesca_tiling *
strips_of(const models *s, int64_t m, int64_t n, hesca_tiling_kind kind,
          hesca_goal goal)
{
    hesca_tiling *t;
    const int err =
        hesca_tiling_create_strips(s->p, s->speed, m, n, kind, goal, &t);
    CHECK(err == HESCA_SUCCESS, "%s", hesca_error_text());
    return t;
}

/* Areas 2, 3, 5, 6, 8 of 24: two columns, {2,3,5} and {6,8}, cost 53/12. */
static void
five_areas(void)
{
    static const double speed[] = {8, 3, 5, 6, 2};
    static const hesca_rect expected[] = {{10, 10, 14, 14},
                                          {5, 0, 7, 10},
                                          {12, 0, 12, 10},
                                          {0, 10, 10, 14},
                                          {0, 0, 5, 10}};
    models s = models_of(5, speed);
    hesca_tiling *t =
        strips_of(&s, 24, 24, HESCA_TILING_COLUMNS, HESCA_GOAL_SUM);
    for (int i = 0; i < 5; ++i) {
        const hesca_rect r = hesca_tiling_rect(t, i);
        CHECK(memcmp(&r, &expected[i], sizeof r) == 0,
              "%d: %lld %lld %lld %lld", i, (long long)r.row, (long long)r.col,
              (long long)r.height, (long long)r.width);
    }
    CHECK(hesca_tiling_sum(t) == 106 &&
              fabs(hesca_tiling_sum_bound(t) / 24 - 4.35203) < 5e-6,
          "%lld, %.6f", (long long)hesca_tiling_sum(t),
          hesca_tiling_sum_bound(t) / 24);
    hesca_tiling_free(t);
    /* Rows are columns turned. */
    t = strips_of(&s, 24, 24, HESCA_TILING_ROWS, HESCA_GOAL_SUM);
    for (int i = 0; i < 5; ++i) {
        const hesca_rect r = hesca_tiling_rect(t, i), x = expected[i];
        CHECK(r.row == x.col && r.col == x.row && r.height == x.width &&
                  r.width == x.height,
              "%d turned", i);
    }
    hesca_tiling_free(t);
    models_clear(&s);
}

/* Nine equal ones: three columns, as good as the bound; and areas 1 1 2 2 3 3
 * 4 8 of 24: {1,1,2} {2,3,3} {4,8}, cost 5.5. */
static void
other_areas(void)
{
    static const double eight[] = {1, 1, 2, 2, 3, 3, 4, 8};
    static const double nine[] = {1, 1, 1, 1, 1, 1, 1, 1, 1};
    models s = models_of(9, nine);
    hesca_tiling *t =
        strips_of(&s, 24, 24, HESCA_TILING_COLUMNS, HESCA_GOAL_SUM);
    CHECK(hesca_tiling_sum(t) == 6 * 24 &&
              fabs(hesca_tiling_sum_bound(t) - 6 * 24) < 1e-9,
          "%lld", (long long)hesca_tiling_sum(t));
    hesca_tiling_free(t);
    models_clear(&s);
    s = models_of(8, eight);
    t = strips_of(&s, 2400, 2400, HESCA_TILING_COLUMNS, HESCA_GOAL_SUM);
    CHECK(hesca_tiling_sum(t) == 11 * 1200, "%lld",
          (long long)hesca_tiling_sum(t));
    CHECK(hesca_tiling_rect(t, 2).width == 400 &&
              hesca_tiling_rect(t, 3).width == 800 &&
              hesca_tiling_rect(t, 7).width == 1200,
          "columns");
    hesca_tiling_free(t);
    models_clear(&s);
}

/* On a block so fine that whole lines do not matter: exactly the best sum of
 * half perimeters, and the largest one close to the best; bisection within the
 * factor that is known for it, 7/4 of the bound. */
static void
against_all_divisions(void)
{
    const int64_t n = 1 << 24;
    double worst = 1, bisected = 1;
    for (int k = 0; k < check_cases(150); ++k) {
        division d = {.p = check_uniform(1, 7)};
        double all = 0, sum = INFINITY, max = INFINITY;
        const int power = check_uniform(1, 4);
        for (int i = 0; i < d.p; ++i)
            all += d.area[i] = pow(sets_number(0.15, 1), power);
        models s = models_of(d.p, d.area);
        for (int i = 0; i < d.p; ++i)
            d.area[i] /= all;
        best_of(&d, 0, 0, &sum, &max);
        const hesca_tiling_kind kind = (hesca_tiling_kind)check_uniform(1, 2);
        hesca_tiling *t = strips_of(&s, n, n, kind, HESCA_GOAL_SUM);
        CHECK(fabs((double)hesca_tiling_sum(t) / (double)n / sum - 1) < 1e-5,
              "%d areas: %.8f, not %.8f", d.p,
              (double)hesca_tiling_sum(t) / (double)n, sum);
        hesca_tiling_free(t);
        t = strips_of(&s, n, n, kind, HESCA_GOAL_MAX);
        const double ratio = (double)hesca_tiling_max(t) / (double)n / max;
        CHECK(ratio > 1 - 1e-5, "%.8f of the best", ratio);
        worst = fmax(worst, ratio);
        hesca_tiling_free(t);
        CHECK(hesca_tiling_create_recursive(d.p, s.speed, n, n, &t) ==
                  HESCA_SUCCESS,
              "%s", hesca_error_text());
        bisected = fmax(bisected, (double)hesca_tiling_sum(t) /
                                      hesca_tiling_sum_bound(t));
        hesca_tiling_free(t);
        models_clear(&s);
    }
    printf("# largest half perimeter: at most %.2f %% above the best; "
           "bisection: sum at most %.3f of the bound\n",
           100 * (worst - 1), bisected);
    CHECK(worst < 1.05, "%g", worst);
    CHECK(bisected < 1.75, "%g", bisected);
}

/* A long matrix is cut across: columns of one, or of all. */
static void
long_matrices(void)
{
    static const double speed[] = {1, 1, 1, 1};
    models s = models_of(4, speed);
    for (int turn = 0; turn < 2; ++turn) {
        hesca_tiling *t = strips_of(&s, turn ? 8 : 800, turn ? 800 : 8,
                                    HESCA_TILING_COLUMNS, HESCA_GOAL_SUM);
        CHECK(hesca_tiling_sum(t) == 832 &&
                  fabs(hesca_tiling_sum_bound(t) - 832) < 1e-9,
              "%lld", (long long)hesca_tiling_sum(t));
        hesca_tiling_free(t);
    }
    models_clear(&s);
}

/* Speeds that fall: areas are those of the set, which take the same time. */
static void
speed_functions(void)
{
    for (int k = 0; k < check_cases(60); ++k) {
        const int p = check_uniform(1, 10);
        const int m = check_uniform(100, 300), n = check_uniform(100, 300);
        models s = {.p = 0};
        for (int i = 0; i < p; ++i) {
            const double size[] = {10, 1e4, 2e4}, fast = sets_number(20, 60);
            const double curve[] = {fast, fast, fast * sets_number(.2, .9)};
            models_add(&s, 3, size, curve, INFINITY);
        }
        hesca_tiling *t = strips_of(&s, m, n, HESCA_TILING_COLUMNS,
                                    (hesca_goal)check_uniform(1, 2));
        tiling_check(t, s.speed, "speed functions");
        CHECK(hesca_tiling_imbalance(t) < 1.2, "%d: %g", p,
              hesca_tiling_imbalance(t));
        hesca_tiling_free(t);
        models_clear(&s);
    }
}

/* Strips of least sum that limits forbid are replaced by others. */
static void
limits(void)
{
    models s = {.p = 0};
    hesca_tiling *t;
    for (int i = 0; i < 4; ++i)
        models_add_constant(&s, 1, i < 2 ? 9 : INFINITY);
    /* Two columns of 5 x 3 and 4 x 3 would be best. */
    t = strips_of(&s, 9, 5, HESCA_TILING_COLUMNS, HESCA_GOAL_SUM);
    tiling_check(t, s.speed, "limits");
    hesca_tiling_free(t);
    models_clear(&s);
    for (int i = 0; i < 3; ++i)
        models_add_constant(&s, 1, 3);
    CHECK(hesca_tiling_create_strips(3, s.speed, 2, 4, HESCA_TILING_COLUMNS,
                                     HESCA_GOAL_SUM, &t) == HESCA_SUCCESS,
          "%s", hesca_error_text());
    tiling_check(t, s.speed, "limits");
    hesca_tiling_free(t);
    CHECK(hesca_tiling_create_strips(3, s.speed, 4, 2, HESCA_TILING_ROWS,
                                     HESCA_GOAL_MAX, &t) == HESCA_SUCCESS,
          "%s", hesca_error_text());
    hesca_tiling_free(t);
    CHECK(hesca_tiling_create_strips(3, s.speed, 3, 3, HESCA_TILING_ROWS,
                                     HESCA_GOAL_MAX, &t) == HESCA_SUCCESS,
          "%s", hesca_error_text());
    hesca_tiling_free(t);
    models_clear(&s);
    /* 2 x 3 in five and one: none has strips of two and one. */
    models_add_constant(&s, 1, 5);
    models_add_constant(&s, 1, 1);
    CHECK(hesca_tiling_create_strips(2, s.speed, 2, 3, HESCA_TILING_ROWS,
                                     HESCA_GOAL_SUM,
                                     &t) == HESCA_ERR_UNSUPPORTED &&
              t == NULL && hesca_error_info() == 2,
          "%s", hesca_error_text());
    models_clear(&s);
}

static void
bad_arguments(void)
{
    hesca_tiling *t;
    const struct {
        int p, m, n, kind, goal, info;
    } bad[] = {{0, 1, 1, 2, 1, 1}, {1, -1, 1, 2, 1, 3}, {1, 1, -1, 2, 1, 4},
               {1, 1, 1, 0, 1, 5}, {1, 1, 1, 3, 1, 5},  {1, 1, 1, 2, 0, 6},
               {1, 1, 1, 2, 3, 6}};
    for (int k = 0; k < (int)(sizeof bad / sizeof *bad); ++k) {
        const int err = hesca_tiling_create_strips(
            bad[k].p, NULL, bad[k].m, bad[k].n, (hesca_tiling_kind)bad[k].kind,
            (hesca_goal)bad[k].goal, &t);
        CHECK(err == HESCA_ERR_ARG && hesca_error_info() == bad[k].info &&
                  t == NULL,
              "%d: %s", k, hesca_error_text());
    }
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        UNIT(five_areas),
        UNIT(other_areas),
        UNIT(against_all_divisions),
        UNIT(long_matrices),
        UNIT(speed_functions),
        UNIT(limits),
        UNIT(bad_arguments),
    };
    unit_begin("partition/t_columns", 20261123);
    return unit_end(cmocka_run_group_tests(tests, NULL, NULL));
}
