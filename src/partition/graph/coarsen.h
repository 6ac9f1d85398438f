/* SPDX-License-Identifier: BSD-3-Clause */
/** \file partition/graph/coarsen.h
 * Coarsening by matching: pairs of vertices become one.  Pure. */
#ifndef HESCA_PARTITION_GRAPH_COARSEN_H
#define HESCA_PARTITION_GRAPH_COARSEN_H

#include "partition/graph/partition_state.h"

/** A level: the coarse graph, its partition problem, and the map from the
 * finer graph. */
typedef struct {
    hesca_adjacency graph;
    hesca_connectivity connectivity;
    hesca_partition_problem x; /**< targets are those of the finer level */
    int64_t *weight;           /**< [graph.n] */
    int *class_of;             /**< [graph.n], or NULL */
    int64_t *coarse; /**< [n of the finer graph] coarse vertex of each */
} hesca_level;

/** Match vertices of the same class: each with the neighbour along the
 * heaviest edge, else with a vertex that has a common neighbour.  No coarse
 * vertex is heavier than `heaviest`, unless a single fine vertex is.
 * \param [out] level  Free with hesca_level_clear(); empty on error.
 * \return HESCA_SUCCESS or HESCA_ERR_NOMEM. */
int hesca_coarsen(const hesca_adjacency *graph,
                  const hesca_partition_problem *x, int64_t heaviest,
                  hesca_level *level);

void hesca_level_clear(hesca_level *level);

#endif
