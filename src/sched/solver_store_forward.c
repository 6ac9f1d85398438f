/* SPDX-License-Identifier: BSD-3-Clause */
/* Combine and forward, in three variants.
 *
 * indirect: all lanes are aligned before they are delivered.  For R_x(K,P)
 * this takes ceil(log K') + ceil(log G) + 1 <= ceil(log K) + 2 steps.
 * Source: LIM section 3.4, Theorem 3 (ii).
 *
 * hybrid:d: d shifts, then direct delivery of the combined packets, in the
 * d + ceil(K / 2^d) steps of LIM's Theorem 3 (iii).  If d shifts need more
 * steps, the least larger number of shifts that does not is used; if there is
 * none, because (ii) has more steps, the number of shifts with the fewest
 * steps.
 *
 * bruck: the processes of both grids in a circle, for any layouts:
 * ceil(log P) steps.  indirect and hybrid use the circle, too, if there is no
 * pattern.  Source: Bruck et al., IEEE TPDS 8(11), 1997. */
#include "base/status.h"
#include "sched/sched.h"
#include <limits.h>
#include <stdlib.h>

enum { INDIRECT, HYBRID, BRUCK };

/* Number of steps with the highest degree. */
static int
fewest_steps(const hesca_problem *p, hesca_store_forward_kind kind)
{
    const int degree = hesca_store_forward_degree(p, kind);
    return degree < 0 ? INT32_MAX
                      : degree + (kind == HESCA_STORE_FORWARD_GRID);
}

/* By the patterns of the axes if both have one, or if the circle does not take
 * fewer steps; else in a circle. */
static hesca_store_forward_kind
kind_of(const hesca_solver *self, const hesca_problem *p)
{
    if (self->variant != BRUCK &&
        (hesca_store_forward_is_patterned(p) ||
         fewest_steps(p, HESCA_STORE_FORWARD_GRID) <=
             fewest_steps(p, HESCA_STORE_FORWARD_CIRCLE)))
        return HESCA_STORE_FORWARD_GRID;
    return HESCA_STORE_FORWARD_CIRCLE;
}

static int
degree(const hesca_solver *self, const hesca_problem *p)
{
    const int most = hesca_store_forward_degree(p, kind_of(self, p));
    return most > 0 && !self->has_degrees ? 0 : most;
}

static int
make(const hesca_solver *self, const hesca_problem *p, int d, int iproc,
     hesca_store_forward *x)
{
    const hesca_store_forward_kind kind = kind_of(self, p);
    return hesca_store_forward_init(
        x, p, kind,
        self->has_degrees ? d : hesca_store_forward_degree(p, kind), iproc);
}

/* Every shift costs a start-up; of the deliveries only the first one does,
 * since they do not wait for each other.
 * Source: LIM Corollary 2 (iii), with the number of lanes of each shift. */
static double
predict(const hesca_solver *self, const hesca_problem *p,
        const hesca_workload *work, int d, const hesca_link_costs *links)
{
    const double each =
        work->leaving * (links->costs.byte + links->costs.copy);
    double seconds = 0;
    hesca_store_forward x;
    if (make(self, p, d, -1, &x) < 0)
        return -1;
    /* In a circle, lane 0 has the packets that stay on their processes; with
     * patterns these may be in any lane. */
    const double lanes = (double)hesca_store_forward_lanes(&x) - (x.nring > 1);
    for (int64_t t = 0; t < hesca_store_forward_steps(&x); ++t) {
        const int is_further = t > x.npre && t < x.npre + x.ndeliver;
        seconds += (double)hesca_store_forward_carried(&x, t) / lanes * each +
                   (is_further ? links->costs.message : links->costs.startup);
    }
    hesca_store_forward_clear(&x);
    return seconds;
}

static int
fill(const hesca_solver *self, const hesca_problem *p, int d,
     const hesca_link_costs *links, int iproc, hesca_schedule *schedule)
{
    int err;
    hesca_store_forward *x = calloc(1, sizeof *x);
    (void)links;
    schedule->order = HESCA_ORDER_STORE_FORWARD;
    schedule->store_forward = x;
    if (x == NULL)
        return hesca_fail(HESCA_ERR_NOMEM, 0, "a store-and-forward schedule");
    HESCA_TRY(err, make(self, p, d, iproc, x));
    const int n = (int)hesca_store_forward_steps(x);
    schedule->step = calloc((size_t)n + 1, sizeof *schedule->step);
    if (schedule->step == NULL)
        HESCA_TRY(err, hesca_fail(HESCA_ERR_NOMEM, 0, "%d steps", n));
    schedule->nsteps = n;
    for (int t = 0; t < n; ++t) {
        hesca_step *step = &schedule->step[t];
        hesca_store_forward_peers(x, t, &step->dest.rank, &step->src.rank);
    }
fail:
    return err;
}

const hesca_solver hesca_solver_indirect = {
    .name = "indirect",
    .choosable = INT_MAX,
    .variant = INDIRECT,
    .degree = degree,
    .predict = predict,
    .fill = fill,
};

const hesca_solver hesca_solver_hybrid = {
    .name = "hybrid",
    .has_degrees = 1,
    .choosable = INT_MAX,
    .variant = HYBRID,
    .degree = degree,
    .predict = predict,
    .fill = fill,
};

const hesca_solver hesca_solver_bruck = {
    .name = "bruck",
    .choosable = INT_MAX,
    .variant = BRUCK,
    .degree = degree,
    .predict = predict,
    .fill = fill,
};
