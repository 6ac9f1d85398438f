/* SPDX-License-Identifier: BSD-3-Clause */
/* Schedules for links that differ: each process has an ordered list of sends
 * and one of receives, and begins the next one when the previous one has
 * ended.  The order is that of a heuristic.
 * Sources: BHAT-HET 4.3, BHAT-EXC 4. */
#include "base/status.h"
#include "sched/pairs.h"

/* Limits on the number of processes: every process stores all messages, and
 * the time of matchings is the fourth power of the number of processes. */
enum { MOST = 1024, MOST_MATCHED = 256 };

static int
degree(const hesca_solver *self, const hesca_problem *p)
{
    return p->nprocs <= self->variant ? 0 : -1;
}

static double
predict(const hesca_solver *self, const hesca_problem *p,
        const hesca_workload *work, int d, const hesca_link_costs *links)
{
    hesca_events x = {0};
    hesca_timetable t = {0};
    (void)work, (void)d;
    const int err = hesca_pairs_order(self->name, p, links, &x, &t);
    const double seconds = err < 0 ? -1 : t.finish;
    hesca_timetable_clear(&t);
    hesca_events_clear(&x);
    return seconds;
}

static int
fill(const hesca_solver *self, const hesca_problem *p, int d,
     const hesca_link_costs *links, int iproc, hesca_schedule *schedule)
{
    hesca_events x = {0};
    hesca_timetable t = {0};
    int err;
    (void)d;
    HESCA_TRY(err, hesca_pairs_order(self->name, p, links, &x, &t));
    HESCA_TRY(err, hesca_pairs_queues(p, &x, &t, iproc, schedule));
fail:
    hesca_timetable_clear(&t);
    hesca_events_clear(&x);
    return err;
}

const hesca_solver hesca_solver_openshop = {
    .name = "openshop",
    .choosable = 1024,
    .unequal = 1,
    .variant = MOST,
    .degree = degree,
    .predict = predict,
    .fill = fill,
};

const hesca_solver hesca_solver_openshop_lpt = {
    .name = "openshop-lpt",
    .variant = MOST,
    .degree = degree,
    .predict = predict,
    .fill = fill,
};

const hesca_solver hesca_solver_best_of = {
    .name = "polished",
    .choosable = 256,
    .unequal = 1,
    .variant = MOST,
    .degree = degree,
    .predict = predict,
    .fill = fill,
};

const hesca_solver hesca_solver_maxmatch = {
    .name = "maxmatch",
    .variant = MOST_MATCHED,
    .degree = degree,
    .predict = predict,
    .fill = fill,
};

const hesca_solver hesca_solver_minmatch = {
    .name = "minmatch",
    .variant = MOST_MATCHED,
    .degree = degree,
    .predict = predict,
    .fill = fill,
};

const hesca_solver hesca_solver_greedy = {
    .name = "greedy",
    .variant = MOST,
    .degree = degree,
    .predict = predict,
    .fill = fill,
};

const hesca_solver hesca_solver_caterpillar = {
    .name = "caterpillar",
    .variant = MOST,
    .degree = degree,
    .predict = predict,
    .fill = fill,
};
