/* SPDX-License-Identifier: BSD-3-Clause */
/* Grids of any shape, with any processor at any place. */
#include "base/arith.h"
#include "base/status.h"
#include "partition/matrix/sorted_by_share.h"
#include "partition/matrix/tiling_grid.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The state of the search. */
typedef struct {
    const hesca_tiling_task *task;
    hesca_tiling_kind kind;
    hesca_goal goal;
    hesca_tiling_cut cut; /* during the search */
    const int *order;     /* [p] processors, slowest first */
    int64_t trials;       /* remaining ones, for this shape */
} search;

/* The objective, and the value that breaks ties. */
typedef struct {
    double first, then;
} value;

static const value infeasible = {INFINITY, INFINITY};

static double
sum_of_shape(int64_t m, int64_t n, int nprow, int npcol)
{
    return (double)npcol * (double)m + (double)nprow * (double)n;
}

/* The objective of a goal.  Half perimeters only make sense for balanced
 * areas: a small rectangle of a slow processor is no improvement, so the
 * largest half perimeter is multiplied by the time.  If no rectangle is empty,
 * the sum depends on the shape of the grid alone. */
static value
value_of(const hesca_tiling *t, hesca_goal goal)
{
    const double time = hesca_tiling_time(t), sum = (double)t->sum;
    switch (goal) {
    case HESCA_GOAL_TIME:
        return (value){time, sum};
    case HESCA_GOAL_SUM:
        return (value){sum_of_shape(t->m, t->n, t->nprow, t->npcol), time};
    case HESCA_GOAL_MAX:
        return (value){time * (double)t->max, time};
    default:
        return (value){time * sum, time};
    }
}

static int
is_better(value a, value b)
{
    return a.first < b.first || (a.first <= b.first && a.then < b.then);
}

/* The value of an arrangement; it is infeasible if it cannot keep the limits,
 * and only a lack of memory is an error. */
static int
evaluate(search *s, int p, int q, const int *at, value *v)
{
    hesca_tiling *t = NULL;
    const int err = hesca_grid_tiling(s->task, p, q, at, s->kind, s->cut, &t);
    --s->trials;
    *v = err < 0 ? infeasible : value_of(t, s->goal);
    hesca_tiling_free(t);
    return err == HESCA_ERR_NOMEM ? err : HESCA_SUCCESS;
}

/* --- one shape ---
 * `at` always holds all p processors once; *best is the value of `at`, and
 * never gets worse. */

/* Exchange pairs of processors until no pair improves the value or trials are
 * exhausted. */
static int
improve(search *s, int p, int q, int *at, value *best)
{
    const int n = s->task->p;
    int err = HESCA_SUCCESS,
        rejected = 0; /* pairs since the last improvement */
    const int64_t pairs = (int64_t)n * (n - 1) / 2;
    while (rejected < pairs && s->trials > 0)
        for (int i = 0; i < n; ++i)
            for (int k = i + 1; k < n && s->trials > 0 && rejected < pairs;
                 ++k) {
                value v;
                const int a = at[i], b = at[k];
                ++rejected;
                if (s->task->speed[a] == s->task->speed[b])
                    continue;
                at[i] = b;
                at[k] = a;
                HESCA_TRY(err, evaluate(s, p, q, at, &v));
                if (is_better(v, *best)) {
                    *best = v;
                    rejected = 0;
                } else {
                    at[i] = a;
                    at[k] = b;
                }
            }
fail:
    return err;
}

/* Fastest first, along rows or along columns: for Cartesian grids, one of the
 * best arrangements has speeds that decrease along all rows and columns (HMPI
 * thesis 3.5).
 * */
static void
place_in_order(const search *s, int p, int q, int by_columns, int *at)
{
    for (int i = 0; i < p; ++i)
        for (int j = 0; j < q; ++j) {
            const int place = by_columns ? j * p + i : i * q + j;
            at[i * q + j] = s->order[s->task->p - 1 - place];
        }
}

/* The best arrangement found for a shape. */
static int
arrange(search *s, int p, int q, int *at, int *other, value *best)
{
    const size_t size = (size_t)s->task->p * sizeof *at;
    value v;
    int err;
    place_in_order(s, p, q, 0, at);
    HESCA_TRY(err, evaluate(s, p, q, at, best));
    place_in_order(s, p, q, 1, other);
    HESCA_TRY(err, evaluate(s, p, q, other, &v));
    if (is_better(v, *best)) {
        memcpy(at, other, size);
        *best = v;
    }
    HESCA_TRY(err, improve(s, p, q, at, best));
fail:
    return err;
}

/* --- all shapes ---
 * best, best_p and `at` belong to the best shape so far; best_p is 0 before
 * the first. */

/* Whether to try a shape: for HESCA_GOAL_SUM only shapes of minimal sum.
 * */
static int
is_candidate(const search *s, int p)
{
    const hesca_tiling_task *x = s->task;
    const double sum = sum_of_shape(x->m, x->n, p, x->p / p);
    if (x->p % p != 0)
        return 0;
    for (int other = 1; s->goal == HESCA_GOAL_SUM && other <= x->p; ++other)
        if (x->p % other == 0 &&
            sum_of_shape(x->m, x->n, other, x->p / other) < sum)
            return 0;
    return 1;
}

/* Trials for each shape.  A trial costs about p log p; with speed functions,
 * or if Cartesian cuts are improved by descent, some hundred times that. */
static int64_t
trials_of(const search *s, int shapes)
{
    const double work = s->cut == HESCA_TILING_PROPORTIONAL ? 1e6 : 1e4;
    return (int64_t)(work / (10. + s->task->p) / shapes);
}

/* Try all shapes.  The best arrangement is cut again with minimal largest
 * time, and this tiling is taken unless the one found is better. */
static int
search_all(search *s, int *at, hesca_tiling **tiling)
{
    const int n = s->task->p;
    int err = HESCA_SUCCESS, shapes = 0, best_p = 0;
    int *const trial = at + n, *const other = trial + n;
    value best = infeasible;
    for (int p = 1; p <= n; ++p)
        shapes += is_candidate(s, p);
    for (int p = 1; p <= n; ++p) {
        value v;
        if (!is_candidate(s, p))
            continue;
        s->trials = trials_of(s, shapes);
        HESCA_TRY(err, arrange(s, p, n / p, trial, other, &v));
        if (best_p == 0 || is_better(v, best)) {
            best = v;
            best_p = p;
            memcpy(at, trial, (size_t)n * sizeof *at);
        }
    }
    if (!isfinite(best.first))
        return hesca_tiling_fail_limits(s->task, HESCA_ERR_UNSUPPORTED,
                                        "no grid was found");
    HESCA_TRY(err, hesca_grid_tiling(s->task, best_p, n / best_p, at, s->kind,
                                     HESCA_TILING_LEAST_TIME, tiling));
    if (!is_better(best, value_of(*tiling, s->goal)))
        goto fail;
    hesca_tiling_free(*tiling);
    HESCA_TRY(err, hesca_grid_tiling(s->task, best_p, n / best_p, at, s->kind,
                                     s->cut, tiling));
fail:
    return err;
}

static int
check(hesca_tiling_kind kind, hesca_goal goal, hesca_tiling **tiling)
{
    static const char routine[] = "hesca_tiling_create_free";
    int err;
    if (tiling == NULL)
        return hesca_fail_null(routine, 7, "tiling");
    HESCA_TRY(err, hesca_tiling_check_choice(routine, 5, "kind", (int)kind,
                                             HESCA_TILING_CARTESIAN,
                                             HESCA_TILING_COLUMNS));
    HESCA_TRY(err,
              hesca_tiling_check_choice(routine, 6, "goal", (int)goal,
                                        HESCA_GOAL_TIME, HESCA_GOAL_BOTH));
fail:
    return err;
}

int
hesca_tiling_create_free(int p, const hesca_speed *const *speed, int64_t m,
                         int64_t n, hesca_tiling_kind kind, hesca_goal goal,
                         hesca_tiling **tiling)
{
    hesca_tiling_task x = {0};
    int *order = NULL, *at = NULL, err;
    if (tiling != NULL)
        *tiling = NULL;
    HESCA_TRY(err, check(kind, goal, tiling));
    HESCA_TRY(err, hesca_tiling_task_init(&x, "hesca_tiling_create_free", 2, p,
                                          speed, m, n));
    HESCA_TRY(err, hesca_sorted_by_share(&x, &order, NULL));
    at = malloc(3 * (size_t)p * sizeof *at);
    if (at == NULL)
        HESCA_TRY(err, hesca_fail(HESCA_ERR_NOMEM, 0, "%s: grids of %d",
                                  x.routine, p));
    search s = {&x, kind, goal, HESCA_TILING_PROPORTIONAL, order, 0};
    if (!x.is_constant)
        s.cut = HESCA_TILING_LEAST_TIME;
    HESCA_TRY(err, search_all(&s, at, tiling));
fail:
    free(order);
    free(at);
    hesca_tiling_task_clear(&x);
    return err;
}
