/** \file wait/backoff.h
 * Waiting politely: how to pass the time between two looks at a condition.
 *
 * A process that spins for a message keeps its core from the process that is
 * to send it when there are more processes than cores.  So a wait spins for a
 * short while, then offers its core, then naps, longer and longer. */
#ifndef HESCA_WAIT_BACKOFF_H
#define HESCA_WAIT_BACKOFF_H

typedef struct {
    int crowded;
    unsigned pauses;   /* until now */
    int looks, yields; /* that are left before the next stage */
    int nap;           /* next nap, microseconds */
    int told;          /* hesca_backoff_late() has spoken */
    double since;      /* seconds, of the first pause; 0 before it */
} hesca_backoff;

/** Begin to wait, or begin anew after progress.  crowded: this node has more
 * processes than cores, so that spinning takes time from others. */
hesca_backoff hesca_backoff_begin(int crowded);

/** Pass some time. */
void hesca_backoff_pause(hesca_backoff *wait);

/** Whether the pauses are still the shortest. */
int hesca_backoff_is_spinning(const hesca_backoff *wait);

/** Whether the wait has lasted longer than so many seconds (0: no limit); 1
 * once, then 0. */
int hesca_backoff_late(hesca_backoff *wait, double limit);

#endif
