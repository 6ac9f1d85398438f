/** \file sched/multiphase.h
 * Schedules of several phases: one redistribution after the other, through
 * layouts in between that have other block sizes.
 *
 * All functions are pure. */
#ifndef HESCA_SCHED_MULTIPHASE_H
#define HESCA_SCHED_MULTIPHASE_H

#include "sched/sched.h"

/** Most block sizes on the way of one axis: as many as a number has factors.
 */
enum { HESCA_STOPS_MOST = 64 };

/** The block sizes that one axis takes on between A's and B's, in order, and
 * the offset of the submatrix in all of them. */
typedef struct {
    int n;
    int64_t nb[HESCA_STOPS_MOST];
    int64_t origin;
} hesca_stops;

/** The factors of the block sizes of an axis, of which each phase takes one:
 * prime factors, or the two whose sum is least.
 * \return 1, or 0 if the axis has no pattern. */
int hesca_stops_factors(hesca_stops *stops, const hesca_axis *a, int64_t ia,
                        const hesca_axis *b, int64_t ib, int two);

/** One stop, at the least common multiple of both block sizes or their
 * greatest common divisor; none if that is A's or B's.
 * \return 1, or 0 if one of the axes is not cyclic or there is no offset at
 * which both phases have a pattern. */
int hesca_stops_common(hesca_stops *stops, const hesca_axis *a, int64_t ia,
                       const hesca_axis *b, int64_t ib, int lcm);

/** A way from A's layout to B's. */
typedef struct {
    hesca_stops rows, cols;
    int together;               /* both axes change at once; else rows first */
    const hesca_solver *solver; /* of every phase */
} hesca_multiphase_way;

/** The phases of a way, with the schedules of process iproc.
 * \return HESCA_SUCCESS (clear the schedule) or HESCA_ERR_NOMEM. */
int hesca_multiphase_fill(const hesca_problem *p,
                          const hesca_multiphase_way *way, int iproc,
                          hesca_schedule *schedule);

/** Predicted seconds of these; -1 without memory. */
double hesca_multiphase_predict(const hesca_problem *p,
                                const hesca_multiphase_way *way,
                                const hesca_link_costs *links);

#endif
