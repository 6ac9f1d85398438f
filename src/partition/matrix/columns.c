/* SPDX-License-Identifier: BSD-3-Clause */
/* Strips of any number of rectangles, by dynamic programming. */
#include "base/status.h"
#include "partition/matrix/sorted_by_share.h"
#include "partition/matrix/strips.h"
#include <math.h>
#include <stdlib.h>

/* Processors in ascending order of weight, for a matrix of given extents. */
typedef struct {
    int p;
    const double *before; /* [p + 1] sums of weights */
    double scale;         /* from weights to the width of a strip */
    double depth;         /* length of a strip */
    hesca_goal goal;
} problem;

static double
width_of(const problem *x, int low, int high)
{
    return (x->before[high] - x->before[low]) * x->scale;
}

/* The sum of half perimeters of a strip of the processors low ... high - 1, or
 * the largest of them. */
static double
strip_of(const problem *x, int low, int high)
{
    const double area = x->before[high] - x->before[low];
    const double width = width_of(x, low, high);
    if (x->goal == HESCA_GOAL_SUM)
        return width * (high - low) + x->depth;
    const double largest = x->before[high] - x->before[high - 1];
    return area > 0 ? width + largest / area * x->depth : 0;
}

/* --- dynamic programming ---
 * Strips are contiguous in the ascending order of weights; values are for
 * real-valued areas. */

/* best[k] is the minimal value of the first k processors, whose last strip
 * begins with start[k]; of equal values the longest strip is taken.  The width
 * of a strip grows with its number of processors, and its cost is at least its
 * width (for the sum, times that number); so the loop over strips ends
 * early. */
static void
solve(const problem *x, double *best, int *start)
{
    best[0] = 0;
    for (int k = 1; k <= x->p; ++k) {
        best[k] = INFINITY;
        for (int low = k - 1; low >= 0; --low) {
            const int nwidths = x->goal == HESCA_GOAL_SUM ? k - low : 1;
            const double strip = strip_of(x, low, k);
            const double value = x->goal == HESCA_GOAL_SUM
                                     ? best[low] + strip
                                     : fmax(best[low], strip);
            if (value <= best[k]) {
                best[k] = value;
                start[k] = low;
            }
            if (width_of(x, low, k) * nwidths > best[k])
                break;
        }
    }
}

/* The strips of all p processors in ascending order; first has p + 1
 * entries. */
static int
trace(int p, const int *start, int *first)
{
    int n = 0;
    for (int k = p; k > 0; k = start[k])
        ++n;
    first[n] = p;
    for (int k = p, i = n; k > 0; k = start[k])
        first[--i] = start[k];
    return n;
}

/* Assign processors to strips; *first and *order are the arrays of s. */
static int
divide(const hesca_tiling_task *x, hesca_goal goal, hesca_strips *s,
       int **first, int **order)
{
    const size_t p = (size_t)x->p;
    double *before = NULL, *best = malloc((p + 1) * sizeof *best);
    int *start = malloc((p + 1) * sizeof *start), err;
    *first = malloc((p + 1) * sizeof **first);
    HESCA_TRY(err, hesca_sorted_by_share(x, order, &before));
    if (best == NULL || start == NULL || *first == NULL)
        HESCA_TRY(err, hesca_fail(HESCA_ERR_NOMEM, 0, "%s: strips of %d",
                                  x->routine, x->p));
    const problem y = {x->p, before,
                       (double)hesca_strips_length(x, s->lines) / before[x->p],
                       (double)hesca_strips_depth(x, s->lines), goal};
    solve(&y, best, start);
    s->n = trace(x->p, start, *first);
    s->first = *first;
    s->order = *order;
fail:
    free(before);
    free(best);
    free(start);
    return err;
}

/* --- tilings ---
 * Limits are checked here, on integer lines. */

/* If integer lines cannot keep the limits in these strips, try n strips of
 * about equal numbers of processors, for all n, and take the tiling with the
 * minimal sum of half perimeters. */
static int
make_even_strips(const hesca_tiling_task *x, hesca_strips s, int *first,
                 hesca_tiling **tiling)
{
    for (s.n = 1; s.n <= x->p; ++s.n) {
        hesca_tiling *t = NULL;
        for (int k = 0; k <= s.n; ++k)
            first[k] = (int)((int64_t)k * x->p / s.n);
        if (hesca_strips_make(x, &s, &t) == HESCA_ERR_NOMEM) {
            hesca_tiling_free(*tiling);
            *tiling = NULL;
            return HESCA_ERR_NOMEM;
        }
        if (t != NULL && (*tiling == NULL || t->sum < (*tiling)->sum)) {
            hesca_tiling *const worse = *tiling;
            *tiling = t;
            t = worse;
        }
        hesca_tiling_free(t);
    }
    return *tiling != NULL
               ? HESCA_SUCCESS
               : hesca_tiling_fail_limits(x, HESCA_ERR_UNSUPPORTED,
                                          "no tiling in strips was found");
}

/* For the sum of half perimeters the optimal strips follow the order of areas,
 * and a strip of k processors costs k times its width plus the depth of the
 * matrix (Beaumont et al. 2001, whose recurrence also counts strips, which is
 * not needed here).  The same recurrence is used for the maximum. */
int
hesca_tiling_create_strips(int p, const hesca_speed *const *speed, int64_t m,
                           int64_t n, hesca_tiling_kind kind, hesca_goal goal,
                           hesca_tiling **tiling)
{
    static const char routine[] = "hesca_tiling_create_strips";
    hesca_tiling_task x = {0};
    hesca_strips s = {.lines =
                          kind == HESCA_TILING_ROWS ? HESCA_ROWS : HESCA_COLS};
    int *first = NULL, *order = NULL, err;
    if (tiling == NULL)
        return hesca_fail_null(routine, 7, "tiling");
    *tiling = NULL;
    HESCA_TRY(err, hesca_tiling_check_choice(routine, 5, "kind", (int)kind,
                                             HESCA_TILING_ROWS,
                                             HESCA_TILING_COLUMNS));
    HESCA_TRY(err, hesca_tiling_check_choice(routine, 6, "goal", (int)goal,
                                             HESCA_GOAL_SUM, HESCA_GOAL_MAX));
    HESCA_TRY(err, hesca_tiling_task_init(&x, routine, 2, p, speed, m, n));
    HESCA_TRY(err, divide(&x, goal, &s, &first, &order));
    err = hesca_strips_make(&x, &s, tiling);
    if (err == HESCA_ERR_ARG)
        HESCA_TRY(err, make_even_strips(&x, s, first, tiling));
fail:
    free(first);
    free(order);
    hesca_tiling_task_clear(&x);
    return err;
}
