/** \file partition/set/weights.h
 * Elements with weights, and how they are dealt: in any order, or in
 * contiguous chunks. */
#ifndef HESCA_PARTITION_SET_WEIGHTS_H
#define HESCA_PARTITION_SET_WEIGHTS_H

#include "partition/set/set_result.h"
#include "partition/set/speed_lines.h"

/** What is to be partitioned, for whom. */
typedef struct {
    int p;
    const hesca_speed *const *speed; /* [p] */
    int64_t n;
    const int64_t *weight;     /* [n] */
    int64_t total;             /* their sum */
    const int64_t *most;       /* [p] elements that each can take */
    const int64_t *full;       /* [p] weight that each can take */
    const double *constant;    /* [p] speeds if all are constant; else NULL */
    double bound;              /* no largest time is below it */
    double ideal;              /* real-valued optimum */
    hesca_speed *one;          /* where speeds were not given, behind */
    const hesca_speed **alike; /* [p] these pointers; else NULL */
    int64_t *room;             /* [3 p] behind most and full */
    double *speeds;            /* [p] behind constant */
} hesca_weights;

/** Check the arguments that hesca_shares_create_weighted() and _ordered()
 * share, and make a problem of them.
 * \param [in]  last  Number of their argument shares.
 * \param [out] x     Close it, also after an error. */
int hesca_weights_init(const char *routine, int p,
                       const hesca_speed *const *speed, int64_t n,
                       const int64_t *weight, hesca_shares *const *shares,
                       int last, hesca_weights *x);
void hesca_weights_clear(hesca_weights *x);

/** Whether two processors have the same constant speed, or one model, and the
 * same limit. */
int hesca_weights_alike(const hesca_weights *x, int i, int j);

/** Elements do not fit, or no way was found that they do. */
int hesca_weights_fail(const char *routine, const hesca_weights *x);

/** \name In any order
 * r has owner, count and weight of each.  Elements are named by ranks: order
 * has them by descending weight, of equal ones in order.
 * \{ */

/** Longest processing time first: each element to the processor that would
 * have finished it first.  At most 1.67 times the optimum where speeds are
 * constant and nothing is limited (Friesen 1987; 4/3 - 1 / (3 p) where all
 * are alike, Graham 1969).  O(n log p) as long as few are about as good,
 * never above O(n p).
 * \return 1, 0 if an element found no place, or HESCA_ERR_NOMEM. */
int hesca_weights_lpt(const hesca_weights *x, const int64_t *order,
                      hesca_shares *r);

/** Move elements from, or exchange them with, the processor that takes
 * longest, as long as it helps and steps last.
 * \return HESCA_SUCCESS or HESCA_ERR_NOMEM. */
int hesca_weights_exchange(const hesca_weights *x, const int64_t *order,
                           hesca_shares *r);

/** Look at all partitions that may be better, a budget of them.  found: r is
 * one already.  Afterwards r->is_exact tells whether all were looked at.
 * \return HESCA_SUCCESS or HESCA_ERR_NOMEM. */
int hesca_weights_search(const hesca_weights *x, const int64_t *order,
                         int *found, hesca_shares *r);
/** \}
 * \name In chunks
 * Chunks of an order of processors: place[k] has the k-th.
 * \{ */

/** The sums of weights before each element. */
typedef struct {
    const hesca_weights *x;
    const int64_t *sum; /* [n + 1] */
} hesca_chunks;

/** The element behind the longest chunk from `from` on that i can take, of at
 * most `weight`. */
int64_t hesca_chunks_end(const hesca_chunks *c, int i, int64_t from,
                         int64_t weight);

/** The time at which i could take one element more than to `end`; INFINITY:
 * never. */
double hesca_chunks_later(const hesca_chunks *c, int i, int64_t from,
                          int64_t end);

/** Whether chunks within a time reach the end, each as long as can be; *time
 * becomes the largest time then, else the least at which some chunk would be
 * longer. */
int hesca_chunks_probe(const hesca_chunks *c, const int *place, double *time);

/** The optimum of an order of processors, if it is less than *time.
 * \return How many probes found it; 0: it is not less. */
int hesca_chunks_optimize(const hesca_chunks *c, const int *place,
                          double *time);

/** An optimal order of at most HESCA_CHUNKS_EXACT processors.
 * \param [in,out] place  [p] The best order if *time became less. */
int hesca_chunks_reorder(const hesca_chunks *c, int *place, double *time);
enum { HESCA_CHUNKS_EXACT = 12 };

/** A good order of any number of them: that of decreasing speed if better, one
 * that leaves little to spare, and exchanges, as long as steps last. */
int hesca_chunks_rearrange(const hesca_chunks *c, int *place, double *time);
/** \} */

#endif
