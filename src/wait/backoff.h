/* SPDX-License-Identifier: BSD-3-Clause */
/** \file wait/backoff.h
 * The yielding wait: how to pause between two tests of a condition.
 *
 * If there are more processes than cores, a process that spins for a message
 * can occupy the core that the sender of this message needs.  So a wait spins
 * for a short time, then yields its core, then sleeps in naps of increasing
 * length. */
#ifndef HESCA_WAIT_BACKOFF_H
#define HESCA_WAIT_BACKOFF_H

#include "base/private.h"

typedef struct {
    int crowded;       /* more processes than cores on this node */
    unsigned pauses;   /* so far */
    int looks, yields; /* left before the next phase */
    int nap;           /* the last nap, microseconds; 0: none yet */
    int woken;         /* messages end the naps */
    int reported;      /* hesca_backoff_late() has returned 1 */
    double since;      /* time of the first pause, seconds; 0 before it */
    double from;       /* the same, or when a message ended a nap */
} hesca_backoff;

/** Say that other processes of this node can send to this one: what they send
 * may go through shared memory, which ends no nap (wait/wake.h). */
void hesca_backoff_neighbours(void);

/** Begin to wait, or begin again after progress.
 * \param [in] crowded  1 if this node has more processes than cores, so that
 *                      spinning takes time from other processes. */
HESCA_PRIVATE hesca_backoff hesca_backoff_begin(int crowded);

/** Pause once: spin, yield or sleep. */
HESCA_PRIVATE void hesca_backoff_pause(hesca_backoff *wait);

/** Whether the wait is still in its first phase: it has not yielded yet. */
int hesca_backoff_is_spinning(const hesca_backoff *wait);

/** Whether the wait has lasted longer than a limit, in seconds (0: no limit).
 * \return 1 once, then 0. */
int hesca_backoff_late(hesca_backoff *wait, double limit);

/** Seconds that this process has slept in such waits. */
double hesca_backoff_slept(void);

#endif
