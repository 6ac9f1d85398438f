/** \file sched/rounds.h
 * Direct schedules between two sets of owners: in every round each owner of A
 * sends to at most one owner of B, and none receives from two. */
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

/** Order the exchange from axis a (beginning at ia) to axis b (at ib).
 *
 * Circulant order where one block size is a multiple of the other on the same
 * number of owners (LIM Theorem 2 and Corollary 1, and its dual), else as
 * hesca_rounds_pairs().
 * \param [in] count  [a->nowners * b->nowners] of hesca_overlap_count().
 * \return HESCA_SUCCESS (clear the result) or HESCA_ERR_NOMEM. */
int hesca_rounds_axis(hesca_rounds *r, const hesca_axis *a, int64_t ia,
                      const hesca_axis *b, int64_t ib, const int64_t *count);

/** Order the exchange between npa and npb owners, of which p and q meet if
 * count[p * npb + q] > 0: a Latin square where all meet, else a least edge
 * colouring.  Always as few rounds as the most partners that an owner has. */
int hesca_rounds_pairs(hesca_rounds *r, int npa, int npb,
                       const int64_t *count);
void hesca_rounds_clear(hesca_rounds *r);

#endif
