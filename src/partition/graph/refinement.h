/** \file partition/graph/refinement.h
 * How a partition is made from nothing, balanced, and made to cut less.  All
 * change s in place.  Pure; they return HESCA_SUCCESS or HESCA_ERR_NOMEM. */
#ifndef HESCA_PARTITION_GRAPH_REFINEMENT_H
#define HESCA_PARTITION_GRAPH_REFINEMENT_H

#include "partition/graph/partition_state.h"

/** Grow one part after the other, from a seed, by the vertex that is tied most
 * to the part and least to what is left.
 * \param [in] trial  0, 1, ...: seeds and orders of parts that differ. */
int hesca_grow(hesca_partition_state *s, int trial);

/** Move vertices out of parts that are too heavy into such as are too light,
 * those first that raise the objective least, until all are within tolerance,
 * no single move helps, or vertices have been looked at some 30 times each, in
 * small graphs more often; then exchange, where limits are full.  No part is
 * above a limit afterwards. */
int hesca_rebalance(hesca_partition_state *s);

/** Exchange vertices of parts that are too heavy with lighter ones of others,
 * until all are within tolerance or no pair helps that is found in a few
 * sweeps.  Counts of vertices stay as they are. */
int hesca_pairwise_exchange(hesca_partition_state *s);

/** Fiduccia and Mattheyses' passes among all parts: the best move first, each
 * vertex once, also moves that lose, then back to the best partition seen. */
int hesca_fm(hesca_partition_state *s);

/** Repair, then passes, then repair again what is left of imbalance. */
int hesca_polish(hesca_partition_state *s);

/** Halve the graph and the parts, by target, and the halves again.  Trials
 * differ in which parts are together. */
int hesca_graph_halve(hesca_adjacency *graph, hesca_partition_state *s,
                      int trial);

/** The best of several partitions by growth and bisection, by imbalance and
 * then by cut; s has no parts yet. */
int hesca_initial_partition(hesca_adjacency *graph, hesca_partition_state *s);

/** Partition a graph by coarsening it, growth on the coarsest, and refinement
 * on the way back.  s has no parts yet. */
int hesca_multilevel(hesca_adjacency *graph, hesca_partition_state *s);

#endif
