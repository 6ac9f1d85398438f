/* SPDX-License-Identifier: BSD-3-Clause */
/** \file bcast/fault_tolerant.h
 * Fault-tolerant broadcasts: redundant sends, and the processes that are
 * reached if a process fails.
 * Source: BHAT-COL 6, which names both but gives no algorithm. */
#ifndef HESCA_BCAST_FAULT_TOLERANT_H
#define HESCA_BCAST_FAULT_TOLERANT_H

#include "hesca/experimental/broadcast.h"

/** Add a second message to every destination, after all present sends, so that
 * the completion time is unchanged.  The sender is the process whose path
 * shares the fewest forwarders with that of the first message, and of these
 * the earliest.  A destination without a second sender gets no second message.
 *
 * \param [in,out] b  In: every destination receives once.  It has room for
 *                    2 nproc sends.
 * \return HESCA_SUCCESS or HESCA_ERR_NOMEM. */
int hesca_broadcast_add_redundant(const hesca_broadcast_problem *problem,
                                  hesca_broadcast *b);

/** The processes that receive the message if one process fails before it sends
 * anything.  Every other process that gets a copy sends all its messages as
 * planned.
 *
 * \param [in]  failed   0 ... nproc - 1.
 * \param [out] reached  [nproc] 1: has the message (0 for failed); or NULL.
 * \param [out] n        Number of destinations that have it.
 * \return HESCA_SUCCESS or HESCA_ERR_NOMEM. */
int hesca_broadcast_fail(const hesca_broadcast_problem *problem,
                         const hesca_broadcast *b, int failed, char *reached,
                         int *n);

/** Measures of a broadcast. */
typedef struct {
    int sends;    /* amount of transmitted data, in messages */
    double mean;  /* fraction of the other destinations that is reached if one
                     process other than root fails: average over processes */
    double worst; /* the least such fraction; both are 1 if no process can
                     fail */
} hesca_robustness;

/** \return HESCA_SUCCESS or HESCA_ERR_NOMEM. */
int hesca_broadcast_robustness(const hesca_broadcast_problem *problem,
                               const hesca_broadcast *b, hesca_robustness *r);

#endif
