/** \file overlap/interval.h
 * What one owner of axis A and one owner of axis B have in common.
 *
 * sub(A) and sub(B) are n indices long and begin at ia and ib; index i of the
 * common subrange is A's ia + i and B's ib + i.  The pattern repeats with the
 * least common multiple of both periods (an axis with a single owner has the
 * period 1), so the intervals of one period and a repeat count say all: the
 * work is proportional to the intervals of one period, never to n.  All
 * functions are pure.
 * Source: the superblock of LIM section 3.1, for any two periodic axes. */
#ifndef HESCA_OVERLAP_INTERVAL_H
#define HESCA_OVERLAP_INTERVAL_H

#include "layout/axis.h"

/** reps pieces of len indices each: the first from index i on, at local
 * indices a ... of A's owner, b ... of B's; the next one stride further on. */
typedef struct {
    int64_t i, a, b, len, reps;
    int64_t before; /* common indices in the period before this interval */
} hesca_interval;

/** nrep periods, and the first tail common indices of one more. */
typedef struct {
    int64_t total;          /* indices in common */
    int64_t period;         /* of the pattern, in indices */
    int64_t nrep;           /* whole periods */
    int64_t count;          /* indices in common in one period */
    int64_t a_step, b_step; /* from one period to the next, local indices */
    int64_t tail;           /* indices in common behind the whole periods */
    struct {
        int64_t i, a, b;
    } stride; /* between the pieces of an interval: the period of the side
                 whose blocks are shorter */
    int64_t n;
    hesca_interval *iv; /* [n], by increasing i */
} hesca_overlap;

/** len consecutive common indices: from subrange index i on, at local indices
 * a ... and b ... */
typedef struct {
    int64_t i, a, b, len;
} hesca_stretch;

/** One side: an owner of an axis, and where the subrange begins. */
typedef struct {
    const hesca_axis *axis;
    int owner;
    int64_t origin;
} hesca_share;

/** Compute what a and b have in common of a subrange of n indices.
 *
 * Where the blocks of one side span many periods of the other, as of a block
 * distribution and a cyclic one, an interval stands for all pieces of a block;
 * so there are O(blocks of the longer kind in one period) intervals.
 * \return HESCA_SUCCESS (clear the result) or HESCA_ERR_NOMEM. */
int hesca_overlap_init(hesca_overlap *o, hesca_share a, hesca_share b,
                       int64_t n);
void hesca_overlap_clear(hesca_overlap *o);

/** How many indices every pair of owners has in common:
 * count[p * b->nowners + q] for owner p of a and owner q of b.  One sweep over
 * the blocks of the longer kind in one period. */
void hesca_overlap_count(const hesca_axis *a, int64_t ia, const hesca_axis *b,
                         int64_t ib, int64_t n, int64_t *count);

/** The common indices that are consecutive from position pos on, as far as the
 * overlap goes; 0 <= pos < total. */
hesca_stretch hesca_overlap_at(const hesca_overlap *o, int64_t pos);

/** n pieces, the next one so much further on: in the message, in A, in B. */
typedef struct {
    int64_t n, pos, a, b;
} hesca_repeat;

/** Common indices in two loops: outer.n times inner.n pieces of len indices;
 * the first is position pos, at local indices a and b. */
typedef struct {
    int64_t pos, a, b, len;
    hesca_repeat inner, outer;
} hesca_pieces;

/** A walk over positions pos ... end - 1 of an overlap, pattern by pattern.
 * Every position is in one pattern, but patterns interleave: those of several
 * periods are put together, as far as these have at most span indices. */
typedef struct {
    const hesca_overlap *overlap;
    int64_t pos, end, span;
    int64_t nrep, k; /* periods that are being walked, their next interval */
} hesca_walk;

/** \return 1 with the next pattern, 0 at the end. */
int hesca_overlap_next(hesca_walk *walk, hesca_pieces *pattern);

/** The subrange index of position pos; that of total is past all indices. */
int64_t hesca_overlap_index(const hesca_overlap *o, int64_t pos);

/** How many common indices are below subrange index i. */
int64_t hesca_overlap_below(const hesca_overlap *o, int64_t i);

/** Whether what is in common is consecutive on both sides. */
int hesca_overlap_is_flat(const hesca_overlap *o);

#endif
