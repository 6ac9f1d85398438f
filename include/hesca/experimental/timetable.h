/* SPDX-License-Identifier: BSD-3-Clause */
/** \file hesca/experimental/timetable.h
 * Timetables: the times of events (BHAT-HET 4.2, the timing diagram).
 *
 * Execution uses the orders of a timetable only: a process has one send and
 * one receive in progress, and begins the next when one ends.
 * hesca_timetable_run() computes the times that result from orders, with the
 * seconds planned or with others. */
#ifndef HESCA_EXPERIMENTAL_TIMETABLE_H
#define HESCA_EXPERIMENTAL_TIMETABLE_H

#include "hesca/experimental/events.h"
#include "hesca/status.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Allocate a timetable and set recv_first; orders are by event, times are not
 * set.
 * \param [out] t  Clear it with hesca_timetable_clear(); cleared on error.
 * \param [in]  x  The events.
 * \return HESCA_SUCCESS or HESCA_ERR_NOMEM. */
HESCA_API int hesca_timetable_alloc(hesca_timetable *t, const hesca_events *x);

/** Free the arrays of a timetable. */
HESCA_API void hesca_timetable_clear(hesca_timetable *t);

/** Copy times and orders of a timetable of the same events. */
HESCA_API void hesca_timetable_copy(hesca_timetable *to,
                                    const hesca_timetable *from);

/** Set the times from the orders in t: each event begins as soon as both its
 * processes have ended what comes before it.
 * \param [in,out] t    Orders on entry; its times are set.
 * \param [in] x        The events.
 * \param [in] seconds  [n] by event, > 0; NULL: as planned.
 * \param [in] ready    NULL: all from 0 on.
 * \return HESCA_SUCCESS, HESCA_ERR_NOMEM, or HESCA_ERR_ARG if an event is not
 *         in the orders of its two processes, or the orders form a cycle;
 *         times are then undefined.  Time O(n). */
HESCA_API int hesca_timetable_run(hesca_timetable *t, const hesca_events *x,
                                  const double *seconds,
                                  const hesca_ready *ready);

/** The timetable of given steps: at its two processes an event follows those
 * of all previous steps; there is no other synchronization between steps.
 * \param [in]  x      The events.
 * \param [in]  nsteps Number of steps.
 * \param [in]  ready  NULL: all from 0 on.
 * \param [in]  step   [n] by event, 0 <= step[e] < nsteps; a process sends at
 *                     most once and receives at most once in each.
 * \param [out] t      Allocated here.
 * \return HESCA_SUCCESS, HESCA_ERR_ARG or HESCA_ERR_NOMEM.
 *         Time O(n + nsteps). */
HESCA_API int hesca_timetable_of_steps(hesca_timetable *t,
                                       const hesca_events *x, int64_t nsteps,
                                       const int64_t *step,
                                       const hesca_ready *ready);

/** Check that every event occurs once, takes its seconds, does not begin
 * before its processes are ready, is in the orders of both, and overlaps with
 * no other at either.  Times are compared with a tolerance of 1e-9 of the
 * finish.
 * \return HESCA_SUCCESS or HESCA_ERR_ARG with a text that names the pair. */
HESCA_API int hesca_timetable_check(const hesca_timetable *t,
                                    const hesca_events *x,
                                    const hesca_ready *ready);

/** Missed deadlines. */
typedef struct {
    int64_t missed; /**< events that end after their deadline */
    double total;   /**< sum of their delays, seconds */
    double most;    /**< largest delay, seconds, >= 0 */
} hesca_lateness;

/** Compare a timetable with deadlines.
 * \param [in]  t         A timetable with times.
 * \param [in]  deadline  [n] seconds by event; INFINITY: none.
 * \param [out] late       [n] 1 where the deadline is missed, else 0; may be
 *                         NULL. */
HESCA_API hesca_lateness hesca_timetable_lateness(const hesca_timetable *t,
                                                  const double *deadline,
                                                  unsigned char *late);

#ifdef __cplusplus
}
#endif

#endif
