/* SPDX-License-Identifier: BSD-3-Clause */
/** \file order/best_of.h
 * The best of open shop, the caterpillar and a few schedules that give
 * priority to ports with much remaining work. */
#ifndef HESCA_ORDER_BEST_OF_H
#define HESCA_ORDER_BEST_OF_H

#include "hesca/experimental/timetable.h"

/** Never worse than open shop and the caterpillar, and usually much closer to
 * hesca_events_bound().
 *
 * Time: that of hesca_openshop(), and up to eight passes (six for fewer than
 * 32 processes) of about the same time each.
 *
 * \param [out] t  Clear it with hesca_timetable_clear(); cleared on error.
 * \return HESCA_SUCCESS or HESCA_ERR_NOMEM. */
int hesca_best_of(const hesca_events *x, const hesca_ready *ready,
                  hesca_timetable *t);

#endif
