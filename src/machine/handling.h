/** \file machine/handling.h
 * What messages cost the processors at their ends.  It is told in operations
 * of the kernel whose speed is known, so that a host that computes slowly is
 * slow to send and to receive, too.  Pure. */
#ifndef HESCA_MACHINE_HANDLING_H
#define HESCA_MACHINE_HANDLING_H

#include "hesca/experimental/machine.h"

/** Operations per byte that is sent or received through the system: copies. */
#define HESCA_HANDLING 20.0

/** Seconds until a process that waits, or computes, on a processor of that
 * speed, operations per second, has noticed a message and gone on: some
 * 200 000 operations, no more than 0.2 ms. */
static inline double
hesca_notice(double speed)
{
    const double seconds = 2e5 / speed;
    return seconds < 2e-4 ? seconds : 2e-4;
}

/** Seconds per byte, of so many operations, of messages on a processor of that
 * speed, operations per second; no more than twice what the wire takes:
 * adapters of networks that are faster than TCP move data themselves. */
static inline double
hesca_handling(hesca_wire wire, double operations, double speed)
{
    const double seconds = operations / speed, most = 2 / wire.rate;
    return seconds < most ? seconds : most;
}

#endif
