/* SPDX-License-Identifier: BSD-3-Clause */
#include "layout/arguments.h"
#include "base/status.h"
#include <stdlib.h>

typedef struct {
    int rank, at;
} position;

static int
by_rank(const void *x, const void *y)
{
    const position *a = x, *b = y;
    if (a->rank != b->rank)
        return a->rank < b->rank ? -1 : 1;
    return a->at < b->at ? -1 : 1;
}

int
hesca_layout_check_ranks(const char *routine, int info, const int *ranks,
                         int n)
{
    int bad = n;
    position *sorted =
        ranks == NULL ? NULL : malloc((size_t)n * sizeof *sorted);
    if (ranks == NULL)
        return HESCA_SUCCESS;
    if (sorted == NULL)
        return hesca_fail(HESCA_ERR_NOMEM, 0, "%s: %d ranks", routine, n);
    for (int k = 0; k < n; ++k)
        sorted[k] = (position){ranks[k], k};
    qsort(sorted, (size_t)n, sizeof *sorted, by_rank);
    for (int k = 0; k < n; ++k)
        if ((sorted[k].rank < 0 ||
             (k > 0 && sorted[k].rank == sorted[k - 1].rank)) &&
            sorted[k].at < bad)
            bad = sorted[k].at;
    free(sorted);
    if (bad == n)
        return HESCA_SUCCESS;
    return hesca_fail(HESCA_ERR_ARG, info,
                      "%s: argument %d, ranks[%d], is %d: must be at least 0 "
                      "and appear once",
                      routine, info, bad, ranks[bad]);
}

int
hesca_layout_check_least(const char *routine, int info, const char *name,
                         int64_t value, int least)
{
    if (value >= least)
        return HESCA_SUCCESS;
    return hesca_fail_arg(routine, info, name, value,
                          least == 0 ? "at least 0" : "at least 1");
}

int
hesca_layout_check_grid(const char *routine, int info, int nprow, int npcol)
{
    const int err = hesca_layout_check_least(routine, info, "nprow", nprow, 1);
    if (err < 0 || (npcol >= 1 && npcol <= INT32_MAX / nprow))
        return err;
    return hesca_fail_arg(routine, info + 1, "npcol", npcol,
                          "at least 1, and nprow x npcol below 2^31");
}

int
hesca_layout_check_lengths(const char *routine, int info, const char *name,
                           hesca_lengths x, int64_t *sum)
{
    const int64_t most = (int64_t)1 << 62;
    *sum = 0;
    if (x.length == NULL)
        return hesca_fail_null(routine, info, name);
    for (int p = 0; p < x.n; ++p) {
        const int at = x.at + p * x.step;
        if (x.length[at] < 0 || x.length[at] > most - *sum)
            return hesca_fail(HESCA_ERR_ARG, info,
                              "%s: argument %d, %s[%d], is %lld: must be at "
                              "least 0, and the sum at most 2^62",
                              routine, info, name, at,
                              (long long)x.length[at]);
        *sum += x.length[at];
    }
    if (*sum > 0)
        return HESCA_SUCCESS;
    if (x.step == 1 && x.at == 0)
        return hesca_fail(HESCA_ERR_ARG, info,
                          "%s: argument %d, %s: the sum is 0: must be at "
                          "least 1",
                          routine, info, name);
    return hesca_fail(HESCA_ERR_ARG, info,
                      "%s: argument %d, %s: the sum of %d from [%d] on is 0: "
                      "must be at least 1",
                      routine, info, name, x.n, x.at);
}

int
hesca_layout_check_owners(const char *routine, int info, const char *name,
                          const int *owner, int64_t n, int nowners)
{
    if (owner == NULL)
        return hesca_fail_null(routine, info, name);
    for (int64_t k = 0; k < n; ++k)
        if (owner[k] < 0 || owner[k] >= nowners)
            return hesca_fail(HESCA_ERR_ARG, info,
                              "%s: argument %d, %s[%lld], is %d: must be in 0 "
                              "... %d",
                              routine, info, name, (long long)k, owner[k],
                              nowners - 1);
    return HESCA_SUCCESS;
}
