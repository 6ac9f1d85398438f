/* SPDX-License-Identifier: BSD-3-Clause */
#define _POSIX_C_SOURCE 200809L /* clock_gettime */
#include "base/report_data.h"
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static _Atomic int is_on; /* what follows is complete */
static int nprocs;
static double begun;
static _Atomic int64_t *sent; /* [nprocs] */

static double
now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

int
hesca_report_record(int n)
{
    if (is_on || n < 1)
        return is_on;
    sent = calloc((size_t)n, sizeof *sent);
    if (sent == NULL)
        return 0;
    nprocs = n;
    begun = now();
    is_on = 1;
    return 1;
}

double
hesca_report_seconds(void)
{
    return is_on ? now() - begun : 0;
}

/* ------------------------------------------------ messages */

void
hesca_report_sent(int rank, int64_t bytes)
{
    if (is_on && 0 <= rank && rank < nprocs)
        atomic_fetch_add_explicit(&sent[rank], bytes, memory_order_relaxed);
}

const _Atomic int64_t *
hesca_report_bytes(void)
{
    return is_on ? sent : NULL;
}

/* ------------------------------------------------ speeds
 * One sample more than is kept: the new one. */

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; /* of what follows */
static int nsamples;
static double at[HESCA_REPORT_SAMPLES + 1];
static double *sample; /* [HESCA_REPORT_SAMPLES + 1][nspeeds()] */

static int
nspeeds(void)
{
    return nprocs < HESCA_REPORT_SPEEDS ? nprocs : HESCA_REPORT_SPEEDS;
}

static double *
sample_of(int s)
{
    return sample + (size_t)s * (size_t)nspeeds();
}

/* Drop the sample, neither the first nor the last, whose neighbours are
 * closest. */
static void
thin(void)
{
    const size_t bytes = (size_t)nspeeds() * sizeof *sample;
    int least = 1;
    for (int s = 2; s < nsamples - 1; ++s)
        if (at[s + 1] - at[s - 1] < at[least + 1] - at[least - 1])
            least = s;
    for (int s = least; s < nsamples - 1; ++s) {
        at[s] = at[s + 1];
        memcpy(sample_of(s), sample_of(s + 1), bytes);
    }
    --nsamples;
}

static void
add(double seconds, int n, const double *speed, const int *rank)
{
    const size_t bytes = (size_t)nspeeds() * sizeof *sample;
    double *next = sample_of(nsamples);
    if (nsamples > 0)
        memcpy(next, sample_of(nsamples - 1), bytes);
    for (int k = 0; k < n; ++k) {
        const int r = rank != NULL ? rank[k] : k;
        if (0 <= r && r < nspeeds() && speed[k] > 0)
            next[r] = speed[k];
    }
    if (nsamples > 0 && memcmp(next, sample_of(nsamples - 1), bytes) == 0)
        return;
    at[nsamples] = nsamples > 0 && seconds < at[nsamples - 1]
                       ? at[nsamples - 1]
                       : seconds;
    if (++nsamples > HESCA_REPORT_SAMPLES)
        thin();
}

void
hesca_report_speeds(double seconds, int n, const double *speed,
                    const int *rank)
{
    if (!is_on)
        return;
    pthread_mutex_lock(&lock);
    if (sample == NULL)
        sample = calloc((size_t)nspeeds() * (HESCA_REPORT_SAMPLES + 1),
                        sizeof *sample);
    if (sample != NULL)
        add(seconds, n, speed, rank);
    pthread_mutex_unlock(&lock);
}

int
hesca_report_samples(int *n, const double **seconds, const double **speed)
{
    *n = nspeeds();
    *seconds = at;
    *speed = sample;
    return nsamples;
}
