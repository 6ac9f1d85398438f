/** \file sim/clock.h
 * How long schedules take on paper: a clock for every process, no messages.
 *
 * By the GDM model a message of m bytes takes T_d + m tau_d of its sender and
 * of its receiver.  It begins when both have ended their step before, so who
 * is late makes others late.  LIM's Corollary 2 adds up the longest message of
 * every step instead.  Where all packets are equal both say the same, unless
 * those who keep their packets in one step are just those who move them in
 * another: then the clocks are ahead.
 *
 * Time is that of steps times processes; memory that of processes.
 * Source: LIM section 3.2. */
#ifndef HESCA_SIM_CLOCK_H
#define HESCA_SIM_CLOCK_H

#include "hesca/experimental/machine.h"
#include "sched/store_forward.h"

typedef struct {
    int nprocs;
    double *now;  /* [nprocs] seconds, by the clock of each process */
    double *next; /* [nprocs] the same after the step that is walked */
} hesca_clock;

/** All clocks at 0.
 * \return HESCA_SUCCESS (clear the result) or HESCA_ERR_NOMEM. */
int hesca_clock_init(hesca_clock *c, int nprocs);
void hesca_clock_clear(hesca_clock *c);

/** Let the time pass that a relay by the patterns of both axes
 * (HESCA_STORE_FORWARD_GRID) takes; with degree 0 it is the direct schedule.
 * Of the costs startup and byte count, T_d and tau_d.
 *
 * A problem without row_count and col_count, which would take the square of
 * the processes, is one whose packets are equal: R_x(K,P) of whole
 * superblocks.
 * \return HESCA_SUCCESS or HESCA_ERR_NOMEM. */
int hesca_clock_walk(hesca_clock *c, const hesca_problem *p, int degree,
                     const hesca_costs *costs);

/** When the last process is done. */
double hesca_clock_last(const hesca_clock *c);

#endif
