/* SPDX-License-Identifier: BSD-3-Clause */
/** \file order/checkpoint.h
 * Checkpoint scheduling: if measured times differ from the estimates, order
 * the events that have not begun again (BHAT-EXC 6.3, which names the
 * checkpoints and leaves the algorithm open).
 *
 * At a checkpoint all processes agree on the events that have begun and ended.
 * It is assumed that a message has begun on both of its processes or on
 * neither. */
#ifndef HESCA_ORDER_CHECKPOINT_H
#define HESCA_ORDER_CHECKPOINT_H

#include "hesca/experimental/heuristics.h"

/** The progress of a timetable until now; [n] seconds by event. */
typedef struct {
    double now;
    const double *start; /* NAN: has not begun */
    const double *end;   /* NAN: has not ended */
} hesca_so_far;

/** Estimate the remaining events from those that have ended.  A message from i
 * to j takes a_i b_j times its seconds; the factors of processes are fitted to
 * the events that have ended, and are 1 for a process without such events.
 * Events that have ended get their measured seconds.  An estimate that is not
 * finite and > 0 is replaced by the seconds of x.
 * \param [out] seconds  [n] by event.
 * \return HESCA_SUCCESS or HESCA_ERR_NOMEM.  Time O(n). */
int hesca_reestimate(const hesca_events *x, const hesca_so_far *progress,
                     double *seconds);

/** Order the events that have not begun again.
 *
 * \param [in]  x         Present estimates; for events in progress, of the
 *                        whole event.
 * \param [in]  old       The timetable that is executed: events that have
 *                        begun are at the front of its orders.
 * \param [in]  h         Orders the rest, from the times on at which its
 *                        processes are free.  If this does not finish earlier,
 *                        or if h is NULL, the old orders are used.
 * \param [out] t         The measured times, and the estimate of the rest.
 *                        Clear it with hesca_timetable_clear(); cleared on
 *                        error.
 * \param [out] changed   Whether the orders have changed; may be NULL.
 * \return HESCA_SUCCESS, HESCA_ERR_NOMEM, HESCA_ERR_ARG (progress that does
 *         not follow the old orders) or an error of h. */
int hesca_reschedule(const hesca_events *x, const hesca_timetable *old,
                     const hesca_so_far *progress, const hesca_heuristic *h,
                     hesca_timetable *t, int *changed);

/** The times of checkpoints. */
typedef enum {
    HESCA_CHECK_EVENT, /* whenever an event ends */
    HESCA_CHECK_HALF   /* when half of the remaining events have ended */
} hesca_check_policy;

/** The result of hesca_checkpoint_run(). */
typedef struct {
    hesca_timetable t; /* the simulated times */
    int64_t checks;    /* number of checkpoints */
    int64_t changes;   /* number of those that changed the orders */
} hesca_checkpoint_outcome;

/** Simulate the execution of a plan, where events take `real` seconds and
 * checkpoints take no time.
 *
 * At a checkpoint, events are estimated again and rescheduled if an event that
 * has ended since the previous checkpoint ended earlier or later than planned
 * by more than `threshold` times the age of the plan.
 * \param [in]  x          The events that the plan was made for.
 * \param [in]  real       [n] seconds by event.
 * \param [in]  threshold  >= 0; 0.1 is a tenth.
 * \param [out] r          Clear r->t; cleared on error.
 * \return As hesca_reschedule(); HESCA_ERR_ARG also for real or threshold. */
int hesca_checkpoint_run(const hesca_events *x, const double *real,
                         const hesca_timetable *plan,
                         hesca_check_policy policy, double threshold,
                         const hesca_heuristic *h,
                         hesca_checkpoint_outcome *r);

#endif
