#include "sched/sched.h"

/* In the order in which auto prefers them if predictions are equal. */
const hesca_solver *const hesca_solvtab[] = {
    &hesca_solver_local,
    &hesca_solver_async,
    &hesca_solver_direct,
    &hesca_solver_indirect,
    &hesca_solver_hybrid,
    &hesca_solver_bruck,
    &hesca_solver_openshop,
    &hesca_solver_polished,
    &hesca_solver_openshop_lpt,
    &hesca_solver_maxmatch,
    &hesca_solver_minmatch,
    &hesca_solver_greedy,
    &hesca_solver_caterpillar,
    &hesca_solver_lcm,
    &hesca_solver_gcd,
    &hesca_solver_multiphase,
    &hesca_solver_two_phase,
    &hesca_solver_alltoall,
    NULL,
};

int
hesca_serves_all(const hesca_solver *self, const hesca_problem *p)
{
    (void)self, (void)p;
    return 0;
}
