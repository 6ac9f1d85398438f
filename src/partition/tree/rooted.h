/* SPDX-License-Identifier: BSD-3-Clause */
/** \file partition/tree/rooted.h
 * A rooted tree, to be cut into connected pieces, one for each processor, and
 * the methods to do so.  Pure.
 *
 * A piece has the number of its processor; times are weight / speed, and
 * INFINITY if a processor has more vertices than its limit. */
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

/** Root a tree at vertex 0.
 * \param [out] r  Free with hesca_rooted_clear(); empty on error. */
int hesca_rooted_init(const hesca_adjacency *tree,
                      const hesca_partition_problem *x,
                      const hesca_speed *const *speed, hesca_rooted *r);
void hesca_rooted_clear(hesca_rooted *r);

/** Time of processor k for a load of `count` vertices. */
double hesca_rooted_time(const hesca_rooted *r, int k, int64_t load,
                         int64_t count);

/** The largest time of the pieces; piece is [n]. */
int hesca_rooted_makespan(const hesca_rooted *r, const int *piece,
                          double *time);

/** The largest load that processor k solves within a time, at most the total;
 * limits apply if there are no weights. */
int64_t hesca_rooted_capacity(const hesca_rooted *r, int k, double time);

/** Recursive bisection: cut at the edge, and divide the processors into two
 * groups, such that the loads of both sides are in the best proportion to
 * their targets. */
int hesca_tree_halve(const hesca_rooted *r, int *piece);

/** Reduce the largest time by moving the cut between two pieces, by cutting
 * off a piece for an idle processor, and by exchanging processors, until none
 * of these helps. */
int hesca_tree_shift(const hesca_rooted *r, int *piece);

/** Whether hesca_tree_equal() applies: equal processors, and no limits
 * together with weights. */
int hesca_tree_is_equal(const hesca_rooted *r);

/** The optimum for equal processors. */
int hesca_tree_equal(const hesca_rooted *r, int *piece);

/** Whether hesca_tree_exact() applies: p <= 10, n 3^p is small, and no limits
 * together with weights. */
int hesca_tree_is_small(const hesca_rooted *r);

/** The optimum; on entry piece holds a partition, whose time is an upper
 * bound. */
int hesca_tree_exact(const hesca_rooted *r, int *piece);

#endif
