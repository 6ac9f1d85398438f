/* The steps of direct, but nobody waits for a step to end: receives are posted
 * ahead, messages leave as staging memory allows, and long ones take turns
 * chunk by chunk, in the same contention-free order.
 * Source: LIM section 5, the asynchronous variant. */
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
    schedule->order = HESCA_ORDER_FREE;
    return hesca_steps_fill(problem, iproc, schedule);
}

const hesca_solver hesca_solver_async = {
    .name = "direct-async",
    .applicable = always,
    .fill = fill,
};
