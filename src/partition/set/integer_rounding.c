/* SPDX-License-Identifier: BSD-3-Clause */
/* From lines to integer sizes.
 *
 * The thesis (4.7.1) takes the p smallest times of the 2 p integer sizes next
 * to the last two lines; these do not sum to n in general, and may include two
 * sizes of one processor.  Here every processor gets what it finishes within a
 * time at which all together have not finished n, and the remaining elements
 * are assigned by a heap, each to the processor that finishes it first.
 * Assigning all n in this way is optimal, and both give the same result, since
 * times increase with size.  Cost: O(p log p), as in the thesis. */
#include "base/arith.h"
#include "base/heap.h"
#include "base/status.h"
#include "partition/set/speed_lines.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* --- the heap ---
 * The root is the processor that finishes one more element first; ties go to
 * the lower number, by exact comparison if speeds are constant. */

/* The time at which a processor would have finished one more element. */
typedef struct {
    double time;
    int i;
} next_finish;

typedef struct {
    const hesca_set *set;
    int64_t *count;
    next_finish *heap; /* [p] */
} assigner;

static int
is_before(const assigner *d, next_finish x, next_finish y)
{
    /* Times this close may differ by rounding only. */
    if (d->set->is_constant &&
        fabs(x.time - y.time) <= 0x1p-50 * fmin(x.time, y.time)) {
        const int order = hesca_exact_compare(
            d->count[x.i] + 1, hesca_speed_at(d->set->speed[x.i], 1),
            d->count[y.i] + 1, hesca_speed_at(d->set->speed[y.i], 1));
        return order != 0 ? order < 0 : x.i < y.i;
    }
    return x.time < y.time || (x.time <= y.time && x.i < y.i);
}

static next_finish
next_finish_of(const assigner *d, int i)
{
    const int64_t x = d->count[i] + 1;
    return (next_finish){
        x <= d->set->most[i] ? hesca_set_time(d->set->speed[i], x) : INFINITY,
        i};
}

HESCA_HEAP_SINK(sink, const assigner *, next_finish, is_before, HESCA_HEAP_SET)

/* Assign `left` elements in addition to count. */
static int
assign(const hesca_set *set, int64_t *count, int64_t left)
{
    const size_t p = (size_t)set->p;
    const assigner d = {set, count, malloc(p * sizeof *d.heap)};
    if (d.heap == NULL)
        return hesca_fail(HESCA_ERR_NOMEM, 0, "shares of %d", set->p);
    for (int i = 0; i < set->p; ++i)
        d.heap[i] = next_finish_of(&d, i);
    for (int k = set->p / 2 - 1; k >= 0; --k)
        sink(&d, d.heap, set->p, k, d.heap[k]);
    for (; left > 0; --left) {
        const int i = d.heap[0].i;
        ++count[i];
        sink(&d, d.heap, set->p, 0, next_finish_of(&d, i));
    }
    free(d.heap);
    return HESCA_SUCCESS;
}

/* --- from a time to counts ---
 * Counts never exceed capacities.  A negative rest means that the time is too
 * large; all later steps only add elements. */

/* Set count to what each processor finishes within a time.  Returns the
 * elements that remain of n, negative if the counts exceed it. */
static int64_t
fill_within(const hesca_set *set, double time, int64_t *count)
{
    int64_t left = set->n;
    for (int i = 0; i < set->p && left >= 0; ++i) {
        count[i] = hesca_set_within(set->speed[i], set->most[i], time);
        left -= count[i];
    }
    return left;
}

/* Where times hardly grow with size, a line that is off by rounding leaves far
 * more elements than the heap can assign.  Bisect, down to the last bit.
 * Returns a time that leaves at most `few` elements, or one such that the next
 * larger time, *next, exceeds n; *next is INFINITY if no time tried exceeds
 * n. */
static double
approach(const hesca_set *set, double low, int64_t few, int64_t *count,
         double *next)
{
    double high = low;
    int64_t left = set->n;
    for (int i = 0; i < set->p; ++i)
        high = fmax(high, hesca_set_time(set->speed[i], set->most[i]));
    *next = INFINITY;
    while (left > few) {
        const double mid = low > 0 ? low + (high - low) / 2 : high / 1024;
        if (!(low < mid && mid < high))
            break;
        const int64_t then = fill_within(set, mid, count);
        if (then >= 0) {
            left = then;
            low = mid;
        } else
            *next = high = mid;
    }
    return low;
}

/* Elements that all finish at the same time go to the first processors that
 * have capacity. */
static int64_t
assign_ties(const hesca_set *set, double time, int64_t left, int64_t *count)
{
    for (int i = 0; left > 0 && i < set->p; ++i) {
        const int64_t most =
            hesca_set_within(set->speed[i], set->most[i], time);
        const int64_t more = hesca_min(most - count[i], left);
        count[i] += more;
        left -= more;
    }
    return left;
}

int
hesca_integer_improve(const hesca_set *set, double time, int64_t *count)
{
    const int64_t few = 64 * ((int64_t)set->p + 1);
    double next = time;
    int64_t left = fill_within(set, time, count);
    for (double step = 0x1p-50; left < 0; step = fmin(2 * step, 0.5))
        left = fill_within(set, time *= 1 - step, count);
    if (left > few) {
        time = approach(set, time, few, count, &next);
        left = fill_within(set, time, count);
    }
    if (set->is_constant)
        /* Rounded times may have admitted an element that is late by exact
         * comparison. */
        left = fill_within(set, time * (1 - 0x1p-49), count);
    else if (left > few)
        left = assign_ties(set, next, left, count);
    return assign(set, count, left);
}

int
hesca_integer_assign(const hesca_set *set, int64_t *count)
{
    memset(count, 0, (size_t)set->p * sizeof *count);
    return assign(set, count, set->n);
}
