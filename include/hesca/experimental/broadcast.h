/* SPDX-License-Identifier: BSD-3-Clause */
/** \file hesca/experimental/broadcast.h
 * Schedules of broadcast and multicast over unequal links.
 *
 * A problem consists of the costs of messages, the root and the destinations.
 * A broadcast is a solution: its sends in the order in which they begin.  An
 * algorithm computes a solution; hesca_broadcast_algorithms[] lists all.
 * Functions are pure and give the same result on every process; ties go to the
 * lower numbers of sender and receiver, in this order (with look-ahead, to the
 * earlier end first).
 *
 * Model: a process takes part in at most one send and one receive at a time; i
 * sends to j in cost[i * nproc + j] seconds.  In the non-blocking model the
 * sender is free again after startup[i * nproc + j] of them; in both models
 * the receiver is busy from the begin to the end of the message.
 * Source: BHAT-COL sections 3 to 6. */
#ifndef HESCA_EXPERIMENTAL_BROADCAST_H
#define HESCA_EXPERIMENTAL_BROADCAST_H

#include "hesca/status.h"

#ifdef __cplusplus
extern "C" {
#endif

/** The problem. */
typedef struct {
    int nproc;             /**< processes, >= 1 */
    const double *cost;    /**< [nproc * nproc] seconds from the first to the
                                second, > 0, at most DBL_MAX / (4 nproc^2);
                                INFINITY: no link.  The diagonal is not used */
    const double *startup; /**< NULL: blocking; else [nproc * nproc] seconds
                                for which the sender is busy, 0 <= startup <=
                                cost */
    int root;              /**< 0 ... nproc - 1 */
    int ndest;             /**< destinations; not used if dest is NULL */
    const int *dest;       /**< [ndest] distinct, not root; NULL: all processes
                                except root */
    int relays;            /**< whether processes that are not destinations may
                                forward the message */
    int copies;            /**< 0, 1: a destination gets the message once; 2:
                                twice, on paths as disjoint as possible, if it
                                has a link from a second process that does not
                                depend on it (redundant sends, BHAT-COL 6) */
} hesca_broadcast_problem;

/** A message. */
typedef struct {
    int src;      /**< sender */
    int dest;     /**< receiver */
    int problem;  /**< number of its problem among concurrent ones, else 0 */
    double start; /**< seconds */
    double end;   /**< seconds; the sender may be free earlier */
} hesca_send;

/** The solution; clear it with hesca_broadcast_clear(). */
typedef struct {
    int n;            /**< number of sends */
    hesca_send *send; /**< [n] by start, each after those it depends on: the
                           order of the sends, and of the receives, of every
                           process */
    double finish;    /**< completion time: when the last destination has its
                           first copy; 0 without destinations */
} hesca_broadcast;

/** An algorithm. */
typedef struct hesca_broadcast_algorithm hesca_broadcast_algorithm;
struct hesca_broadcast_algorithm {
    const char *name; /**< as in HESCA_BCAST */
    const char *help; /**< a description, in a few words */
    int most;         /**< largest nproc that it supports */
    int relays;       /**< whether it uses processes that only forward */
    int variant;      /**< number of the variant */
    /** Find a broadcast for a checked problem.  *b has no sends, and memory
     * for nproc of them; each is to follow those it depends on, in any order
     * of start otherwise.  Copies and finish are set by the caller.
     * \return HESCA_SUCCESS or HESCA_ERR_*. */
    int (*make)(const hesca_broadcast_algorithm *,
                const hesca_broadcast_problem *, hesca_broadcast *);
};

/** The catalogue, terminated by NULL:
 * - sequential: root sends to all, one after the other
 * - binomial: a binomial tree by numbers, as in MPI libraries
 * - fnf, fnf-min: modified FNF by average or minimum send cost (section 2)
 * - fef: fastest edge first (4.3)
 * - ecef: earliest completing edge first (Eq. 7)
 * - lookahead: ECEF with look-ahead (Eq. 8, 9)
 * - lookahead-avg: ... by the average cost to those without the message
 * - lookahead-senders: ... by the average cost of senders to receivers
 * - near-far, progressive-mst, two-phase: (section 6)
 * - balanced-mst, chain: HESCA's own: trees for many consecutive messages
 * - graft: HESCA's own: the best of several trees, improved by a local search
 *   over branches; never later than ecef and lookahead
 * - optimum: branch and bound, up to 10 processes (4.2) */
HESCA_API extern const hesca_broadcast_algorithm
    *const hesca_broadcast_algorithms[];

/** Find an algorithm by name; NULL if there is none. */
HESCA_API const hesca_broadcast_algorithm *
hesca_broadcast_algorithm_find(const char *name);

/** Check a problem.
 * \return HESCA_SUCCESS; HESCA_ERR_ARG with a text that names the pair or the
 *         process: numbers out of range, costs that are negative, zero, NaN
 *         or too large to add, a duplicate destination, one that cannot
 *         be reached; HESCA_ERR_NOMEM. */
HESCA_API int
hesca_broadcast_problem_check(const hesca_broadcast_problem *problem);

/** Check a problem, and find a broadcast.
 * \param [in]  algorithm  From the catalogue.
 * \param [in]  problem    The problem.
 * \param [out] b  Empty on error.
 * \return HESCA_SUCCESS; as hesca_broadcast_problem_check();
 *         HESCA_ERR_UNSUPPORTED: more processes than the algorithm supports,
 *         or a destination that it cannot reach because it uses no relays;
 *         HESCA_ERR_NOMEM. */
HESCA_API int hesca_broadcast_find(const hesca_broadcast_algorithm *algorithm,
                                   const hesca_broadcast_problem *problem,
                                   hesca_broadcast *b);

/** Free the sends of a broadcast. */
HESCA_API void hesca_broadcast_clear(hesca_broadcast *b);

/** Check that a broadcast solves a problem: every destination receives, at
 * most `copies` times, no process sends before it has the message, one send
 * and one receive at a time, every message takes its cost, and finish is
 * correct.
 * \return HESCA_SUCCESS, HESCA_ERR_ARG with a text, HESCA_ERR_NOMEM. */
HESCA_API int hesca_broadcast_check(const hesca_broadcast_problem *problem,
                                    const hesca_broadcast *b);

/** Earliest reach times, BHAT-COL 4.1: the length of the shortest path from
 * root over processes that may forward.
 * \param [in]  problem  The problem.
 * \param [out] ert  [nproc] seconds; INFINITY: not reachable.
 * \return HESCA_SUCCESS or HESCA_ERR_NOMEM. */
HESCA_API int hesca_broadcast_reach(const hesca_broadcast_problem *problem,
                                    double *ert);

/** Lower bound on the completion time, BHAT-COL Eq. 3: the latest of the
 * earliest reach times of destinations; 0 without destinations.
 * \return HESCA_SUCCESS or HESCA_ERR_NOMEM. */
HESCA_API int hesca_broadcast_bound(const hesca_broadcast_problem *problem,
                                    double *seconds);

#ifdef __cplusplus
}
#endif

#endif
