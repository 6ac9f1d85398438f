/* SPDX-License-Identifier: BSD-3-Clause */
#include "partition/set/weights.h"
#include "base/status.h"
#include <math.h>
#include <stdlib.h>

static const hesca_shares_options no_options;

/* Speed 1 for all. */
static int
make_equal(hesca_weights *x)
{
    int err;
    HESCA_TRY(err, hesca_speed_create_constant(1, INFINITY, &x->one));
    for (int i = 0; i < x->p; ++i)
        x->equal_speeds[i] = x->one;
    x->speed = x->equal_speeds;
fail:
    return err;
}

/* Store the speeds if all are constant, as they are read often. */
static void
find_constants(hesca_weights *x)
{
    if (!hesca_set_all_constant(x->p, x->speed))
        return;
    for (int i = 0; i < x->p; ++i)
        x->speeds[i] = hesca_speed_at(x->speed[i], 1);
    x->constant = x->speeds;
}

/* The integer and the real-valued optimum if weights could be divided. */
static int
find_bounds(const char *routine, hesca_weights *x)
{
    int64_t *full = x->room + x->p, *count = full + x->p;
    const hesca_set set = {x->p, x->speed, full, x->total,
                           x->constant != NULL};
    int64_t steps = 0, held = 0;
    int err = HESCA_SUCCESS;
    for (int i = 0; i < x->p; ++i) {
        full[i] = hesca_set_capacity(x->speed[i], 0, x->total);
        held += full[i] < x->total - held ? full[i] : x->total - held;
    }
    if (held < x->total)
        HESCA_TRY(err, hesca_weights_fail(routine, x));
    HESCA_TRY(err, hesca_set_solve(&set, &no_options, count, &steps));
    for (int i = 0; i < x->p; ++i)
        x->bound = fmax(x->bound, hesca_set_time(x->speed[i], count[i]));
    x->ideal = fmin(hesca_set_ideal(&set), x->bound);
fail:
    return err;
}

int
hesca_weights_init(const char *routine, int p, const hesca_speed *const *speed,
                   int64_t n, const int64_t *weight,
                   hesca_shares *const *shares, int last, hesca_weights *x)
{
    const size_t np = p > 0 ? (size_t)p : 0;
    int err;
    *x = (hesca_weights){.p = p, .speed = speed, .n = n, .weight = weight};
    HESCA_TRY(err, hesca_result_check(routine, p, speed, n, shares, last));
    HESCA_TRY(err, hesca_result_check_weights(routine, 4, "weight", n, weight,
                                              &x->total));
    x->room = malloc(3 * np * sizeof *x->room);
    x->speeds = malloc(np * sizeof *x->speeds);
    x->equal_speeds = malloc(np * sizeof *x->equal_speeds);
    if (x->room == NULL || x->speeds == NULL || x->equal_speeds == NULL)
        HESCA_TRY(err, hesca_fail(HESCA_ERR_NOMEM, 0, "shares of %d", p));
    x->most = x->room;
    x->full = x->room + np;
    if (speed == NULL)
        HESCA_TRY(err, make_equal(x));
    find_constants(x);
    HESCA_TRY(err, hesca_result_limits(routine, 2, "speed", p, x->speed, n,
                                       x->room));
    HESCA_TRY(err, find_bounds(routine, x));
fail:
    return err;
}

void
hesca_weights_clear(hesca_weights *x)
{
    hesca_speed_free(x->one);
    free(x->equal_speeds);
    free(x->room);
    free(x->speeds);
}

int
hesca_weights_equal(const hesca_weights *x, int i, int j)
{
    int ni, nj;
    const hesca_knot *ki = hesca_speed_knots(x->speed[i], &ni),
                     *kj = hesca_speed_knots(x->speed[j], &nj);
    if (x->most[i] != x->most[j])
        return 0;
    return ki == kj || (ni == 1 && nj == 1 && !(ki->speed < kj->speed) &&
                        !(ki->speed > kj->speed));
}

int
hesca_weights_fail(const char *routine, const hesca_weights *x)
{
    return hesca_fail(HESCA_ERR_ARG, 2,
                      "%s: argument 2, speed: found no way to fit %lld "
                      "elements of weight %lld whole into what the limits and "
                      "speeds of 0 leave",
                      routine, (long long)x->n, (long long)x->total);
}
