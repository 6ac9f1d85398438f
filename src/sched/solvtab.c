#include "sched/sched.h"
#include <string.h>

/* In the order of preference of auto: nobody gains by waiting for a step to
 * end, and with more processes than cores everybody loses. */
const hesca_solver *const hesca_solvtab[] = {
    &hesca_solver_local,
    &hesca_solver_async,
    &hesca_solver_direct,
    &hesca_solver_alltoall,
    NULL,
};

const hesca_solver *
hesca_solver_find(const char *name, const hesca_problem *problem)
{
    const int any = strcmp(name, "auto") == 0;
    for (const hesca_solver *const *s = hesca_solvtab; *s != NULL; ++s)
        if ((any || strcmp(name, (*s)->name) == 0) &&
            (*s)->applicable(problem))
            return *s;
    return NULL;
}
