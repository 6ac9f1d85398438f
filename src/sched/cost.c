/* SPDX-License-Identifier: BSD-3-Clause */
#include "sched/sched.h"

/* Fraction of the elements that stay on their process. */
static double
local_part(const hesca_problem *p)
{
    double local = 0;
    int s, d;
    for (int r = 0; r < p->a->nprow; ++r)
        for (int c = 0; c < p->a->npcol; ++c)
            if (hesca_layout_coords(p->b, p->a->ranks[r * p->a->npcol + c], &s,
                                    &d))
                local += (double)hesca_problem_common_rows(p, r, c, s, d) *
                         (double)hesca_problem_common_cols(p, r, c, s, d);
    return p->m == 0 || p->n == 0 ? 0 : local / ((double)p->m * (double)p->n);
}

hesca_workload
hesca_workload_most(const hesca_problem *p)
{
    const double bytes = hesca_problem_largest(p) * (double)p->esize;
    const double local = local_part(p);
    const double steps = (double)hesca_steps_count(p);
    return (hesca_workload){.local = local * bytes,
                            .leaving = (1 - local) * bytes,
                            .partners =
                                local > 0 && steps > 1 ? steps - 1 : steps};
}

double
hesca_longest_bytes(const hesca_problem *p)
{
    return hesca_problem_longest(p) * (double)p->esize;
}
