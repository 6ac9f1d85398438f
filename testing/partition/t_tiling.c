/* SPDX-License-Identifier: BSD-3-Clause */
/* Tilings of grids and, as far as all have it in common, of any kind. */
#include "testing/partition/tilings.h"

static const double fig_5_5[] = {.11, .25, .05, .17, .09, .08, .05, .17, .03};
static const double fig_3_18[] = {.11, .17, .05, .17, .09, .08, .05, .25, .03};

static void
check_rects(const hesca_tiling *t, const int (*rect)[4], const char *what)
{
    for (int i = 0; i < hesca_tiling_parts(t); ++i) {
        const hesca_rect r = hesca_tiling_rect(t, i);
        CHECK(r.row == rect[i][0] && r.col == rect[i][1] &&
                  r.height == rect[i][2] && r.width == rect[i][3],
              "%s: %d has (%lld,%lld,%lld,%lld)", what, i, (long long)r.row,
              (long long)r.col, (long long)r.height, (long long)r.width);
    }
}

/* Figures 3.18 and 5.5 of the HMPI thesis: row, column, height, width. */
static void
printed_examples(void)
{
    static const int cartesian[9][4] = {
        {0, 0, 2, 2}, {0, 2, 2, 3}, {0, 5, 2, 1}, {2, 0, 2, 2}, {2, 2, 2, 3},
        {2, 5, 2, 1}, {4, 0, 2, 2}, {4, 2, 2, 3}, {4, 5, 2, 1}};
    static const int columns[9][4] = {
        {0, 0, 2, 2}, {0, 2, 3, 3}, {0, 5, 2, 1}, {2, 0, 3, 2}, {3, 2, 1, 3},
        {2, 5, 3, 1}, {5, 0, 1, 2}, {4, 2, 2, 3}, {5, 5, 1, 1}};
    static const int rows[9][4] = {{0, 0, 2, 2}, {0, 2, 2, 3}, {0, 5, 2, 1},
                                   {2, 0, 2, 3}, {2, 3, 2, 2}, {2, 5, 2, 1},
                                   {4, 0, 2, 1}, {4, 1, 2, 5}, {4, 6, 2, 0}};
    static const int common[][3] = {{1, 0, 2}, {1, 3, 1}, {3, 1, 1},
                                    {3, 4, 1}, {3, 7, 1}, {6, 7, 1},
                                    {0, 4, 0}, {5, 3, 3}};
    models a = models_of(9, fig_3_18), b = models_of(9, fig_5_5);
    hesca_tiling *t = grid_of(3, 3, a.speed, 6, 6, HESCA_TILING_CARTESIAN,
                              HESCA_TILING_PROPORTIONAL);
    check_rects(t, cartesian, "figure 3.18");
    CHECK(fabs(hesca_tiling_time(t) - 80) < 1e-9 &&
              fabs(hesca_tiling_ideal(t) - 36) < 1e-9,
          "%.17g of %.17g", hesca_tiling_time(t), hesca_tiling_ideal(t));
    hesca_tiling_free(t);
    t = grid_of(3, 3, a.speed, 6, 6, HESCA_TILING_ROWS,
                HESCA_TILING_PROPORTIONAL);
    check_rects(t, rows, "figure 3.18 by rows");
    hesca_tiling_free(t);
    t = grid_of(3, 3, b.speed, 6, 6, HESCA_TILING_COLUMNS,
                HESCA_TILING_PROPORTIONAL);
    check_rects(t, columns, "figure 5.5");
    CHECK(fabs(hesca_tiling_time(t) - 40) < 1e-9, "%.17g",
          hesca_tiling_time(t));
    for (int k = 0; k < (int)(sizeof common / sizeof *common); ++k)
        CHECK(hesca_tiling_common_rows(t, common[k][0], common[k][1]) ==
                  common[k][2],
              "rows of %d and %d", common[k][0], common[k][1]);
    hesca_tiling_free(t);
    models_clear(&a);
    models_clear(&b);
}

/* Column-based cuts become balanced as blocks grow, Cartesian ones do not;
 * cut in the least time neither becomes worse. */
static void
imbalance_of_larger_blocks(void)
{
    static const double expected[] = {1.111, 1.111, 1.042, 1.021, 1.009};
    models s = models_of(9, fig_5_5);
    for (int k = 0, l = 12; k < 5; ++k, l *= 2) {
        double value[2][2];
        for (int kind = 0; kind < 2; ++kind)
            for (int cut = 0; cut < 2; ++cut) {
                hesca_tiling *t = grid_of(3, 3, s.speed, l, l,
                                          kind ? HESCA_TILING_COLUMNS
                                               : HESCA_TILING_CARTESIAN,
                                          (hesca_tiling_cut)cut);
                tiling_check(t, s.speed, "larger blocks");
                value[kind][cut] = hesca_tiling_imbalance(t);
                hesca_tiling_free(t);
            }
        CHECK(fabs(value[1][0] - expected[k]) < 5e-4, "%d: %.4f", l,
              value[1][0]);
        CHECK(value[0][0] > 1.85 && value[0][0] < 2, "%d: %.4f", l,
              value[0][0]);
        CHECK(value[0][1] <= value[0][0] && value[1][1] <= value[1][0],
              "%d: %.4f, %.4f", l, value[0][1], value[1][1]);
    }
    models_clear(&s);
}

/* ------------------------------------------------ against all there are */

/* The least time of a column of p rectangles of a width. */
static double
best_column(int p, int q, int j, const models *s, int m, int width)
{
    int height[8];
    double best = INFINITY;
    first_extents(p, m, height);
    do {
        double t = 0;
        for (int i = 0; i < p; ++i)
            t = fmax(t,
                     hesca_speed_time(s->speed[i * q + j], height[i] * width));
        best = fmin(best, t);
    } while (next_extents(p, height));
    return best;
}

static double
best_columns(int p, int q, const models *s, int m, int n)
{
    int width[8];
    double best = INFINITY;
    first_extents(q, n, width);
    do {
        double t = 0;
        for (int j = 0; j < q && t < best; ++j)
            t = fmax(t, best_column(p, q, j, s, m, width[j]));
        best = fmin(best, t);
    } while (next_extents(q, width));
    return best;
}

static double
best_cartesian(int p, int q, const models *s, int m, int n)
{
    int width[8], height[8];
    double best = INFINITY;
    first_extents(q, n, width);
    do {
        first_extents(p, m, height);
        do {
            double t = 0;
            for (int k = 0; k < p * q; ++k)
                t = fmax(t, hesca_speed_time(s->speed[k],
                                             height[k / q] * width[k % q]));
            best = fmin(best, t);
        } while (next_extents(p, height));
    } while (next_extents(q, width));
    return best;
}

/* The processors of a q x p grid as those of its transpose. */
static models
transposed(const models *s, int p, int q)
{
    models t = {.p = s->p};
    for (int i = 0; i < p; ++i)
        for (int j = 0; j < q; ++j)
            t.speed[j * p + i] = s->speed[i * q + j];
    return t;
}

static void
check_least(hesca_tiling_kind kind, int p, int q, const models *s, int m,
            int n, double best, double *excess, int *missed)
{
    hesca_tiling *t;
    const int err = hesca_tiling_create_grid(p, q, s->speed, m, n, kind,
                                             HESCA_TILING_LEAST_TIME, &t);
    if (err < 0) {
        CHECK(t == NULL && (kind == HESCA_TILING_CARTESIAN || isinf(best)),
              "kind %d of %d x %d, %d x %d: %s", (int)kind, p, q, m, n,
              hesca_error_text());
        *missed += isfinite(best);
        return;
    }
    tiling_check(t, s->speed, "least time");
    const double time = hesca_tiling_time(t);
    if (kind != HESCA_TILING_CARTESIAN)
        CHECK(time <= best * (1 + 1e-13), "%.17g, not %.17g", time, best);
    CHECK(time >= best * (1 - 1e-13), "%.17g below %.17g", time, best);
    if (best > 0)
        *excess += time / best - 1;
    hesca_tiling_free(t);
}

static void
least_time_is_least(void)
{
    double excess = 0, none = 0;
    int missed = 0, wrong = 0;
    const int cases = check_cases(1500);
    for (int k = 0; k < cases; ++k) {
        const int p = check_uniform(1, 3), q = check_uniform(1, 3);
        const int m = check_uniform(0, 6), n = check_uniform(0, 6);
        models s;
        models_random(&s, p * q, (models_kind)check_uniform(0, KINDS - 1), 20,
                      check_uniform(0, 1));
        const models turned = transposed(&s, p, q);
        check_least(HESCA_TILING_COLUMNS, p, q, &s, m, n,
                    best_columns(p, q, &s, m, n), &none, &wrong);
        check_least(HESCA_TILING_ROWS, p, q, &s, m, n,
                    best_columns(q, p, &turned, n, m), &none, &wrong);
        check_least(HESCA_TILING_CARTESIAN, p, q, &s, m, n,
                    best_cartesian(p, q, &s, m, n), &excess, &missed);
        models_clear(&s);
    }
    CHECK(wrong == 0, "%d feasible cases were refused", wrong);
    printf("# Cartesian: %.2f %% above the best on average, %d of %d cases "
           "not found within limits\n",
           100 * excess / cases, missed, cases);
    CHECK(excess / cases < 0.02 && missed < cases / 50, "%g, %d",
          excess / cases, missed);
}

/* ------------------------------------------------ any shape, any models */

/* One of ten makers. */
static int
make_tiling(int p, const models *s, int m, int n, int which, hesca_tiling **t)
{
    if (which < 3)
        return hesca_tiling_create_free(p, s->speed, m, n,
                                        (hesca_tiling_kind)which,
                                        (hesca_goal)check_uniform(0, 3), t);
    if (which < 5)
        return hesca_tiling_create_strips(p, s->speed, m, n,
                                          (hesca_tiling_kind)(which - 2),
                                          (hesca_goal)check_uniform(1, 2), t);
    if (which == 5)
        return hesca_tiling_create_recursive(p, s->speed, m, n, t);
    return hesca_tiling_create_grid(1, p, s->speed, m, n,
                                    (hesca_tiling_kind)(which - 6),
                                    HESCA_TILING_PROPORTIONAL, t);
}

static void
every_element_has_one_owner(void)
{
    for (int k = 0; k < check_cases(400); ++k) {
        const int p = check_uniform(1, 12), which = check_uniform(0, 9);
        const int m = check_uniform(0, 40), n = check_uniform(0, 40);
        models s;
        models_random(&s, p, (models_kind)check_uniform(0, KINDS - 1), 1600,
                      0);
        /* A curve may end in speed 0, which is a limit. */
        int64_t room = 0;
        for (int i = 0; i < p; ++i)
            room += isfinite(hesca_speed_limit(s.speed[i])) ? 0 : 1;
        if (room == p) {
            hesca_tiling *t;
            const int err = make_tiling(p, &s, m, n, which, &t);
            CHECK(err == HESCA_SUCCESS, "maker %d of %d, %d x %d: %s", which,
                  p, m, n, hesca_error_text());
            if (t != NULL) {
                int nprow, npcol, seats = 0;
                hesca_tiling_grid(t, &nprow, &npcol);
                for (int i = 0; i < p; ++i)
                    seats += hesca_tiling_at(t, i / npcol, i % npcol);
                CHECK(nprow * npcol == p && seats == p * (p - 1) / 2,
                      "seats of %d", p);
                tiling_check(t, s.speed, "random");
            }
            hesca_tiling_free(t);
        }
        models_clear(&s);
    }
}

/* Without models all are equal. */
static void
alike_without_models(void)
{
    hesca_tiling *t = grid_of(3, 4, NULL, 6, 8, HESCA_TILING_CARTESIAN,
                              HESCA_TILING_PROPORTIONAL);
    tiling_check(t, NULL, "alike");
    CHECK(hesca_tiling_imbalance(t) == 1 && hesca_tiling_sum(t) == 48, "%g",
          hesca_tiling_imbalance(t));
    /* Squares are what the bound is of. */
    CHECK(fabs(hesca_tiling_sum_bound(t) - 48) < 1e-9 &&
              fabs(hesca_tiling_max_bound(t) - 4) < 1e-9,
          "%.17g", hesca_tiling_sum_bound(t));
    hesca_tiling_free(t);
    CHECK(hesca_tiling_create_recursive(8, NULL, 32, 64, &t) == HESCA_SUCCESS,
          "%s", hesca_error_text());
    tiling_check(t, NULL, "alike, recursive");
    CHECK(hesca_tiling_imbalance(t) == 1, "%g", hesca_tiling_imbalance(t));
    hesca_tiling_free(t);
}

/* ------------------------------------------------ limits */

/* Cut as if there were no limits wherever none binds. */
static void
limits_that_bind_not(void)
{
    models s = models_of(9, fig_5_5), limited = {.p = 0};
    hesca_tiling *a = grid_of(3, 3, s.speed, 24, 24, HESCA_TILING_COLUMNS,
                              HESCA_TILING_PROPORTIONAL);
    for (int i = 0; i < 9; ++i) {
        const hesca_rect r = hesca_tiling_rect(a, i);
        models_add_constant(&limited, fig_5_5[i],
                            (double)(r.height * r.width));
    }
    hesca_tiling *b = grid_of(3, 3, limited.speed, 24, 24,
                              HESCA_TILING_COLUMNS, HESCA_TILING_PROPORTIONAL);
    for (int i = 0; i < 9; ++i) {
        const hesca_rect x = hesca_tiling_rect(a, i);
        const hesca_rect y = hesca_tiling_rect(b, i);
        CHECK(memcmp(&x, &y, sizeof x) == 0, "%d", i);
    }
    hesca_tiling_free(a);
    hesca_tiling_free(b);
    models_clear(&s);
    models_clear(&limited);
}

static void
limits_that_bind(void)
{
    models s = {.p = 0};
    hesca_tiling *t;
    models_add_constant(&s, 10, 6);
    models_add_constant(&s, 1, INFINITY);
    t = grid_of(2, 1, s.speed, 4, 4, HESCA_TILING_COLUMNS,
                HESCA_TILING_PROPORTIONAL);
    /* Whole rows of four: one of them, since two are eight. */
    CHECK(t != NULL && hesca_tiling_rect(t, 0).height == 1, "%s",
          hesca_error_text());
    hesca_tiling_free(t);
    CHECK(hesca_tiling_create_recursive(2, s.speed, 4, 4, &t) == HESCA_SUCCESS,
          "%s", hesca_error_text());
    CHECK(hesca_tiling_rect(t, 0).height * hesca_tiling_rect(t, 0).width == 4,
          "recursive");
    hesca_tiling_free(t);
    models_clear(&s);
    /* Thirteen and three elements are no whole lines of four. */
    models_add_constant(&s, 1, 13);
    models_add_constant(&s, 1, 3);
    CHECK(hesca_tiling_create_recursive(2, s.speed, 4, 4, &t) ==
                  HESCA_ERR_UNSUPPORTED &&
              t == NULL && strstr(hesca_error_text(), "speed[") != NULL,
          "%s", hesca_error_text());
    models_clear(&s);
    for (int i = 0; i < 4; ++i)
        models_add_constant(&s, 1, 4 + i);
    CHECK(hesca_tiling_create_grid(2, 2, s.speed, 5, 5, HESCA_TILING_COLUMNS,
                                   HESCA_TILING_PROPORTIONAL,
                                   &t) == HESCA_ERR_ARG &&
              t == NULL && hesca_error_info() == 3 &&
              strstr(hesca_error_text(), "limit") != NULL,
          "%s", hesca_error_text());
    models_clear(&s);
}

/* Every result within limits keeps them; an error is returned otherwise, and
 * only where limits are tight. */
static void
limits_are_kept(void)
{
    int made = 0, refused = 0;
    for (int k = 0; k < check_cases(300); ++k) {
        const int p = check_uniform(1, 9), m = check_uniform(1, 30);
        const int n = check_uniform(1, 30), which = check_uniform(0, 9);
        models s;
        hesca_tiling *t;
        models_random(&s, p, (models_kind)check_uniform(0, KINDS - 1),
                      3. * m * n / p, 1);
        const int err = make_tiling(p, &s, m, n, which, &t);
        CHECK(err == HESCA_SUCCESS || err == HESCA_ERR_ARG ||
                  err == HESCA_ERR_UNSUPPORTED,
              "%s", hesca_error_text());
        CHECK((err < 0) == (t == NULL), "maker %d", which);
        if (t != NULL) {
            tiling_check(t, s.speed, "within limits");
            CHECK(isfinite(hesca_tiling_time(t)), "maker %d of %d", which, p);
        }
        made += err == HESCA_SUCCESS;
        refused += err == HESCA_ERR_UNSUPPORTED;
        hesca_tiling_free(t);
        models_clear(&s);
    }
    printf("# within limits: %d made, %d not found\n", made, refused);
    CHECK(made > 50 && refused < made / 4, "%d made, %d not found", made,
          refused);
}

/* ------------------------------------------------ bad input */

static void
bad_arguments(void)
{
    const hesca_speed *hole[2] = {NULL, NULL};
    const hesca_tiling_kind kind = HESCA_TILING_COLUMNS;
    const hesca_tiling_cut cut = HESCA_TILING_PROPORTIONAL;
    const int64_t big = (int64_t)1 << 53;
    hesca_tiling *t;
    int err;
#define GRID(...) err = hesca_tiling_create_grid(__VA_ARGS__, &t)
    GRID(0, 1, NULL, 1, 1, kind, cut);
    tiling_expect(err, 1, "p, is 0", t);
    GRID(1 << 20, 1 << 20, NULL, 1, 1, kind, cut);
    tiling_expect(err, 2, "q, is 1048576", t);
    GRID(1, -3, NULL, 1, 1, kind, cut);
    tiling_expect(err, 2, "q, is -3", t);
    GRID(1, 2, hole, 1, 1, kind, cut);
    tiling_expect(err, 3, "speed[0], is NULL", t);
    GRID(1, 1, NULL, -1, 1, kind, cut);
    tiling_expect(err, 4, "m, is -1", t);
    GRID(1, 1, NULL, big, 2, kind, cut);
    tiling_expect(err, 5, "n, is 2", t);
    GRID(1, 1, NULL, 1, big + 1, kind, cut);
    tiling_expect(err, 5, "n, is", t);
    GRID(1, 1, NULL, 1, 1, (hesca_tiling_kind)4, cut);
    tiling_expect(err, 6, "kind, is 4", t);
    GRID(1, 1, NULL, 1, 1, kind, (hesca_tiling_cut)-1);
    tiling_expect(err, 7, "cut, is -1", t);
    CHECK(hesca_tiling_create_grid(1, 1, NULL, 1, 1, kind, cut, NULL) ==
              HESCA_ERR_ARG,
          "no tiling");
    err = hesca_tiling_create_recursive(-1, NULL, 1, 1, &t);
    tiling_expect(err, 1, "p, is -1", t);
    err = hesca_tiling_create_recursive(2, NULL, 1, -1, &t);
    tiling_expect(err, 4, "n, is -1", t);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        UNIT(printed_examples),     UNIT(imbalance_of_larger_blocks),
        UNIT(least_time_is_least),  UNIT(every_element_has_one_owner),
        UNIT(alike_without_models), UNIT(limits_that_bind_not),
        UNIT(limits_that_bind),     UNIT(limits_are_kept),

        UNIT(bad_arguments),
    };
    unit_begin("partition/t_tiling", 20261121);
    return unit_end(cmocka_run_group_tests(tests, NULL, NULL));
}
