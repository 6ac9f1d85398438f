/** \file order/refine.h
 * Incremental scheduling: a timetable for costs that have changed, out of the
 * one before (BHAT-EXC 6.2, which leaves the algorithm open). */
#ifndef HESCA_ORDER_REFINE_H
#define HESCA_ORDER_REFINE_H

#include "hesca/experimental/timetable.h"

/** Refine a timetable.
 *
 * The old orders are kept if with the new seconds they finish within `slack`
 * of hesca_events_bound(), or if nothing better is found by letting senders
 * bring forward one of their next few events whose receiver is free earlier.
 * Never worse than the old orders.  Time O(n log nproc), without the search
 * that makes most of hesca_openshop().
 * \param [in]  x      The same pairs, the new seconds.
 * \param [in]  old    Its orders matter, not its times.
 * \param [in]  slack  >= 0, for example 0.02.
 * \param [out] t      Clear it with hesca_timetable_clear(); cleared on error.
 * \return HESCA_SUCCESS, HESCA_ERR_NOMEM, HESCA_ERR_ARG (old is not a
 *         timetable of these pairs, slack). */
int hesca_refine(const hesca_events *x, const hesca_timetable *old,
                 const hesca_ready *ready, double slack, hesca_timetable *t);

#endif
