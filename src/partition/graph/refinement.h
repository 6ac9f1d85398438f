/* SPDX-License-Identifier: BSD-3-Clause */
/** \file partition/graph/refinement.h
 * Initial partition, rebalancing and refinement.  All change s in place.
 * Pure; they return HESCA_SUCCESS or HESCA_ERR_NOMEM. */
#ifndef HESCA_PARTITION_GRAPH_REFINEMENT_H
#define HESCA_PARTITION_GRAPH_REFINEMENT_H

#include "partition/graph/partition_state.h"

/** Grow one part after the other, from a seed, by the vertex with the largest
 * degree to the part less that to unassigned vertices.
 * \param [in] trial  0, 1, ...: selects seeds and the order of parts. */
int hesca_grow(hesca_partition_state *s, int trial);

/** Move vertices from parts that are too heavy to parts that are too light,
 * those first that increase the objective least, until all parts are within
 * tolerance, no single move helps, or some 30 evaluations for each vertex
 * (more in small graphs) are made; then exchange vertices if limits bind.  No
 * part is above a limit afterwards. */
int hesca_rebalance(hesca_partition_state *s);

/** Exchange vertices of parts that are too heavy with lighter ones of other
 * parts, until all are within tolerance or a few sweeps find no pair that
 * helps.  Counts of vertices do not change. */
int hesca_pairwise_exchange(hesca_partition_state *s);

/** Passes of Fiduccia and Mattheyses among all parts: the best move first,
 * each vertex at most once, moves of negative gain included; then back to the
 * best partition seen. */
int hesca_fm(hesca_partition_state *s);

/** Rebalance, then hesca_fm(), then rebalance again. */
int hesca_polish(hesca_partition_state *s);

/** Recursive bisection of the graph and of the parts, by target.  Trials
 * differ in the division of the parts. */
int hesca_graph_halve(hesca_adjacency *graph, hesca_partition_state *s,
                      int trial);

/** The best of several partitions by growth and by bisection, compared by
 * imbalance and then by cut; no vertex of s is assigned before. */
int hesca_initial_partition(hesca_adjacency *graph, hesca_partition_state *s);

/** Multilevel partitioning: coarsening, an initial partition of the coarsest
 * graph, and refinement on each level.  No vertex of s is assigned before. */
int hesca_multilevel(hesca_adjacency *graph, hesca_partition_state *s);

#endif
