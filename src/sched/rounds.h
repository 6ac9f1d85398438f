/** \file sched/rounds.h
 * Direct schedules of one dimension: in every round each owner of axis A sends
 * to at most one owner of axis B, and none receives from two. */
#ifndef HESCA_SCHED_ROUNDS_H
#define HESCA_SCHED_ROUNDS_H

#include "layout/axis.h"

typedef struct {
    int n;         /* rounds */
    int npa, npb;  /* owners of A, of B */
    int *to;       /* [n * npa] owner of B, or -1 */
    int *from;     /* [n * npb] owner of A, or -1 */
    int circulant; /* 1 if the order is that of LIM's Theorem 2 */
} hesca_rounds;

/** Order the exchange of n indices from a (beginning at ia) to b (at ib).
 *
 * Circulant order where one block size is a multiple of the other on the same
 * number of owners (LIM Theorem 2 and Corollary 1, and its dual), a Latin
 * square where all owners meet, else a least edge colouring.  Always as few
 * rounds as the most partners that an owner has.
 * \param [in] count  [a->nowners * b->nowners] of hesca_overlap_count().
 * \return HESCA_SUCCESS (clear the result) or HESCA_ERR_NOMEM. */
int hesca_rounds_make(hesca_rounds *r, const hesca_axis *a, int64_t ia,
                      const hesca_axis *b, int64_t ib, const int64_t *count);
void hesca_rounds_clear(hesca_rounds *r);

#endif
