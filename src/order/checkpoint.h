/** \file order/checkpoint.h
 * Checkpoint scheduling: when reality differs from the estimate, order anew
 * what has not begun (BHAT-EXC 6.3, which names the checkpoints and leaves the
 * rest open).
 *
 * A checkpoint is an agreement of all processes on what has begun and ended;
 * it is assumed that nobody has begun a message whose partner has not. */
#ifndef HESCA_ORDER_CHECKPOINT_H
#define HESCA_ORDER_CHECKPOINT_H

#include "hesca/experimental/heuristics.h"

/** What has come of a timetable until now: [n] seconds by event. */
typedef struct {
    double now;
    const double *start; /* NAN: has not begun */
    const double *end;   /* NAN: has not ended */
} hesca_so_far;

/** Estimate what is left by what has ended: a message from i to j takes a_i
 * b_j times its seconds, with factors of processes that fit what has ended;
 * 1 for those of whom nothing has.  What has ended gets what it took;
 * where either is not finite and > 0 the seconds of x stay.
 * \param [out] seconds  [n] by event.
 * \return HESCA_SUCCESS or HESCA_ERR_NOMEM.  Time O(n). */
int hesca_reestimate(const hesca_events *x, const hesca_so_far *progress,
                     double *seconds);

/** Order anew what has not begun.
 *
 * \param [in]  x         Present estimates; of what is under way, the whole.
 * \param [in]  old       The timetable that is carried out: what has begun is
 *                       at the front of its orders.
 * \param [in]  h         Orders the rest, from when on its processes are free;
 *                       if that does not finish earlier the old orders stay.
 *                       NULL: they stay.
 * \param [out] t         What has happened, and the estimate of the rest.
 *                       Clear it with hesca_timetable_clear(); cleared on
 *                       error.
 * \param [out] changed   Whether the orders are others; may be NULL.
 * \return HESCA_SUCCESS, HESCA_ERR_NOMEM, HESCA_ERR_ARG (progress that does
 *         not follow the old orders) or what h returns. */
int hesca_reschedule(const hesca_events *x, const hesca_timetable *old,
                     const hesca_so_far *progress, const hesca_heuristic *h,
                     hesca_timetable *t, int *changed);

/** When processes look whether reality differs. */
typedef enum {
    HESCA_CHECK_EVENT, /* as an event ends */
    HESCA_CHECK_HALF   /* when half of the remaining events have ended */
} hesca_check_policy;

/** What came of it. */
typedef struct {
    hesca_timetable t; /* what happened */
    int64_t checks;    /* checkpoints */
    int64_t changes;   /* new orders */
} hesca_checkpoint_outcome;

/** Carry out a plan where events take `real` seconds, with checkpoints that
 * cost nothing.
 *
 * At a checkpoint events are estimated anew and rescheduled if one that has
 * ended since the last one did so more than `threshold` times the age of the
 * plan before or after what the plan said.
 * \param [in]  x       What the plan was made for.
 * \param [in]  real    [n] seconds by event.
 * \param [in]  threshold  >= 0; 0.1 is a tenth.
 * \param [out] r       Clear r->t; cleared on error.
 * \return As hesca_reschedule(), HESCA_ERR_ARG also for real or threshold. */
int hesca_checkpoint_run(const hesca_events *x, const double *real,
                         const hesca_timetable *plan,
                         hesca_check_policy policy, double threshold,
                         const hesca_heuristic *h,
                         hesca_checkpoint_outcome *r);

#endif
