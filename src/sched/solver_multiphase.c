/* SPDX-License-Identifier: BSD-3-Clause */
/* Consecutive redistributions, in four variants.
 *
 * lcm, gcd: cyclic(x) to cyclic(y) through blocks of the least common multiple
 * or the greatest common divisor.  Each phase uses the solver indirect: at
 * most ceil(log x) + ceil(log y) + 4 steps for pairwise prime x, y, P.
 * Source: LIM section 1; Thakur, Choudhary, Ramanujam, IEEE TPDS 7(6), 1996.
 *
 * multiphase: the block size changes by one prime factor in each phase, by the
 * solver direct.  two-phase: by at most two factors, those with the least sum.
 * These are baselines to which LIM compares.
 * Source: Kaushik et al., IPPS 1995, as described in LIM Table 1 and section
 * 2. */
#include "sched/multiphase.h"

enum { LCM, GCD, MULTIPHASE, TWO_PHASE };

static int
find_blocks(const hesca_solver *self, const hesca_axis *a, int64_t ia,
            const hesca_axis *b, int64_t ib, hesca_phase_blocks *blocks)
{
    if (self->variant == LCM || self->variant == GCD)
        return hesca_phase_blocks_common(blocks, a, ia, b, ib,
                                         self->variant == LCM);
    return hesca_phase_blocks_factors(blocks, a, ia, b, ib,
                                      self->variant == TWO_PHASE);
}

/* Find the blocks of both axes; return 1, or 0 if there are none. */
static int
find_way(const hesca_solver *self, const hesca_problem *p,
         hesca_multiphase_way *way)
{
    const int common = self->variant == LCM || self->variant == GCD;
    way->together = common;
    way->solver = common ? &hesca_solver_indirect : &hesca_solver_direct;
    return hesca_problem_is_product(p) &&
           find_blocks(self, p->a->rows, p->ia, p->b->rows, p->ib,
                       &way->rows) &&
           find_blocks(self, p->a->cols, p->ja, p->b->cols, p->jb, &way->cols);
}

static int
degree(const hesca_solver *self, const hesca_problem *p)
{
    hesca_multiphase_way way;
    return find_way(self, p, &way) ? 0 : -1;
}

static double
predict(const hesca_solver *self, const hesca_problem *p,
        const hesca_workload *work, int d, const hesca_link_costs *links)
{
    hesca_multiphase_way way;
    (void)work, (void)d;
    return find_way(self, p, &way) ? hesca_multiphase_predict(p, &way, links)
                                   : 1e300;
}

static int
fill(const hesca_solver *self, const hesca_problem *p, int d,
     const hesca_link_costs *links, int iproc, hesca_schedule *schedule)
{
    hesca_multiphase_way way;
    (void)d, (void)links;
    find_way(self, p, &way);
    return hesca_multiphase_fill(p, &way, iproc, schedule);
}

const hesca_solver hesca_solver_lcm = {
    .name = "lcm",
    .variant = LCM,
    .degree = degree,
    .predict = predict,
    .fill = fill,
};

const hesca_solver hesca_solver_gcd = {
    .name = "gcd",
    .variant = GCD,
    .degree = degree,
    .predict = predict,
    .fill = fill,
};

const hesca_solver hesca_solver_multiphase = {
    .name = "multiphase",
    .variant = MULTIPHASE,
    .degree = degree,
    .predict = predict,
    .fill = fill,
};

const hesca_solver hesca_solver_two_phase = {
    .name = "two-phase",
    .variant = TWO_PHASE,
    .degree = degree,
    .predict = predict,
    .fill = fill,
};
