/* SPDX-License-Identifier: BSD-3-Clause */
#define _GNU_SOURCE /* sched_yield */
#include "wait/backoff.h"
#include "base/activity.h"
#include "wait/wake.h"
#include <sched.h>
#include <stdatomic.h>
#include <stdint.h>
#include <time.h>

enum {
    LOOKS_CROWDED = 4, /* enough for a message that has already arrived */
    /* One look receives a message, a later one lets a collective operation go
     * on with it (MPICH 4.0): ScaLAPACK's Cholesky takes 1.6 times as long
     * without them, LU on a slow host three times. */
    LOOKS_AFTER_NAP = 2,
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
    NAP_PART = 8,
    /* Where whatever can come ends the nap. */
    LAST_NAP_WOKEN = 1000
};

static const double SPIN = 0.5e-3; /* s: longer than most steps */

/* The same on a CPU quota where messages end naps.  A nap takes about 20 us of
 * processor time, which the quota does not give back: with naps at once the
 * messages of ScaLAPACK's LU for each column took a host of 0.4 of a core 1.7
 * times as long. */
static const double SPIN_WOKEN = 20e-6;

static atomic_int neighbours = 0;

void
hesca_backoff_neighbours(void)
{
    neighbours = 1;
}

hesca_backoff
hesca_backoff_begin(int crowded)
{
    const int woken = crowded && !neighbours && hesca_wake_works();
    return (hesca_backoff){.crowded = crowded,
                           .looks = LOOKS_CROWDED,
                           .yields = woken ? 0 : YIELDS,
                           .woken = woken};
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

/* What ends a nap may be a part of what is waited for, so that more will come
 * soon. */
static void
nap(hesca_backoff *wait)
{
    const double begun = now();
    const int woken = hesca_wake_sleep(wait->nap);
    const double end = now();
    atomic_fetch_add_explicit(&slept, (int64_t)(1e6 * (end - begun)),
                              memory_order_relaxed);
    if (wait->woken && woken)
        wait->from = end;
}

/* Spin for one pause; 0 if it is time to yield the core. */
static int
spin(hesca_backoff *wait)
{
    if (wait->crowded && wait->looks > 0) {
        --wait->looks;
        return 1;
    }
    if (wait->crowded)
        return wait->woken && now() - wait->from < SPIN_WOKEN;
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
    const int last = wait->woken ? LAST_NAP_WOKEN : LAST_NAP;
    const int part = wait->woken ? 1 : NAP_PART;
    const double us = 1e6 * (now() - wait->from) / part;
    return us < FIRST_NAP ? FIRST_NAP : us > last ? last : (int)us;
}

void
hesca_backoff_pause(hesca_backoff *wait)
{
    hesca_activity_enter(HESCA_ACTIVITY_WAITING);
    ++wait->pauses;
    if (wait->since == 0)
        wait->since = wait->from = now();
    if (spin(wait))
        return;
    if (wait->yields > 0) {
        --wait->yields;
        sched_yield();
        return;
    }
    wait->nap = next_nap(wait);
    nap(wait);
    wait->looks = LOOKS_AFTER_NAP;
}

int
hesca_backoff_is_spinning(const hesca_backoff *wait)
{
    return wait->woken ? wait->nap == 0 : wait->yields == YIELDS;
}

int
hesca_backoff_late(hesca_backoff *wait, double limit)
{
    if (limit <= 0 || wait->reported || wait->nap == 0)
        return 0; /* do not read the clock before the first nap */
    wait->reported = now() - wait->since > limit;
    return wait->reported;
}
