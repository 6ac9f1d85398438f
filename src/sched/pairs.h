/* SPDX-License-Identifier: BSD-3-Clause */
/** \file sched/pairs.h
 * A redistribution as communication events: one for every pair of different
 * processes with common elements. */
#ifndef HESCA_SCHED_PAIRS_H
#define HESCA_SCHED_PAIRS_H

#include "hesca/experimental/timetable.h"
#include "sched/sched.h"

/** The events among the processes of the network of links or, without a
 * network, among ranks 0 ... the largest one of both grids.  Messages of
 * trapezoids count as the rectangles that contain them.
 * \return HESCA_SUCCESS (clear the result) or HESCA_ERR_NOMEM. */
int hesca_pairs_events(const hesca_problem *p, const hesca_link_costs *links,
                       hesca_events *x);

/** The timetable of the direct schedule, whose steps do not depend on the
 * costs of messages (BHAT-HET 5).
 * \param [in] x           The events of the problem.
 * \param [in] is_barrier  1: a step begins when all events of the previous one
 *                         have ended; 0: every process continues as soon as it
 *                         and its partner are free.
 * \return HESCA_SUCCESS (clear the result) or HESCA_ERR_NOMEM. */
int hesca_pairs_direct(const hesca_problem *p, const hesca_events *x,
                       int is_barrier, hesca_timetable *t);

/** The events with the costs of ordered send-receive, and their order by a
 * heuristic.
 * \param [out] x, t  Clear both, also on error.
 * \return As the heuristic. */
int hesca_pairs_order(const char *heuristic, const hesca_problem *p,
                      const hesca_link_costs *links, hesca_events *x,
                      hesca_timetable *t);

/** The ordered sends and receives of process iproc as a schedule
 * (HESCA_ORDER_QUEUED).
 * \return HESCA_SUCCESS (clear the schedule) or HESCA_ERR_NOMEM. */
int hesca_pairs_queues(const hesca_problem *p, const hesca_events *x,
                       const hesca_timetable *t, int iproc,
                       hesca_schedule *schedule);

#endif
