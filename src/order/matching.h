/* SPDX-License-Identifier: BSD-3-Clause */
/** \file order/matching.h
 * Steps of an exchange: caterpillar, series of matchings, greedy.
 *
 * All compute the step of every event, for hesca_timetable_of_steps().
 * Source: BHAT-EXC 4.2 to 4.4. */
#ifndef HESCA_ORDER_MATCHING_H
#define HESCA_ORDER_MATCHING_H

#include "hesca/experimental/events.h"

/** In step k process i sends to (i + k) mod nproc.
 * \param [out] step  [n] by event.
 * \return The number of steps. */
int64_t hesca_steps_caterpillar(const hesca_events *x, int64_t *step);

/** A series of complete matchings of senders and receivers, each of maximum
 * or minimum weight among the remaining pairs; a pair without an event has
 * weight 0.  There are nproc matchings; one without events is not a step.
 *
 * Time O(nproc^4), memory 8 nproc^2 bytes.
 * \param [in]  sign    1: maximum, -1: minimum.
 * \param [out] step    [n] by event.
 * \param [out] nsteps
 * \return HESCA_SUCCESS or HESCA_ERR_NOMEM. */
int hesca_steps_matching(const hesca_events *x, int sign, int64_t *step,
                         int64_t *nsteps);

/** One process after the other takes the longest of its events whose receiver
 * has not been taken in this step.
 *
 * Time O(steps x n).  A process without an event in a step is among the first
 * in the next one (BHAT-EXC, for fairness).
 * \param [out] step    [n] by event.
 * \param [out] nsteps
 * \return HESCA_SUCCESS or HESCA_ERR_NOMEM. */
int hesca_steps_greedy(const hesca_events *x, int64_t *step, int64_t *nsteps);

#endif
