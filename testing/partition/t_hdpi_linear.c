/* SPDX-License-Identifier: BSD-3-Clause */
/* HDPI: matrices for linear arrays, by functions of users. */
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

/* The function of Beaumont et al. as a program would write it. */
static double
half_perimeters(int columns, int rectangles, int p, const double *speeds,
                const double **previous, int *before)
{
    double sum = 0, best = INFINITY;
    for (int i = 0; i < p; ++i)
        sum += speeds[i];
    for (int b = columns - 1; b < rectangles; ++b) {
        double area = 0;
        for (int i = b; i < rectangles; ++i)
            area += speeds[i] / sum;
        const double value = (columns == 1 && b > 0 ? INFINITY
                              : columns == 1        ? 0
                                             : previous[columns - 1][b]) +
                             1 + (rectangles - b) * area;
        if (value < best) {
            best = value;
            *before = b;
        }
    }
    if (rectangles == p) /* the value returned is checked below */
        r.ci[columns] = (int)lround(best * 120);
    return best;
}

static double
squares(int p, const double *speeds, int m, int n)
{
    double sum = 0, roots = 0;
    for (int i = 0; i < p; ++i)
        sum += speeds[i];
    for (int i = 0; i < p; ++i)
        roots += 2 * sqrt(speeds[i] / sum);
    return m == n ? roots : -INFINITY;
}

static int
has_rect(int i, int p, int row, int col, int height, int width)
{
    return r.trow[i] == row && r.tcol[i] == col &&
           r.h[i * (p + 1)] == height && r.w[i] == width;
}

/* Values 6, 53/12, 14/3, 125/24, 6 for 1 ... 5 columns of areas 2, 3, 5, 6, 8
 * of 24. */
static void
dynamic_programming(void)
{
    static const double speeds[] = {8, 2, 6, 3, 5};
    static const int values[] = {720, 530, 560, 625, 720};
    for (int own = 0; own < 2; ++own) {
        r = (result){.w = {0}};
        CHECK(Partition_matrix_1d_dp(
                  5, 1, speeds, NULL, NULL, 24, 24, own ? NULL : squares,
                  own ? NULL : half_perimeters, COLUMN_BASED, r.w, r.h, r.trow,
                  r.tcol, r.cj) == 0,
              "%s", hesca_error_text());
        CHECK(has_rect(1, 5, 0, 0, 5, 10) && has_rect(3, 5, 5, 0, 7, 10) &&
                  has_rect(4, 5, 12, 0, 12, 10) &&
                  has_rect(2, 5, 0, 10, 10, 14) &&
                  has_rect(0, 5, 10, 10, 14, 14),
              "columns {2,3,5} and {6,8}");
        for (int c = 1; own == 0 && c <= 5; ++c)
            CHECK(r.ci[c] == values[c - 1], "%d columns: %d / 120", c,
                  r.ci[c]);
        for (int e = 0; e < 24 * 24; ++e)
            CHECK(r.trow[r.cj[e]] <= e / 24 && r.tcol[r.cj[e]] <= e % 24,
                  "element %d is %d's", e, r.cj[e]);
    }
    CHECK(Partition_matrix_1d_dp(5, 1, speeds, NULL, NULL, 24, 24, NULL,
                                 half_perimeters, ROW_BASED, r.w, r.h, r.trow,
                                 r.tcol, NULL) == 0 &&
              has_rect(4, 5, 0, 12, 10, 12),
          "rows: %s", hesca_error_text());
}

/* The number of columns is the user's: any value will do. */
static double
three_columns(int columns, int rectangles, int p, const double *speeds,
              const double **previous, int *before)
{
    (void)p;
    (void)speeds;
    (void)previous;
    *before = columns - 1 > rectangles - 2 ? columns - 1 : rectangles - 2;
    return fabs(columns - 3.);
}

static double
nothing(int p, const double *speeds, int m, int n)
{
    (void)speeds;
    return p * m * n > 0 ? 0 : -1;
}

static void
any_objective(void)
{
    const double speeds[] = {1, 1, 1, 1, 1, 1};
    CHECK(Partition_matrix_1d_dp(6, 1, speeds, NULL, NULL, 12, 12, nothing,
                                 three_columns, COLUMN_BASED, r.w, r.h, r.trow,
                                 r.tcol, NULL) == 0,
          "%s", hesca_error_text());
    for (int i = 0; i < 6; ++i)
        CHECK(has_rect(i, 6, i % 2 * 6, i / 2 * 4, 6, 4), "%d", i);
}

/* How often it was asked, and what it said. */
static int asked;
static double least;

static double
largest_side(int p, const int *w, const int *h, const int *trow,
             const int *tcol)
{
    int most = 0;
    (void)trow;
    (void)tcol;
    for (int i = 0; i < p; ++i) {
        most = w[i] > most ? w[i] : most;
        most = h[i * (p + 1)] > most ? h[i * (p + 1)] : most;
    }
    ++asked;
    least = fmin(least, most);
    return most;
}

static double
ends_at_once(int p, const int *w, const int *h, const int *trow,
             const int *tcol)
{
    largest_side(p, w, h, trow, tcol);
    return -1;
}

static void
iterative(void)
{
    const double speeds[] = {4, 1, 1, 1, 1, 8};
    asked = 0;
    least = INFINITY;
    CHECK(Partition_matrix_1d_iterative(6, 1, speeds, NULL, NULL, 16, 16, NULL,
                                        largest_side, r.w, r.h, r.trow, r.tcol,
                                        r.ci) == 0,
          "%s", hesca_error_text());
    CHECK(asked == 13, "asked %d times", asked);
    const double best = least;
    CHECK(largest_side(6, r.w, r.h, r.trow, r.tcol) == best, "not %g", best);
    asked = 0;
    CHECK(Partition_matrix_1d_iterative(6, 1, speeds, NULL, NULL, 16, 16, NULL,
                                        ends_at_once, r.w, r.h, r.trow, r.tcol,
                                        NULL) == 0 &&
              asked == 1,
          "asked %d times", asked);
    /* The bound 0 ends nothing, a large one at once. */
    asked = 0;
    CHECK(Partition_matrix_1d_iterative(6, 1, speeds, NULL, NULL, 16, 16,
                                        nothing, largest_side, r.w, r.h,
                                        r.trow, r.tcol, NULL) == 0 &&
              asked == 13,
          "asked %d times", asked);
    /* Without a function: half perimeters; bisection makes squares of four. */
    CHECK(Partition_matrix_1d_iterative(4, 1, NULL, NULL, NULL, 16, 16, NULL,
                                        NULL, r.w, r.h, r.trow, r.tcol,
                                        NULL) == 0 &&
              r.w[0] == 8 && r.h[0] == 8,
          "%s", hesca_error_text());
}

/* Moves the border between the two rectangles of a 4 x 8 block to the right,
 * and says how far it is from column 6. */
static double
move_right(int p, int pn, const double *speeds, const int *psizes,
           const int *mlimits, int m, int n, int *w, int *h, int *trow,
           int *tcol)
{
    ++asked;
    (void)speeds;
    if (p != 2 || pn != 1 || psizes != NULL || mlimits != NULL || m != 4 ||
        n != 8 || h[0] != 4 || trow[1] != 0)
        return NAN;
    ++w[0];
    --w[1];
    ++tcol[1];
    return abs(6 - w[0]);
}

static double
spoil(int p, int pn, const double *speeds, const int *psizes,
      const int *mlimits, int m, int n, int *w, int *h, int *trow, int *tcol)
{
    move_right(p, pn, speeds, psizes, mlimits, m, n, w, h, trow, tcol);
    w[1] += 1;
    return 1;
}

static void
start_of_refining(int width)
{
    r = (result){
        .w = {width, 8 - width}, .h = {4, 0, 0, 4}, .tcol = {0, width}};
    asked = 0;
}

static int
refined_by(Refining_function rf, Get_lower_bound lb)
{
    const double speeds[] = {1, 1};
    return Partition_matrix_1d_refining(2, 1, speeds, NULL, NULL, 4, 8, lb, rf,
                                        r.w, r.h, r.trow, r.tcol, r.ci);
}

static void
refining(void)
{
    /* Until it does not get better: what made it worse is taken back. */
    start_of_refining(2);
    CHECK(refined_by(move_right, NULL) == 0 && asked == 5 && r.w[0] == 6 &&
              r.w[1] == 2 && r.tcol[1] == 6 && r.h[1] == 4 && r.ci[7] == 1 &&
              r.ci[5] == 0,
          "%d, asked %d times: %s", r.w[0], asked, hesca_error_text());
    /* Until the bound is met. */
    start_of_refining(2);
    CHECK(refined_by(move_right, nothing) == 0 && asked == 4 && r.w[0] == 6,
          "%d, asked %d times", r.w[0], asked);
    /* From what is built in if there is nothing to begin with. */
    start_of_refining(2);
    r.w[0] = -1;
    CHECK(refined_by(move_right, NULL) == 0 && asked == 3 && r.w[0] == 6,
          "%d, asked %d times", r.w[0], asked);
    start_of_refining(2);
    CHECK(refined_by(spoil, NULL) == -1 && hesca_error_info() == 9 &&
              r.w[0] == 2,
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

static double
no_number(int c, int q, int p, const double *s, const double **v, int *b)
{
    (void)p, (void)s, (void)v;
    *b = c - 1;
    return q > 0 ? NAN : 0;
}

static double
no_place(int c, int q, int p, const double *s, const double **v, int *b)
{
    (void)p, (void)s, (void)v;
    *b = q;
    return c;
}

static void
bad_1d(void)
{
    int w[2] = {-1, -1}, h[4], trow[2], tcol[2];
#define DP(p, m, n, f, type, w, h)                                            \
    Partition_matrix_1d_dp(p, 1, NULL, NULL, NULL, m, n, NULL, f, type, w, h, \
                           NULL, NULL, NULL)
    expect(DP(0, 1, 1, NULL, ROW_BASED, w, h), 1, "p, is 0");
    expect(DP(2, -1, 1, NULL, ROW_BASED, w, h), 6, "m, is -1");
    expect(DP(2, 1, -1, NULL, ROW_BASED, w, h), 7, "n, is -1");
    expect(DP(2, 4, 4, no_number, ROW_BASED, w, h), 9, "NaN");
    expect(DP(2, 4, 4, no_place, ROW_BASED, w, h), 9, "*r to 1");
    expect(DP(2, 1, 1, NULL, CARTESIAN, w, h), 10, "is 0");
    expect(DP(2, 1, 1, NULL, ROW_BASED, NULL, h), 11, "w, is NULL");
    expect(DP(2, 1, 1, NULL, ROW_BASED, w, NULL), 12, "h, is NULL");
    expect(Partition_matrix_1d_refining(2, 1, NULL, NULL, NULL, 4, 4, NULL,
                                        NULL, w, h, trow, tcol, NULL),
           9, "rf, is NULL");
    expect(Partition_matrix_1d_refining(2, 1, NULL, NULL, NULL, 4, 4, NULL,
                                        move_right, w, h, NULL, tcol, NULL),
           12, "trow, is NULL");
    expect(Partition_matrix_1d_refining(2, 1, NULL, NULL, NULL, 4, 4, NULL,
                                        move_right, w, h, trow, tcol, NULL),
           9, "NaN");
    CHECK(w[0] == -1 && w[1] == -1, "written");
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        UNIT(dynamic_programming),
        UNIT(any_objective),
        UNIT(iterative),
        UNIT(refining),
        UNIT(bad_1d),
    };
    unit_begin("partition/t_hdpi_linear", 20261130);
    return unit_end(cmocka_run_group_tests(tests, NULL, NULL));
}
