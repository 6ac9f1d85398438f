/** \file sim/concurrent.h
 * Several casts that begin at the same time and share the ports of processes.
 * Source: BHAT-COL 6, which names the problem without an algorithm. */
#ifndef HESCA_SIM_CONCURRENT_H
#define HESCA_SIM_CONCURRENT_H

#include "hesca/broadcast.h"

/** One after the other: each begins when the one before has finished.
 *
 * \param [in]  n, cast  >= 1 casts of equal nproc; copies are not looked at.
 * \param [out] b        send[].cast tells whose a send is; finish: of all.
 *                       Empty on error.
 * \return HESCA_SUCCESS; HESCA_ERR_ARG; as hesca_cast_make(). */
int hesca_casts_in_turn(const hesca_caster *caster, int n,
                        const hesca_cast *cast, hesca_broadcast *b);

/** All together, the best of: their broadcasts by themselves, whose sends go
 * as soon as ports allow, by begin or by what depends on them; earliest
 * completing edge first over all casts; in turn.
 * Time O(m^2), m = n nproc sends, and O(m n nproc^2). */
int hesca_casts_together(const hesca_caster *caster, int n,
                         const hesca_cast *cast, hesca_broadcast *b);

/** Check each of them, and that ports are shared; as hesca_broadcast_check().
 */
int hesca_casts_check(int n, const hesca_cast *cast, const hesca_broadcast *b);

#endif
