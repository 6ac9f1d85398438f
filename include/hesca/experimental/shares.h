/* SPDX-License-Identifier: BSD-3-Clause */
/** \file hesca/experimental/shares.h
 * Partitioning of sets, such that all processors finish at the same time, as
 * nearly as whole elements allow.
 *
 * hesca_shares_create() is for equal elements; its variant _by() selects one
 * of the algorithms of the thesis.  Elements with weights are assigned in any
 * order by hesca_shares_create_weighted(), in contiguous chunks by
 * hesca_shares_create_ordered().  The size of a processor is the number of its
 * elements or the sum of their weights, its time is size / speed.  The limits
 * of models count elements, also if these have weights.
 *
 * Local and pure: the same on every process.  Source: HMPI thesis 4.3, 4.7. */
#ifndef HESCA_EXPERIMENTAL_SHARES_H
#define HESCA_EXPERIMENTAL_SHARES_H

#include "hesca/experimental/speed.h"
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct hesca_shares hesca_shares; /**< Opaque. */

/** \name Equal elements
 * \{ */

/** Partition n equal elements such that the largest time, count / speed, is
 * minimal.
 *
 * The result is exact.  Of several optimal partitions it is the one obtained
 * by assigning element by element, each to the processor that would finish it
 * first, of several to the first.
 *
 * Constant speeds are compared exactly.  Times of speed functions are compared
 * in double precision, so if consecutive sizes have the same rounded time
 * (beyond 10^14 elements), the partition is optimal up to rounding.
 * \param [in]  p       Processors, >= 1.
 * \param [in]  speed   [p] Their models, or NULL: all have speed 1.  Speeds
 *                      must be within 1e-250 ... 1e250.
 * \param [in]  n       Elements, 0 ... 2^53.
 * \param [out] shares  Free with hesca_shares_free(); NULL on error.
 * \return HESCA_SUCCESS, HESCA_ERR_ARG (also: the limits hold less than n) or
 *         HESCA_ERR_NOMEM. */
HESCA_API int hesca_shares_create(int p, const hesca_speed *const *speed,
                                  int64_t n, hesca_shares **shares);

/** Methods to find the line through the origin that meets the speed functions
 * at sizes that sum to n.  All methods give the same partition. */
typedef enum {
    HESCA_SHARES_ROOT,     /**< a safeguarded root finder: the default */
    HESCA_SHARES_BASIC,    /**< bisection of the slope (thesis 4.7.1) */
    HESCA_SHARES_MODIFIED, /**< bisection of the candidates of the processor
                                with the most of them (thesis 4.7.1) */
    HESCA_SHARES_COMBINED, /**< basic while it makes progress, then modified */
    HESCA_SHARES_GREEDY,   /**< no line: element by element, O(n log p) */
    HESCA_SHARES_METHODS   /**< number of methods */
} hesca_shares_method;

/** Options; all zero is as hesca_shares_create(). */
typedef struct {
    int method; /**< hesca_shares_method */
    int by_log; /**< basic, combined: bisect the logarithm of the slope rather
                     than the slope, whose midpoint depends on units */
    int rounds; /**< limits in rounds (thesis 4.7.2.2, HMPA): a processor that
                     gets more than its limit without limits gets its limit,
                     and the rest is partitioned among the others; else all
                     limits at once */
    /** Called for every line that is tried, or NULL. */
    void (*line)(void *state, double slope, double elements);
    void *state; /**< first argument of line */
} hesca_shares_options;

/** The name of a method, "root" ...; NULL if there is none. */
HESCA_API const char *hesca_shares_method_name(int method);

/** As hesca_shares_create(), with options; NULL: all zero. */
HESCA_API int hesca_shares_create_by(int p, const hesca_speed *const *speed,
                                     int64_t n,
                                     const hesca_shares_options *options,
                                     hesca_shares **shares);

/** Number of lines tried. */
HESCA_API int64_t hesca_shares_steps(const hesca_shares *shares);

/** Number of rounds, >= 1. */
HESCA_API int hesca_shares_rounds(const hesca_shares *shares);

/** \}
 * \name Elements with weights
 * \{ */

/** Partition n elements with weights, in any order.
 *
 * The problem is NP-hard; the thesis gives no results for it.  Small cases
 * are solved by an exact search, within a budget of steps; others by a
 * heuristic: each element, heaviest first, is assigned to the processor that
 * would finish it first (LPT), followed by moves and exchanges of elements
 * with the processor that takes longest, as long as they help.
 * hesca_shares_is_exact() reports which.  LPT usually takes O(n log n), at
 * worst O(n p); exchanges visit some 5 10^6 elements.  Memory: 30 bytes for
 * each element.
 * \param p, speed, n, shares  As in hesca_shares_create().
 * \param [in]  weight  [n] >= 0, their sum at most 2^53.  NULL: all 1.
 * \return As hesca_shares_create(); HESCA_ERR_ARG also if elements do not fit
 *         below the sizes at which speeds are 0. */
HESCA_API int hesca_shares_create_weighted(int p,
                                           const hesca_speed *const *speed,
                                           int64_t n, const int64_t *weight,
                                           hesca_shares **shares);

/** Partition an ordered set of n elements into contiguous chunks.
 *
 * In the given order of processors the result is optimal, for speed functions
 * and limits too: this is polynomial (Pinar, Tabak, Aykanat, JPDC 68, 2008).
 * Of several optimal partitions it is one with cuts near those of the
 * real-valued optimum, so that no processor is idle unnecessarily.  If
 * processors may be reordered the problem is NP-complete: up to 12 processors
 * are reordered optimally, in 2^p steps, more by a heuristic, which gives each
 * place to the processor with the least unused time, and then exchanges
 * processors.  Time: O(n) and some fifty probes of O(p log n), or of O(2^p p
 * log n) to reorder optimally; memory: 8 bytes for each element; the heuristic
 * tries some 10^6 chunks more.
 * \param p, speed, n, shares  As in hesca_shares_create().
 * \param [in]  weight   [n] >= 0, their sum at most 2^53.  NULL: all 1, and
 *                       the counts of hesca_shares_create() in order.
 * \param [in]  reorder  Whether chunks may come in another order than
 *                       processors; ignored without weights.
 * \return As hesca_shares_create_weighted(). */
HESCA_API int hesca_shares_create_ordered(int p,
                                          const hesca_speed *const *speed,
                                          int64_t n, const int64_t *weight,
                                          int reorder, hesca_shares **shares);

/** \}
 * \name Results
 * \{ */

/** Free shares; NULL is allowed. */
HESCA_API void hesca_shares_free(hesca_shares *shares);

/** Number of processors. */
HESCA_API int hesca_shares_parts(const hesca_shares *shares);

/** Number of elements. */
HESCA_API int64_t hesca_shares_elements(const hesca_shares *shares);

/** Elements of processor i, 0 <= i < p. */
HESCA_API int64_t hesca_shares_count(const hesca_shares *shares, int i);

/** Weight of the elements of processor i; without weights, the count. */
HESCA_API int64_t hesca_shares_weight(const hesca_shares *shares, int i);

/** The processor that has element e, 0 <= e < n.  Equal elements are in
 * order of processors.  O(log p). */
HESCA_API int hesca_shares_owner(const hesca_shares *shares, int64_t e);

/** First element of processor i, which has hesca_shares_count() consecutive
 * ones; -1 for shares of hesca_shares_create_weighted(), which are in any
 * order. */
HESCA_API int64_t hesca_shares_first(const hesca_shares *shares, int i);

/** The processor that has chunk k, 0 <= k < p, in the order of elements. */
HESCA_API int hesca_shares_place(const hesca_shares *shares, int k);

/** The largest time of a processor. */
HESCA_API double hesca_shares_time(const hesca_shares *shares);

/** The time of the real-valued optimum, a lower bound of all partitions. */
HESCA_API double hesca_shares_ideal(const hesca_shares *shares);

/** 1 if no partition has a smaller largest time; 0: not known. */
HESCA_API int hesca_shares_is_exact(const hesca_shares *shares);

/** \} */

#ifdef __cplusplus
}
#endif

#endif
