/* SPDX-License-Identifier: BSD-3-Clause */
/* Arrangements of processes, and predicates that select some of them. */
#include "pmdl/mapping.h"
#include <string.h>

int64_t
hesca_arrangements(int d, int p, int (*visit)(void *context, const int *dims),
                   void *context)
{
    int dims[HESCA_MODEL_DIMS], k = 0;
    int64_t n = 0;
    if (d < 1 || d > HESCA_MODEL_DIMS || p < 1)
        return 0;
    for (int j = 0; j < d; ++j)
        dims[j] = 1;
    do {
        ++n;
        if (visit(context, dims) != 0)
            break;
        /* The next tuple: the last index whose increase keeps the product in
         * range, with 1 behind it. */
        for (k = d - 1; k >= 0; --k) {
            int64_t product = 1;
            ++dims[k];
            for (int j = 0; j <= k && product <= p; ++j)
                product *= dims[j];
            if (product <= p)
                break;
            dims[k] = 1;
        }
    } while (k >= 0);
    return n;
}

static int
all(int np, const int *dp, int p)
{
    (void)np;
    (void)dp;
    (void)p;
    return 1;
}

static int
square(int np, const int *dp, int p)
{
    int least = dp[0], most = dp[0];
    (void)p;
    for (int k = 1; k < np; ++k) {
        least = dp[k] < least ? dp[k] : least;
        most = dp[k] > most ? dp[k] : most;
    }
    return most <= 2 * (int64_t)least;
}

static int
divisors(int np, const int *dp, int p)
{
    int product = 1;
    for (int k = 0; k < np; ++k)
        product *= dp[k];
    return p % product == 0;
}

static int
powers(int np, const int *dp, int p)
{
    (void)p;
    for (int k = 0; k < np; ++k)
        if ((dp[k] & (dp[k] - 1)) != 0)
            return 0;
    return 1;
}

static const struct {
    const char *name;
    hesca_filter is_chosen;
} heuristics[] = {
    {"all", all},
    {"square", square},
    {"divisors", divisors},
    {"powers", powers},
};

const char hesca_filter_names[] = "all|square|divisors|powers";

hesca_filter
hesca_filter_find(const char *name)
{
    for (size_t k = 0; k < sizeof heuristics / sizeof *heuristics; ++k)
        if (strcmp(heuristics[k].name, name) == 0)
            return heuristics[k].is_chosen;
    return NULL;
}
