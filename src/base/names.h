/* SPDX-License-Identifier: BSD-3-Clause */
/** \file base/names.h
 * Names of schedules, of orders of events and of broadcast algorithms, with
 * the symbol that each stands for.  The parameter table
 * and the tables of sched/, order/ and bcast/ are made of these lists, so that
 * a name is in all of them or in none. */
#ifndef HESCA_BASE_NAMES_H
#define HESCA_BASE_NAMES_H

/** X(symbol, name) for every solver that HESCA_SCHEDULE accepts, in the order
 * of preference of auto where predictions are equal. */
#define HESCA_SOLVERS(X)                                                      \
    X(async, "direct-async")                                                  \
    X(direct, "direct")                                                       \
    X(indirect, "indirect")                                                   \
    X(hybrid, "hybrid:D")                                                     \
    X(bruck, "bruck")                                                         \
    X(openshop, "openshop")                                                   \
    X(best_of, "polished")                                                    \
    X(openshop_lpt, "openshop-lpt")                                           \
    X(maxmatch, "maxmatch")                                                   \
    X(minmatch, "minmatch")                                                   \
    X(greedy, "greedy")                                                       \
    X(caterpillar, "caterpillar")                                             \
    X(lcm, "lcm")                                                             \
    X(gcd, "gcd")                                                             \
    X(multiphase, "multiphase")                                               \
    X(two_phase, "two-phase")                                                 \
    X(alltoall, "alltoall")

/** The same of the heuristics that HESCA_EXCHANGE accepts. */
#define HESCA_HEURISTICS(X)                                                   \
    X(caterpillar, "caterpillar")                                             \
    X(greedy, "greedy")                                                       \
    X(minmatch, "minmatch")                                                   \
    X(maxmatch, "maxmatch")                                                   \
    X(openshop, "openshop")                                                   \
    X(openshop_lpt, "openshop-lpt")                                           \
    X(best_of, "polished")

/** The same of the algorithms that HESCA_BCAST accepts. */
#define HESCA_BROADCAST_ALGORITHMS(X)                                         \
    X(sequential, "sequential")                                               \
    X(binomial, "binomial")                                                   \
    X(fnf, "fnf")                                                             \
    X(fnf_min, "fnf-min")                                                     \
    X(fef, "fef")                                                             \
    X(ecef, "ecef")                                                           \
    X(lookahead, "lookahead")                                                 \
    X(lookahead_avg, "lookahead-avg")                                         \
    X(lookahead_senders, "lookahead-senders")                                 \
    X(near_far, "near-far")                                                   \
    X(progressive_mst, "progressive-mst")                                     \
    X(two_phase, "two-phase")                                                 \
    X(balanced_mst, "balanced-mst")                                           \
    X(chain, "chain")                                                         \
    X(graft, "graft")                                                         \
    X(optimum, "optimum")

/** auto, and all names of a list, as a parameter's type has them. */
#define HESCA_NAMES(LIST) "auto" LIST(HESCA_BAR_NAME)
#define HESCA_BAR_NAME(symbol, name) "|" name

#endif
