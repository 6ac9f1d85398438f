/* SPDX-License-Identifier: BSD-3-Clause */
/** \file sched/pattern.h
 * The pattern of the pairs of owners of two axes that have common indices, if
 * there is a rule.
 *
 * The owners of the finer blocks have positions 0 ... np - 1.  Lane i is a row
 * of a table in generalized circulant form, which maps position j to owner
 * P_s(i,j) of the coarser blocks.  Every lane is a permutation, and every pair
 * with common indices is in one lane.  All functions are pure and take time
 * independent of the number of owners.
 * Source: LIM Theorem 2; by its section 3.1 the dual problem is the same table
 * read backwards. */
#ifndef HESCA_SCHED_PATTERN_H
#define HESCA_SCHED_PATTERN_H

#include "layout/axis.h"
#include "sched/circulant.h"

typedef struct {
    hesca_circulant table;
    int dual;                   /* B has the finer blocks */
    int64_t fine_at, coarse_at; /* owner at position 0; owner for P_s = 0 */
} hesca_pattern;

/** The pattern of axis a, from ia on, and axis b, from ib on: R_x(K,P), K <=
 * P, or its dual; or R_x(1,P), for any axes, if every owner has common indices
 * only with itself.
 * \return 1, or 0 if there is no such pattern. */
int hesca_pattern_find(hesca_pattern *t, const hesca_axis *a, int64_t ia,
                       const hesca_axis *b, int64_t ib);

/** The pattern for any two axes of np owners: lane i joins p with p - i
 * modulo np. */
hesca_pattern hesca_pattern_shifts(int np);

/** A position, as LIM's (j1, j2): j = j1 G + j2. */
typedef struct {
    int64_t j1, j2;
} hesca_position;

/** The position of an owner of the finer blocks, and back. */
hesca_position hesca_pattern_position(const hesca_pattern *t, int owner);
int hesca_pattern_owner(const hesca_pattern *t, hesca_position j);

/** The position moved by (d1, d2), modulo P' and G. */
hesca_position hesca_pattern_move(const hesca_pattern *t, hesca_position j,
                                  int64_t d1, int64_t d2);

/** The owner of the coarser blocks to which lane i maps position j, and the
 * position that it maps to an owner. */
int hesca_pattern_coarse(const hesca_pattern *t, int64_t i, hesca_position j);
hesca_position hesca_pattern_fine(const hesca_pattern *t, int64_t i,
                                  int coarse);

#endif
