/* SPDX-License-Identifier: BSD-3-Clause */
/** \file sim/clock.h
 * Simulated times of schedules: a clock for every process, no messages.
 *
 * In the GDM model a message of m bytes occupies its sender and its receiver
 * for T_d + m tau_d.  It begins when both have ended their previous step, so
 * delays propagate.  LIM's Corollary 2 adds up the longest message of every
 * step instead.  If all packets are equal, both times are equal, unless the
 * processes that keep their packets in one step are exactly those that move
 * them in another: then the simulated time is shorter.
 *
 * Time O(steps x processes), memory O(processes).
 * Source: LIM section 3.2. */
#ifndef HESCA_SIM_CLOCK_H
#define HESCA_SIM_CLOCK_H

#include "hesca/experimental/machine.h"
#include "sched/store_forward.h"

typedef struct {
    int nprocs;
    double *now;  /* [nprocs] seconds, clock of each process */
    double *next; /* [nprocs] the same after the present step */
} hesca_clock;

/** All clocks at 0.
 * \return HESCA_SUCCESS (clear the result) or HESCA_ERR_NOMEM. */
int hesca_clock_init(hesca_clock *c, int nprocs);
void hesca_clock_clear(hesca_clock *c);

/** Advance the clocks by a store-and-forward schedule by the patterns of both
 * axes (HESCA_STORE_FORWARD_GRID); with degree 0 it is the direct schedule.
 * Only the costs startup and byte are used, as T_d and tau_d.
 *
 * If row_count and col_count of the problem are NULL, because they would take
 * memory for the square of the number of processes, all packets are equal:
 * R_x(K,P) of whole superblocks.
 * \return HESCA_SUCCESS or HESCA_ERR_NOMEM. */
int hesca_clock_walk(hesca_clock *c, const hesca_problem *p, int degree,
                     const hesca_costs *costs);

/** The time at which the last process has ended. */
double hesca_clock_last(const hesca_clock *c);

#endif
