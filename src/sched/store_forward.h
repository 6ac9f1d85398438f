/* SPDX-License-Identifier: BSD-3-Clause */
/** \file sched/store_forward.h
 * Store-and-forward schedules, which have fewer steps than partners.
 *
 * A packet is the data that one process of A has for one process of B.  Every
 * process holds one packet in each lane.  In a step every process sends the
 * packets of some lanes together to one process, and receives those of the
 * same lanes from one process.  First there are shifts among the processes of
 * A, each by a power of two, which collect packets of several lanes with the
 * same destination; then deliveries to the processes of B; then shifts among
 * these.
 *
 * In the terms of LIM, shifts align the diagonals of a generalized circulant
 * matrix (its Figure 6), and deliveries are the direct part of a hybrid
 * schedule or the last permutation of an indirect one.  The dual problem is
 * solved backwards.  In two dimensions, a lane is a pair of a lane of the rows
 * and a lane of the columns.  Without such a pattern, the processes form a
 * circle, and lane v has the packets whose destination is v positions back:
 * the algorithm of Bruck et al. for the complete exchange (IEEE TPDS 8(11),
 * 1997).
 *
 * All functions are pure.  Sources: LIM section 3.4, Theorem 3. */
#ifndef HESCA_SCHED_STORE_FORWARD_H
#define HESCA_SCHED_STORE_FORWARD_H

#include "overlap/problem.h"
#include "sched/pattern.h"

/** Owners (r,c) of A and (s,d) of B; r is -1 if there is no such packet. */
typedef struct {
    int r, c, s, d;
} hesca_packet;

/** A shift by 2^bit of all packets whose lane has this bit set. */
typedef struct {
    int axis; /* 0: rows, 1: columns */
    int dim;  /* 0: j1, 1: j2 of LIM */
    int bit;
} hesca_shift;

enum { HESCA_SHIFTS_MOST = 124 }; /* 31 bits of each of four numbers */

typedef struct {
    const hesca_problem *problem; /* must outlive it */
    hesca_pattern axis[2];        /* of rows, of columns */
    int bits[2][2];    /* number of low bits of (i1, i2), aligned by shifts */
    int64_t groups[2]; /* number of values of the other bits */
    int npre, npost;   /* shifts among the processes of A, and of B */
    int64_t ndeliver;  /* deliveries */
    hesca_shift pre[HESCA_SHIFTS_MOST], post[HESCA_SHIFTS_MOST];
    int iproc;            /* process that has this schedule */
    int a_at[2], b_at[2]; /* its owner numbers along both axes; -1: none */
    int nring;            /* processes in the circle; 0: there is none */
    int *ring;            /* [nring] their ranks */
    int *ring_a, *ring_b; /* [nring] their positions r * npcol + c in the
                             grids of A and of B, or -1 */
} hesca_store_forward;

/** The arrangement of the processes. */
typedef enum {
    HESCA_STORE_FORWARD_GRID,  /**< by the patterns of both axes; equal grids
                                  only */
    HESCA_STORE_FORWARD_CIRCLE /**< the processes of both grids in a circle */
} hesca_store_forward_kind;

/** The highest degree, that is, the largest number of shifts of a schedule of
 * this kind; -1 if the kind is not applicable to the problem. */
int hesca_store_forward_degree(const hesca_problem *p,
                               hesca_store_forward_kind kind);

/** Whether both axes have a pattern. */
int hesca_store_forward_is_patterned(const hesca_problem *p);

/** The schedule of process iproc with `degree` shifts, those that leave the
 * fewest deliveries.  If it had more than degree + ceil(lanes / 2^degree)
 * steps, it has more shifts instead; so it never has more steps than the
 * larger of this bound and the steps of the highest degree.
 * \param [in] degree  0 ... hesca_store_forward_degree().
 * \param [in] iproc   -1: to count steps and lanes only, which cannot fail.
 * \return HESCA_SUCCESS (clear the result) or HESCA_ERR_NOMEM. */
int hesca_store_forward_init(hesca_store_forward *x, const hesca_problem *p,
                             hesca_store_forward_kind kind, int degree,
                             int iproc);
void hesca_store_forward_clear(hesca_store_forward *x);

/** Numbers of steps and of lanes; both are counted from 0. */
int64_t hesca_store_forward_steps(const hesca_store_forward *x);
int64_t hesca_store_forward_lanes(const hesca_store_forward *x);

/** The ranks to which the process sends and from which it receives in a step;
 * -1: none. */
void hesca_store_forward_peers(const hesca_store_forward *x, int64_t step,
                               int *dest, int *src);

/** Whether a step moves the packets of a lane. */
int hesca_store_forward_moves(const hesca_store_forward *x, int64_t lane,
                              int64_t step);

/** The number of lanes that a step moves. */
int64_t hesca_store_forward_carried(const hesca_store_forward *x,
                                    int64_t step);

/** The packet that the process holds in a lane before a step; at the end, step
 * is hesca_store_forward_steps(). */
hesca_packet hesca_store_forward_packet(const hesca_store_forward *x,
                                        int64_t lane, int64_t step);

#endif
