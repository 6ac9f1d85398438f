/* From lines to whole elements.
 *
 * The thesis (4.7.1) keeps the p least times of the 2 p whole sizes next to
 * the last two lines; they sum to n by luck only, and may be twice of one
 * processor.  Here, every processor gets what it finishes within a time at
 * which all together have not yet finished n, and then a heap deals the rest,
 * each element to the processor that is first to finish it.  Dealing all n so
 * is optimal, and both end alike, since times ascend with size.  Cost: O(p log
 * p), as in the thesis. */
#include "base/arith.h"
#include "base/status.h"
#include "partition/set/speed_lines.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The time at which a processor would have finished one more element. */
typedef struct {
    double time;
    int i;
} turn;

typedef struct {
    const hesca_set *set;
    int64_t *count;
    turn *heap; /* [p] */
} dealer;

static int
is_before(const dealer *d, turn x, turn y)
{
    /* Times as close as that may differ by rounding only. */
    if (d->set->is_constant &&
        fabs(x.time - y.time) <= 0x1p-50 * fmin(x.time, y.time)) {
        const int order = hesca_exact_compare(
            d->count[x.i] + 1, hesca_speed_at(d->set->speed[x.i], 1),
            d->count[y.i] + 1, hesca_speed_at(d->set->speed[y.i], 1));
        return order != 0 ? order < 0 : x.i < y.i;
    }
    return x.time < y.time || (x.time <= y.time && x.i < y.i);
}

static turn
turn_of(const dealer *d, int i)
{
    const int64_t x = d->count[i] + 1;
    return (turn){x <= d->set->most[i] ? hesca_set_time(d->set->speed[i], x)
                                       : INFINITY,
                  i};
}

static void
sink(const dealer *d, int k)
{
    const int n = d->set->p;
    const turn x = d->heap[k];
    for (int child = 2 * k + 1; child < n; child = 2 * k + 1) {
        if (child + 1 < n && is_before(d, d->heap[child + 1], d->heap[child]))
            ++child;
        if (is_before(d, x, d->heap[child]))
            break;
        d->heap[k] = d->heap[child];
        k = child;
    }
    d->heap[k] = x;
}

/* Deal `left` elements beyond those that are counted. */
static int
deal(const hesca_set *set, int64_t *count, int64_t left)
{
    const size_t p = (size_t)set->p;
    const dealer d = {set, count, malloc(p * sizeof *d.heap)};
    if (d.heap == NULL)
        return hesca_fail(HESCA_ERR_NOMEM, 0, "shares of %d", set->p);
    for (int i = 0; i < set->p; ++i)
        d.heap[i] = turn_of(&d, i);
    for (int k = set->p / 2 - 1; k >= 0; --k)
        sink(&d, k);
    for (; left > 0; --left) {
        const int i = d.heap[0].i;
        ++count[i];
        d.heap[0] = turn_of(&d, i);
        sink(&d, 0);
    }
    free(d.heap);
    return HESCA_SUCCESS;
}

/* What all finish within a time; returns what is left of n, or a negative
 * number where it is too much. */
static int64_t
fill(const hesca_set *set, double time, int64_t *count)
{
    int64_t left = set->n;
    for (int i = 0; i < set->p && left >= 0; ++i) {
        count[i] = hesca_set_within(set->speed[i], set->most[i], time);
        left -= count[i];
    }
    return left;
}

/* Where times hardly grow with size, a line that is off by rounding leaves far
 * more elements than a heap can deal: bisect, down to the last bit.  Returns a
 * time from which few are left, or *next to it is the time that finishes too
 * many; INFINITY if none was tried that does. */
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
        const int64_t then = fill(set, mid, count);
        if (then >= 0) {
            left = then;
            low = mid;
        } else
            *next = high = mid;
    }
    return low;
}

/* Those that all take the same time go to the first that can have them. */
static int64_t
spread(const hesca_set *set, double time, int64_t left, int64_t *count)
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
    int64_t left = fill(set, time, count);
    for (double step = 0x1p-50; left < 0; step = fmin(2 * step, 0.5))
        left = fill(set, time *= 1 - step, count);
    if (left > few) {
        time = approach(set, time, few, count, &next);
        left = fill(set, time, count);
    }
    if (set->is_constant)
        /* Rounded times may have let one in that is late exactly. */
        left = fill(set, time * (1 - 0x1p-49), count);
    else if (left > few)
        left = spread(set, next, left, count);
    return deal(set, count, left);
}

int
hesca_integer_assign(const hesca_set *set, int64_t *count)
{
    memset(count, 0, (size_t)set->p * sizeof *count);
    return deal(set, count, set->n);
}
