/** \file sched/pattern.h
 * The rule by which the owners of two axes meet, where there is one.
 *
 * The owners of the finer blocks stand at positions 0 ... np - 1, and lane i
 * is a row of a table in generalized circulant form: it leads from position j
 * to owner P_s(i,j) of the coarser blocks.  Every lane is a permutation, and
 * every pair that meets meets in one lane.  All functions are pure and take a
 * time that does not depend on the number of owners.
 * Source: LIM Theorem 2; by its section 3.1 the dual problem is the same table
 * read backwards. */
#ifndef HESCA_SCHED_PATTERN_H
#define HESCA_SCHED_PATTERN_H

#include "layout/axis.h"
#include "sched/circulant.h"

typedef struct {
    hesca_circulant table;
    int dual;                   /* B has the finer blocks */
    int64_t fine_at, coarse_at; /* owners at position 0, of column 0 */
} hesca_pattern;

/** The pattern of axis a, from ia on, and axis b, from ib on: an R_x(K,P), K
 * <= P, or its dual; or, whatever the axes, R_x(1,P) if every owner meets only
 * itself.
 * \return 1, or 0 if they are something else. */
int hesca_pattern_find(hesca_pattern *t, const hesca_axis *a, int64_t ia,
                       const hesca_axis *b, int64_t ib);

/** Any two axes of np owners: lane i joins p with p - i mod np. */
hesca_pattern hesca_pattern_shifts(int np);

/** A place among the owners, as LIM's (j1, j2): j = j1 G + j2. */
typedef struct {
    int64_t j1, j2;
} hesca_position;

/** The position of an owner of the finer blocks, and back. */
hesca_position hesca_pattern_position(const hesca_pattern *t, int owner);
int hesca_pattern_owner(const hesca_pattern *t, hesca_position j);

/** The place moved by (d1, d2), around its cycles. */
hesca_position hesca_pattern_move(const hesca_pattern *t, hesca_position j,
                                  int64_t d1, int64_t d2);

/** The owner of the coarser blocks that lane i leads to from place j, and the
 * place from which it leads to that owner. */
int hesca_pattern_coarse(const hesca_pattern *t, int64_t i, hesca_position j);
hesca_position hesca_pattern_fine(const hesca_pattern *t, int64_t i,
                                  int coarse);

#endif
