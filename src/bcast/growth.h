/* SPDX-License-Identifier: BSD-3-Clause */
/** \file bcast/growth.h
 * Common parts of the broadcast algorithms, and the broadcast that grows send
 * by send. */
#ifndef HESCA_BCAST_GROWTH_H
#define HESCA_BCAST_GROWTH_H

#include "hesca/experimental/broadcast.h"
#include <stddef.h>

/** Seconds that a message takes; INFINITY if there is no link. */
static inline double
hesca_broadcast_cost(const hesca_broadcast_problem *x, int src, int dest)
{
    return x->cost[(size_t)src * (size_t)x->nproc + (size_t)dest];
}

/** Seconds for which a message occupies its sender. */
static inline double
hesca_broadcast_busy(const hesca_broadcast_problem *x, int src, int dest)
{
    const double *c = x->startup != NULL ? x->startup : x->cost;
    return c[(size_t)src * (size_t)x->nproc + (size_t)dest];
}

/** Number of destinations. */
static inline int
hesca_broadcast_ndest(const hesca_broadcast_problem *x)
{
    return x->dest != NULL ? x->ndest : x->nproc - 1;
}

/** Set wanted[i] to 1 for destinations and to 0 for other processes. */
void hesca_broadcast_wanted(const hesca_broadcast_problem *x, char *wanted);

/** Shortest paths from several processes: BHAT-COL 4.1 by Dijkstra's
 * algorithm, O(nproc^2).
 * \param [in]     may   [nproc] Whether a process may get the message; every
 *                       process that gets it may forward it.
 * \param [in,out] time  [nproc] In: initial times of the processes at which
 *                       paths begin, INFINITY for the others; out: earliest
 *                       times.
 * \param [out]    from  [nproc] Predecessor on the path; -1: the path begins
 *                       here, or the process is not reached; or NULL.
 * \param [out]    done  [nproc] work space. */
void hesca_broadcast_paths(const hesca_broadcast_problem *x, const char *may,
                           double *time, int *from, char *done);

/** A growing broadcast: BHAT-COL 4.3.  A is the set of processes that have the
 * message, B that of destinations without it, I that of the others.  Lists
 * ascend, so that ties go to the lower numbers. */
typedef struct {
    const hesca_broadcast_problem *problem;
    hesca_broadcast *b;
    int na, nb, ni;
    int *a, *bs, *is; /* [nproc] the lists of A, B and I */
    char *wants;      /* [nproc] whether a process is in B */
    double *ready;    /* [nproc] time from which on a member of A can send;
                         INFINITY: not in A */
    double *joined;   /* [nproc] time at which it got the message */
} hesca_growth;

/** Begin with A = {root}.
 * \return HESCA_SUCCESS or HESCA_ERR_NOMEM. */
int hesca_growth_init(hesca_growth *g, const hesca_broadcast_problem *problem,
                      hesca_broadcast *b);

/** Append a send from src in A to dest in B or I, at the earliest time.
 * O(nproc). */
void hesca_growth_send(hesca_growth *g, int src, int dest);

/** Record that no member of A has a link to a member of B.
 * \return HESCA_ERR_UNSUPPORTED. */
int hesca_growth_stuck(const hesca_growth *g);

void hesca_growth_clear(hesca_growth *g);

/** The costs of nodes in modified FNF: the average over all nproc entries of
 * the row, as in T_0 = 335 of BHAT-COL Eq. 1, without links that do not exist,
 * or the least entry.
 * \param [in]  least  0: average; 1: least.
 * \param [out] t      [nproc] seconds; INFINITY: no links. */
void hesca_fnf_costs(const hesca_broadcast_problem *x, int least, double *t);

/** Sort the sends by start.  The sort is stable: a send that takes 0 s in
 * rounded times stays before those that depend on it.  Time O(n^2). */
void hesca_broadcast_sort(hesca_broadcast *b);

/** Time at which the last destination has the message; every process receives
 * at most once. */
double hesca_broadcast_finish(const hesca_broadcast *b, const char *wanted);

/** The look-ahead term L_j of BHAT-COL 4.3. */
typedef enum {
    HESCA_AHEAD_NOTHING, /**< 0: ECEF */
    HESCA_AHEAD_LEAST,   /**< Eq. 9: the cheapest edge from j to B */
    HESCA_AHEAD_AVERAGE, /**< the average of these edges */
    HESCA_AHEAD_SENDERS  /**< the average of all edges from A and j to B */
} hesca_ahead;

/** ECEF with look-ahead.
 * \param [in] weight  Factor of the look-ahead term.
 * \return HESCA_SUCCESS, HESCA_ERR_UNSUPPORTED or HESCA_ERR_NOMEM. */
int hesca_lookahead(const hesca_broadcast_problem *problem, hesca_ahead ahead,
                    double weight, hesca_broadcast *b);

extern const hesca_broadcast_algorithm hesca_broadcast_by_sequential,
    hesca_broadcast_by_binomial, hesca_broadcast_by_fnf,
    hesca_broadcast_by_fnf_min, hesca_broadcast_by_fef,
    hesca_broadcast_by_ecef, hesca_broadcast_by_lookahead,
    hesca_broadcast_by_lookahead_avg, hesca_broadcast_by_lookahead_senders,
    hesca_broadcast_by_near_far, hesca_broadcast_by_balanced_mst,
    hesca_broadcast_by_chain, hesca_broadcast_by_progressive_mst,
    hesca_broadcast_by_two_phase, hesca_broadcast_by_graft,
    hesca_broadcast_by_optimum;

#endif
