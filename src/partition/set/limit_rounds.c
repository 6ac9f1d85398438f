/* SPDX-License-Identifier: BSD-3-Clause */
/* Limits in rounds: HMPA of the thesis (4.7.2.2).
 *
 * Partition without limits; a processor that exceeds its limit gets its limit,
 * and the remaining elements are partitioned again among the other processors.
 * A fixed processor would exceed its limit in every later round too, since the
 * time of the others only increases; so there are at most p rounds, and the
 * result is that of all limits at once. */
#include "base/arith.h"
#include "base/status.h"
#include "partition/set/speed_lines.h"
#include <stdlib.h>

/* The processors that are not fixed yet, in order. */
typedef struct {
    const hesca_speed **speed;
    int64_t *most, *count; /* most: bounded by a speed of 0 */
    int *which;            /* number in the set */
    int p;
} rest;

static void
clear(rest *r)
{
    free(r->speed);
    free(r->most);
    free(r->count);
    free(r->which);
}

static int
allocate(rest *r, int p)
{
    const size_t n = (size_t)p;
    *r = (rest){malloc(n * sizeof *r->speed), malloc(n * sizeof *r->most),
                malloc(n * sizeof *r->count), malloc(n * sizeof *r->which), p};
    if (r->speed == NULL || r->most == NULL || r->count == NULL ||
        r->which == NULL)
        return hesca_fail(HESCA_ERR_NOMEM, 0, "shares of %d in rounds", p);
    return HESCA_SUCCESS;
}

/* Fix the processors that exceed their limits, and subtract their elements
 * from *n.  Returns whether there were any. */
static int
fix(rest *r, const hesca_set *set, int64_t *count, int64_t *n)
{
    int nfree = 0;
    for (int k = 0; k < r->p; ++k) {
        const int i = r->which[k];
        count[i] = hesca_min(r->count[k], set->most[i]);
        if (r->count[k] > set->most[i]) {
            *n -= count[i];
            continue;
        }
        r->which[nfree] = i;
        r->speed[nfree] = r->speed[k];
        r->most[nfree++] = r->most[k];
    }
    const int exceeded = nfree < r->p;
    r->p = nfree;
    return exceeded;
}

int
hesca_set_solve_rounds(const hesca_set *set,
                       const hesca_shares_options *options, int64_t *count,
                       int64_t *steps, int *rounds)
{
    rest r;
    int64_t n = set->n;
    int err;
    *rounds = 0;
    HESCA_TRY(err, allocate(&r, set->p));
    for (int i = 0; i < set->p; ++i) {
        r.speed[i] = set->speed[i];
        r.most[i] = hesca_set_capacity(set->speed[i], 0, n);
        r.which[i] = i;
    }
    do {
        const hesca_set now = {r.p, r.speed, r.most, n, set->is_constant};
        HESCA_TRY(err, hesca_set_solve(&now, options, r.count, steps));
        ++*rounds;
    } while (fix(&r, set, count, &n) && r.p > 0);
fail:
    clear(&r);
    return err;
}
