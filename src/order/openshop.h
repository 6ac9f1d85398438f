/* SPDX-License-Identifier: BSD-3-Clause */
/** \file order/openshop.h
 * Open shop: the sender that is free first sends to the receiver that is free
 * first. */
#ifndef HESCA_ORDER_OPENSHOP_H
#define HESCA_ORDER_OPENSHOP_H

#include "hesca/experimental/timetable.h"

/** The finish is at most twice hesca_events_bound() if all processes are ready
 * at 0.
 *
 * Source: BHAT-HET 4.3.  Time O(n (log P + log K)), and short moves in a list
 * of P receivers, if every process sends to all others; O(P K^2) for sparse
 * exchanges.
 * \param [in]  longest_first  Of the events that can begin first take the
 *                             longest, not the one whose receiver has been
 *                             free for longest.
 * \param [out] t  Clear it with hesca_timetable_clear(); cleared on error.
 * \return HESCA_SUCCESS or HESCA_ERR_NOMEM. */
int hesca_openshop(const hesca_events *x, const hesca_ready *ready,
                   int longest_first, hesca_timetable *t);

#endif
