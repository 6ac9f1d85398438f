/** \file bcast/growth.h
 * What casters share: a broadcast that grows send by send. */
#ifndef HESCA_BCAST_GROWTH_H
#define HESCA_BCAST_GROWTH_H

#include "hesca/broadcast.h"
#include <stddef.h>

static inline double
hesca_cast_cost(const hesca_cast *x, int src, int dest)
{
    return x->cost[(size_t)src * (size_t)x->nproc + (size_t)dest];
}

/** Seconds that the sender is taken by a message. */
static inline double
hesca_cast_busy(const hesca_cast *x, int src, int dest)
{
    const double *c = x->startup != NULL ? x->startup : x->cost;
    return c[(size_t)src * (size_t)x->nproc + (size_t)dest];
}

/** Number of destinations. */
static inline int
hesca_cast_ndest(const hesca_cast *x)
{
    return x->dest != NULL ? x->ndest : x->nproc - 1;
}

/** Set wanted[i] to 1 for destinations, else to 0. */
void hesca_cast_wanted(const hesca_cast *x, char *wanted);

/** Shortest paths from several processes on: BHAT-COL 4.1 by Dijkstra's
 * algorithm, O(nproc^2).
 * \param [in]     may   may[i]: whether i may get the message; every one that
 *                       has a finite time may forward it.
 * \param [in,out] time  [nproc] in: where to begin, else INFINITY; out: the
 *                       earliest times.
 * \param [out]    from  [nproc] the process before on the path, -1: begin, or
 *                       not reached; or NULL.
 * \param [out]    done  [nproc] work space. */
void hesca_cast_paths(const hesca_cast *x, const char *may, double *time,
                      int *from, char *done);

/** A broadcast that grows: BHAT-COL 4.3.  A has the message, B wants it, I are
 * the others; lists ascend, so that ties go to the lower numbers. */
typedef struct {
    const hesca_cast *cast;
    hesca_broadcast *b;
    int na, nb, ni;
    int *a, *bs, *is; /* [nproc] the lists of A, B and I */
    char *wants;      /* [nproc] whether it is in B */
    double *ready;    /* [nproc] when a member of A can send, INFINITY: not in
                         A */
    double *joined;   /* [nproc] when it got the message */
} hesca_growth;

/** Begin with the root in A. HESCA_SUCCESS or HESCA_ERR_NOMEM. */
int hesca_growth_make(hesca_growth *g, const hesca_cast *cast,
                      hesca_broadcast *b);

/** src of A sends to dest of B or I, as soon as it can. O(nproc). */
void hesca_growth_send(hesca_growth *g, int src, int dest);

/** Nobody of A can reach anybody of B: why the caster gives up. */
int hesca_growth_stuck(const hesca_growth *g);

void hesca_growth_clear(hesca_growth *g);

/** The costs of nodes that modified FNF goes by: average over all nproc
 * entries of the row, as in BHAT-COL's T_0 = 335 of Eq. 1 (links that do not
 * exist do not count), or the least one. */
void hesca_fnf_costs(const hesca_cast *x, int least, double *t);

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
int hesca_lookahead(const hesca_cast *cast, hesca_ahead ahead, double weight,
                    hesca_broadcast *b);

extern const hesca_caster hesca_caster_sequential, hesca_caster_binomial,
    hesca_caster_fnf, hesca_caster_fnf_min, hesca_caster_fef,
    hesca_caster_ecef, hesca_caster_lookahead, hesca_caster_lookahead_avg,
    hesca_caster_lookahead_senders, hesca_caster_near_far,
    hesca_caster_balanced_mst, hesca_caster_chain,
    hesca_caster_progressive_mst, hesca_caster_two_phase, hesca_caster_graft,
    hesca_caster_optimum;

#endif
