/* SPDX-License-Identifier: BSD-3-Clause */
/* Assignment: against all permutations for small matrices, and by prices that
 * prove the matching best for larger ones. */
#include "order/lap.h"
#include "testing/unit.h"
#include <hesca/status.h>
#include <math.h>

enum { MOST = 80 };

/* The least cost of matching rows i ... n - 1 with the columns that are not in
 * the set. */
static double
least(int n, const double *cost, int i, unsigned set)
{
    double best = i == n ? 0 : INFINITY;
    for (int j = 0; i < n && j < n; ++j)
        if (!(set >> j & 1))
            best = fmin(best, cost[i * n + j] +
                                  least(n, cost, i + 1, set | 1u << j));
    return best;
}

static double
cost_of(int n, const double *cost, const int *col)
{
    double sum = 0;
    unsigned char seen[MOST] = {0};
    for (int i = 0; i < n; ++i) {
        CHECK(0 <= col[i] && col[i] < n && !seen[col[i]], "n=%d row %d", n, i);
        seen[col[i]] = 1;
        sum += cost[i * n + col[i]];
    }
    return sum;
}

/* Any, small whole numbers with ties, negative, with forbidden pairs beside a
 * diagonal that is not. */
static void
fill(int n, double *cost)
{
    const int kind = check_uniform(0, 3);
    for (int k = 0; k < n * n; ++k) {
        const double any = (double)(check_random() >> 40);
        cost[k] = kind == 0   ? any
                  : kind == 1 ? check_uniform(0, 3)
                              : any - 8e6;
        if (kind == 3 && k % (n + 1) != 0 && check_uniform(0, 2) > 0)
            cost[k] = INFINITY;
    }
}

static void
small(void)
{
    double cost[49], v[7];
    int col[7];
    for (int c = 0; c < check_cases(700); ++c) {
        const int n = 1 + c % 7;
        fill(n, cost);
        memset(v, 0, sizeof v);
        CHECK(hesca_lap_solve(n, cost, v, col) == HESCA_SUCCESS, "%s",
              hesca_error_text());
        const double found = cost_of(n, cost, col);
        const double best = least(n, cost, 0, 0);
        CHECK(fabs(found - best) <= 1e-9 * (1 + fabs(best)),
              "n=%d: %.17g, best %.17g", n, found, best);
    }
}

/* No pair costs less than its row and column are worth. */
static void
check_prices(int n, const double *cost, const double *v, const int *col)
{
    for (int i = 0; i < n; ++i) {
        const double u = cost[i * n + col[i]] - v[col[i]];
        for (int j = 0; j < n; ++j)
            CHECK(cost[i * n + j] - u - v[j] >= -1e-3, "n=%d (%d,%d): %g", n,
                  i, j, cost[i * n + j] - u - v[j]);
    }
}

/* Matchings one after the other, each without the pairs of those before, with
 * the prices that the one before left. */
static void
series(void)
{
    static double cost[MOST * MOST];
    double v[MOST];
    int col[MOST];
    for (int c = 0; c < check_cases(20); ++c) {
        const int n = check_uniform(8, MOST);
        fill(n, cost);
        for (int k = 0; k < n * n; ++k)
            cost[k] = cost[k] < INFINITY ? cost[k] : 1e7;
        memset(v, 0, sizeof v);
        for (int k = 0; k < n; ++k) {
            CHECK(hesca_lap_solve(n, cost, v, col) == HESCA_SUCCESS, "%s",
                  hesca_error_text());
            const double sum = cost_of(n, cost, col);
            CHECK(isfinite(sum), "n=%d: matching %d", n, k);
            check_prices(n, cost, v, col);
            for (int i = 0; i < n; ++i)
                cost[i * n + col[i]] = INFINITY;
        }
        CHECK(hesca_lap_solve(n, cost, v, col) == HESCA_ERR_ARG, "n=%d", n);
    }
}

int
main(void)
{
    const struct CMUnitTest tests[] = {UNIT(small), UNIT(series)};
    unit_begin("order/t_lap", 20261122);
    return unit_end(cmocka_run_group_tests(tests, NULL, NULL));
}
