/* SPDX-License-Identifier: BSD-3-Clause */
/* No memory: whichever allocation fails, there is no tiling, nothing is
 * written and nothing left behind.  Leaks are found by the address sanitizer.
 */
#include "hdpi.h"
#include "hesca/experimental/groups.h"
#include "hesca/experimental/tiling.h"
#include "testing/nomem.h"
#include "testing/partition/sets.h"

enum { P = 6, M = 12, N = 15, WAYS = 17 };

static models curves, constants;

/* One way to make a tiling. */
static int
make(int way, hesca_tiling **t)
{
    const hesca_speed *const *s = way % 2 ? curves.speed : constants.speed;
    if (way < 8)
        return hesca_tiling_create_grid(2, 3, s, M, N,
                                        (hesca_tiling_kind)(way / 2),
                                        HESCA_TILING_PROPORTIONAL, t);
    if (way < 12)
        return hesca_tiling_create_strips(
            P, s, M, N, HESCA_TILING_ROWS,
            way < 10 ? HESCA_GOAL_SUM : HESCA_GOAL_MAX, t);
    if (way < 14)
        return hesca_tiling_create_recursive(P, s, M, N, t);
    if (way < 16)
        return hesca_tiling_create_free(2, s, M, N, HESCA_TILING_COLUMNS,
                                        HESCA_GOAL_TIME, t);
    return hesca_tiling_create_recursive(P, NULL, M, N, t);
}

static void
tilings(void)
{
    for (int way = 0; way < WAYS; ++way) {
        int err = HESCA_ERR_NOMEM;
        long n = 0;
        for (; err == HESCA_ERR_NOMEM && n < 10000; ++n) {
            hesca_tiling *t = (hesca_tiling *)&curves;
            nomem_left = n;
            err = make(way, &t);
            nomem_left = -1;
            CHECK(err == HESCA_SUCCESS || (err == HESCA_ERR_NOMEM && !t),
                  "way %d, allocation %ld: %d, %s", way, n, err,
                  hesca_error_text());
            if (err == HESCA_SUCCESS)
                hesca_tiling_free(t);
        }
        CHECK(err == HESCA_SUCCESS && n > 10, "way %d: %ld allocations", way,
              n - 1);
    }
}

static void
groups(void)
{
    int err = HESCA_ERR_NOMEM;
    long n = 0;
    for (; err == HESCA_ERR_NOMEM && n < 10000; ++n) {
        hesca_groups *g = (hesca_groups *)&curves;
        nomem_left = n;
        err = hesca_groups_create(P, curves.speed, 200, 1, &g);
        nomem_left = -1;
        CHECK(err == HESCA_SUCCESS || (err == HESCA_ERR_NOMEM && !g),
              "allocation %ld: %s", n, hesca_error_text());
        if (err == HESCA_SUCCESS)
            hesca_groups_free(g);
    }
    CHECK(err == HESCA_SUCCESS && n > 10, "%ld allocations", n - 1);
}

/* ------------------------------------------------ HDPI */

static double
values(int columns, int rectangles, int p, const double *speeds,
       const double **previous, int *before)
{
    (void)previous;
    *before = columns - 1;
    return speeds[p - 1] * columns + rectangles;
}

static double
better(int p, int pn, const double *speeds, const int *psizes,
       const int *mlimits, int m, int n, int *w, int *h, int *trow, int *tcol)
{
    (void)mlimits;
    return w[0] + h[0] + trow[0] + tcol[0] >= 0 && psizes[p * pn - 1] > 0 &&
                   speeds[0] > 0 && m > 0 && n > 0
               ? -1
               : 0;
}

static int
call(int which, const double *s, const int *x, int *w, int *h, int *trow,
     int *tcol)
{
    switch (which) {
    case 0:
        return Partition_matrix_2d(2, 3, 2, s, x, NULL, M, N, COLUMN_BASED, w,
                                   h, trow, tcol, NULL, NULL);
    case 1:
        return Partition_matrix_1d_dp(P, 2, s, x, NULL, M, N, NULL, NULL,
                                      ROW_BASED, w, h, trow, tcol, NULL);
    case 2:
        return Partition_matrix_1d_dp(P, 2, s, x, NULL, M, N, NULL, values,
                                      COLUMN_BASED, w, h, trow, tcol, NULL);
    case 3:
        return Partition_matrix_1d_iterative(P, 2, s, x, NULL, M, N, NULL,
                                             NULL, w, h, trow, tcol, NULL);
    case 4:
        return Partition_matrix_1d_refining(P, 2, s, x, NULL, M, N, NULL,
                                            better, w, h, trow, tcol, NULL);
    default:
        return Get_my_width(0, 0, 2, 3, s, CARTESIAN, M, N) < 0 ? -1 : 0;
    }
}

static void
published(void)
{
    double s[2 * P];
    int x[2 * P];
    for (int k = 0; k < 2 * P; ++k) {
        s[k] = k % 2 ? 8 : 9 + k;
        x[k] = k % 2 ? 90 : 30;
    }
    for (int which = 0; which < 6; ++which) {
        int err = -1;
        long n = 0;
        for (; err < 0 && n < 10000; ++n) {
            int w[P] = {-1}, h[P * P] = {-1}, trow[P] = {-1}, tcol[P] = {-1};
            nomem_left = n;
            err = call(which, s, x, w, h, trow, tcol);
            nomem_left = -1;
            CHECK(err >= 0 || w[0] + h[0] + trow[0] + tcol[0] == -4,
                  "call %d, allocation %ld: written", which, n);
            CHECK(err >= 0 || strlen(hesca_error_text()) > 0, "no text");
        }
        CHECK(err >= 0 && n > P, "call %d: %ld allocations", which, n - 1);
    }
}

int
main(void)
{
    const struct CMUnitTest tests[] = {UNIT(tilings), UNIT(groups),
                                       UNIT(published)};
    unit_begin("partition/t_tiling_nomem", 20261128);
    check_state = unit_seed;
    for (int i = 0; i < P; ++i) {
        const double size[] = {20, 60}, speed[] = {9. + i, 5};
        models_add(&curves, 2, size, speed, INFINITY);
        models_add_constant(&constants, 1 + i, i == 3 ? 25 : INFINITY);
    }
    const int failed = cmocka_run_group_tests(tests, NULL, NULL);
    models_clear(&curves);
    models_clear(&constants);
    return unit_end(failed);
}
