/* SPDX-License-Identifier: BSD-3-Clause */
/* What tests of broadcasts share: random costs, and an algorithm that is run
 * and whose broadcast is checked. */
#ifndef HESCA_TESTING_BCAST_PROBLEMS_H
#define HESCA_TESTING_BCAST_PROBLEMS_H

#include "hesca/experimental/broadcast.h"
#include "testing/unit.h"
#include <math.h>

/* 0 ... 1 */
static inline double
problem_random(void)
{
    return (double)(check_random() >> 11) / 9007199254740992.0;
}

/* Costs between any two of n. */
typedef enum {
    CASTING_RANGES, /* BHAT-COL Figure 4: T 10 us ... 1 ms, B 10 kB/s ... 200
                       MB/s, 1 MB */
    CASTING_SPREAD, /* the logarithm of B is uniform instead */
    CASTING_EQUAL,  /* 1, 2 or 3: many ties */
    CASTING_GATES,  /* like BHAT-COL Eq. 11: chains that look cheap, and a fast
                       process at the end of a slower chain */
    CASTING_KINDS
} problem_kind;

static inline double
problem_cost(problem_kind kind)
{
    const double u = problem_random(), t = 10e-6 + 990e-6 * problem_random();
    switch (kind) {
    case CASTING_RANGES:
        return t + 1e6 / (10e3 + u * (200e6 - 10e3));
    case CASTING_SPREAD:
        return t + 1e6 / (10e3 * pow(20e3, u));
    case CASTING_EQUAL:
        return check_uniform(1, 3);
    default:
        return 50 + 50 * u;
    }
}

static inline void
problem_gates(int n, double *cost)
{
    int at = 0;
    char used[1024] = {1};
    for (int i = 0; i + 1 < n; ++i)
        cost[i * n + i + 1] = 0.8 + 0.4 * problem_random();
    for (int j = 1; j < n; j += 2)
        cost[j] = 0.8 + 0.4 * problem_random();
    for (int hops = check_uniform(1, 3); hops > 0 && hops + 1 < n; --hops) {
        int k;
        do
            k = check_uniform(1, n - 1);
        while (used[k]);
        used[k] = 1;
        cost[at * n + k] = 1.1 + 0.2 * problem_random();
        at = k;
    }
    for (int j = 0; j < n; ++j)
        cost[at * n + j] = 0.005 + 0.01 * problem_random();
}

static inline void
problem_draw(problem_kind kind, int n, double *cost)
{
    for (int k = 0; k < n * n; ++k)
        cost[k] = problem_cost(kind);
    if (kind == CASTING_GATES)
        problem_gates(n, cost);
}

/* k different destinations of 1 ... n - 1, ascending. */
static inline int
problem_destinations(int n, int k, int *dest)
{
    int m = 0;
    for (int i = 1; i < n; ++i)
        if (check_uniform(1, n - i) <= k - m)
            dest[m++] = i;
    return m;
}

/* A broadcast that is checked; empty and a failed check if there is none. */
static inline hesca_broadcast
problem_run(const char *name, const hesca_broadcast_problem *x)
{
    hesca_broadcast b;
    const hesca_broadcast_algorithm *algorithm =
        hesca_broadcast_algorithm_find(name);
    CHECK(algorithm != NULL, "%s", name);
    if (algorithm == NULL)
        return (hesca_broadcast){.n = 0};
    CHECK(hesca_broadcast_find(algorithm, x, &b) == HESCA_SUCCESS, "%s: %s",
          name, hesca_error_text());
    CHECK(hesca_broadcast_check(x, &b) == HESCA_SUCCESS, "%s: %s", name,
          hesca_error_text());
    return b;
}

static inline double
problem_finish(const char *name, const hesca_broadcast_problem *x)
{
    hesca_broadcast b = problem_run(name, x);
    const double finish = b.finish;
    hesca_broadcast_clear(&b);
    return finish;
}

/* Equal but for rounding. */
static inline int
problem_close(double a, double b)
{
    return fabs(a - b) <= 1e-9 * fmax(fabs(a), fabs(b));
}

#endif
