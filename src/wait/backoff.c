#define _GNU_SOURCE /* prctl's constants, sched_yield */
#include "wait/backoff.h"
#include <sched.h>
#include <time.h>
#if defined(__linux__)
#include <sys/prctl.h>
#endif

enum {
    SPINS = 4000,      /* some 0.5 ms of MPI_Test: longer than most steps */
    SPINS_CROWDED = 4, /* enough for a message that is there already */
    /* Where others are ready to run a yield is a switch to them, and small
     * exchanges end here: 128 x 128 doubles on 4 processes of 2 cores take
     * 0.05 ms, 0.4 ms with naps instead.  Where nobody is, it costs 0.5 us. */
    YIELDS = 60,
    FIRST_NAP = 10, /* us */
    LAST_NAP = 200
};

hesca_backoff
hesca_backoff_begin(int crowded)
{
    return (hesca_backoff){.spins = crowded ? SPINS_CROWDED : SPINS,
                           .yields = YIELDS,
                           .nap = FIRST_NAP};
}

/* Sleep for us microseconds, and not for the 50 more that the kernel allows
 * itself by default to collect wake-ups. */
static void
nap(int us)
{
    const struct timespec t = {.tv_nsec = us * 1000L};
#if defined(__linux__)
    const int slack = prctl(PR_GET_TIMERSLACK);
    prctl(PR_SET_TIMERSLACK, 1UL);
    nanosleep(&t, NULL);
    if (slack > 0)
        prctl(PR_SET_TIMERSLACK, (unsigned long)slack);
#else
    nanosleep(&t, NULL);
#endif
}

void
hesca_backoff_pause(hesca_backoff *wait)
{
    if (wait->spins > 0) {
        --wait->spins;
    } else if (wait->yields > 0) {
        --wait->yields;
        sched_yield();
    } else {
        nap(wait->nap);
        if (wait->nap < LAST_NAP)
            wait->nap *= 2;
    }
}
