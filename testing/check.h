/* SPDX-License-Identifier: BSD-3-Clause */
/* CHECK for tests under MPI: a failed one prints what reproduces it and the
 * test goes on; check_done() reports the outcome of all processes. */
#ifndef HESCA_TESTING_CHECK_H
#define HESCA_TESTING_CHECK_H

#include <mpi.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

/* Weak: a test of several files counts all of its checks together. */
__attribute__((weak)) long check_failures, check_count;

#define CHECK(condition, ...)                                                 \
    do {                                                                      \
        ++check_count;                                                        \
        if (!(condition) && check_failures++ < 20) {                          \
            fprintf(stderr, "%s:%d: %s failed: ", __FILE__, __LINE__,         \
                    #condition);                                              \
            fprintf(stderr, __VA_ARGS__);                                     \
            fputc('\n', stderr);                                              \
        }                                                                     \
    } while (0)

/* splitmix64: the same numbers everywhere, from a seed that can be printed. */
__attribute__((weak)) uint64_t check_state;

static inline uint64_t
check_mix(uint64_t z)
{
    z += 0x9e3779b97f4a7c15u;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}

static inline uint64_t
check_random(void)
{
    const uint64_t z = check_mix(check_state);
    check_state += 0x9e3779b97f4a7c15u;
    return z;
}

/* lo ... hi */
static inline int
check_uniform(int lo, int hi)
{
    return lo + (int)(check_random() % (uint64_t)(hi - lo + 1));
}

/* A block size for n rows or columns: 1, powers of two, about n, beyond it,
 * small. */
static inline int
check_block(int n)
{
    switch (check_uniform(0, 4)) {
    case 0:
        return 1;
    case 1:
        return 1 << check_uniform(0, 4);
    case 2:
        return check_uniform(1, n + 1);
    case 3:
        return n + check_uniform(1, 9);
    default:
        return check_uniform(1, 9);
    }
}

/* The seed: HESCA_TEST_SEED, or a fixed one, so that a run can be repeated. */
static inline uint64_t
check_seed(uint64_t otherwise)
{
    const char *s = getenv("HESCA_TEST_SEED");
    return s != NULL ? strtoull(s, NULL, 0) : otherwise;
}

/* How many random cases to try: n, or as many percent of it, at least 1, as
 * HESCA_TEST_PERCENT says, which run.sh sets. */
static inline int
check_cases(int n)
{
    const char *s = getenv("HESCA_TEST_PERCENT");
    const int64_t cases = s != NULL ? (int64_t)n * atoi(s) / 100 : n;
    return cases > 1 ? (int)cases : 1;
}

/* The same for checks of means, or of how many there are of a kind, which want
 * n cases at least. */
static inline int
check_mean_of(int n)
{
    const int cases = check_cases(n);
    return cases > n ? cases : n;
}

/* Whether this is make bigcheck. */
static inline int
check_big(void)
{
    return getenv("HESCA_TEST_BIG") != NULL;
}

/* Whether there are fewer cases than in make check. */
static inline int
check_few(void)
{
    return check_cases(100) < 100;
}

/* The size of an example: n, or less where there are few cases. */
static inline int
check_size(int n)
{
    return check_few() ? check_cases(n) : n;
}

/* A barrier that leaves the cores to the processes that still work. */
static inline void
check_barrier(MPI_Comm comm)
{
    const struct timespec t = {.tv_nsec = 50000};
    MPI_Request request;
    int done = 0;
    MPI_Ibarrier(comm, &request);
    while (MPI_Test(&request, &done, MPI_STATUS_IGNORE), !done)
        nanosleep(&t, NULL);
}

/* Collective over MPI_COMM_WORLD: 0 if no check failed anywhere, else 1. */
static inline int
check_done(const char *name)
{
    long mine[2] = {check_failures, check_count}, all[2];
    int me;
    check_barrier(MPI_COMM_WORLD);
    MPI_Comm_rank(MPI_COMM_WORLD, &me);
    MPI_Allreduce(mine, all, 2, MPI_LONG, MPI_SUM, MPI_COMM_WORLD);
    if (me == 0)
        printf("%s: %ld checks, %ld failed\n", name, all[1], all[0]);
    return all[0] != 0;
}

#endif
