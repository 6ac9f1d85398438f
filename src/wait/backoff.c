/* SPDX-License-Identifier: BSD-3-Clause */
#define _GNU_SOURCE /* prctl's constants, sched_yield */
#include "wait/backoff.h"
#include "base/activity.h"
#include <sched.h>
#include <stdatomic.h>
#include <stdint.h>
#include <time.h>
#if defined(__linux__)
#include <sys/prctl.h>
#endif

enum {
    LOOKS_CROWDED = 4, /* enough for a message that has already arrived */
    /* If other processes are ready to run, a yield switches to them, and small
     * exchanges end in this phase: 128 x 128 doubles on 4 processes and 2
     * cores take 0.05 ms, but 0.4 ms with naps instead.  If no process is
     * ready, a yield costs 0.5 us. */
    YIELDS = 60,
    FIRST_NAP = 10, /* us */
    LAST_NAP = 200,
    /* A nap lasts 1/NAP_PART of the time waited so far, which bounds the
     * relative delay of noticing a message.  Naps that double would last
     * 200 us after 0.3 ms; ScaLAPACK's LU tester takes ten times as long with
     * them. */
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

static _Atomic int64_t slept; /* us, by all threads */

double
hesca_backoff_slept(void)
{
    return 1e-6 * (double)atomic_load_explicit(&slept, memory_order_relaxed);
}

static double
now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* Sleep for us microseconds, without the 50 us of timer slack by which the
 * Linux kernel may extend a sleep by default. */
static void
nap(int us)
{
    const struct timespec t = {.tv_nsec = us * 1000L};
    atomic_fetch_add_explicit(&slept, us, memory_order_relaxed);
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

/* Spin for one pause; 0 if it is time to yield the core. */
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
    hesca_activity_enter(HESCA_ACTIVITY_WAITING);
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
    if (limit <= 0 || wait->reported || wait->nap == FIRST_NAP)
        return 0; /* do not read the clock before the first nap */
    wait->reported = now() - wait->since > limit;
    return wait->reported;
}
