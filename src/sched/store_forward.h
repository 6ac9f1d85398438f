/** \file sched/store_forward.h
 * Combine and forward: schedules with fewer steps than partners.
 *
 * A packet is all that one process of A has for one of B.  Every process holds
 * one packet in each lane; a step carries the packets of some lanes, together,
 * from every process to one other, and each receives those of one other.
 * First come shifts among the processes of A, each by a power of two, which
 * bring packets of several lanes with the same destination together; then
 * deliveries to the processes of B; then shifts among these.
 *
 * With LIM's words: shifts align the diagonals of a generalized circulant
 * matrix (its Figure 6), and deliveries are the direct part of a hybrid
 * schedule or the last permutation of an indirect one.  The dual problem goes
 * backwards.  In two dimensions lanes are pairs of a lane of rows and one of
 * columns.  Where there is no such pattern processes stand in a circle and
 * lane v holds what goes v places back, which makes it the algorithm of Bruck
 * et al. for the complete exchange (IEEE TPDS 8(11), 1997).
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

/** A shift of all packets whose lane has a bit set. */
typedef struct {
    int axis; /* 0: rows, 1: columns */
    int dim;  /* 0: j1, 1: j2 of LIM */
    int bit;  /* by 2^bit */
} hesca_shift;

enum { HESCA_SHIFTS_MOST = 124 }; /* 31 bits of each of four numbers */

typedef struct {
    const hesca_problem *problem; /* must outlive it */
    hesca_pattern axis[2];        /* of rows, of columns */
    int bits[2][2];    /* of (i1, i2): the low ones, aligned by shifts */
    int64_t groups[2]; /* lanes that differ in the others */
    int npre, npost;   /* shifts among A's processes, among B's */
    int64_t ndeliver;
    hesca_shift pre[HESCA_SHIFTS_MOST], post[HESCA_SHIFTS_MOST];
    int iproc;            /* whose schedule this is */
    int a_at[2], b_at[2]; /* its owner numbers along both axes; -1: none */
    int nring;            /* processes in the circle; 0: there is none */
    int *ring;            /* [nring] their ranks, */
    int *ring_a, *ring_b; /* and places r npcol + c in both grids, or -1 */
} hesca_store_forward;

/** Which processes stand where. */
typedef enum {
    HESCA_STORE_FORWARD_GRID,  /**< by the patterns of both axes; equal grids
                                  only */
    HESCA_STORE_FORWARD_CIRCLE /**< the processes of both grids in a circle */
} hesca_store_forward_kind;

/** Most shifts that a schedule of this kind can have, its highest degree; -1
 * if the kind does not serve the problem. */
int hesca_store_forward_degree(const hesca_problem *p,
                               hesca_store_forward_kind kind);

/** Whether both axes have a pattern of their own. */
int hesca_store_forward_is_patterned(const hesca_problem *p);

/** The schedule of process iproc with `degree` shifts, 0 ...
 * hesca_store_forward_degree(): those that leave the fewest deliveries.  It
 * has more shifts if they save steps beyond degree + ceil(lanes / 2^degree),
 * and so never has more steps than that, or than the highest degree if that
 * takes more.  iproc may be -1, to count steps and lanes only: that cannot
 * fail. \return HESCA_SUCCESS (clear the result) or HESCA_ERR_NOMEM. */
int hesca_store_forward_init(hesca_store_forward *x, const hesca_problem *p,
                             hesca_store_forward_kind kind, int degree,
                             int iproc);
void hesca_store_forward_clear(hesca_store_forward *x);

/** Steps and lanes count from 0. */
int64_t hesca_store_forward_steps(const hesca_store_forward *x);
int64_t hesca_store_forward_lanes(const hesca_store_forward *x);

/** Whom the process sends to and receives from in a step; -1: nobody. */
void hesca_store_forward_peers(const hesca_store_forward *x, int64_t step,
                               int *dest, int *src);

/** Whether a step carries the packets of a lane. */
int hesca_store_forward_moves(const hesca_store_forward *x, int64_t lane,
                              int64_t step);

/** How many lanes a step carries. */
int64_t hesca_store_forward_carried(const hesca_store_forward *x,
                                    int64_t step);

/** The packet that the process holds in a lane before a step, or at the end,
 * before step hesca_store_forward_steps(). */
hesca_packet hesca_store_forward_packet(const hesca_store_forward *x,
                                        int64_t lane, int64_t step);

#endif
