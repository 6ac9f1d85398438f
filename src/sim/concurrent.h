/* SPDX-License-Identifier: BSD-3-Clause */
/** \file sim/concurrent.h
 * Concurrent multicasts: several broadcast problems that begin at the same
 * time and share the ports of the processes.
 * Source: BHAT-COL 6, which names the problem but gives no algorithm. */
#ifndef HESCA_SIM_CONCURRENT_H
#define HESCA_SIM_CONCURRENT_H

#include "hesca/experimental/broadcast.h"

/** One after the other: each begins when the previous one has finished.
 *
 * \param [in]  n        Number of problems, >= 1.
 * \param [in]  problem  [n] of equal nproc; their copies are ignored.
 * \param [out] b        send[].problem is the problem of a send; finish is
 *                       that of all.  Empty on error.
 * \return HESCA_SUCCESS; HESCA_ERR_ARG; as hesca_broadcast_find(). */
int hesca_concurrent_sequential(const hesca_broadcast_algorithm *algorithm,
                                int n, const hesca_broadcast_problem *problem,
                                hesca_broadcast *b);

/** All together: the best of
 * - the broadcasts of each problem alone, merged so that sends begin as soon
 *   as ports are free; ties by the time that depends on a send, or by its
 *   begin in its own broadcast,
 * - earliest completing edge first over all problems,
 * - hesca_concurrent_sequential().
 *
 * Parameters and result are those of hesca_concurrent_sequential().  Time
 * O(m^2) for m = n nproc sends, and O(m n nproc^2). */
int hesca_concurrent_interleaved(const hesca_broadcast_algorithm *algorithm,
                                 int n, const hesca_broadcast_problem *problem,
                                 hesca_broadcast *b);

/** Check each broadcast, and that each port has one message at a time.
 * \return As hesca_broadcast_check(). */
int hesca_concurrent_check(int n, const hesca_broadcast_problem *problem,
                           const hesca_broadcast *b);

#endif
