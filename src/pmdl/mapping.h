/* SPDX-License-Identifier: BSD-3-Clause */
/** \file pmdl/mapping.h
 * Which process runs where: mappings of an instance to computers for which the
 * estimate is least. */
#ifndef HESCA_PMDL_MAPPING_H
#define HESCA_PMDL_MAPPING_H

#include "pmdl/price.h"

typedef enum {
    HESCA_SEARCH_DEFAULT,   /**< exhaustive if there are at most
                                 exhaustive_most mappings, else exchange */
    HESCA_SEARCH_GREEDY,    /**< HMPI 3.2.1.2 */
    HESCA_SEARCH_EXCHANGE,  /**< greedy, then moves and swaps */
    HESCA_SEARCH_EXHAUSTIVE /**< all mappings */
} hesca_search_method;

typedef struct {
    hesca_search_method method;
    int parent_computer;     /**< of the parent process */
    int64_t exhaustive_most; /**< mappings; 0: a default */
    int64_t estimates_most;  /**< of exchange; 0: a default */
    /** Called now and then on long searches, may be NULL; non-zero stops the
     * search, which then returns the best mapping so far. */
    int (*progress)(void *context, int64_t estimates, double best);
    void *context;
} hesca_search_options;

typedef struct {
    int *computer;     /**< [nvps] Free with free(). */
    double seconds;    /**< the estimate */
    double greedy;     /**< the estimate of the greedy mapping; 0: not made */
    int64_t estimates; /**< number of estimates made */
    hesca_search_method method; /**< that was used */
    int is_stopped;             /**< by progress, or by estimates_most */
} hesca_search_result;

/** Find a mapping in which the parent is on its computer and no computer has
 * more processes than its n.
 *
 * Greedy, as in the thesis, with capacities (traps T-21): processes by
 * descending volume, ties by number, the parent's place reserved from the
 * start; each is mapped to the first computer, of those with a free place, for
 * which the estimate of the processes mapped so far is least.  At most
 * computers x processes estimates.  Exchange then moves single processes and
 * swaps pairs as long as that makes the estimate less, in a fixed order.
 *
 * \return HESCA_SUCCESS, HESCA_ERR_NOMEM, or HESCA_ERR_ARG: more processes
 *         than places, no place for the parent, or too many mappings for
 *         HESCA_SEARCH_EXHAUSTIVE (more than 1e9). */
int hesca_search(const hesca_instance *instance,
                 const hesca_topology *topology,
                 const hesca_price_options *price,
                 const hesca_search_options *options,
                 hesca_search_result *result);

/** All d-tuples of positive numbers whose product is at most p, the first
 * index slowest (HMPI 3.5): calls visit for each until it returns non-zero.
 * \return How many were visited. */
int64_t hesca_arrangements(int d, int p,
                           int (*visit)(void *context, const int *dims),
                           void *context);

/** A predicate of arrangements, as HMPI_Heuristic_function: np dimensions, dp
 * extents. */
typedef int (*hesca_filter)(int np, const int *dp, int p);

/** A predefined heuristic by name: all; square (each extent at most twice any
 * other); divisors (the product divides p); powers (of two); NULL: no such
 * name. */
hesca_filter hesca_filter_find(const char *name);

/** Their names, separated by bars. */
extern const char hesca_filter_names[];

#endif
