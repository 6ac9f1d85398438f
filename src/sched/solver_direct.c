/* Every message goes straight to its destination, step by step: as many steps
 * as the most partners that a process has, each contention-free.
 * Source: LIM section 3.4 and Theorem 3 (i). */
#include "sched/sched.h"

static int
always(const hesca_problem *problem)
{
    (void)problem;
    return 1;
}

static int
fill(const hesca_problem *problem, int iproc, hesca_schedule *schedule)
{
    schedule->order = HESCA_ORDER_STEPWISE;
    return hesca_steps_fill(problem, iproc, schedule);
}

const hesca_solver hesca_solver_direct = {
    .name = "direct",
    .applicable = always,
    .fill = fill,
};
