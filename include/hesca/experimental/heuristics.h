/* SPDX-License-Identifier: BSD-3-Clause */
/** \file hesca/experimental/heuristics.h
 * Heuristics for the order of the events of an exchange over unequal links.
 *
 * All are pure and give the same result on every process.  There is no
 * synchronization between the steps of caterpillar, maxmatch, minmatch and
 * greedy: an event begins as soon as its two processes have finished their
 * previous events.  For a schedule with given steps (direct, for R_x(K,P)):
 * hesca_timetable_of_steps(). Sources: BHAT-HET 4.3, BHAT-EXC 4. */
#ifndef HESCA_EXPERIMENTAL_HEURISTICS_H
#define HESCA_EXPERIMENTAL_HEURISTICS_H

#include "hesca/experimental/events.h"
#include "hesca/status.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Objectives besides the finish.  All zero: none. */
typedef struct {
    hesca_ready ready;      /**< earliest times of processes */
    const double *deadline; /**< [n] seconds by event, INFINITY: none; earlier
                                 ones first.  May be NULL */
    const double *priority; /**< [n] by event; larger ones first, regardless of
                                 deadlines.  May be NULL */
    int ncritical;          /**< number of critical processes */
    const int *critical;    /**< [ncritical] processes whose events are to end
                                 as early as possible, in this order of
                                 importance, before all other objectives */
} hesca_alltoallv_order_options;

/** A heuristic. */
typedef struct hesca_heuristic {
    const char *name;   /**< as in HESCA_EXCHANGE */
    const char *help;   /**< a few words */
    int has_priorities; /**< whether it supports deadlines, priorities and
                            critical processes */
    /** Order the events.
     * \param [in]  x        The events.
     * \param [in]  options  May be NULL.
     * \param [out] t        Clear it with hesca_timetable_clear(); cleared on
     *                       error.
     * \return HESCA_SUCCESS, HESCA_ERR_NOMEM, HESCA_ERR_ARG (options), or
     *         HESCA_ERR_UNSUPPORTED if it does not support these options. */
    int (*make)(const hesca_events *x,
                const hesca_alltoallv_order_options *options,
                hesca_timetable *t);
} hesca_heuristic;

/** The catalogue, terminated by NULL: caterpillar, greedy, minmatch, maxmatch,
 * openshop, openshop-lpt, polished. */
HESCA_API extern const hesca_heuristic *const hesca_heuristics[];

/** Find a heuristic by name, or NULL. */
HESCA_API const hesca_heuristic *hesca_heuristic_find(const char *name);

#ifdef __cplusplus
}
#endif

#endif
