/* SPDX-License-Identifier: BSD-3-Clause */
/* Shares of equal elements: checks of arguments, and the problem for a
 * solver. */
#include "hesca/experimental/shares.h"
#include "base/status.h"
#include "partition/set/set_result.h"
#include "partition/set/speed_lines.h"
#include <math.h>
#include <stdlib.h>

static const hesca_shares_options no_options;

static int
check_options(const hesca_shares_options *options)
{
    if (options->method < 0 || options->method >= HESCA_SHARES_METHODS)
        return hesca_fail(HESCA_ERR_ARG, 4,
                          "hesca_shares_create_by: argument 4, method of "
                          "options, is %d: must be 0 ... %d",
                          options->method, HESCA_SHARES_METHODS - 1);
    return HESCA_SUCCESS;
}

static int
solve(const char *routine, const hesca_speed *const *speed,
      const hesca_shares_options *options, hesca_shares *x)
{
    int err = HESCA_SUCCESS;
    int64_t *most = malloc((size_t)x->p * sizeof *most);
    const hesca_set set = {x->p, speed, most, x->n,
                           hesca_set_all_constant(x->p, speed)};
    if (most == NULL)
        HESCA_TRY(err, hesca_fail(HESCA_ERR_NOMEM, 0, "shares of %d", x->p));
    HESCA_TRY(err, hesca_result_limits(routine, 2, "speed", x->p, speed, x->n,
                                       most));
    x->rounds = 1;
    if (options->rounds)
        HESCA_TRY(err, hesca_set_solve_rounds(&set, options, x->count,
                                              &x->steps, &x->rounds));
    else
        HESCA_TRY(err, hesca_set_solve(&set, options, x->count, &x->steps));
    hesca_result_set_time(x, speed);
    x->ideal = fmin(hesca_set_ideal(&set), x->time);
fail:
    free(most);
    return err;
}

/* Equal speeds: the first n mod p processors get one element more. */
static void
divide(hesca_shares *x)
{
    for (int i = 0; i < x->p; ++i)
        x->count[i] = x->n / x->p + (i < x->n % x->p);
    x->time = (double)x->count[0];
    x->ideal = (double)x->n / x->p;
    x->rounds = 1;
}

static int
create(const char *routine, int p, const hesca_speed *const *speed, int64_t n,
       const hesca_shares_options *options, int last, hesca_shares **shares)
{
    int err;
    hesca_shares *x = NULL;
    HESCA_TRY(err, hesca_result_check(routine, p, speed, n, shares, last));
    HESCA_TRY(err, check_options(options));
    HESCA_TRY(err, hesca_result_create(p, n, 0, 0, &x));
    if (speed != NULL)
        HESCA_TRY(err, solve(routine, speed, options, x));
    else
        divide(x);
    hesca_result_set_chunks(x);
    x->is_exact = 1;
fail:
    return hesca_result_give(err, x, shares);
}

int
hesca_result_equal(const char *routine, int p, const hesca_speed *const *speed,
                   int64_t n, int last, hesca_shares **shares)
{
    return create(routine, p, speed, n, &no_options, last, shares);
}

int
hesca_shares_create(int p, const hesca_speed *const *speed, int64_t n,
                    hesca_shares **shares)
{
    return hesca_result_equal("hesca_shares_create", p, speed, n, 4, shares);
}

int
hesca_shares_create_by(int p, const hesca_speed *const *speed, int64_t n,
                       const hesca_shares_options *options,
                       hesca_shares **shares)
{
    return create("hesca_shares_create_by", p, speed, n,
                  options != NULL ? options : &no_options, 5, shares);
}
