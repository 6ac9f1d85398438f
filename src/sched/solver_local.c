/* SPDX-License-Identifier: BSD-3-Clause */
/* No process needs data of another one: identical layouts, or one process. */
#include "sched/sched.h"
#include <limits.h>

static int
degree(const hesca_solver *self, const hesca_problem *p)
{
    (void)self;
    return hesca_problem_is_local(p) ? 0 : -1;
}

static double
predict(const hesca_solver *self, const hesca_problem *p,
        const hesca_workload *work, int degree, const hesca_link_costs *links)
{
    (void)self, (void)p, (void)degree;
    return work->local * links->costs.copy;
}

static int
fill(const hesca_solver *self, const hesca_problem *p, int degree,
     const hesca_link_costs *links, int iproc, hesca_schedule *schedule)
{
    (void)self, (void)degree, (void)links;
    schedule->order = HESCA_ORDER_FREE;
    return hesca_steps_fill(p, iproc, schedule);
}

const hesca_solver hesca_solver_local = {
    .name = "local",
    .choosable = INT_MAX,
    .degree = degree,
    .predict = predict,
    .fill = fill,
};
