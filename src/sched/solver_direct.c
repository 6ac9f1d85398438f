/* Every message goes straight to its destination, in as many steps as the most
 * partners that a process has, each contention-free.
 *
 * direct: a step begins when the one before has ended.  direct-async: receives
 * are posted ahead, messages leave as staging memory allows, and long ones
 * take turns chunk by chunk, in the same order.
 * Source: LIM section 3.4, Theorem 3 (i), Corollary 2 (i); section 5 for the
 * asynchronous variant. */
#include "sched/sched.h"

static double
predict(const hesca_solver *self, const hesca_problem *p,
        const hesca_workload *work, int degree, const hesca_outlook *outlook)
{
    const double each = self->variant == HESCA_ORDER_FREE
                            ? outlook->costs.message
                            : outlook->costs.startup;
    (void)p, (void)degree;
    return outlook->costs.startup + (work->partners - 1) * each +
           work->leaving * outlook->costs.byte;
}

static int
fill(const hesca_solver *self, const hesca_problem *p, int degree,
     const hesca_outlook *outlook, int iproc, hesca_schedule *schedule)
{
    (void)degree, (void)outlook;
    schedule->order = (hesca_order)self->variant;
    return hesca_steps_fill(p, iproc, schedule);
}

const hesca_solver hesca_solver_direct = {
    .name = "direct",
    .choosable = 1,
    .variant = HESCA_ORDER_STEPWISE,
    .degree = hesca_serves_all,
    .predict = predict,
    .fill = fill,
};

const hesca_solver hesca_solver_async = {
    .name = "direct-async",
    .choosable = 1,
    .variant = HESCA_ORDER_FREE,
    .degree = hesca_serves_all,
    .predict = predict,
    .fill = fill,
};
