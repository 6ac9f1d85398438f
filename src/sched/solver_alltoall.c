/* One collective exchange of everything, which leaves the order to MPI: the
 * baseline that schedules are compared with. */
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
    schedule->order = HESCA_ORDER_COLLECTIVE;
    return hesca_steps_fill(problem, iproc, schedule);
}

const hesca_solver hesca_solver_alltoall = {
    .name = "alltoall",
    .applicable = always,
    .fill = fill,
};
