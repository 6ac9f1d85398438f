/* SPDX-License-Identifier: BSD-3-Clause */
/* The task that functions creating tilings have in common: checks, and the
 * partition as a set. */
#include "base/status.h"
#include "partition/matrix/tiling.h"
#include "partition/set/speed_lines.h"
#include <math.h>
#include <stdlib.h>

static const int64_t elements_max = (int64_t)1 << 53;
static const int parts_max = 1 << 28;

int
hesca_tiling_check_choice(const char *routine, int arg, const char *name,
                          int value, int least, int most)
{
    if (value < least || value > most)
        return hesca_fail(HESCA_ERR_ARG, arg,
                          "%s: argument %d, %s, is %d: must be %d ... %d",
                          routine, arg, name, value, least, most);
    return HESCA_SUCCESS;
}

int
hesca_tiling_check_grid(const char *routine, int arg, int p, int q)
{
    if (p < 1)
        return hesca_fail_arg(routine, arg, "p", p, "at least 1");
    if (q < 1 || q > parts_max / p)
        return hesca_fail(HESCA_ERR_ARG, arg + 1,
                          "%s: argument %d, q, is %d: must be at least 1, and "
                          "p q at most 2^28; p is %d",
                          routine, arg + 1, q, p);
    return HESCA_SUCCESS;
}

int
hesca_tiling_fail_limits(const hesca_tiling_task *x, int err, const char *what)
{
    return hesca_fail(err, x->arg,
                      "%s: argument %d, speed: %s of %lld x %lld elements "
                      "that keeps the limits of all %d processors",
                      x->routine, x->arg, what, (long long)x->m,
                      (long long)x->n, x->p);
}

static int
check(const hesca_tiling_task *x)
{
    int err;
    if (x->p < 1 || x->p > parts_max)
        return hesca_fail_arg(x->routine, x->arg - 1, "p", x->p, "1 ... 2^28");
    HESCA_TRY(err, hesca_set_check_speeds(x->routine, x->arg, x->p, x->speed));
    if (x->m < 0 || x->m > elements_max)
        return hesca_fail_arg(x->routine, x->arg + 1, "m", x->m, "0 ... 2^53");
    if (x->n < 0 || x->n > elements_max ||
        (x->n > 0 && x->m > elements_max / x->n))
        return hesca_fail(HESCA_ERR_ARG, x->arg + 2,
                          "%s: argument %d, n, is %lld: must be at least 0, "
                          "and m n at most 2^53; m is %lld",
                          x->routine, x->arg + 2, (long long)x->n,
                          (long long)x->m);
fail:
    return err;
}

/* If no models are given, all have speed 1. */
static int
set_models(hesca_tiling_task *x)
{
    int err;
    if (x->speed != NULL)
        return HESCA_SUCCESS;
    HESCA_TRY(err, hesca_speed_create_constant(1, INFINITY, &x->unit));
    x->units = malloc((size_t)x->p * sizeof *x->units);
    if (x->units == NULL)
        HESCA_TRY(err, hesca_fail(HESCA_ERR_NOMEM, 0, "%s: models of %d",
                                  x->routine, x->p));
    for (int i = 0; i < x->p; ++i)
        x->units[i] = x->unit;
    x->speed = x->units;
fail:
    return err;
}

/* Partition the m n elements as a set, for the ideal time. */
static int
set_ideal(hesca_tiling_task *x)
{
    const int64_t elements = x->m * x->n;
    hesca_shares *shares = NULL;
    int64_t held = 0;
    int err = HESCA_SUCCESS;
    for (int i = 0; i < x->p; ++i)
        held += hesca_set_capacity(x->speed[i], 1, elements - held);
    if (held < elements)
        return hesca_tiling_fail_limits(x, HESCA_ERR_ARG,
                                        "there is no tiling");
    HESCA_TRY(err, hesca_shares_create(x->p, x->speed, elements, &shares));
    x->ideal = hesca_shares_ideal(shares);
fail:
    hesca_shares_free(shares);
    return err;
}

int
hesca_tiling_task_init(hesca_tiling_task *x, const char *routine, int arg,
                       int p, const hesca_speed *const *speed, int64_t m,
                       int64_t n)
{
    int err;
    *x = (hesca_tiling_task){.routine = routine,
                             .arg = arg,
                             .p = p,
                             .m = m,
                             .n = n,
                             .speed = speed,
                             .is_constant = 1};
    HESCA_TRY(err, check(x));
    HESCA_TRY(err, set_models(x));
    x->area = malloc((size_t)p * sizeof *x->area);
    x->weight = malloc((size_t)p * sizeof *x->weight);
    if (x->area == NULL || x->weight == NULL)
        HESCA_TRY(err, hesca_fail(HESCA_ERR_NOMEM, 0, "%s: shares of %d",
                                  routine, p));
    HESCA_TRY(err, set_ideal(x));
    for (int i = 0; i < p; ++i) {
        int knots;
        const hesca_knot *k = hesca_speed_knots(x->speed[i], &knots);
        x->is_constant &= knots == 1;
        x->area[i] = fmin(hesca_speed_size(x->speed[i], x->ideal),
                          hesca_speed_limit(x->speed[i]));
        x->weight[i] = k[0].speed;
    }
    for (int i = 0; !x->is_constant && m > 0 && n > 0 && i < p; ++i)
        x->weight[i] = x->area[i];
fail:
    return err;
}

void
hesca_tiling_task_clear(hesca_tiling_task *x)
{
    hesca_speed_free(x->unit);
    free(x->units);
    free(x->area);
    free(x->weight);
}
