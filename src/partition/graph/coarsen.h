/** \file partition/graph/coarsen.h
 * A graph with fewer vertices that has its shape: pairs of vertices become
 * one.  Pure. */
#ifndef HESCA_PARTITION_GRAPH_COARSEN_H
#define HESCA_PARTITION_GRAPH_COARSEN_H

#include "partition/graph/partition_state.h"

/** A level: the coarse graph, what is to be parted there, and where each
 * vertex of the finer graph went. */
typedef struct {
    hesca_adjacency graph;
    hesca_connectivity connectivity;
    hesca_partition_problem x; /**< targets are those of the finer level */
    int64_t *weight;           /**< [graph.n] */
    int *class_of;             /**< [graph.n], or NULL */
    int64_t *coarse;           /**< [n of the finer] */
} hesca_level;

/** Match vertices of the same class: each with the neighbour of the heaviest
 * edge, else with one that has a neighbour in common.  No coarse vertex is
 * heavier than `heaviest`, unless a fine one is.
 * \param [out] level  Free with hesca_level_clear(); empty on error.
 * \return HESCA_SUCCESS or HESCA_ERR_NOMEM. */
int hesca_coarsen(const hesca_adjacency *graph,
                  const hesca_partition_problem *x, int64_t heaviest,
                  hesca_level *level);

void hesca_level_clear(hesca_level *level);

#endif
