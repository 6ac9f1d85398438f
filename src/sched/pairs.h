/** \file sched/pairs.h
 * A redistribution as communication events: one for every pair of different
 * processes that share something. */
#ifndef HESCA_SCHED_PAIRS_H
#define HESCA_SCHED_PAIRS_H

#include "hesca/experimental/timetable.h"
#include "sched/sched.h"

/** The events among the processes of the links's network, or, without one,
 * ranks 0 ... the largest one of both grids.  Of trapezoids each message
 * counts as the rectangle around it.
 * \return HESCA_SUCCESS (clear the result), HESCA_ERR_NOMEM. */
int hesca_pairs_events(const hesca_problem *p, const hesca_link_costs *links,
                       hesca_events *x);

/** The timetable of the direct schedule, whose steps are the same whatever
 * messages cost (BHAT-HET 5).
 * \param [in] x           The events of the problem.
 * \param [in] is_barrier  Steps wait for all of the step before, else every
 *                         process goes on as soon as it and its partner can.
 * \return HESCA_SUCCESS (clear the result), HESCA_ERR_NOMEM. */
int hesca_pairs_direct(const hesca_problem *p, const hesca_events *x,
                       int is_barrier, hesca_timetable *t);

/** Its events as queues carry them out, and their order by a heuristic.  Clear
 * both, also on error.
 * \return as the heuristic. */
int hesca_pairs_order(const char *heuristic, const hesca_problem *p,
                      const hesca_link_costs *links, hesca_events *x,
                      hesca_timetable *t);

/** Both queues of process iproc, side by side, as a queued schedule.
 * \return HESCA_SUCCESS (clear the schedule) or HESCA_ERR_NOMEM. */
int hesca_pairs_queues(const hesca_problem *p, const hesca_events *x,
                       const hesca_timetable *t, int iproc,
                       hesca_schedule *schedule);

#endif
