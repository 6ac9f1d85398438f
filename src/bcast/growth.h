/** \file bcast/growth.h
 * What algorithms share: a broadcast that grows send by send. */
#ifndef HESCA_BCAST_GROWTH_H
#define HESCA_BCAST_GROWTH_H

#include "hesca/experimental/broadcast.h"
#include <stddef.h>

static inline double
hesca_broadcast_cost(const hesca_broadcast_problem *x, int src, int dest)
{
    return x->cost[(size_t)src * (size_t)x->nproc + (size_t)dest];
}

/** Seconds that the sender is taken by a message. */
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

/** Set wanted[i] to 1 for destinations, else to 0. */
void hesca_broadcast_wanted(const hesca_broadcast_problem *x, char *wanted);

/** Shortest paths from several processes on: BHAT-COL 4.1 by Dijkstra's
 * algorithm, O(nproc^2).
 * \param [in]     may   may[i]: whether i may get the message; every one that
 *                       has a finite time may forward it.
 * \param [in,out] time  [nproc] in: where to begin, else INFINITY; out: the
 *                       earliest times.
 * \param [out]    from  [nproc] the process before on the path, -1: begin, or
 *                       not reached; or NULL.
 * \param [out]    done  [nproc] work space. */
void hesca_broadcast_paths(const hesca_broadcast_problem *x, const char *may,
                           double *time, int *from, char *done);

/** A broadcast that grows: BHAT-COL 4.3.  A has the message, B wants it, I are
 * the others; lists ascend, so that ties go to the lower numbers. */
typedef struct {
    const hesca_broadcast_problem *problem;
    hesca_broadcast *b;
    int na, nb, ni;
    int *a, *bs, *is; /* [nproc] the lists of A, B and I */
    char *wants;      /* [nproc] whether it is in B */
    double *ready;    /* [nproc] when a member of A can send, INFINITY: not in
                         A */
    double *joined;   /* [nproc] when it got the message */
} hesca_growth;

/** Begin with the root in A. HESCA_SUCCESS or HESCA_ERR_NOMEM. */
int hesca_growth_init(hesca_growth *g, const hesca_broadcast_problem *problem,
                      hesca_broadcast *b);

/** src of A sends to dest of B or I, as soon as it can. O(nproc). */
void hesca_growth_send(hesca_growth *g, int src, int dest);

/** Nobody of A can reach anybody of B: why the algorithm gives up. */
int hesca_growth_stuck(const hesca_growth *g);

void hesca_growth_clear(hesca_growth *g);

/** The costs of nodes that modified FNF goes by: average over all nproc
 * entries of the row, as in BHAT-COL's T_0 = 335 of Eq. 1 (links that do not
 * exist do not count), or the least one. */
void hesca_fnf_costs(const hesca_broadcast_problem *x, int least, double *t);

/** Sort the sends by start.  Equal ones stay as they were made: one that is so
 * short that it ends when it begins, rounded, comes before those it lets
 * begin. Time O(n^2). */
void hesca_broadcast_sort(hesca_broadcast *b);

/** When the last destination has the message; everybody receives once. */
double hesca_broadcast_finish(const hesca_broadcast *b, const char *wanted);

/** What ECEF with look-ahead looks at: L_j of BHAT-COL 4.3. */
typedef enum {
    HESCA_AHEAD_NOTHING, /**< 0: ECEF */
    HESCA_AHEAD_LEAST,   /**< Eq. 9: the cheapest edge from j to B */
    HESCA_AHEAD_AVERAGE, /**< the average of these edges */
    HESCA_AHEAD_SENDERS  /**< the average of all edges from A and j to B */
} hesca_ahead;

/** ECEF with look-ahead that counts weight times.
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
