/* SPDX-License-Identifier: BSD-3-Clause */
/** \file sched/multiphase.h
 * Multiphase schedules: consecutive redistributions through intermediate
 * layouts with other block sizes.
 *
 * All functions are pure. */
#ifndef HESCA_SCHED_MULTIPHASE_H
#define HESCA_SCHED_MULTIPHASE_H

#include "sched/sched.h"

/** Largest number of intermediate block sizes of an axis: a 64-bit integer has
 * fewer prime factors. */
enum { HESCA_PHASE_BLOCKS_MOST = 64 };

/** The intermediate block sizes of one axis between those of A and of B, in
 * order, and the offset of the submatrix, which is the same for all. */
typedef struct {
    int n;
    int64_t nb[HESCA_PHASE_BLOCKS_MOST];
    int64_t origin;
} hesca_phase_blocks;

/** The blocks of phases that each change the block size by one factor: a prime
 * factor of the ratio of A's and B's block sizes, or one of the two factors
 * with the least sum.
 * \param [in] two  1: at most two factors; 0: prime factors.
 * \return 1, or 0 if the axis has no pattern. */
int hesca_phase_blocks_factors(hesca_phase_blocks *blocks, const hesca_axis *a,
                               int64_t ia, const hesca_axis *b, int64_t ib,
                               int two);

/** One stop, at the least common multiple (lcm = 1) or the greatest common
 * divisor (lcm = 0) of both block sizes; none if this is A's or B's block
 * size.
 * \return 1, or 0 if one of the axes is not cyclic or there is no offset for
 *         which both phases have a pattern. */
int hesca_phase_blocks_common(hesca_phase_blocks *blocks, const hesca_axis *a,
                              int64_t ia, const hesca_axis *b, int64_t ib,
                              int lcm);

/** The blocks between A's layout and B's. */
typedef struct {
    hesca_phase_blocks rows, cols;
    int together; /* both axes change in the same phases; else rows first */
    const hesca_solver *solver; /* of every phase */
} hesca_multiphase_way;

/** The phases, with the schedules of process iproc.
 * \return HESCA_SUCCESS (clear the schedule) or HESCA_ERR_NOMEM. */
int hesca_multiphase_fill(const hesca_problem *p,
                          const hesca_multiphase_way *way, int iproc,
                          hesca_schedule *schedule);

/** Predicted seconds of all phases; -1 if there is no memory. */
double hesca_multiphase_predict(const hesca_problem *p,
                                const hesca_multiphase_way *way,
                                const hesca_link_costs *links);

#endif
