/* SPDX-License-Identifier: BSD-3-Clause */
/** \file order/refine.h
 * Incremental scheduling: a timetable for changed costs, derived from the
 * previous one (BHAT-EXC 6.2, which leaves the algorithm open). */
#ifndef HESCA_ORDER_REFINE_H
#define HESCA_ORDER_REFINE_H

#include "hesca/experimental/timetable.h"

/** Refine a timetable.
 *
 * The old orders are used if with the new seconds they finish within
 * (1 + slack) times hesca_events_bound().  Otherwise senders may bring forward
 * one of their next few events if its receiver is free earlier; the result is
 * used if it finishes earlier.  Never worse than the old orders.  Time
 * O(n log nproc), without the search that takes most of the time of
 * hesca_openshop().
 * \param [in]  x      The same pairs, with the new seconds.
 * \param [in]  old    Only its orders are used, not its times.
 * \param [in]  slack  >= 0, for example 0.02.
 * \param [out] t      Clear it with hesca_timetable_clear(); cleared on error.
 * \return HESCA_SUCCESS, HESCA_ERR_NOMEM, HESCA_ERR_ARG (old is not a
 *         timetable of these pairs, slack). */
int hesca_refine(const hesca_events *x, const hesca_timetable *old,
                 const hesca_ready *ready, double slack, hesca_timetable *t);

#endif
