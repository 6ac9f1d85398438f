/* SPDX-License-Identifier: BSD-3-Clause */
#define _POSIX_C_SOURCE 200809L /* clock_gettime */
#include "base/activity.h"
#include <string.h>
#include <time.h>

static _Thread_local struct {
    int is_on;
    hesca_activity activity;
    double since, seconds[HESCA_ACTIVITIES];
} own;

static double
now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void
count(hesca_activity next)
{
    const double t = now();
    own.seconds[own.activity] += t - own.since;
    own.since = t;
    own.activity = next;
}

void
hesca_activity_begin(void)
{
    memset(&own, 0, sizeof own);
    own.is_on = 1;
    own.since = now();
}

void
hesca_activity_end(double *seconds)
{
    count(HESCA_ACTIVITY_REST);
    own.is_on = 0;
    memcpy(seconds, own.seconds, sizeof own.seconds);
}

int
hesca_activity_counts(void)
{
    return own.is_on;
}

hesca_activity
hesca_activity_enter(hesca_activity activity)
{
    const hesca_activity before = own.activity == HESCA_ACTIVITY_WAITING
                                      ? HESCA_ACTIVITY_REST
                                      : own.activity;
    if (own.is_on && activity != own.activity)
        count(activity);
    return before;
}

void
hesca_activity_leave(hesca_activity before)
{
    if (own.is_on && before != own.activity)
        count(before);
}
