/* SPDX-License-Identifier: BSD-3-Clause */
/* One collective exchange of all data, in the order that MPI chooses, with all
 * messages padded to the length of the longest one: the baseline to which
 * schedules are compared.  Source: LIM section 5. */
#include "sched/sched.h"

static double
predict(const hesca_solver *self, const hesca_problem *p,
        const hesca_workload *work, int degree, const hesca_link_costs *links)
{
    const int na = p->a->nprow * p->a->npcol, nb = p->b->nprow * p->b->npcol;
    const double others = (double)((na > nb ? na : nb) - 1);
    const double padded = hesca_longest_bytes(p);
    (void)self, (void)work, (void)degree;
    return links->costs.startup + others * links->costs.message +
           others * padded * links->costs.byte;
}

static int
fill(const hesca_solver *self, const hesca_problem *p, int degree,
     const hesca_link_costs *links, int iproc, hesca_schedule *schedule)
{
    (void)self, (void)degree, (void)links;
    schedule->order = HESCA_ORDER_COLLECTIVE;
    return hesca_steps_fill(p, iproc, schedule);
}

const hesca_solver hesca_solver_alltoall = {
    .name = "alltoall",
    .degree = hesca_serves_all,
    .predict = predict,
    .fill = fill,
};
