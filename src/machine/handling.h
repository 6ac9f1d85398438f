/** \file machine/handling.h
 * The processor time of messages at their ends.  It is expressed in operations
 * of the kernel whose speed is known, so that a slow host is also slow to send
 * and to receive.  Pure. */
#ifndef HESCA_MACHINE_HANDLING_H
#define HESCA_MACHINE_HANDLING_H

#include "hesca/experimental/machine.h"

/** Operations per byte that is sent or received, for copies in the system. */
#define HESCA_HANDLING 20.0

/** Seconds until a process that waits or computes has noticed a message and
 * continues: the time of 200 000 operations, at most 0.2 ms.
 * \param [in] speed  Of the processor, operations per second. */
static inline double
hesca_notice(double speed)
{
    const double seconds = 2e5 / speed;
    return seconds < 2e-4 ? seconds : 2e-4;
}

/** Seconds per byte of messages on a processor; at most twice the time of the
 * wire, because adapters of networks faster than TCP move data themselves.
 * \param [in] operations  Per byte.
 * \param [in] speed       Of the processor, operations per second. */
static inline double
hesca_handling(hesca_wire wire, double operations, double speed)
{
    const double seconds = operations / speed, most = 2 / wire.rate;
    return seconds < most ? seconds : most;
}

#endif
