/* SPDX-License-Identifier: BSD-3-Clause */
/** \file partition/set/weights.h
 * Elements with weights, assigned in any order or in contiguous chunks. */
#ifndef HESCA_PARTITION_SET_WEIGHTS_H
#define HESCA_PARTITION_SET_WEIGHTS_H

#include "partition/set/set_result.h"
#include "partition/set/speed_lines.h"

/** The problem: weighted elements, and processors. */
typedef struct {
    int p;
    const hesca_speed *const *speed; /* [p] */
    int64_t n;
    const int64_t *weight;  /* [n] */
    int64_t total;          /* their sum */
    const int64_t *most;    /* [p] capacities, elements */
    const int64_t *full;    /* [p] capacities, weight */
    const double *constant; /* [p] speeds if all are constant; else NULL */
    double bound;           /* lower bound of the largest time */
    double ideal;           /* real-valued optimum */
    hesca_speed *one;       /* speed 1, if speed is NULL */
    const hesca_speed **equal_speeds; /* [p] one; used if speed is NULL */
    int64_t *room;                    /* [3 p] storage of most and full */
    double *speeds;                   /* [p] storage of constant */
} hesca_weights;

/** Check the arguments that hesca_shares_create_weighted() and _ordered() have
 * in common, and set up the problem.
 * \param [in]  last  Number of their argument shares.
 * \param [out] x     Clear it with hesca_weights_clear(), also after an
 *                    error. */
int hesca_weights_init(const char *routine, int p,
                       const hesca_speed *const *speed, int64_t n,
                       const int64_t *weight, hesca_shares *const *shares,
                       int last, hesca_weights *x);
void hesca_weights_clear(hesca_weights *x);

/** Whether two processors have the same constant speed, or one model, and the
 * same limit. */
int hesca_weights_equal(const hesca_weights *x, int i, int j);

/** Record the error that no partition within the capacities was found. */
int hesca_weights_fail(const char *routine, const hesca_weights *x);

/** \name In any order
 * r holds owner, count and weight.  Elements are named by rank: order lists
 * them by descending weight, those of equal weight by number.
 * \{ */

/** Longest processing time first: each element goes to the processor that
 * would finish it first.  At most 1.67 times the optimum if speeds are
 * constant and there are no limits (Friesen 1987; 4/3 - 1 / (3 p) if all
 * speeds are equal, Graham 1969).  O(n log p) if few processors have similar
 * times, at worst O(n p).
 * \return 1, 0 if some element fits no processor, or HESCA_ERR_NOMEM. */
int hesca_weights_lpt(const hesca_weights *x, const int64_t *order,
                      hesca_shares *r);

/** Move elements from, or exchange them with, the processor that takes
 * longest, until no exchange helps or the budget is exhausted.
 * \return HESCA_SUCCESS or HESCA_ERR_NOMEM. */
int hesca_weights_exchange(const hesca_weights *x, const int64_t *order,
                           hesca_shares *r);

/** Search all partitions that may be better, within a budget.  *found: whether
 * r is a valid partition.  Sets r->is_exact if the search was complete.
 * \return HESCA_SUCCESS or HESCA_ERR_NOMEM. */
int hesca_weights_search(const hesca_weights *x, const int64_t *order,
                         int *found, hesca_shares *r);
/** \}
 * \name In chunks
 * Chunks in an order of processors: processor place[k] has the k-th chunk.
 * \{ */

/** The sums of weights before each element. */
typedef struct {
    const hesca_weights *x;
    const int64_t *sum; /* [n + 1] */
} hesca_chunks;

/** The end of the longest chunk from `from` on that i can take, of at most
 * `weight`: the first element after it. */
int64_t hesca_chunks_end(const hesca_chunks *c, int i, int64_t from,
                         int64_t weight);

/** The time within which i could take the chunk from ... end, that is, one
 * element more; INFINITY: never. */
double hesca_chunks_later(const hesca_chunks *c, int i, int64_t from,
                          int64_t end);

/** Whether maximal chunks within *time cover all elements.  If so, *time
 * becomes the largest time of the chunks; else the smallest time at which some
 * chunk would be longer. */
int hesca_chunks_probe(const hesca_chunks *c, const int *place, double *time);

/** The optimum of an order of processors, if it is less than *time.
 * \return The number of probes; 0: the optimum is not less than *time. */
int hesca_chunks_optimize(const hesca_chunks *c, const int *place,
                          double *time);

/** An optimal order of at most HESCA_CHUNKS_EXACT processors.
 * \param [in,out] place  [p] The best order, if it reduces *time. */
int hesca_chunks_reorder(const hesca_chunks *c, int *place, double *time);
enum { HESCA_CHUNKS_EXACT = 12 };

/** A good order of any number of processors: the best of place, decreasing
 * speed and an order that leaves little time unused, improved by exchanges
 * within a budget. */
int hesca_chunks_rearrange(const hesca_chunks *c, int *place, double *time);
/** \} */

#endif
