/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/arith.h"
#include "base/status.h"
#include "hesca/experimental/shares.h"
#include "partition/graph/partition_state.h"
#include <math.h>
#include <stdlib.h>

/* Models with limits in units of weight: the limit times the mean weight. */
static int
weigh_limits(int p, const hesca_speed *const *speed, double mean,
             hesca_speed **weighed)
{
    int err = HESCA_SUCCESS;
    for (int i = 0; i < p; ++i)
        HESCA_TRY(err, hesca_speed_copy(
                           speed[i],
                           ceil(floor(hesca_speed_limit(speed[i])) * mean),
                           &weighed[i]));
fail:
    return err;
}

/* Shares of the sum of the weights of n vertices. */
static int
share(const char *routine, int p, const hesca_speed *const *speed, int64_t n,
      int64_t sum, hesca_shares **shares)
{
    hesca_speed **weighed = NULL;
    int err = HESCA_SUCCESS;
    *shares = NULL;
    if (speed == NULL || sum == n || sum == 0)
        return hesca_shares_create(p, speed, sum, shares);
    weighed = calloc((size_t)p, sizeof *weighed);
    if (weighed == NULL)
        HESCA_TRY(err, hesca_fail(HESCA_ERR_NOMEM, 0, "%s: models of %d",
                                  routine, p));
    HESCA_TRY(err, weigh_limits(p, speed, (double)sum / (double)n, weighed));
    HESCA_TRY(err, hesca_shares_create(p, (const hesca_speed *const *)weighed,
                                       sum, shares));
fail:
    for (int i = 0; weighed != NULL && i < p; ++i)
        hesca_speed_free(weighed[i]);
    free(weighed);
    return err;
}

/* Limits of parts, in whole vertices. */
static int
set_limits(const char *routine, int arg, const hesca_speed *const *speed,
           hesca_partition_problem *x)
{
    int64_t held = 0;
    for (int i = 0; i < x->p; ++i) {
        const double limit =
            speed != NULL ? floor(hesca_speed_limit(speed[i])) : INFINITY;
        x->most[i] = limit < (double)x->n ? (int64_t)limit : x->n;
        held += hesca_min(x->most[i], x->n - held);
    }
    if (held < x->n)
        return hesca_fail(HESCA_ERR_ARG, arg,
                          "%s: argument %d: the limits hold %lld of %lld "
                          "vertices",
                          routine, arg, (long long)held, (long long)x->n);
    return HESCA_SUCCESS;
}

static void
set_targets(const hesca_shares *shares, const int64_t *sum, int64_t all,
            hesca_partition_problem *x)
{
    for (int c = 0; c < x->classes; ++c)
        for (int i = 0; i < x->p; ++i) {
            const double share = (double)hesca_shares_count(shares, i);
            x->target[c * x->p + i] =
                x->classes == 1 ? share
                : all > 0       ? share * ((double)sum[c] / (double)all)
                                : 0;
        }
}

int
hesca_targets_init(const char *routine, int arg, int p,
                   const hesca_speed *const *speed, int64_t n,
                   const int64_t *weight, const int *class_of,
                   hesca_partition_problem *x)
{
    hesca_shares *shares = NULL;
    int64_t sum[2] = {0, 0};
    int err;
    *x = (hesca_partition_problem){.p = p,
                                   .classes = class_of != NULL ? 2 : 1,
                                   .n = n,
                                   .weight = weight,
                                   .class_of = class_of};
    x->target = malloc((size_t)(x->classes * p) * sizeof *x->target);
    x->most = malloc((size_t)p * sizeof *x->most);
    if (x->target == NULL || x->most == NULL)
        HESCA_TRY(err, hesca_fail(HESCA_ERR_NOMEM, 0, "%s: targets of %d",
                                  routine, p));
    for (int64_t v = 0; v < n; ++v) {
        sum[hesca_class(x, v)] += hesca_weight(x, v);
        x->heaviest = hesca_max(x->heaviest, hesca_weight(x, v));
    }
    HESCA_TRY(err, set_limits(routine, arg, speed, x));
    HESCA_TRY(err, share(routine, p, speed, n, sum[0] + sum[1], &shares));
    set_targets(shares, sum, sum[0] + sum[1], x);
fail:
    hesca_shares_free(shares);
    if (err < 0)
        hesca_targets_clear(x);
    return err;
}

void
hesca_targets_clear(hesca_partition_problem *x)
{
    free(x->target);
    free(x->most);
    *x = (hesca_partition_problem){.p = 0};
}
