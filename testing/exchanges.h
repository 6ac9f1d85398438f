/* SPDX-License-Identifier: BSD-3-Clause */
/* Random exchanges for tests and timers: those of BHAT-HET 5 and BHAT-EXC 5,
 * and odd ones.  A state is a seed; every number moves it on. */
#ifndef HESCA_TESTING_EXCHANGES_H
#define HESCA_TESTING_EXCHANGES_H

#include "hesca/experimental/events.h"
#include <stdlib.h>

/* splitmix64, lo <= x < hi */
static inline double
exchange_number(uint64_t *state, double lo, double hi)
{
    uint64_t z = (*state += 0x9e3779b97f4a7c15u);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    z ^= z >> 31;
    return lo + (hi - lo) * ((double)(z >> 11) * 0x1p-53);
}

/* lo ... hi */
static inline int
exchange_whole(uint64_t *state, int lo, int hi)
{
    return (int)exchange_number(state, lo, hi + 1.0);
}

/* Where process i sends its m-th block in R_x(K,P), m = 0 ... K - 1. */
static inline int
exchange_redist_dest(int nproc, int k, int i, int m)
{
    return (int)((i + (long long)nproc * m) / k % nproc);
}

/* R_x(K,P) of messages of one megabyte with rates from lo to hi MB/s for every
 * pair, without start-up times (BHAT-HET 5). */
static inline int
exchange_redist(hesca_events *x, int nproc, int k, double lo, double hi,
                uint64_t *state)
{
    int64_t n = 0;
    hesca_event *list = malloc((size_t)nproc * (size_t)k * sizeof *list);
    if (list == NULL)
        abort();
    for (int i = 0; i < nproc; ++i)
        for (int m = 0; m < k; ++m) {
            const int j = exchange_redist_dest(nproc, k, i, m);
            if (j != i)
                list[n++] = (hesca_event){i, j, 1e6,
                                          1 / exchange_number(state, lo, hi)};
        }
    const int err = hesca_events_init(x, nproc, n, list);
    free(list);
    return err;
}

enum { EXCHANGE_SMALL, EXCHANGE_LARGE, EXCHANGE_MIXED, EXCHANGE_SERVERS };

static inline double
exchange_bytes(int kind, int i, int j, int servers, uint64_t *state)
{
    switch (kind) {
    case EXCHANGE_SMALL:
        return 1e3;
    case EXCHANGE_LARGE:
        return 1e6;
    case EXCHANGE_MIXED:
        return exchange_whole(state, 0, 1) ? 1e6 : 1e3;
    default:
        return i < servers && j >= servers ? 1e6 : 1e3;
    }
}

/* Total exchange of 1 kB, of 1 MB, of either, or with a fifth of the processes
 * as servers of large messages; start-up times and rates from the range of
 * GUSTO's sites: 4.5 to 89.5 ms, 246 to 4976 kbit/s (BHAT-EXC 5, BHAT-COL
 * Table 1). */
static inline int
exchange_total(hesca_events *x, int nproc, int kind, uint64_t *state)
{
    const size_t p = (size_t)nproc;
    double *seconds = calloc(2 * p * p, sizeof *seconds);
    if (seconds == NULL)
        abort();
    double *bytes = seconds + p * p;
    for (int i = 0; i < nproc; ++i)
        for (int j = 0; j < nproc; ++j) {
            const size_t at = (size_t)i * p + (size_t)j;
            const double startup = exchange_number(state, 4.5e-3, 89.5e-3);
            const double rate = exchange_number(state, 246e3, 4976e3) / 8;
            if (i == j)
                continue;
            bytes[at] = exchange_bytes(kind, i, j, nproc / 5, state);
            seconds[at] = startup + bytes[at] / rate;
        }
    const int err = hesca_events_make_dense(x, nproc, seconds, bytes);
    free(seconds);
    return err;
}

/* Each pair with a chance of `density`; times of one of four kinds: any, few
 * whole numbers, very unequal ones, or so unequal that some are nothing beside
 * others: now + seconds == now. */
static inline int
exchange_odd(hesca_events *x, int nproc, double density, uint64_t *state)
{
    const size_t p = (size_t)nproc;
    const int kind = exchange_whole(state, 0, 3);
    double *seconds = calloc(p * p, sizeof *seconds);
    if (seconds == NULL)
        abort();
    for (int i = 0; i < nproc; ++i)
        for (int j = 0; j < nproc; ++j) {
            if (i == j || exchange_number(state, 0, 1) >= density)
                continue;
            const double any = exchange_number(state, 0.001, 1);
            seconds[(size_t)i * p + (size_t)j] =
                kind == 0   ? any
                : kind == 1 ? exchange_whole(state, 1, 4)
                : kind == 2 ? 1e-9 + any * any * any * any * any * any * any
                            : any * (exchange_whole(state, 0, 1) ? 1 : 1e-17);
        }
    const int err = hesca_events_make_dense(x, nproc, seconds, NULL);
    free(seconds);
    return err;
}

#endif
