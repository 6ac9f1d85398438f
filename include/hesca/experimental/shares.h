/** \file hesca/experimental/shares.h
 * How many elements for whom: sets, partitioned so that all processors finish
 * at the same time, as nearly as whole elements allow.
 *
 * hesca_shares_create() is all that equal elements need; its sister _by()
 * chooses among the algorithms of the thesis.  Elements with weights are dealt
 * in any order by hesca_shares_create_weighted(), in contiguous chunks by
 * hesca_shares_create_ordered().  A processor's size is the number of its
 * elements or the sum of their weights, its time size / speed.  The limits of
 * models count elements, also where these have weights.
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
 * least: exactly so.  Of several such partitions it is the one that dealing
 * element by element makes: each to the processor that would have finished it
 * first, of several to the first.
 *
 * Constant speeds are compared exactly.  Times of speed functions are compared
 * as double precision has them, so where size and its successor take the same
 * time by it (beyond 10^14 elements), the partition is optimal to rounding.
 * \param [in]  p       Processors, >= 1.
 * \param [in]  speed   [p] Their models, or NULL: all have speed 1.  Speeds
 *                      must be within 1e-250 ... 1e250.
 * \param [in]  n       Elements, 0 ... 2^53.
 * \param [out] shares  Free with hesca_shares_free(); NULL on error.
 * \return HESCA_SUCCESS, HESCA_ERR_ARG (also: the limits hold less than n) or
 *         HESCA_ERR_NOMEM. */
HESCA_API int hesca_shares_create(int p, const hesca_speed *const *speed,
                                  int64_t n, hesca_shares **shares);

/** How to find the line through the origin that meets the speed functions at
 * sizes that sum to n.  All methods end in the same partition. */
typedef enum {
    HESCA_SHARES_ROOT,     /**< a safeguarded root finder: the default */
    HESCA_SHARES_BASIC,    /**< bisection of the slope (thesis 4.7.1) */
    HESCA_SHARES_MODIFIED, /**< bisection of the candidates of the processor
                                that has most (thesis 4.7.1) */
    HESCA_SHARES_COMBINED, /**< basic as long as it gets on, then modified */
    HESCA_SHARES_GREEDY,   /**< none: element by element, O(n log p) */
    HESCA_SHARES_METHODS
} hesca_shares_method;

/** All zero is what hesca_shares_create() does. */
typedef struct {
    int method; /**< hesca_shares_method */
    int by_log; /**< basic, combined: bisect the logarithm of the slope rather
                     than the slope, whose midpoint depends on units */
    int rounds; /**< limits in rounds (thesis 4.7.2.2, HMPA): who gets more
                     than its limit without limits gets its limit, the others
                     are partitioned again; else all limits at once */
    /** Called for every line that is tried, or NULL. */
    void (*line)(void *state, double slope, double elements);
    void *state;
} hesca_shares_options;

/** The name of a method, "root" ...; NULL if there is none. */
HESCA_API const char *hesca_shares_method_name(int method);

/** The same as hesca_shares_create(), as options say; NULL: all zero. */
HESCA_API int hesca_shares_create_by(int p, const hesca_speed *const *speed,
                                     int64_t n,
                                     const hesca_shares_options *options,
                                     hesca_shares **shares);

/** Lines that were tried, and rounds, >= 1. */
HESCA_API int64_t hesca_shares_steps(const hesca_shares *shares);
HESCA_API int hesca_shares_rounds(const hesca_shares *shares);

/** \}
 * \name Elements with weights
 * \{ */

/** Partition n elements with weights, in any order.
 *
 * The problem is NP-hard, in the thesis without known results.  Small cases
 * are searched, within a budget of steps; else it is a heuristic: each
 * element, heaviest first, to the processor that would have finished it first
 * (LPT), and then moves and exchanges of elements with the processor that
 * takes longest, as long as they help.  hesca_shares_is_exact() tells.  LPT
 * takes O(n log n) as a rule, O(n p) at worst; exchanges look at some 5 10^6
 * elements.  Memory: 30 bytes for each element.
 * \param [in]  weight  [n] >= 0, their sum at most 2^53.  NULL: all 1.
 * \return As hesca_shares_create(); HESCA_ERR_ARG also where elements do not
 *         fit whole into what speeds of 0 leave. */
HESCA_API int hesca_shares_create_weighted(int p,
                                           const hesca_speed *const *speed,
                                           int64_t n, const int64_t *weight,
                                           hesca_shares **shares);

/** Partition an ordered set of n elements into contiguous chunks.
 *
 * In the order of processors the result is optimal, for speed functions and
 * limits too: polynomial (Pinar, Tabak, Aykanat, JPDC 68, 2008).  Of several
 * optimal ones it is one whose cuts are near those of the real-valued optimum,
 * so that nobody idles without need.  Where processors may
 * be reordered the problem is NP-complete: up to 12 processors are reordered
 * optimally, in 2^p steps, more by a heuristic: each place is taken by the
 * processor that has least time to spare with what follows, and exchanges.
 * It takes O(n) and some fifty probes of O(p log n), of O(2^p p log n) to
 * reorder optimally, and 8 bytes for each element; the heuristic tries some
 * 10^6 chunks more.
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

HESCA_API void
hesca_shares_free(hesca_shares *shares); /**< NULL is allowed. */

/** Number of processors, and of elements. */
HESCA_API int hesca_shares_parts(const hesca_shares *shares);
HESCA_API int64_t hesca_shares_elements(const hesca_shares *shares);

/** Elements of processor i, 0 <= i < p. */
HESCA_API int64_t hesca_shares_count(const hesca_shares *shares, int i);

/** Their weight: the count where there are no weights. */
HESCA_API int64_t hesca_shares_weight(const hesca_shares *shares, int i);

/** The processor that has element e, 0 <= e < n.  Equal elements lie in order
 * of processors.  O(log p). */
HESCA_API int hesca_shares_owner(const hesca_shares *shares, int64_t e);

/** First element of processor i, which has hesca_shares_count() from there on;
 * -1 if they are in any order, as _weighted() makes them. */
HESCA_API int64_t hesca_shares_first(const hesca_shares *shares, int i);

/** The processor that has chunk k, 0 <= k < p, in the order of elements. */
HESCA_API int hesca_shares_place(const hesca_shares *shares, int k);

/** The largest time that a processor takes, and that of the real-valued
 * optimum, which no partition is below. */
HESCA_API double hesca_shares_time(const hesca_shares *shares);
HESCA_API double hesca_shares_ideal(const hesca_shares *shares);

/** Whether no partition has a smaller largest time; 0: not known. */
HESCA_API int hesca_shares_is_exact(const hesca_shares *shares);

/** \} */

#ifdef __cplusplus
}
#endif

#endif
