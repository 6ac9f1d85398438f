/* SPDX-License-Identifier: BSD-3-Clause */
/* HDPI: matrices for grids, by its published names. */
#include "base/status.h"
#include "hdpi.h"
#include "testing/unit.h"
#include <math.h>

enum { MOST = 12, LINES = 64, ELEMENTS = LINES * LINES };

/* What Partition_matrix_2d() and similar functions fill. */
typedef struct {
    int w[MOST], h[MOST * MOST], trow[MOST], tcol[MOST];
    int ci[ELEMENTS], cj[ELEMENTS];
} result;

static result r; /* of the call that is looked at */

static int
cut(int p, int q, const double *speeds, int m, int n, int type)
{
    r = (result){.w = {0}};
    return Partition_matrix_2d(p, q, 1, speeds, NULL, NULL, m, n, type, r.w,
                               r.h, r.trow, r.tcol, r.ci, r.cj);
}

static const double fig_5_5[] = {.11, .25, .05, .17, .09, .08, .05, .17, .03};
static const double fig_3_18[] = {.11, .17, .05, .17, .09, .08, .05, .25, .03};

static void
printed_examples(void)
{
    static const int width[] = {2, 3, 1}, col[] = {0, 2, 5};
    const int *const h = r.h;
    CHECK(cut(3, 3, fig_3_18, 6, 6, CARTESIAN) == 0, "%s", hesca_error_text());
    for (int k = 0; k < 9; ++k)
        CHECK(r.w[k] == width[k % 3] && r.h[k * 10] == 2 &&
                  r.trow[k] == k / 3 * 2 && r.tcol[k] == col[k % 3],
              "figure 3.18: %d", k);
    CHECK(cut(3, 3, fig_5_5, 6, 6, COLUMN_BASED) == 0, "%s",
          hesca_error_text());
    CHECK(H(3, 3, 0, 1, 0, 0) == 2 && H(3, 3, 0, 1, 1, 0) == 1 &&
              H(3, 3, 1, 0, 0, 1) == 1 && H(3, 3, 1, 0, 1, 1) == 1 &&
              H(3, 3, 1, 0, 2, 1) == 1 && H(3, 3, 2, 0, 2, 1) == 1 &&
              H(3, 3, 0, 0, 1, 1) == 0 && H(3, 3, 1, 2, 1, 0) == 3,
          "common rows of figure 5.5");
    CHECK(H(3, 3, 0, 1, 0, 1) == 3 && H(3, 3, 1, 1, 1, 1) == 1 &&
              H(3, 3, 2, 1, 2, 1) == 2,
          "heights of figure 5.5");
    CHECK(cut(3, 3, fig_3_18, 6, 6, ROW_BASED) == 0, "%s", hesca_error_text());
    CHECK(r.w[6] == 1 && r.w[7] == 5 && r.w[8] == 0 && r.w[3] == 3 &&
              r.w[4] == 2 && r.w[5] == 1,
          "an empty rectangle: %d %d %d", r.w[6], r.w[7], r.w[8]);
}

/* ci and cj are a partition that all queries agree with, with corners and, but
 * for RECURSIVE, without. */
static void
queries_agree(void)
{
    for (int k = 0; k < check_cases(120); ++k) {
        const int p = check_uniform(1, 4), q = check_uniform(1, 3);
        const int m = check_uniform(0, 20), n = check_uniform(0, 20);
        const int type = check_uniform(CARTESIAN, RECURSIVE);
        double speeds[MOST];
        int area = 0;
        for (int i = 0; i < p * q; ++i)
            speeds[i] = check_uniform(1, 1000) / 10.;
        CHECK(cut(p, q, speeds, m, n, type) == 0, "%s", hesca_error_text());
        for (int i = 0; i < p; ++i)
            for (int j = 0; j < q; ++j) {
                const int w = Get_my_width(i, j, p, q, speeds, type, m, n);
                const int h = Get_my_height(i, j, p, q, speeds, type, m, n);
                const int at = i * q + j;
                CHECK(w == r.w[at] && h == r.h[at * (p * q + 1)],
                      "(%d,%d) of %d x %d: %d x %d", i, j, p, q, h, w);
                area += w * h;
            }
        CHECK(area == m * n, "%d of %d x %d", area, m, n);
        for (int row = 0; row < m; ++row)
            for (int col = 0; col < n; ++col) {
                Processor a = {-1, -1}, b = {-1, -1};
                const int blind = type == RECURSIVE;
                CHECK(Get_matrix_processor(row, col, p, q, r.w, r.h, r.trow,
                                           r.tcol, type, &a) == 0 &&
                          Get_matrix_processor(
                              row, col, p, q, r.w, r.h, blind ? r.trow : NULL,
                              blind ? r.tcol : NULL, type, &b) == 0,
                      "%s", hesca_error_text());
                const int at = row * n + col;
                CHECK(a.i == r.ci[at] && a.j == r.cj[at] && b.i == a.i &&
                          b.j == a.j,
                      "(%d,%d) is (%d,%d)'s", row, col, r.ci[at], r.cj[at]);
            }
    }
}

/* Figure 5.10: 32 x 32 in blocks of 16, columns 7, 5, 4 wide. */
static void
counts_of_figure_5_10(void)
{
    int w[9], h[81] = {0}, trow[9], tcol[9];
    const int height[9] = {7, 6, 8, 3, 6, 4, 6, 4, 4};
    for (int k = 0; k < 9; ++k) {
        w[k] = (int[]){7, 5, 4}[k % 3];
        h[k * 10] = height[k];
    }
    CHECK(Get_trow_tcol(3, w, h, trow, tcol) == 0, "%s", hesca_error_text());
    CHECK(trow[6] == 10 && tcol[6] == 0 && trow[4] == 6 && tcol[4] == 7,
          "corners (%d,%d), (%d,%d)", trow[6], tcol[6], trow[4], tcol[4]);
    for (int given = 0; given < 2; ++given) {
        int *const tr = given ? trow : NULL, *const tc = given ? tcol : NULL;
#define ELEMENTS_OF(i, j)                                                     \
    Get_my_elements(32, 16, i, j, 3, 3, w, h, tr, tc, COLUMN_BASED, 'L')
#define KK_ELEMENTS_OF(i, j)                                                  \
    Get_my_kk_elements(32, 16, 4, i, j, 3, 3, w, h, tr, tc, COLUMN_BASED, 'L')
        CHECK(ELEMENTS_OF(2, 0) == 126 && KK_ELEMENTS_OF(2, 0) == 78, "%d, %d",
              ELEMENTS_OF(2, 0), KK_ELEMENTS_OF(2, 0));
        CHECK(ELEMENTS_OF(1, 1) == 60 && KK_ELEMENTS_OF(1, 1) == 60, "%d, %d",
              ELEMENTS_OF(1, 1), KK_ELEMENTS_OF(1, 1));
        CHECK(Get_diagonal(1, 1, 3, 3, w, h, tr, tc) == 5 &&
                  Get_diagonal(0, 0, 3, 3, w, h, tr, tc) == 7 &&
                  Get_diagonal(2, 0, 3, 3, w, h, tr, tc) == 0,
              "%d, %d, %d", Get_diagonal(1, 1, 3, 3, w, h, tr, tc),
              Get_diagonal(0, 0, 3, 3, w, h, tr, tc),
              Get_diagonal(2, 0, 3, 3, w, h, tr, tc));
    }
}

/* Elements counted one by one. */
static void
check_counts(int n, int g, int k, int p, int q, int type)
{
    int lower[MOST] = {0}, upper[MOST] = {0}, diagonal[MOST] = {0};
    for (int a = k; a < n; ++a)
        for (int b = k; b < n; ++b) {
            const int at = a % g * g + b % g, who = r.ci[at] * q + r.cj[at];
            lower[who] += a >= b;
            upper[who] += a <= b;
        }
    for (int a = 0; a < g; ++a)
        ++diagonal[r.ci[a * g + a] * q + r.cj[a * g + a]];
    for (int i = 0; i < p; ++i)
        for (int j = 0; j < q; ++j) {
            const int at = i * q + j;
            CHECK(Get_my_kk_elements(n, g, k, i, j, p, q, r.w, r.h, r.trow,
                                     r.tcol, type, 'L') == lower[at] &&
                      Get_my_kk_elements(n, g, k, i, j, p, q, r.w, r.h, r.trow,
                                         r.tcol, type, 'U') == upper[at],
                  "order %d from %d, blocks of %d: (%d,%d)", n, k, g, i, j);
            CHECK(Get_diagonal(i, j, p, q, r.w, r.h, r.trow, r.tcol) ==
                      diagonal[at],
                  "diagonal of %d: (%d,%d)", g, i, j);
        }
}

static void
counts_by_counting(void)
{
    for (int l = 0; l < check_cases(60); ++l) {
        const int p = check_uniform(1, 4), q = check_uniform(1, 3);
        const int g = check_uniform(1, 20), n = check_uniform(0, 60);
        const int type = check_uniform(CARTESIAN, RECURSIVE);
        double speeds[MOST];
        for (int i = 0; i < p * q; ++i)
            speeds[i] = check_uniform(1, 20);
        CHECK(cut(p, q, speeds, g, g, type) == 0, "%s", hesca_error_text());
        check_counts(n, g, 0, p, q, type);
        check_counts(n, g, check_uniform(0, n), p, q, type);
    }
}

/* With speed functions and limits, and arrays that are not wanted. */
static void
functions_and_limits(void)
{
    const double speeds[] = {9, 1, 4, 4, 4, 4, 2, 2};
    const int psizes[] = {10, 100, 10, 100, 10, 100, 10, 100};
    const int limits[] = {60, 60, 60, 20}, few[] = {40, 40, 40, 23};
    int w[4], h[16], area = 0;
    CHECK(Partition_matrix_2d(2, 2, 2, speeds, psizes, limits, 12, 12,
                              COLUMN_BASED, w, h, NULL, NULL, NULL, NULL) == 0,
          "%s", hesca_error_text());
    for (int i = 0; i < 4; ++i) {
        CHECK(w[i] * h[i * 5] <= limits[i], "%d has %d x %d", i, h[i * 5],
              w[i]);
        area += w[i] * h[i * 5];
    }
    CHECK(area == 144, "%d", area);
    w[0] = -7;
    CHECK(Partition_matrix_2d(2, 2, 2, speeds, psizes, few, 12, 12,
                              COLUMN_BASED, w, h, NULL, NULL, NULL,
                              NULL) == -1 &&
              w[0] == -7 && hesca_error_info() == 6 &&
              strstr(hesca_error_text(), "Partition_matrix_2d: argument 6, "
                                         "mlimits") == hesca_error_text(),
          "%s", hesca_error_text());
}

/* ------------------------------------------------ bad input */

static void
expect(int status, int info, const char *word)
{
    CHECK(status == -1 && hesca_error_info() == info &&
              strstr(hesca_error_text(), word) != NULL,
          "%d, %d, '%s' instead of argument %d, %s", status,
          hesca_error_info(), hesca_error_text(), info, word);
}

static void
bad_2d(void)
{
    const double bad[] = {1, NAN}, ones[] = {1, 1, 1, 1};
    const int sizes[] = {2, 1, 1, 1}, limits[] = {1, -1};
    int w[4], h[16];
#define CUT(p, q, pn, s, x, b, m, n, type, w, h)                              \
    Partition_matrix_2d(p, q, pn, s, x, b, m, n, type, w, h, NULL, NULL,      \
                        NULL, NULL)
    expect(CUT(0, 1, 1, NULL, NULL, NULL, 1, 1, CARTESIAN, w, h), 1,
           "p, is 0");
    expect(CUT(1, 0, 1, NULL, NULL, NULL, 1, 1, CARTESIAN, w, h), 2,
           "q, is 0");
    expect(CUT(1 << 16, 1 << 16, 1, NULL, NULL, NULL, 1, 1, CARTESIAN, w, h),
           2, "q, is 65536");
    expect(CUT(1, 2, 0, ones, NULL, NULL, 1, 1, CARTESIAN, w, h), 3,
           "pn, is 0");
    expect(CUT(1, 2, 1, bad, NULL, NULL, 1, 1, CARTESIAN, w, h), 4,
           "speeds[1][0], is nan");
    expect(CUT(1, 2, 2, ones, sizes, NULL, 1, 1, CARTESIAN, w, h), 5,
           "psizes[0][1], is 1");
    expect(CUT(1, 2, 1, ones, NULL, limits, 1, 1, CARTESIAN, w, h), 6,
           "mlimits[1], is -1");
    expect(CUT(1, 1, 1, NULL, NULL, NULL, -2, 1, CARTESIAN, w, h), 7,
           "m, is -2");
    expect(CUT(1, 1, 1, NULL, NULL, NULL, 1, -2, CARTESIAN, w, h), 8,
           "n, is -2");
    expect(CUT(1, 1, 1, NULL, NULL, NULL, 1, 1, 4, w, h), 9, "is 4");
    expect(CUT(1, 1, 1, NULL, NULL, NULL, 1, 1, -1, w, h), 9, "is -1");
    expect(CUT(1, 1, 1, NULL, NULL, NULL, 1, 1, CARTESIAN, NULL, h), 10, "w");
    expect(CUT(1, 1, 1, NULL, NULL, NULL, 1, 1, CARTESIAN, w, NULL), 11, "h");
    expect(Get_my_width(2, 0, 2, 2, ones, CARTESIAN, 4, 4), 1, "i, is 2");
    expect(Get_my_height(0, -1, 2, 2, ones, CARTESIAN, 4, 4), 2, "j, is -1");
    expect(Get_my_width(0, 0, 1, 2, bad, CARTESIAN, 4, 4), 5, "nan");
    expect(Get_my_width(0, 0, 1, 2, ones, 9, 4, 4), 6, "is 9");
    expect(Get_my_width(0, 0, 1, 2, ones, CARTESIAN, -4, 4), 7, "m, is -4");
}

static void
bad_queries(void)
{
    int w[] = {2, 2}, h[] = {4, 4, 4, 4}, big[] = {1 << 30, 0, 0, 0};
    Processor who;
    expect(Get_matrix_processor(4, 0, 1, 2, w, h, NULL, NULL, CARTESIAN, &who),
           2, "are 4 and 0");
    expect(
        Get_matrix_processor(-1, 0, 1, 2, w, h, NULL, NULL, CARTESIAN, &who),
        1, "are -1 and 0");
    expect(Get_matrix_processor(0, 0, 1, 2, w, h, NULL, NULL, RECURSIVE, &who),
           7, "trow");
    expect(Get_matrix_processor(0, 0, 1, 2, w, h, NULL, NULL, 7, &who), 9,
           "is 7");
    expect(Get_matrix_processor(0, 0, 1, 2, w, h, NULL, NULL, CARTESIAN, NULL),
           10, "root");
    expect(Get_matrix_processor(0, 0, 0, 2, w, h, NULL, NULL, CARTESIAN, &who),
           3, "p, is 0");
    expect(Get_diagonal(0, 2, 1, 2, w, h, NULL, NULL), 2, "j, is 2");
#define COUNT(n, g, k, i, w, h, uplo)                                         \
    Get_my_kk_elements(n, g, k, i, 0, 1, 2, w, h, NULL, NULL, COLUMN_BASED,   \
                       uplo)
    expect(COUNT(-1, 4, 0, 0, w, h, 'L'), 1, "n, is -1");
    expect(COUNT(8, 0, 0, 0, w, h, 'L'), 2, "g, is 0");
    expect(COUNT(8, 3, 0, 0, w, h, 'L'), 2, "g, is 3");
    expect(COUNT(8, 4, 9, 0, w, h, 'L'), 3, "k, is 9");
    expect(COUNT(8, 4, 0, 1, w, h, 'L'), 4, "i, is 1");
    expect(COUNT(8, 4, 0, 0, NULL, h, 'L'), 8, "w, is NULL");
    expect(COUNT(8, 4, 0, 0, w, h, 'x'), 13, "upper_or_lower, is 120");
    expect(COUNT(1 << 30, 1 << 30, 0, 0, big, big, 'L'), 1,
           "more than an int");
    expect(Get_trow_tcol(0, w, h, w, w), 1, "m, is 0");
    expect(Get_trow_tcol(2, NULL, h, w, w), 2, "w, is NULL");
    expect(Get_trow_tcol(2, w, h, w, NULL), 5, "tcol, is NULL");
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        UNIT(printed_examples),      UNIT(queries_agree),
        UNIT(counts_of_figure_5_10), UNIT(counts_by_counting),
        UNIT(functions_and_limits),  UNIT(bad_2d),
        UNIT(bad_queries),
    };
    unit_begin("partition/t_hdpi_matrix", 20261125);
    return unit_end(cmocka_run_group_tests(tests, NULL, NULL));
}
