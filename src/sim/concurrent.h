/** \file sim/concurrent.h
 * Several problems that begin at the same time and share the ports of
 * processes. Source: BHAT-COL 6, which names the problem without an algorithm.
 */
#ifndef HESCA_SIM_CONCURRENT_H
#define HESCA_SIM_CONCURRENT_H

#include "hesca/experimental/broadcast.h"

/** One after the other: each begins when the one before has finished.
 *
 * \param [in]  n, problem  >= 1 problems of equal nproc; copies are not looked
 * at. \param [out] b        send[].problem tells whose a send is; finish: of
 * all. Empty on error. \return HESCA_SUCCESS; HESCA_ERR_ARG; as
 * hesca_broadcast_find(). */
int hesca_concurrent_sequential(const hesca_broadcast_algorithm *algorithm,
                                int n, const hesca_broadcast_problem *problem,
                                hesca_broadcast *b);

/** All together, the best of: their broadcasts by themselves, whose sends go
 * as soon as ports allow, by begin or by what depends on them; earliest
 * completing edge first over all problems; in turn.
 * Time O(m^2), m = n nproc sends, and O(m n nproc^2). */
int hesca_concurrent_interleaved(const hesca_broadcast_algorithm *algorithm,
                                 int n, const hesca_broadcast_problem *problem,
                                 hesca_broadcast *b);

/** Check each of them, and that ports are shared; as hesca_broadcast_check().
 */
int hesca_concurrent_check(int n, const hesca_broadcast_problem *problem,
                           const hesca_broadcast *b);

#endif
