/* Grids of any shape, in which anybody may sit anywhere. */
#include "base/arith.h"
#include "base/status.h"
#include "partition/matrix/sorted_by_share.h"
#include "partition/matrix/tiling_grid.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* What is looked for, and what is left to look. */
typedef struct {
    const hesca_tiling_task *task;
    hesca_tiling_kind kind;
    hesca_goal goal;
    hesca_tiling_cut cut; /* while looking */
    const int *order;     /* [p] processors, slowest first */
    int64_t trials;       /* how many more, for this shape */
} search;

/* What is to be least, and what decides if that is the same. */
typedef struct {
    double first, then;
} value;

static const value nothing = {INFINITY, INFINITY};

static double
sum_of_shape(int64_t m, int64_t n, int nprow, int npcol)
{
    return (double)npcol * (double)m + (double)nprow * (double)n;
}

/* Half perimeters count for areas that are right: a small one that is too slow
 * is nothing to look for.  The sum depends on the shape of the grid alone, if
 * no rectangle is empty. */
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

/* The value of an arrangement; limits that it cannot keep make it worthless,
 * and only a lack of memory is an error. */
static int
try(search *s, int p, int q, const int *seat, value *v)
{
    hesca_tiling *t = NULL;
    const int err =
        hesca_grid_tiling(s->task, p, q, seat, s->kind, s->cut, &t);
    --s->trials;
    *v = err < 0 ? nothing : value_of(t, s->goal);
    hesca_tiling_free(t);
    return err == HESCA_ERR_NOMEM ? err : HESCA_SUCCESS;
}

/* Exchange two at a time as long as that makes it better. */
static int
improve(search *s, int p, int q, int *seat, value *best)
{
    const int n = s->task->p;
    int err = HESCA_SUCCESS, failed = 0; /* pairs in vain since the last */
    const int64_t pairs = (int64_t)n * (n - 1) / 2;
    while (failed < pairs && s->trials > 0)
        for (int i = 0; i < n; ++i)
            for (int k = i + 1; k < n && s->trials > 0 && failed < pairs;
                 ++k) {
                value v;
                const int a = seat[i], b = seat[k];
                ++failed;
                if (s->task->speed[a] == s->task->speed[b])
                    continue;
                seat[i] = b;
                seat[k] = a;
                HESCA_TRY(err, try(s, p, q, seat, &v));
                if (is_better(v, *best)) {
                    *best = v;
                    failed = 0;
                } else {
                    seat[i] = a;
                    seat[k] = b;
                }
            }
fail:
    return err;
}

/* Fastest first, along rows or along columns: for Cartesian grids, one whose
 * speeds fall along all rows and columns is among the best (HMPI thesis 3.5).
 */
static void
seat_in_order(const search *s, int p, int q, int by_columns, int *seat)
{
    for (int i = 0; i < p; ++i)
        for (int j = 0; j < q; ++j) {
            const int place = by_columns ? j * p + i : i * q + j;
            seat[i * q + j] = s->order[s->task->p - 1 - place];
        }
}

/* The best arrangement found for a shape. */
static int
arrange(search *s, int p, int q, int *seat, int *other, value *best)
{
    const size_t size = (size_t)s->task->p * sizeof *seat;
    value v;
    int err;
    seat_in_order(s, p, q, 0, seat);
    HESCA_TRY(err, try(s, p, q, seat, best));
    seat_in_order(s, p, q, 1, other);
    HESCA_TRY(err, try(s, p, q, other, &v));
    if (is_better(v, *best)) {
        memcpy(seat, other, size);
        *best = v;
    }
    HESCA_TRY(err, improve(s, p, q, seat, best));
fail:
    return err;
}

/* Whether a shape is to be looked at: if its sum decides, those of least sum.
 */
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

/* Trials for each shape.  One costs about p log p; with speed functions, or
 * where Cartesian cuts descend, some hundred times that. */
static int64_t
trials_of(const search *s, int shapes)
{
    const double work = s->cut == HESCA_TILING_PROPORTIONAL ? 1e6 : 1e4;
    return (int64_t)(work / (10. + s->task->p) / shapes);
}

/* All shapes, and the best of their tilings once more as it is to be: lines
 * made whole such that the time is least, if that is better. */
static int
search_all(search *s, int *seat, hesca_tiling **tiling)
{
    const int n = s->task->p;
    int err = HESCA_SUCCESS, shapes = 0, best_p = 0;
    int *const trial = seat + n, *const other = trial + n;
    value best = nothing;
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
            memcpy(seat, trial, (size_t)n * sizeof *seat);
        }
    }
    if (!isfinite(best.first))
        return hesca_tiling_fail_limits(s->task, HESCA_ERR_UNSUPPORTED,
                                        "no grid was found");
    HESCA_TRY(err,
              hesca_grid_tiling(s->task, best_p, n / best_p, seat, s->kind,
                                HESCA_TILING_LEAST_TIME, tiling));
    if (!is_better(best, value_of(*tiling, s->goal)))
        goto fail;
    hesca_tiling_free(*tiling);
    HESCA_TRY(err, hesca_grid_tiling(s->task, best_p, n / best_p, seat,
                                     s->kind, s->cut, tiling));
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
    int *order = NULL, *seat = NULL, err;
    if (tiling != NULL)
        *tiling = NULL;
    HESCA_TRY(err, check(kind, goal, tiling));
    HESCA_TRY(err, hesca_tiling_begin(&x, "hesca_tiling_create_free", 2, p,
                                      speed, m, n));
    HESCA_TRY(err, hesca_sorted_by_share(&x, &order, NULL));
    seat = malloc(3 * (size_t)p * sizeof *seat);
    if (seat == NULL)
        HESCA_TRY(err, hesca_fail(HESCA_ERR_NOMEM, 0, "%s: grids of %d",
                                  x.routine, p));
    search s = {&x, kind, goal, HESCA_TILING_PROPORTIONAL, order, 0};
    if (!x.is_constant)
        s.cut = HESCA_TILING_LEAST_TIME;
    HESCA_TRY(err, search_all(&s, seat, tiling));
fail:
    free(order);
    free(seat);
    hesca_tiling_clear(&x);
    return err;
}
