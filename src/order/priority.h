/* SPDX-License-Identifier: BSD-3-Clause */
/** \file order/priority.h
 * Orders with deadlines, priorities and critical processes (BHAT-EXC 6.4,
 * which names the problem and leaves the algorithm open). */
#ifndef HESCA_ORDER_PRIORITY_H
#define HESCA_ORDER_PRIORITY_H

#include "hesca/experimental/heuristics.h"

/** Whenever processes become free, begin the most urgent event whose ports are
 * both free, then the next one, and so on.
 *
 * The times of events of critical processes are fixed first.  All sends of the
 * first critical process follow each other without a gap, and so do its
 * receives: if all processes are ready at 0, it ends at its own lower bound.
 * Other events begin only if they do not overlap with these.
 *
 * Without critical processes the finish is at most twice
 * hesca_events_bound(); each of them adds at most twice the longest event.
 * \param [in]  options        Checked by the caller.
 * \param [in]  longest_first  Equally urgent events are ordered by decreasing
 *                             length, otherwise by number.
 * \param [out] t  Clear it with hesca_timetable_clear(); cleared on error.
 * \return HESCA_SUCCESS or HESCA_ERR_NOMEM. */
int hesca_priority(const hesca_events *x,
                   const hesca_alltoallv_order_options *options,
                   int longest_first, hesca_timetable *t);

#endif
