/* SPDX-License-Identifier: BSD-3-Clause */
/** \file overlap/interval.h
 * The indices that one owner of axis A and one owner of axis B have in common.
 *
 * sub(A) and sub(B) have n indices and begin at ia and ib; index i of the
 * common subrange is ia + i of A and ib + i of B.  The pattern repeats with
 * the least common multiple of both periods (an axis with a single owner has
 * the period 1).  So the intervals of one period and a repeat count describe
 * all common indices, and the work is proportional to the intervals of one
 * period, not to n.  All functions are pure.
 * Source: the superblock of LIM section 3.1, for any two periodic axes. */
#ifndef HESCA_OVERLAP_INTERVAL_H
#define HESCA_OVERLAP_INTERVAL_H

#include "layout/axis.h"

/** reps pieces of len indices each.  The first begins at index i, local index
 * a of A's owner and b of B's owner; the next ones follow at distances
 * stride. */
typedef struct {
    int64_t i, a, b, len, reps;
    int64_t before; /* common indices in the period before this interval */
} hesca_interval;

/** nrep whole periods, and the first tail common indices of one more. */
typedef struct {
    int64_t total;          /* common indices */
    int64_t period;         /* of the pattern, in indices */
    int64_t nrep;           /* whole periods */
    int64_t count;          /* common indices in one period */
    int64_t a_step, b_step; /* distance of local indices between periods */
    int64_t tail;           /* common indices behind the whole periods */
    struct {
        int64_t i, a, b;
    } stride; /* between the pieces of an interval: the period of the side
                 whose blocks are shorter */
    int64_t n;
    hesca_interval *iv; /* [n], by increasing i */
} hesca_overlap;

/** len consecutive common indices, from subrange index i and local indices a
 * and b on. */
typedef struct {
    int64_t i, a, b, len;
} hesca_stretch;

/** One side: an owner of an axis, and the index where the subrange begins. */
typedef struct {
    const hesca_axis *axis;
    int owner;
    int64_t origin;
} hesca_share;

/** Compute the common indices of a and b in a subrange of n indices.
 *
 * Where a block of one side spans many periods of the other, as for a block
 * and a cyclic distribution, one interval stands for all pieces in this block.
 * So the number of intervals is O(number of the longer blocks in one period).
 * \return HESCA_SUCCESS (clear the result) or HESCA_ERR_NOMEM. */
int hesca_overlap_init(hesca_overlap *o, hesca_share a, hesca_share b,
                       int64_t n);
void hesca_overlap_clear(hesca_overlap *o);

/** Number of common indices of every pair of owners:
 * count[p * b->nowners + q] for owner p of a and owner q of b.  One sweep over
 * the longer blocks in one period. */
void hesca_overlap_count(const hesca_axis *a, int64_t ia, const hesca_axis *b,
                         int64_t ib, int64_t n, int64_t *count);

/** The consecutive common indices from position pos on, up to the end of the
 * overlap; 0 <= pos < total. */
hesca_stretch hesca_overlap_at(const hesca_overlap *o, int64_t pos);

/** n pieces at the given distances in the message, in A and in B. */
typedef struct {
    int64_t n, pos, a, b;
} hesca_repeat;

/** Common indices as two nested loops: outer.n times inner.n pieces of len
 * indices; the first piece is at position pos and at local indices a and b. */
typedef struct {
    int64_t pos, a, b, len;
    hesca_repeat inner, outer;
} hesca_pieces;

/** A walk over positions pos ... end - 1 of an overlap, pattern by pattern.
 * Every position is in exactly one pattern, but patterns interleave: a pattern
 * combines several periods, as many as have at most span common indices
 * together. */
typedef struct {
    const hesca_overlap *overlap;
    int64_t pos, end, span;
    int64_t nrep, k; /* periods of the current patterns, next interval */
} hesca_walk;

/** \return 1 with the next pattern, 0 at the end. */
int hesca_overlap_next(hesca_walk *walk, hesca_pieces *pattern);

/** The subrange index of position pos; that of total is past all indices. */
int64_t hesca_overlap_index(const hesca_overlap *o, int64_t pos);

/** Number of common indices below subrange index i. */
int64_t hesca_overlap_below(const hesca_overlap *o, int64_t i);

/** Whether the common indices are consecutive on both sides. */
int hesca_overlap_is_flat(const hesca_overlap *o);

#endif
