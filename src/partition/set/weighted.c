/* SPDX-License-Identifier: BSD-3-Clause */
/* Weighted elements in any order: LPT, exchanges, and an exact search for
 * small cases. */
#include "base/status.h"
#include "partition/set/weights.h"
#include <stdlib.h>

typedef struct {
    int64_t weight, e;
} ranked;

static int
is_lighter(const void *a, const void *b)
{
    const ranked *x = a, *y = b;
    if (x->weight != y->weight)
        return x->weight < y->weight ? 1 : -1;
    return (x->e > y->e) - (x->e < y->e);
}

/* Elements by descending weight; the caller frees *order. */
static int
rank(const hesca_weights *x, int64_t **order)
{
    const size_t n = (size_t)x->n;
    ranked *all = malloc((n + 1) * sizeof *all);
    *order = malloc((n + 1) * sizeof **order);
    if (all == NULL || *order == NULL) {
        free(all);
        return hesca_fail(HESCA_ERR_NOMEM, 0, "an order of %lld weights",
                          (long long)x->n);
    }
    for (int64_t e = 0; e < x->n; ++e)
        all[e] = (ranked){x->weight[e], e};
    qsort(all, n, sizeof *all, is_lighter);
    for (int64_t k = 0; k < x->n; ++k)
        (*order)[k] = all[k].e;
    free(all);
    return HESCA_SUCCESS;
}

static int
solve(const char *routine, const hesca_weights *x, hesca_shares *r)
{
    int64_t *order = NULL;
    int err, found;
    HESCA_TRY(err, rank(x, &order));
    HESCA_TRY(err, hesca_weights_lpt(x, order, r));
    found = err;
    if (found)
        HESCA_TRY(err, hesca_weights_exchange(x, order, r));
    HESCA_TRY(err, hesca_weights_search(x, order, &found, r));
    if (!found)
        HESCA_TRY(err, hesca_weights_fail(routine, x));
    hesca_result_set_time(r, x->speed);
    r->ideal = x->ideal;
    r->rounds = 1;
fail:
    free(order);
    return err;
}

int
hesca_shares_create_weighted(int p, const hesca_speed *const *speed, int64_t n,
                             const int64_t *weight, hesca_shares **shares)
{
    static const char routine[] = "hesca_shares_create_weighted";
    hesca_shares *r = NULL;
    hesca_weights x;
    int err;
    if (weight == NULL)
        return hesca_result_equal(routine, p, speed, n, 5, shares);
    HESCA_TRY(err,
              hesca_weights_init(routine, p, speed, n, weight, shares, 5, &x));
    HESCA_TRY(err, hesca_result_create(p, n, 1, 1, &r));
    HESCA_TRY(err, solve(routine, &x, r));
fail:
    hesca_weights_clear(&x);
    return hesca_result_give(err, r, shares);
}
