/* Nobody needs anybody: identical layouts, or one process. */
#include "sched/sched.h"

static int
fill(const hesca_problem *problem, int iproc, hesca_schedule *schedule)
{
    schedule->order = HESCA_ORDER_FREE;
    return hesca_steps_fill(problem, iproc, schedule);
}

const hesca_solver hesca_solver_local = {
    .name = "local",
    .applicable = hesca_problem_is_local,
    .fill = fill,
};
