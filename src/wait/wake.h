/* SPDX-License-Identifier: BSD-3-Clause */
/** \file wait/wake.h
 * A sleep that a message from another node ends.
 *
 * Over TCP and over adapters with event descriptors, the MPI library registers
 * its connections with an epoll descriptor, which is ready when one of them
 * is.  A process that sleeps on it has no need to look often, so that it takes
 * next to nothing from a core that others work on, or from a CPU quota, and
 * notices a message at once.  Messages through shared memory and most
 * adapters do not wake. */
#ifndef HESCA_WAIT_WAKE_H
#define HESCA_WAIT_WAKE_H

/** Sleep for a time, or until a connection of the MPI library is ready.
 * \param [in] us  Microseconds, 1 to 999999.
 * \return 1 if a connection has ended it, or may have been ready before. */
int hesca_wake_sleep(int us);

/** Whether connections end sleeps: one has within the last two seconds of
 * sleeping, so it is not that only descriptors are known that never do. */
int hesca_wake_works(void);

#endif
