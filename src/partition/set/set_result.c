/* SPDX-License-Identifier: BSD-3-Clause */
#include "partition/set/set_result.h"
#include "base/arith.h"
#include "base/status.h"
#include "partition/set/speed_lines.h"
#include <math.h>
#include <stdlib.h>

static const int64_t elements_max = (int64_t)1 << 53;

/* ------------------------------------------------ arguments
 * Every check records the routine, the argument number and the value. */

int
hesca_result_check(const char *routine, int p, const hesca_speed *const *speed,
                   int64_t n, hesca_shares *const *shares, int last)
{
    int err;
    if (p < 1)
        return hesca_fail_arg(routine, 1, "p", p, "at least 1");
    HESCA_TRY(err, hesca_set_check_speeds(routine, 2, p, speed));
    if (n < 0 || n > elements_max)
        return hesca_fail_arg(routine, 3, "n", n, "0 ... 2^53");
    if (shares == NULL)
        return hesca_fail_null(routine, last, "shares");
fail:
    return err;
}

int
hesca_result_check_weights(const char *routine, int arg, const char *name,
                           int64_t n, const int64_t *weight, int64_t *total)
{
    *total = 0;
    for (int64_t e = 0; e < n; ++e) {
        const int is_negative = weight[e] < 0;
        if (is_negative || weight[e] > elements_max - *total)
            return hesca_fail(
                HESCA_ERR_ARG, arg, "%s: argument %d, %s[%lld], is %lld: %s",
                routine, arg, name, (long long)e, (long long)weight[e],
                is_negative ? "must be at least 0"
                            : "the sum up to it exceeds 2^53");
        *total += weight[e];
    }
    return HESCA_SUCCESS;
}

/* The speeds between the first and the last knot need no check, since size /
 * speed increases. */
static int
can_use(const hesca_speed *speed)
{
    int n;
    const hesca_knot *k = hesca_speed_knots(speed, &n);
    const int last = k[n - 1].speed > 0 ? n - 1 : n - 2;
    return hesca_set_can_use(k[0].speed) && hesca_set_can_use(k[last].speed);
}

int
hesca_result_limits(const char *routine, int arg, const char *name, int p,
                    const hesca_speed *const *speed, int64_t n, int64_t *most)
{
    int64_t total = 0;
    for (int i = 0; i < p; ++i) {
        if (!can_use(speed[i]))
            return hesca_fail(HESCA_ERR_ARG, arg,
                              "%s: argument %d, %s[%d], has a speed that is "
                              "not within 1e-250 ... 1e250",
                              routine, arg, name, i);
        most[i] = hesca_set_capacity(speed[i], 1, n);
        total += hesca_min(most[i], n - total);
    }
    if (total < n)
        return hesca_fail(HESCA_ERR_ARG, arg,
                          "%s: argument %d, %s: the limits hold %lld "
                          "elements, less than n = %lld",
                          routine, arg, name, (long long)total, (long long)n);
    return HESCA_SUCCESS;
}

/* ------------------------------------------------ construction
 * Either owner or the pair offset and first is allocated, never both. */

int
hesca_result_create(int p, int64_t n, int has_weight, int has_owner,
                    hesca_shares **result)
{
    const size_t np = (size_t)p;
    hesca_shares *x = calloc(1, sizeof *x);
    *result = NULL;
    if (x == NULL)
        return hesca_fail(HESCA_ERR_NOMEM, 0, "shares of %d", p);
    x->p = p;
    x->n = n;
    x->count = calloc(np, sizeof *x->count);
    x->place = malloc(np * sizeof *x->place);
    if (has_weight)
        x->weight = calloc(np, sizeof *x->weight);
    if (has_owner)
        x->owner = malloc(((size_t)n + 1) * sizeof *x->owner);
    else {
        x->offset = calloc(np + 1, sizeof *x->offset);
        x->first = calloc(np, sizeof *x->first);
    }
    if (x->count == NULL || x->place == NULL ||
        (has_weight && x->weight == NULL) || (has_owner && x->owner == NULL) ||
        (!has_owner && (x->offset == NULL || x->first == NULL))) {
        hesca_shares_free(x);
        return hesca_fail(HESCA_ERR_NOMEM, 0, "shares of %d in %lld", p,
                          (long long)n);
    }
    for (int k = 0; k < p; ++k)
        x->place[k] = k;
    *result = x;
    return HESCA_SUCCESS;
}

void
hesca_result_set_chunks(hesca_shares *result)
{
    result->offset[0] = 0;
    for (int k = 0; k < result->p; ++k) {
        const int i = result->place[k];
        result->first[i] = result->offset[k];
        result->offset[k + 1] = result->offset[k] + result->count[i];
    }
}

void
hesca_result_set_time(hesca_shares *result, const hesca_speed *const *speed)
{
    result->time = 0;
    for (int i = 0; i < result->p; ++i)
        result->time =
            fmax(result->time,
                 hesca_set_time(speed[i], hesca_shares_weight(result, i)));
}

int
hesca_result_give(int err, hesca_shares *result, hesca_shares **shares)
{
    if (err < 0) {
        hesca_shares_free(result);
        result = NULL;
    }
    if (shares != NULL)
        *shares = result;
    return err;
}

void
hesca_shares_free(hesca_shares *shares)
{
    if (shares == NULL)
        return;
    free(shares->count);
    free(shares->weight);
    free(shares->offset);
    free(shares->first);
    free(shares->place);
    free(shares->owner);
    free(shares);
}

/* ------------------------------------------------ queries
 * Arguments are in range; results with owners have no chunks. */

int
hesca_shares_parts(const hesca_shares *shares)
{
    return shares->p;
}

int64_t
hesca_shares_elements(const hesca_shares *shares)
{
    return shares->n;
}

int64_t
hesca_shares_count(const hesca_shares *shares, int i)
{
    return shares->count[i];
}

int64_t
hesca_shares_weight(const hesca_shares *shares, int i)
{
    return shares->weight != NULL ? shares->weight[i] : shares->count[i];
}

int
hesca_shares_owner(const hesca_shares *shares, int64_t e)
{
    if (shares->owner != NULL)
        return shares->owner[e];
    int low = 0,
        high = shares->p; /* the last chunk that begins at or before e */
    while (high - low > 1) {
        const int mid = low + (high - low) / 2;
        if (shares->offset[mid] <= e)
            low = mid;
        else
            high = mid;
    }
    return shares->place[low];
}

int64_t
hesca_shares_first(const hesca_shares *shares, int i)
{
    return shares->first != NULL ? shares->first[i] : -1;
}

int
hesca_shares_place(const hesca_shares *shares, int k)
{
    return shares->place[k];
}

double
hesca_shares_time(const hesca_shares *shares)
{
    return shares->time;
}

double
hesca_shares_ideal(const hesca_shares *shares)
{
    return shares->ideal;
}

int
hesca_shares_is_exact(const hesca_shares *shares)
{
    return shares->is_exact;
}

int64_t
hesca_shares_steps(const hesca_shares *shares)
{
    return shares->steps;
}

int
hesca_shares_rounds(const hesca_shares *shares)
{
    return shares->rounds;
}
