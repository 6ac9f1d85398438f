/** \file bcast/fault_tolerant.h
 * Broadcasts that survive: redundant sends, and what a failure leaves of a
 * broadcast.
 * Source: BHAT-COL 6, which names both without an algorithm. */
#ifndef HESCA_BCAST_FAULT_TOLERANT_H
#define HESCA_BCAST_FAULT_TOLERANT_H

#include "hesca/experimental/broadcast.h"

/** Add a second message to every destination, after all sends that are there
 * (so that the completion time stays), from the process that shares the fewest
 * forwarders with the first way, and is earliest among these.  Who has no
 * second sender gets none.
 *
 * \param [in,out] b  Everybody receives once; room for 2 nproc sends.
 * \return HESCA_SUCCESS or HESCA_ERR_NOMEM. */
int hesca_broadcast_add_redundant(const hesca_broadcast_problem *problem,
                                  hesca_broadcast *b);

/** Who gets the message if one process fails before it sends anything.
 * Everybody else sends as planned, in order, once it has its first copy, and
 * leaves out nothing but what it cannot have.
 *
 * \param [in]  failed   0 ... nproc - 1.
 * \param [out] reached  [nproc] 1: has the message (failed: 0); or NULL.
 * \param [out] n        How many destinations have it.
 * \return HESCA_SUCCESS or HESCA_ERR_NOMEM. */
int hesca_broadcast_fail(const hesca_broadcast_problem *problem,
                         const hesca_broadcast *b, int failed, char *reached,
                         int *n);

/** Measures of a broadcast. */
typedef struct {
    int sends;    /* the amount of transmitted data, in messages */
    double mean;  /* part of the other destinations that is reached if one
                     process but root fails: the average over these, */
    double worst; /* and the least; 1 if there is nobody to fail */
} hesca_robustness;

/** \return HESCA_SUCCESS or HESCA_ERR_NOMEM. */
int hesca_broadcast_robustness(const hesca_broadcast_problem *problem,
                               const hesca_broadcast *b, hesca_robustness *r);

#endif
