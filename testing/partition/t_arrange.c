/* SPDX-License-Identifier: BSD-3-Clause */
/* Processors arranged in a grid of any shape, against all arrangements. */
#include "testing/partition/tilings.h"

static void
exchange(int *x, int i, int k)
{
    const int t = x[i];
    x[i] = x[k];
    x[k] = t;
}

static int
next_permutation(int n, int *x)
{
    int i = n - 2, k = n - 1;
    while (i >= 0 && x[i] > x[i + 1])
        --i;
    if (i < 0)
        return 0;
    while (x[k] < x[i])
        --k;
    exchange(x, i, k);
    for (int a = i + 1, b = n - 1; a < b; ++a, --b)
        exchange(x, a, b);
    return 1;
}

/* The least time among all shapes and arrangements. */
static double
best_arrangement(int p, const models *s, int m, int n, hesca_tiling_kind kind)
{
    double best = INFINITY;
    for (int nprow = 1; nprow <= p; ++nprow) {
        int x[8];
        if (p % nprow != 0)
            continue;
        for (int i = 0; i < p; ++i)
            x[i] = i;
        do {
            models now = {.p = p};
            for (int i = 0; i < p; ++i)
                now.speed[i] = s->speed[x[i]];
            hesca_tiling *t = grid_of(nprow, p / nprow, now.speed, m, n, kind,
                                      HESCA_TILING_LEAST_TIME);
            best = fmin(best, hesca_tiling_time(t));
            hesca_tiling_free(t);
        } while (next_permutation(p, x));
    }
    return best;
}

static void
free_arrangement_is_good(void)
{
    double excess[3] = {0}, worst = 0;
    const int cases = check_cases(12);
    for (int k = 0; k < cases; ++k)
        for (int kind = 0; kind < 3; ++kind) {
            const int p = 2 * check_uniform(1, 3);
            const int m = check_uniform(5, 30), n = check_uniform(5, 30);
            models s;
            hesca_tiling *t;
            models_random(&s, p, REAL, 1, 0);
            const double best =
                best_arrangement(p, &s, m, n, (hesca_tiling_kind)kind);
            const int err = hesca_tiling_create_free(p, s.speed, m, n,
                                                     (hesca_tiling_kind)kind,
                                                     HESCA_GOAL_TIME, &t);
            CHECK(err == HESCA_SUCCESS, "%s", hesca_error_text());
            const double time = hesca_tiling_time(t);
            CHECK(time >= best * (1 - 1e-12), "%g below %g", time, best);
            excess[kind] += (time / best - 1) / cases;
            worst = fmax(worst, time / best - 1);
            hesca_tiling_free(t);
            models_clear(&s);
        }
    printf("# free grids, above the best: Cartesian %.2f %%, rows %.2f %%, "
           "columns %.2f %%; at worst %.2f %%\n",
           100 * excess[0], 100 * excess[1], 100 * excess[2], 100 * worst);
    CHECK(excess[0] < 0.05 && excess[1] < 0.05 && excess[2] < 0.05, "%g %g %g",
          excess[0], excess[1], excess[2]);
}

/* The shape that is returned: with equal processors, that of least sum. */
static void
shape_of_least_sum(void)
{
    hesca_tiling *t;
    int nprow, npcol;
    CHECK(hesca_tiling_create_free(12, NULL, 96, 24, HESCA_TILING_COLUMNS,
                                   HESCA_GOAL_SUM, &t) == HESCA_SUCCESS,
          "%s", hesca_error_text());
    hesca_tiling_grid(t, &nprow, &npcol);
    /* 24 nprow + 96 npcol: least for 6 x 2. */
    CHECK(nprow == 6 && npcol == 2 && hesca_tiling_sum(t) == 336,
          "%d x %d: %lld", nprow, npcol, (long long)hesca_tiling_sum(t));
    hesca_tiling_free(t);
}

/* Limits that no grid keeps, and some that one does. */
static void
limits(void)
{
    models s = {.p = 0};
    hesca_tiling *t;
    models_add_constant(&s, 1, 5);
    models_add_constant(&s, 1, 1);
    CHECK(hesca_tiling_create_free(2, s.speed, 2, 3, HESCA_TILING_COLUMNS,
                                   HESCA_GOAL_TIME,
                                   &t) == HESCA_ERR_UNSUPPORTED &&
              t == NULL && hesca_error_info() == 2 &&
              strstr(hesca_error_text(), "no grid was found") != NULL,
          "%s", hesca_error_text());
    CHECK(hesca_tiling_create_free(2, s.speed, 1, 6, HESCA_TILING_CARTESIAN,
                                   HESCA_GOAL_SUM, &t) == HESCA_SUCCESS,
          "%s", hesca_error_text());
    tiling_check(t, s.speed, "limits");
    hesca_tiling_free(t);
    models_clear(&s);
}

static void
bad_arguments(void)
{
    const hesca_tiling_kind kind = HESCA_TILING_COLUMNS;
    hesca_tiling *t;
    int err;
    err = hesca_tiling_create_free(0, NULL, 1, 1, kind, HESCA_GOAL_SUM, &t);
    tiling_expect(err, 1, "p, is 0", t);
    err = hesca_tiling_create_free(1, NULL, 1, 1, HESCA_TILING_RECURSIVE,
                                   HESCA_GOAL_SUM, &t);
    tiling_expect(err, 5, "kind, is 3", t);
    err = hesca_tiling_create_free(1, NULL, 1, 1, kind, (hesca_goal)4, &t);
    tiling_expect(err, 6, "goal, is 4", t);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        UNIT(free_arrangement_is_good),
        UNIT(shape_of_least_sum),
        UNIT(limits),
        UNIT(bad_arguments),
    };
    unit_begin("partition/t_arrange", 20261129);
    return unit_end(cmocka_run_group_tests(tests, NULL, NULL));
}
