/* One collective exchange of everything, which leaves the order to MPI: the
 * baseline that schedules are compared with.  LIM's pads all messages to the
 * same length; MPI_Alltoallv need not, so only the longest counts. */
#include "sched/sched.h"

static double
predict(const hesca_solver *self, const hesca_problem *p, int degree,
        const hesca_costs *costs)
{
    const int na = p->a->nprow * p->a->npcol, nb = p->b->nprow * p->b->npcol;
    const hesca_share_of x = hesca_share_most(p);
    (void)self, (void)degree;
    return costs->startup +
           (double)((na > nb ? na : nb) - 1) * costs->message +
           x.leaving * (costs->byte + costs->copy) + x.kept * costs->copy;
}

static int
fill(const hesca_solver *self, const hesca_problem *p, int degree, int iproc,
     hesca_schedule *schedule)
{
    (void)self, (void)degree;
    schedule->order = HESCA_ORDER_COLLECTIVE;
    return hesca_steps_fill(p, iproc, schedule);
}

const hesca_solver hesca_solver_alltoall = {
    .name = "alltoall",
    .degree = hesca_serves_all,
    .predict = predict,
    .fill = fill,
};
