/** \file wait/backoff.h
 * Waiting politely: how to pass the time between two looks at a condition.
 *
 * A process that spins for a message keeps its core from the process that is
 * to send it when there are more processes than cores.  So a wait spins for a
 * short while, then offers its core, then naps, longer and longer. */
#ifndef HESCA_WAIT_BACKOFF_H
#define HESCA_WAIT_BACKOFF_H

typedef struct {
    int spins, yields; /* looks that are left before the next stage */
    int nap;           /* next nap, microseconds */
} hesca_backoff;

/** Begin to wait, or begin anew after progress.  crowded: this node has more
 * processes than cores, so that spinning takes time from others. */
hesca_backoff hesca_backoff_begin(int crowded);

/** Pass some time. */
void hesca_backoff_pause(hesca_backoff *wait);

#endif
