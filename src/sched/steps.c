/* SPDX-License-Identifier: BSD-3-Clause */
/* The steps of direct schedules.
 *
 * A pair of processes exchanges data if they have common rows and common
 * columns.  So a round of rows and a round of columns form a step, which is
 * contention-free because both are, and the schedule of the grid is the
 * product of both.  It has the least number of steps if, for rows and for
 * columns, processes send to as many partners as they receive from.  Otherwise
 * (4 x 1 to 1 x 4: four rounds of rows, four of columns, but only four
 * partners) the pairs of processes are ordered directly. */
#include "base/arith.h"
#include "base/status.h"
#include "sched/axis_rounds.h"
#include "sched/colour.h"
#include "sched/sched.h"
#include <stdlib.h>
#include <string.h>

/* --- partners ---
 * A peer has a rank only if both processes have common elements. */

static const hesca_peer no_peer = {.rank = -1};

/* Process (s,d) of B as the destination of (r,c) of A; rank -1 if there is
 * nothing to send. */
static hesca_peer
dest(const hesca_problem *p, int r, int c, int s, int d)
{
    if (s < 0 || d < 0 || hesca_problem_common(p, r, c, s, d) == 0)
        return no_peer;
    return (hesca_peer){.rank = p->b->ranks[s * p->b->npcol + d],
                        .prow = s,
                        .pcol = d,
                        .count = hesca_problem_common(p, r, c, s, d)};
}

static hesca_peer
source(const hesca_problem *p, int r, int c, int s, int d)
{
    if (r < 0 || c < 0 || hesca_problem_common(p, r, c, s, d) == 0)
        return no_peer;
    return (hesca_peer){.rank = p->a->ranks[r * p->a->npcol + c],
                        .prow = r,
                        .pcol = c,
                        .count = hesca_problem_common(p, r, c, s, d)};
}

/* The coordinates of a process in both grids. */
typedef struct {
    int in_a, r, c, in_b, s, d;
} place;

/* --- orders ---
 * In every order, each process sends to at most one process and receives from
 * at most one process per step, and both ends agree on the step. */

static int
allocate(hesca_schedule *schedule, int nsteps)
{
    schedule->nsteps = nsteps;
    schedule->step = malloc(((size_t)nsteps + 1) * sizeof *schedule->step);
    if (schedule->step == NULL)
        return hesca_fail(HESCA_ERR_NOMEM, 0, "%d steps", nsteps);
    for (int k = 0; k < nsteps; ++k)
        schedule->step[k] = (hesca_step){no_peer, no_peer};
    return HESCA_SUCCESS;
}

static int
fill_product(const hesca_problem *p, const place *me, const hesca_rounds *rows,
             const hesca_rounds *cols, hesca_schedule *schedule)
{
    int err;
    HESCA_TRY(err, allocate(schedule, rows->n * cols->n));
    for (int i = 0; i < rows->n; ++i)
        for (int j = 0; j < cols->n; ++j) {
            hesca_step *step = &schedule->step[i * cols->n + j];
            if (me->in_a)
                step->dest = dest(p, me->r, me->c, rows->to[i], cols->to[j]);
            if (me->in_b)
                step->src =
                    source(p, rows->from[i], cols->from[j], me->s, me->d);
        }
fail:
    return err;
}

/* Numbers of common elements of all pairs of processes. */
static int64_t *
pair_counts(const hesca_problem *p)
{
    const hesca_layout *a = p->a, *b = p->b;
    const size_t na = (size_t)a->nprow * (size_t)a->npcol;
    const size_t nb = (size_t)b->nprow * (size_t)b->npcol;
    int64_t *count = malloc(na * nb * sizeof *count), *next = count;
    for (int r = 0; count != NULL && r < a->nprow; ++r)
        for (int c = 0; c < a->npcol; ++c)
            for (int s = 0; s < b->nprow; ++s)
                for (int d = 0; d < b->npcol; ++d)
                    *next++ = hesca_problem_common(p, r, c, s, d);
    return count;
}

static int
fill_pairs(const hesca_problem *p, const place *me, int64_t least,
           hesca_schedule *schedule)
{
    const hesca_layout *a = p->a, *b = p->b;
    hesca_rounds pairs = {0};
    int64_t *count = pair_counts(p);
    int err;
    if (count == NULL)
        return hesca_fail(HESCA_ERR_NOMEM, 0, "%d x %d pairs of processes",
                          a->nprow * a->npcol, b->nprow * b->npcol);
    HESCA_TRY(err, hesca_rounds_pairs(&pairs, a->nprow * a->npcol,
                                      me->in_a ? me->r * a->npcol + me->c : -1,
                                      b->nprow * b->npcol,
                                      me->in_b ? me->s * b->npcol + me->d : -1,
                                      count, (int)least));
    HESCA_TRY(err, allocate(schedule, pairs.n));
    for (int k = 0; k < pairs.n; ++k) {
        hesca_step *step = &schedule->step[k];
        const int to = pairs.to[k], from = pairs.from[k];
        if (to >= 0)
            step->dest = dest(p, me->r, me->c, to / b->npcol, to % b->npcol);
        if (from >= 0)
            step->src =
                source(p, from / a->npcol, from % a->npcol, me->s, me->d);
    }
fail:
    hesca_rounds_clear(&pairs);
    free(count);
    return err;
}

static int
all_meet(const int64_t *count, int n)
{
    for (int k = 0; k < n; ++k)
        if (count[k] == 0)
            return 0;
    return 1;
}

/* For exchanges in which every process of A may send to every process of B: in
 * step k, process i sends to i + k. */
static int
fill_latin(const hesca_problem *p, const place *me, hesca_schedule *schedule)
{
    const int acols = p->a->npcol, bcols = p->b->npcol;
    const int npa = p->a->nprow * acols, npb = p->b->nprow * bcols;
    const int n = npa > npb ? npa : npb;
    int err;
    HESCA_TRY(err, allocate(schedule, n));
    for (int k = 0; k < n; ++k) {
        hesca_step *step = &schedule->step[k];
        const int to = me->in_a ? (me->r * acols + me->c + k) % n : npb;
        const int from = me->in_b ? (me->s * bcols + me->d + n - k) % n : npa;
        if (to < npb)
            step->dest = dest(p, me->r, me->c, to / bcols, to % bcols);
        if (from < npa)
            step->src = source(p, from / acols, from % acols, me->s, me->d);
    }
fail:
    return err;
}

/* --- choice of the order ---
 * The choice depends on global numbers only, so all processes make the same
 * one. */

static int
larger(hesca_fan d)
{
    return d.out > d.in ? d.out : d.in;
}

/* Number of steps: the largest number of partners of a process, which is the
 * minimum, and that of the product of both orders. */
static void
count_steps(const hesca_problem *p, int64_t *least, int64_t *product)
{
    *least = larger(p->fan);
    *product = (int64_t)larger(p->row_fan) * larger(p->col_fan);
}

/* The time and memory of ordering pairs are proportional to their number.
 * Above this limit an order with a few more steps is preferred. */
static int
too_many_pairs(const hesca_problem *p)
{
    const int64_t npa = (int64_t)p->a->nprow * p->a->npcol;
    const int64_t npb = (int64_t)p->b->nprow * p->b->npcol;
    return npa * npb > 1 << 22;
}

/* How direct messages are ordered. */
typedef enum { BY_PRODUCT, BY_SHIFTS, BY_PAIRS } ordering;

/* For layouts that are not products: rows and columns have no separate orders.
 */
static ordering
choose_for_ragged(const hesca_problem *p, int64_t *nsteps)
{
    if (!too_many_pairs(p))
        return BY_PAIRS;
    *nsteps = hesca_max((int64_t)p->a->nprow * p->a->npcol,
                        (int64_t)p->b->nprow * p->b->npcol);
    return BY_SHIFTS;
}

static ordering
choose_ordering(const hesca_problem *p, int64_t *nsteps)
{
    int64_t least, product;
    count_steps(p, &least, &product);
    *nsteps = least;
    if (!hesca_problem_is_product(p))
        return choose_for_ragged(p, nsteps);
    if (product == least)
        return BY_PRODUCT;
    if (all_meet(p->row_count, p->a->nprow * p->b->nprow) &&
        all_meet(p->col_count, p->a->npcol * p->b->npcol))
        return BY_SHIFTS;
    if (!too_many_pairs(p))
        return BY_PAIRS;
    *nsteps = product;
    return BY_PRODUCT;
}

int
hesca_steps_fill(const hesca_problem *p, int iproc, hesca_schedule *schedule)
{
    int err;
    int64_t nsteps;
    place me;
    hesca_rounds rows = {0}, cols = {0};
    me.in_a = hesca_layout_coords(p->a, iproc, &me.r, &me.c);
    me.in_b = hesca_layout_coords(p->b, iproc, &me.s, &me.d);
    const ordering how = choose_ordering(p, &nsteps);
    if (how == BY_SHIFTS)
        return fill_latin(p, &me, schedule);
    if (how == BY_PAIRS)
        return fill_pairs(p, &me, nsteps, schedule);
    HESCA_TRY(err,
              hesca_rounds_axis(&rows, p->a->rows, p->ia, me.in_a ? me.r : -1,
                                p->b->rows, p->ib, me.in_b ? me.s : -1,
                                p->row_count, larger(p->row_fan)));
    HESCA_TRY(err,
              hesca_rounds_axis(&cols, p->a->cols, p->ja, me.in_a ? me.c : -1,
                                p->b->cols, p->jb, me.in_b ? me.d : -1,
                                p->col_count, larger(p->col_fan)));
    HESCA_TRY(err, fill_product(p, &me, &rows, &cols, schedule));
fail:
    hesca_rounds_clear(&rows);
    hesca_rounds_clear(&cols);
    return err;
}

int64_t
hesca_steps_count(const hesca_problem *p)
{
    int64_t nsteps;
    choose_ordering(p, &nsteps);
    return nsteps;
}
