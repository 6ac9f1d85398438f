/** \file hesca/experimental/heuristics.h
 * Ways to order the events of an exchange over unequal links.
 *
 * All are pure and give the same on every process.  Steps of caterpillar,
 * maxmatch, minmatch and greedy do not wait for each other: an event begins as
 * soon as its two processes have ended what they had before.  A schedule with
 * steps of its own (direct, for R_x(K,P)): hesca_timetable_of_steps().
 * Sources: BHAT-HET 4.3, BHAT-EXC 4. */
#ifndef HESCA_EXPERIMENTAL_HEURISTICS_H
#define HESCA_EXPERIMENTAL_HEURISTICS_H

#include "hesca/experimental/events.h"
#include "hesca/status.h"

#ifdef __cplusplus
extern "C" {
#endif

/** What else than the finish matters.  All zero: nothing. */
typedef struct {
    hesca_ready ready;      /* from when on processes may */
    const double *deadline; /* [n] seconds by event, INFINITY: none; earlier
                               ones go first.  May be NULL */
    const double *priority; /* [n] by event; larger ones go first, before
                               what deadlines say.  May be NULL */
    int ncritical;
    const int *critical; /* [ncritical] processes whose events are to end as
                            early as possible, the first of them before the
                            others, whatever is urgent elsewhere */
} hesca_alltoallv_order_options;

/** A way to order events. */
typedef struct hesca_heuristic {
    const char *name;
    const char *help;  /* a few words */
    int minds_urgency; /* takes deadlines, priorities, critical processes */
    /** \param [in]  options  May be NULL.
     * \param [out] t        Clear it with hesca_timetable_clear(); cleared on
     *                       error.
     * \return HESCA_SUCCESS, HESCA_ERR_NOMEM, HESCA_ERR_ARG (options), or
     *         HESCA_ERR_UNSUPPORTED if it does not mind what options ask. */
    int (*make)(const hesca_events *x,
                const hesca_alltoallv_order_options *options,
                hesca_timetable *t);
} hesca_heuristic;

/** All of them, NULL at the end: caterpillar, greedy, minmatch, maxmatch,
 * openshop, openshop-lpt, polished. */
HESCA_API extern const hesca_heuristic *const hesca_heuristics[];

/** By name, or NULL. */
HESCA_API const hesca_heuristic *hesca_heuristic_find(const char *name);

#ifdef __cplusplus
}
#endif

#endif
