/* SPDX-License-Identifier: BSD-3-Clause */
/** \file partition/graph/partition_state.h
 * The partition problem (vertices, and parts with targets) and the current
 * partition, which engines fill and refinement improves.  Pure. */
#ifndef HESCA_PARTITION_GRAPH_PARTITION_STATE_H
#define HESCA_PARTITION_GRAPH_PARTITION_STATE_H

#include "hesca/experimental/speed.h"
#include "partition/graph/connectivity.h"
#include <stddef.h>

/** The problem.  Classes are subsets of vertices with separate targets. */
typedef struct {
    int p, classes;
    int64_t n;
    const int64_t *weight; /**< [n], or NULL: 1 */
    const int *class_of;   /**< [n], or NULL: 0 */
    double *target;        /**< [classes][p] */
    int64_t *most;         /**< [p] limits of parts, vertices */
    double tolerance;      /**< relative to targets */
    double slack;          /**< absolute tolerance, weight; the larger one
                                holds */
    int64_t heaviest;      /**< largest weight of a vertex */
    hesca_connectivity *connectivity; /**< the objective */
} hesca_partition_problem;

/** Set targets to the shares of the total weight; all classes have the same
 * proportions.
 * \param [in]  weight, class_of  As above.
 * \param [out] x      Without connectivity and tolerance; free with
 *                     hesca_targets_clear(); empty on error.
 * \return HESCA_SUCCESS, HESCA_ERR_ARG (limits) or HESCA_ERR_NOMEM. */
int hesca_targets_init(const char *routine, int arg, int p,
                       const hesca_speed *const *speed, int64_t n,
                       const int64_t *weight, const int *class_of,
                       hesca_partition_problem *x);
void hesca_targets_clear(hesca_partition_problem *x);

/** A partition, and the loads of its parts. */
typedef struct {
    const hesca_partition_problem *x;
    int *part;      /**< [n]; p: not assigned */
    int64_t *load;  /**< [classes][p] */
    int64_t *count; /**< [p] */
} hesca_partition_state;

/** Create a state with no vertex assigned. */
int hesca_partition_state_init(hesca_partition_state *s,
                               const hesca_partition_problem *x);
void hesca_partition_state_clear(hesca_partition_state *s);

/** Recompute load and count, after changes of part[]. */
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

/** Move v to another part; it may be unassigned before. */
void hesca_partition_state_move(hesca_partition_state *s, int64_t v, int to);

/** Distance of a load from target -+ max(tolerance target, slack); 0
 * inside. */
double hesca_partition_state_outside(const hesca_partition_problem *x,
                                     int class_of, int part, int64_t load);

/** (load - target) / target; a large number if the target is 0. */
double hesca_partition_state_excess(const hesca_partition_problem *x,
                                    int class_of, int part, int64_t load);

/** Increase of (load - target)^2 / target if the load increases by w. */
double hesca_partition_state_growth(const hesca_partition_problem *x,
                                    int class_of, int part, int64_t load,
                                    int64_t w);

/** Sum of the distances outside of tolerance, plus a penalty for vertices
 * above limits. */
double hesca_partition_state_violation(const hesca_partition_state *s);

/** Increase of the violation if v moves. */
double hesca_partition_state_worse(const hesca_partition_state *s, int64_t v,
                                   int to);

/** The largest |load - target| / target. */
double hesca_partition_state_deviation(const hesca_partition_state *s);

#endif
