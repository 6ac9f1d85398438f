/** \file partition/tree/rooted.h
 * A tree with a root, to be cut in connected pieces, one for each processor,
 * and the ways to do so.  Pure.
 *
 * A piece has the number of its processor; times are weight / speed, and
 * INFINITY where a processor would have more vertices than it can hold. */
#ifndef HESCA_PARTITION_TREE_ROOTED_H
#define HESCA_PARTITION_TREE_ROOTED_H

#include "partition/graph/partition_state.h"

typedef struct {
    const hesca_partition_problem *x;
    const hesca_speed *const *speed; /**< [p] or NULL */
    int64_t *order;                  /**< [n] parents before children */
    int64_t *parent;                 /**< [n] -1: the root, order[0] */
    int64_t total;                   /**< weight */
} hesca_rooted;

/** Give a tree a root.
 * \param [out] r  Free with hesca_rooted_clear(); empty on error. */
int hesca_rooted_init(const hesca_adjacency *tree,
                      const hesca_partition_problem *x,
                      const hesca_speed *const *speed, hesca_rooted *r);
void hesca_rooted_clear(hesca_rooted *r);

/** Time of processor k for a load, of so many vertices. */
double hesca_rooted_time(const hesca_rooted *r, int k, int64_t load,
                         int64_t count);

/** The largest time of pieces; piece is [n]. */
int hesca_rooted_makespan(const hesca_rooted *r, const int *piece,
                          double *time);

/** The largest load that processor k solves within a time, at most the total;
 * limits apply where weights are not given. */
int64_t hesca_rooted_capacity(const hesca_rooted *r, int k, double time);

/** Cut by halves: the edge and the groups of processors for either side whose
 * loads are in the best proportion to their targets, and again. */
int hesca_tree_halve(const hesca_rooted *r, int *piece);

/** Make the largest time less, by shifting the cut between two pieces, by
 * cutting off a piece for an idle processor, and by exchange of processors,
 * until none of that helps. */
int hesca_tree_shift(const hesca_rooted *r, int *piece);

/** Whether hesca_tree_alike() is for it: alike processors, and no limits
 * together with weights. */
int hesca_tree_is_alike(const hesca_rooted *r);

/** The optimum for alike processors. */
int hesca_tree_alike(const hesca_rooted *r, int *piece);

/** Whether hesca_tree_exact() is for it: p <= 10, n 3^p is small, and no
 * limits together with weights. */
int hesca_tree_is_small(const hesca_rooted *r);

/** The optimum, not worse than what piece says before. */
int hesca_tree_exact(const hesca_rooted *r, int *piece);

#endif
