/* SPDX-License-Identifier: BSD-3-Clause */
/* The choice of a schedule, by name or by prediction. */
#include "base/status.h"
#include "sched/sched.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Whether a name denotes a solver, and the degree in the name; 0 if the solver
 * has no degrees. */
static int
names(const char *name, const hesca_solver *s, int *degree)
{
    const size_t n = strlen(s->name);
    char *end;
    *degree = 0;
    if (strncmp(name, s->name, n) != 0)
        return 0;
    if (!s->has_degrees)
        return name[n] == '\0';
    if (name[n] != ':' || name[n + 1] < '0' || name[n + 1] > '9')
        return 0;
    const long d = strtol(name + n + 1, &end, 10);
    *degree = d > 1000 ? 1000 : (int)d;
    return *end == '\0';
}

static void
try(const hesca_problem *p, const hesca_workload *work,
    const hesca_link_costs *links, const hesca_solver *s, int degree,
    hesca_choice *best)
{
    const double seconds = s->predict(s, p, work, degree, links);
    const int failed = best->failed || seconds < 0;
    if (best->solver == NULL || seconds < best->seconds)
        *best = (hesca_choice){s, degree, links, seconds, failed};
    best->failed = failed;
}

static void
choose_fastest(const hesca_problem *p, const hesca_workload *work,
               const hesca_link_costs *links, hesca_choice *best)
{
    for (const hesca_solver *const *s = hesca_solvtab; *s != NULL; ++s)
        if (p->nprocs <= (*s)->choosable &&
            (links->network != NULL || !(*s)->unequal))
            for (int d = 0, most = (*s)->degree(*s, p); d <= most; ++d)
                try(p, work, links, *s, d, best);
}

int
hesca_choose(const char *name, const hesca_problem *p,
             const hesca_link_costs *links, hesca_choice *choice)
{
    const hesca_workload work = hesca_workload_most(p);
    *choice = (hesca_choice){.solver = NULL};
    if (strcmp(name, "auto") == 0) {
        if (hesca_problem_is_local(p)) /* no message is needed */
            try(p, &work, links, &hesca_solver_local, 0, choice);
        else
            choose_fastest(p, &work, links, choice);
        return 1;
    }
    for (const hesca_solver *const *s = hesca_solvtab; *s != NULL; ++s) {
        int degree;
        if (names(name, *s, &degree) && degree <= (*s)->degree(*s, p))
            try(p, &work, links, *s, degree, choice);
    }
    return choice->solver != NULL;
}

void
hesca_choose_explain(const char *name, const hesca_problem *p, char *text,
                     size_t size)
{
    int n = snprintf(text, size,
                     "HESCA_SCHEDULE is '%s', which does not apply to this "
                     "redistribution; these do:",
                     name);
    for (const hesca_solver *const *s = hesca_solvtab;
         *s != NULL && n > 0 && (size_t)n < size; ++s) {
        const int most = (*s)->degree(*s, p);
        if (most < 0 || *s == &hesca_solver_local) /* not a user's choice */
            continue;
        n += snprintf(text + n, size - (size_t)n, " %s", (*s)->name);
        if ((*s)->has_degrees && (size_t)n < size)
            n += snprintf(text + n, size - (size_t)n, ":0...%d", most);
    }
}

void
hesca_choice_name(const hesca_choice *choice, char name[HESCA_NAME_MAX])
{
    if (choice->solver->has_degrees)
        snprintf(name, HESCA_NAME_MAX, "%s:%d", choice->solver->name,
                 choice->degree);
    else
        snprintf(name, HESCA_NAME_MAX, "%s", choice->solver->name);
}

int
hesca_schedule_init(const hesca_choice *choice, const hesca_problem *p,
                    int iproc, hesca_schedule *schedule)
{
    memset(schedule, 0, sizeof *schedule);
    hesca_choice_name(choice, schedule->name);
    return choice->solver->fill(choice->solver, p, choice->degree,
                                choice->links, iproc, schedule);
}

void
hesca_schedule_clear(hesca_schedule *schedule)
{
    if (schedule->store_forward != NULL)
        hesca_store_forward_clear(schedule->store_forward);
    for (int k = 0; k < schedule->nphases; ++k) {
        hesca_schedule_clear(&schedule->phase[k].schedule);
        hesca_problem_clear(&schedule->phase[k].problem);
    }
    free(schedule->store_forward);
    free(schedule->phase);
    free(schedule->step);
    memset(schedule, 0, sizeof *schedule);
}
