/** \file sched/axis_rounds.h
 * Direct schedules between two sets of owners, as one owner sees them: in
 * every round each owner of A sends to at most one owner of B, and none
 * receives from two. */
#ifndef HESCA_SCHED_AXIS_ROUNDS_H
#define HESCA_SCHED_AXIS_ROUNDS_H

#include "layout/axis.h"

typedef struct {
    int n;         /* rounds */
    int *to;       /* [n] whom owner p of A sends to, or -1 */
    int *from;     /* [n] whom owner q of B receives from, or -1 */
    int circulant; /* 1 if the order is that of LIM's Theorem 2 */
} hesca_rounds;

/** Order the exchange from axis a (beginning at ia) to axis b (at ib), for
 * owner p of a and owner q of b, of which either may be -1: none.
 *
 * Circulant order where one block size is a multiple of the other on the same
 * number of owners (LIM Theorem 2 and its dual), which takes O(rounds), else
 * as hesca_rounds_pairs().
 * \param [in] count  [a->nowners * b->nowners] of hesca_overlap_count().
 * \param [in] most   Most owners that one of either side meets.
 * \return HESCA_SUCCESS (clear the result) or HESCA_ERR_NOMEM. */
int hesca_rounds_axis(hesca_rounds *r, const hesca_axis *a, int64_t ia, int p,
                      const hesca_axis *b, int64_t ib, int q,
                      const int64_t *count, int most);

/** Order the exchange between npa and npb owners, of which p and q meet if
 * count[p * npb + q] > 0, for two of them: a Latin square where all meet, else
 * a least edge colouring.  Always as few rounds as the most partners that an
 * owner has. */
int hesca_rounds_pairs(hesca_rounds *r, int npa, int p, int npb, int q,
                       const int64_t *count, int most);
void hesca_rounds_clear(hesca_rounds *r);

#endif
