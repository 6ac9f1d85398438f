#define _GNU_SOURCE /* prctl's constants, sched_yield */
#include "wait/backoff.h"
#include <sched.h>
#include <time.h>
#if defined(__linux__)
#include <sys/prctl.h>
#endif

enum {
    LOOKS_CROWDED = 4, /* enough for a message that is there already */
    /* Where others are ready to run a yield is a switch to them, and small
     * exchanges end here: 128 x 128 doubles on 4 processes of 2 cores take
     * 0.05 ms, 0.4 ms with naps instead.  Where nobody is, it costs 0.5 us. */
    YIELDS = 60,
    FIRST_NAP = 10, /* us */
    LAST_NAP = 200,
    /* A nap is so much of the time that has been waited: what comes then is
     * noticed late by no more than that.  Naps that double are 200 us after
     * 0.3 ms; with them ScaLAPACK's LU tester takes ten times as long. */
    NAP_PART = 8
};

static const double SPIN = 0.5e-3; /* s: longer than most steps */

hesca_backoff
hesca_backoff_begin(int crowded)
{
    return (hesca_backoff){.crowded = crowded,
                           .looks = LOOKS_CROWDED,
                           .yields = YIELDS,
                           .nap = FIRST_NAP};
}

static double
now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
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

/* Whether it is too early to offer the core. */
static int
spin(hesca_backoff *wait)
{
    if (wait->crowded)
        return wait->looks > 0 && wait->looks-- > 0;
    if (!hesca_backoff_is_spinning(wait) || now() - wait->since > SPIN)
        return 0;
#if defined(__x86_64__) || defined(__i386__)
    __builtin_ia32_pause();
#endif
    return 1;
}

static int
next_nap(const hesca_backoff *wait)
{
    const double us = 1e6 * (now() - wait->since) / NAP_PART;
    return us < FIRST_NAP ? FIRST_NAP : us > LAST_NAP ? LAST_NAP : (int)us;
}

void
hesca_backoff_pause(hesca_backoff *wait)
{
    ++wait->pauses;
    if (wait->since == 0)
        wait->since = now();
    if (spin(wait))
        return;
    if (wait->yields > 0) {
        --wait->yields;
        sched_yield();
        return;
    }
    nap(wait->nap);
    wait->nap = next_nap(wait);
}

int
hesca_backoff_is_spinning(const hesca_backoff *wait)
{
    return wait->yields == YIELDS;
}

int
hesca_backoff_late(hesca_backoff *wait, double limit)
{
    if (limit <= 0 || wait->told || wait->nap == FIRST_NAP)
        return 0; /* no need to look at the clock before the naps */
    wait->told = now() - wait->since > limit;
    return wait->told;
}
