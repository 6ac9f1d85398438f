/* SPDX-License-Identifier: BSD-3-Clause */
/* Ordered sets: the order of processors, its optimum, and the cuts. */
#include "base/arith.h"
#include "base/status.h"
#include "partition/set/weights.h"
#include <math.h>
#include <stdlib.h>

/* The earliest element at which chunk k may begin if all chunks from k on are
 * within `time`: each is as long as possible, from the end. */
static void
earliest(const hesca_chunks *c, const int *place, double time, int64_t *begin)
{
    const hesca_weights *x = c->x;
    begin[x->p] = x->n;
    for (int k = x->p - 1; k >= 0; --k) {
        const int i = place[k];
        const int64_t weight = hesca_set_within(x->speed[i], x->full[i], time);
        int64_t low = hesca_max(begin[k + 1] - x->most[i], 0) - 1,
                high = begin[k + 1];
        while (high - low > 1) {
            const int64_t mid = low + (high - low) / 2;
            if (c->sum[begin[k + 1]] - c->sum[mid] <= weight)
                high = mid;
            else
                low = mid;
        }
        begin[k] = high;
    }
}

/* The cut in first ... last such that the weight before it is nearest to
 * `weight`. */
static int64_t
nearest(const hesca_chunks *c, double weight, int64_t first, int64_t last)
{
    int64_t low = first, high = last; /* the first with at least weight */
    while (low < high) {
        const int64_t mid = low + (high - low) / 2;
        if ((double)c->sum[mid] < weight)
            low = mid + 1;
        else
            high = mid;
    }
    if (low > first &&
        weight - (double)c->sum[low - 1] <= (double)c->sum[low] - weight)
        --low;
    return low;
}

/* Within the largest time, cut as near as possible to the cuts of the
 * real-valued optimum, so that no processor is idle unnecessarily. */
static int
cut(const hesca_chunks *c, double time, hesca_shares *r)
{
    const hesca_weights *x = c->x;
    double target = 0;
    int64_t from = 0, *begin = malloc(((size_t)x->p + 1) * sizeof *begin);
    if (begin == NULL)
        return hesca_fail(HESCA_ERR_NOMEM, 0, "chunks of %d", x->p);
    earliest(c, r->place, time, begin);
    for (int k = 0; k < x->p; ++k) {
        const int i = r->place[k];
        const int64_t last = hesca_chunks_end(
            c, i, from, hesca_set_within(x->speed[i], x->full[i], time));
        target +=
            fmin(hesca_speed_size(x->speed[i], x->ideal), (double)x->full[i]);
        const int64_t end =
            nearest(c, target, hesca_max(from, begin[k + 1]), last);
        r->count[i] = end - from;
        r->weight[i] = c->sum[end] - c->sum[from];
        from = end;
    }
    free(begin);
    return HESCA_SUCCESS;
}

/* Whether all processors are equal, so that their order does not matter. */
static int
all_equal(const hesca_weights *x)
{
    int i = x->p - 1;
    while (i > 0 && hesca_weights_equal(x, i, 0))
        --i;
    return i == 0;
}

static int
solve(const char *routine, const hesca_weights *x, int reorder,
      hesca_shares *r)
{
    int64_t *sum = malloc(((size_t)x->n + 1) * sizeof *sum);
    const hesca_chunks c = {x, sum};
    double time = INFINITY;
    int err = HESCA_SUCCESS;
    if (sum == NULL)
        HESCA_TRY(err, hesca_fail(HESCA_ERR_NOMEM, 0, "sums of %lld weights",
                                  (long long)x->n));
    sum[0] = 0;
    for (int64_t e = 0; e < x->n; ++e)
        sum[e + 1] = sum[e] + x->weight[e];
    hesca_chunks_optimize(&c, r->place, &time);
    reorder = reorder && !all_equal(x);
    r->is_exact = !reorder || x->p <= HESCA_CHUNKS_EXACT;
    if (reorder)
        HESCA_TRY(err,
                  (r->is_exact ? hesca_chunks_reorder
                               : hesca_chunks_rearrange)(&c, r->place, &time));
    if (!(time < INFINITY))
        HESCA_TRY(err, hesca_weights_fail(routine, x));
    r->is_exact = r->is_exact || time <= x->bound;
    HESCA_TRY(err, cut(&c, time, r));
    hesca_result_set_chunks(r);
    hesca_result_set_time(r, x->speed);
    r->ideal = x->ideal;
    r->rounds = 1;
fail:
    free(sum);
    return err;
}

int
hesca_shares_create_ordered(int p, const hesca_speed *const *speed, int64_t n,
                            const int64_t *weight, int reorder,
                            hesca_shares **shares)
{
    static const char routine[] = "hesca_shares_create_ordered";
    hesca_shares *r = NULL;
    hesca_weights x;
    int err;
    if (weight == NULL)
        return hesca_result_equal(routine, p, speed, n, 6, shares);
    HESCA_TRY(err,
              hesca_weights_init(routine, p, speed, n, weight, shares, 6, &x));
    HESCA_TRY(err, hesca_result_create(p, n, 1, 0, &r));
    HESCA_TRY(err, solve(routine, &x, reorder, r));
fail:
    hesca_weights_clear(&x);
    return hesca_result_give(err, r, shares);
}
