/** \file partition/graph/partition_state.h
 * Vertices, parts with targets, and the parts that vertices are in now: what
 * engines fill and what refines their work.  Pure. */
#ifndef HESCA_PARTITION_GRAPH_PARTITION_STATE_H
#define HESCA_PARTITION_GRAPH_PARTITION_STATE_H

#include "hesca/experimental/speed.h"
#include "partition/graph/connectivity.h"
#include <stddef.h>

/** What is to be parted.  Classes are subsets of vertices each of which has
 * targets of its own. */
typedef struct {
    int p, classes;
    int64_t n;
    const int64_t *weight; /**< [n], or NULL: 1 */
    const int *class_of;   /**< [n], or NULL: 0 */
    double *target;        /**< [classes][p] */
    int64_t *most;         /**< [p] vertices that a part may have */
    double tolerance;      /**< relative to targets */
    double slack;          /**< or so much weight, where that is more */
    int64_t heaviest;      /**< vertex */
    hesca_connectivity *connectivity; /**< what connects them */
} hesca_partition_problem;

/** Targets of all parts: the shares of the total weight, in each class in the
 * same proportion.
 * \param [in]  weight, class_of  As above.
 * \param [out] x      Without connectivity and tolerance; free with
 *                     hesca_targets_clear(); empty on error.
 * \return HESCA_SUCCESS, HESCA_ERR_ARG (limits) or HESCA_ERR_NOMEM. */
int hesca_targets_init(const char *routine, int arg, int p,
                       const hesca_speed *const *speed, int64_t n,
                       const int64_t *weight, const int *class_of,
                       hesca_partition_problem *x);
void hesca_targets_clear(hesca_partition_problem *x);

/** Who is where, and what that weighs. */
typedef struct {
    const hesca_partition_problem *x;
    int *part;      /**< [n], or p: in none yet */
    int64_t *load;  /**< [classes][p] */
    int64_t *count; /**< [p] */
} hesca_partition_state;

/** All vertices in no part, or as `part`, [n] and taken over, says. */
int hesca_partition_state_init(hesca_partition_state *s,
                               const hesca_partition_problem *x);
void hesca_partition_state_clear(hesca_partition_state *s);

/** Count loads anew, after changes of part[]. */
void hesca_partition_state_count(hesca_partition_state *s);

static inline int
hesca_class(const hesca_partition_problem *x, int64_t v)
{
    return x->class_of != NULL ? x->class_of[v] : 0;
}

static inline int64_t
hesca_weight(const hesca_partition_problem *x, int64_t v)
{
    return x->weight != NULL ? x->weight[v] : 1;
}

/** Move v, from its part or none, to another. */
void hesca_partition_state_move(hesca_partition_state *s, int64_t v, int to);

/** How far a load is outside target -+ max(tolerance target, slack). */
double hesca_partition_state_outside(const hesca_partition_problem *x,
                                     int class_of, int part, int64_t load);

/** (load - target) / target, of a part that should be empty a large number. */
double hesca_partition_state_excess(const hesca_partition_problem *x,
                                    int class_of, int part, int64_t load);

/** By how much the sum of (load - target)^2 / target grows where a load
 * becomes w more. */
double hesca_partition_state_growth(const hesca_partition_problem *x,
                                    int class_of, int part, int64_t load,
                                    int64_t w);

/** How far all are outside, summed up, vertices above limits included. */
double hesca_partition_state_violation(const hesca_partition_state *s);

/** By how much that grows if v moves. */
double hesca_partition_state_worse(const hesca_partition_state *s, int64_t v,
                                   int to);

/** The largest |load - target| / target. */
double hesca_partition_state_deviation(const hesca_partition_state *s);

#endif
