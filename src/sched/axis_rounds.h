/* SPDX-License-Identifier: BSD-3-Clause */
/** \file sched/axis_rounds.h
 * Direct schedules between two sets of owners, from the point of view of one
 * owner of each: in every round an owner of A sends to at most one owner of B,
 * and an owner of B receives from at most one. */
#ifndef HESCA_SCHED_AXIS_ROUNDS_H
#define HESCA_SCHED_AXIS_ROUNDS_H

#include "layout/axis.h"

typedef struct {
    int n;         /* number of rounds */
    int *to;       /* [n] owner of B to which owner p of A sends, or -1 */
    int *from;     /* [n] owner of A from which owner q of B receives, or -1 */
    int circulant; /* 1 if the order is that of LIM's Theorem 2 */
} hesca_rounds;

/** Order the exchange from axis a (beginning at ia) to axis b (beginning at
 * ib), for owner p of a and owner q of b; each may be -1: none.
 *
 * The order is circulant if one block size is a multiple of the other on the
 * same number of owners (LIM Theorem 2 and its dual), which takes O(rounds)
 * time; otherwise it is that of hesca_rounds_pairs().
 * \param [in] count  [a->nowners * b->nowners] from hesca_overlap_count().
 * \param [in] most   Largest number of partners of an owner of either side.
 * \return HESCA_SUCCESS (clear the result) or HESCA_ERR_NOMEM. */
int hesca_rounds_axis(hesca_rounds *r, const hesca_axis *a, int64_t ia, int p,
                      const hesca_axis *b, int64_t ib, int q,
                      const int64_t *count, int most);

/** Order the exchange between npa and npb owners, for owners p and q.  Owners
 * i and j meet if count[i * npb + j] > 0.  If some owner of the smaller side
 * meets all of the larger one, the order is a Latin square, else a minimum
 * edge colouring.  The number of rounds is `most`, the least possible.
 * \return HESCA_SUCCESS (clear the result) or HESCA_ERR_NOMEM. */
int hesca_rounds_pairs(hesca_rounds *r, int npa, int p, int npb, int q,
                       const int64_t *count, int most);
void hesca_rounds_clear(hesca_rounds *r);

#endif
