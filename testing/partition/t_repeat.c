/* SPDX-License-Identifier: BSD-3-Clause */
/* What a processor has of a matrix that repeats a block, by counting. */
#include "testing/partition/tilings.h"

/* Elements of the matrix, one by one. */
typedef struct {
    int64_t all, diagonal, lower, upper;
} counts;

static counts
count(const hesca_tiling *t, int i, int rows, int cols, int k)
{
    const int64_t m = hesca_tiling_rows(t), n = hesca_tiling_cols(t);
    counts x = {0, 0, 0, 0};
    for (int r = 0; r < rows; ++r)
        for (int c = 0; c < cols; ++c) {
            if (m * n == 0 || hesca_tiling_owner(t, r % m, c % n) != i)
                continue;
            ++x.all;
            x.diagonal += r == c && r >= k;
            x.lower += r >= c && c >= k;
            x.upper += r <= c && r >= k;
        }
    return x;
}

static void
by_counting(void)
{
    for (int l = 0; l < check_cases(150); ++l) {
        const int p = check_uniform(1, 7);
        const int m = check_uniform(0, 12), n = check_uniform(0, 12);
        const int rows = check_uniform(0, 40), cols = check_uniform(0, 40);
        const int k = check_uniform(0, rows);
        models s;
        hesca_tiling *t;
        models_random(&s, p, REAL, 1, 0);
        int err = check_uniform(0, 1)
                      ? hesca_tiling_create_recursive(p, s.speed, m, n, &t)
                      : hesca_tiling_create_strips(p, s.speed, m, n,
                                                   HESCA_TILING_COLUMNS,
                                                   HESCA_GOAL_SUM, &t);
        CHECK(err == HESCA_SUCCESS, "%s", hesca_error_text());
        for (int i = 0; i < p; ++i) {
            const counts x = count(t, i, rows, rows, k);
            CHECK(hesca_tiling_count(t, i, rows, rows) == x.all &&
                      hesca_tiling_diagonal(t, i, rows, k) == x.diagonal &&
                      hesca_tiling_triangle(t, i, rows, k, 'L') == x.lower &&
                      hesca_tiling_triangle(t, i, rows, k, 'U') == x.upper,
                  "%d of %d, %d x %d blocks, order %d from %d: %lld %lld "
                  "%lld %lld",
                  i, p, m, n, rows, k, (long long)x.all, (long long)x.diagonal,
                  (long long)x.lower, (long long)x.upper);
            CHECK(hesca_tiling_count(t, i, rows, cols) ==
                          count(t, i, rows, cols, 0).all &&
                      hesca_tiling_locr(t, i, rows) *
                              hesca_tiling_locc(t, i, cols) ==
                          hesca_tiling_count(t, i, rows, cols),
                  "%d of %d, %d x %d", i, p, rows, cols);
        }
        hesca_tiling_free(t);
        models_clear(&s);
    }
}

/* Figure 5.5's block in a matrix of 14 x 14: whole blocks and a rest. */
static void
a_rest(void)
{
    static const double speed[] = {.11, .25, .05, .17, .09,
                                   .08, .05, .17, .03};
    static const int locr[] = {6, 8, 6, 6, 2, 6, 2, 4, 2};
    static const int locc[] = {6, 6, 2};
    models s = models_of(9, speed);
    hesca_tiling *t;
    CHECK(hesca_tiling_create_grid(3, 3, s.speed, 6, 6, HESCA_TILING_COLUMNS,
                                   HESCA_TILING_PROPORTIONAL,
                                   &t) == HESCA_SUCCESS,
          "%s", hesca_error_text());
    for (int i = 0; i < 9; ++i)
        CHECK(hesca_tiling_locr(t, i, 14) == locr[i] &&
                  hesca_tiling_locc(t, i, 14) == locc[i % 3],
              "%d: %lld x %lld", i, (long long)hesca_tiling_locr(t, i, 14),
              (long long)hesca_tiling_locc(t, i, 14));
    hesca_tiling_free(t);
    models_clear(&s);
}

/* Beyond 32 bits: all parts of all triangles together. */
static void
large_counts(void)
{
    const int64_t order = (int64_t)1 << 31, k = 123456789, left = order - k;
    for (int square = 0; square < 2; ++square) {
        int64_t lower = 0, upper = 0, diagonal = 0, all = 0;
        hesca_tiling *t;
        CHECK(hesca_tiling_create_recursive(11, NULL, 96, square ? 96 : 70,
                                            &t) == HESCA_SUCCESS,
              "%s", hesca_error_text());
        for (int i = 0; i < 11; ++i) {
            all += hesca_tiling_count(t, i, order, order);
            lower += hesca_tiling_triangle(t, i, order, k, 'L');
            upper += hesca_tiling_triangle(t, i, order, k, 'U');
            diagonal += hesca_tiling_diagonal(t, i, order, k);
        }
        CHECK(all == order * order, "%lld", (long long)all);
        CHECK(lower == left / 2 * (left + 1) + (left % 2 ? (left + 1) / 2 : 0),
              "%lld", (long long)lower);
        CHECK(upper == lower && diagonal == left, "%lld, %lld",
              (long long)upper, (long long)diagonal);
        hesca_tiling_free(t);
    }
}

static void
bad_arguments(void)
{
    hesca_tiling *t;
    CHECK(hesca_tiling_create_recursive(2, NULL, 4, 4, &t) == HESCA_SUCCESS,
          "%s", hesca_error_text());
    CHECK(hesca_tiling_locr(t, 2, 1) == -1 &&
              hesca_tiling_locc(t, -1, 1) == -1 &&
              hesca_tiling_locr(t, 0, -1) == -1 &&
              hesca_tiling_count(t, 0, 1, -1) == -1 &&
              hesca_tiling_count(t, 0, (int64_t)1 << 40, (int64_t)1 << 40) ==
                  -1 &&
              hesca_tiling_diagonal(t, 0, 3, 4) == -1 &&
              hesca_tiling_triangle(t, 0, 4, -1, 'L') == -1 &&
              hesca_tiling_triangle(t, 0, 4, 0, 'x') == -1,
          "something bad was counted");
    hesca_tiling_free(t);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        UNIT(by_counting),
        UNIT(a_rest),
        UNIT(large_counts),
        UNIT(bad_arguments),
    };
    unit_begin("partition/t_repeat", 20261122);
    return unit_end(cmocka_run_group_tests(tests, NULL, NULL));
}
