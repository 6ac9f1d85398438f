/** \file hesca/experimental/broadcast.h
 * Broadcast and multicast where links differ: who sends the message on to
 * whom, and when.
 *
 * A problem is the problem: what each message costs, who has it and who wants
 * it. A broadcast is an answer: its sends in the order in which they begin.  A
 * algorithm is a way from the one to the other; hesca_broadcast_algorithms[]
 * has them all. Pure functions, the same on every process; ties go to the
 * lower numbers of sender and receiver, in this order (with look-ahead, to the
 * earlier end first). Model: a process takes part in at most one send and one
 * receive at a time; i sends to j in cost[i * nproc + j] seconds.  In the
 * non-blocking model the sender is free again after startup[i * nproc + j] of
 * them; the receiver is taken by the message from its begin to its end in
 * both. Source: BHAT-COL sections 3 to 6. */
#ifndef HESCA_EXPERIMENTAL_BROADCAST_H
#define HESCA_EXPERIMENTAL_BROADCAST_H

#include "hesca/status.h"

#ifdef __cplusplus
extern "C" {
#endif

/** The problem. */
typedef struct {
    int nproc;             /* >= 1 */
    const double *cost;    /* [nproc * nproc] seconds from the first to the
                              second, > 0, at most DBL_MAX / (4 nproc^2);
                              INFINITY: there is no link.  The diagonal is not
                              looked at. */
    const double *startup; /* NULL: blocking; else [nproc * nproc] seconds that
                              the sender is busy, 0 <= startup <= cost */
    int root;              /* 0 ... nproc - 1 */
    int ndest;             /* destinations, if dest is given */
    const int *dest;       /* [ndest] different ones, not root; NULL: all
                              processes but root, ndest is not looked at */
    int relays;            /* whether processes that are not destinations may
                              get the message to forward it */
    int copies;            /* 0, 1: a destination gets the message once; 2:
                              twice, on ways that share as little as possible,
                              if it has a link from a second process that does
                              not depend on it (redundant sends, BHAT-COL 6) */
} hesca_broadcast_problem;

/** A message. */
typedef struct {
    int src, dest;
    int problem;       /* its number among simultaneous ones, else 0 */
    double start, end; /* seconds; the sender may be free before the end */
} hesca_send;

/** The answer; to be cleared with hesca_broadcast_clear(). */
typedef struct {
    int n;
    hesca_send *send; /* [n] by start, each after those it waits for: the order
                         of every process's sends, and of its receives */
    double finish;    /* when the last destination has its first copy: the
                         completion time; 0 without destinations */
} hesca_broadcast;

/** A way to find a broadcast. */
typedef struct hesca_broadcast_algorithm hesca_broadcast_algorithm;
struct hesca_broadcast_algorithm {
    const char *name;
    const char *help; /* what it does, in a few words */
    int most;         /* largest nproc that it serves */
    int relays;       /* whether it makes use of relays */
    int variant;      /* which of its relatives it is */
    /* The problem is checked; *b has no sends, but room for nproc of them,
     * each after those it waits for, but not sorted by start.  Copies and
     * finish are not its business. HESCA_SUCCESS or HESCA_ERR_*. */
    int (*make)(const hesca_broadcast_algorithm *,
                const hesca_broadcast_problem *, hesca_broadcast *);
};

/** The catalogue, which ends with NULL:
 * sequential         root sends to all, one after the other
 * binomial           what MPI libraries do: a binomial tree by numbers
 * fnf, fnf-min       modified FNF by average or minimum send cost (section 2)
 * fef                fastest edge first (4.3)
 * ecef               earliest completing edge first (Eq. 7)
 * lookahead          ECEF with look-ahead (Eq. 8, 9)
 * lookahead-avg      ... by the average cost to those without the message
 * lookahead-senders  ... by the average cost of senders to receivers
 * near-far, progressive-mst, two-phase  (section 6)
 * balanced-mst, chain  ours: trees for many messages in a row
 * graft              ours: the best of several trees, improved branch by
 *                    branch; never later than ecef and lookahead
 * optimum            branch and bound, up to 10 processes (4.2) */
HESCA_API extern const hesca_broadcast_algorithm
    *const hesca_broadcast_algorithms[];

/** By name; NULL if there is none. */
HESCA_API const hesca_broadcast_algorithm *
hesca_broadcast_algorithm_find(const char *name);

/** Check a problem.
 * \return HESCA_SUCCESS; HESCA_ERR_ARG with a text that names the pair or the
 *         process: numbers out of range, costs that are negative, zero, NaN
 *         or too large to add, a destination twice, one that cannot be
 *         reached; HESCA_ERR_NOMEM. */
HESCA_API int
hesca_broadcast_problem_check(const hesca_broadcast_problem *problem);

/** Check a problem, and find a broadcast.
 * \param [out] b  Empty on error.
 * \return HESCA_SUCCESS; as hesca_broadcast_problem_check();
 * HESCA_ERR_UNSUPPORTED: more processes than the algorithm serves, or a
 * destination that it cannot reach because it uses no relays; HESCA_ERR_NOMEM.
 */
HESCA_API int hesca_broadcast_find(const hesca_broadcast_algorithm *algorithm,
                                   const hesca_broadcast_problem *problem,
                                   hesca_broadcast *b);

HESCA_API void hesca_broadcast_clear(hesca_broadcast *b);

/** Check that a broadcast is one of this problem: every destination receives,
 * at most as often as copies says, nobody sends before it has the message, one
 * send and one receive at a time, every message takes as long as it costs,
 * finish is right.
 * \return HESCA_SUCCESS, HESCA_ERR_ARG with a text, HESCA_ERR_NOMEM. */
HESCA_API int hesca_broadcast_check(const hesca_broadcast_problem *problem,
                                    const hesca_broadcast *b);

/** Earliest reach times, BHAT-COL 4.1: the length of the shortest path from
 * root over processes that may forward.
 * \param [out] ert  [nproc] seconds; INFINITY: not to be reached.
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
