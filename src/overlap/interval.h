/** \file overlap/interval.h
 * What one owner of axis A and one owner of axis B have in common.
 *
 * sub(A) and sub(B) are n indices long and begin at ia and ib; index i of the
 * common subrange is A's ia + i and B's ib + i.  The pattern repeats with the
 * least common multiple of both periods, so the intervals of one period and a
 * repeat count say all: the work is proportional to the intervals of one
 * period, never to n.  All functions are pure.
 * Source: the superblock of LIM section 3.1, for any two periodic axes. */
#ifndef HESCA_OVERLAP_INTERVAL_H
#define HESCA_OVERLAP_INTERVAL_H

#include "layout/axis.h"

/** len indices from i on, at local indices a ... of A's owner, b ... of B's.
 */
typedef struct {
    int64_t i, a, b, len;
    int64_t before; /* common indices in the period before this interval */
} hesca_interval;

/** nrep periods, and the first ntail intervals once more, the last of them cut
 * to the length tail_len. */
typedef struct {
    int64_t total;          /* indices in common */
    int64_t period;         /* of the pattern, in indices */
    int64_t nrep;           /* whole periods */
    int64_t count;          /* indices in common in one period */
    int64_t a_step, b_step; /* from one period to the next, local indices */
    int64_t n, ntail, tail_len;
    hesca_interval *iv; /* [n], by increasing i */
} hesca_overlap;

/** One side: an owner of an axis, and where the subrange begins. */
typedef struct {
    const hesca_axis *axis;
    int owner;
    int64_t origin;
} hesca_share;

/** Compute what a and b have in common of a subrange of n indices.
 * \return HESCA_SUCCESS (clear the result) or HESCA_ERR_NOMEM. */
int hesca_overlap_make(hesca_overlap *o, hesca_share a, hesca_share b,
                       int64_t n);
void hesca_overlap_clear(hesca_overlap *o);

/** How many indices every pair of owners has in common:
 * count[p * b->nowners + q] for owner p of a and owner q of b.  One sweep over
 * the intervals of one period. */
void hesca_overlap_count(const hesca_axis *a, int64_t ia, const hesca_axis *b,
                         int64_t ib, int64_t n, int64_t *count);

/** Number of the period and of the interval that hold position pos of the
 * common indices; 0 <= pos < total. */
void hesca_overlap_seek(const hesca_overlap *o, int64_t pos, int64_t *rep,
                        int64_t *k);

/** The subrange index of position pos; that of total is past all indices. */
int64_t hesca_overlap_index(const hesca_overlap *o, int64_t pos);

/** How many common indices are below subrange index i. */
int64_t hesca_overlap_below(const hesca_overlap *o, int64_t i);

/** Whether what is in common is consecutive on both sides. */
int hesca_overlap_is_flat(const hesca_overlap *o);

#endif
