/** \file order/priority.h
 * Deadlines, priorities and critical processes (BHAT-EXC 6.4, which names the
 * problem and leaves the algorithm open). */
#ifndef HESCA_ORDER_PRIORITY_H
#define HESCA_ORDER_PRIORITY_H

#include "hesca/experimental/heuristics.h"

/** Whenever processes get free, begin the most urgent event both of whose ends
 * are free, and so on.
 *
 * Events of critical processes have their times first.  All sends of the first
 * critical process follow each other without a gap, and so do all it receives:
 * if all are ready at 0 it ends at its own lower bound.  Others do not begin
 * what would be in the way.
 *
 * Without critical processes the finish is at most twice
 * hesca_events_bound(); each of them adds at most twice the longest event.
 * \param [in]  options        Checked by the caller.
 * \param [in]  longest_first  What is equally urgent goes by length, else by
 *                            number.
 * \param [out] t  Clear it with hesca_timetable_clear(); cleared on error.
 * \return HESCA_SUCCESS or HESCA_ERR_NOMEM. */
int hesca_priority(const hesca_events *x,
                   const hesca_alltoallv_order_options *options,
                   int longest_first, hesca_timetable *t);

#endif
