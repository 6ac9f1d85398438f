/* SPDX-License-Identifier: BSD-3-Clause */
#include "partition/matrix/min_makespan.h"
#include "base/status.h"
#include "partition/set/speed_lines.h"
#include <math.h>
#include <stdlib.h>

int
hesca_min_makespan_init(hesca_min_makespan *x, const hesca_tiling_task *task)
{
    const size_t p = (size_t)task->p;
    *x = (hesca_min_makespan){.task = task,
                              .most = malloc(p * sizeof *x->most),
                              .count = malloc(p * sizeof *x->count)};
    if (x->most == NULL || x->count == NULL)
        return hesca_fail(HESCA_ERR_NOMEM, 0, "%s: counts of %d",
                          task->routine, task->p);
    for (int i = 0; i < task->p; ++i)
        x->most[i] = hesca_set_capacity(task->speed[i], 1, task->m * task->n);
    return HESCA_SUCCESS;
}

void
hesca_min_makespan_clear(hesca_min_makespan *x)
{
    free(x->most);
    free(x->count);
}

static int
subset_size(const hesca_min_makespan *x)
{
    return x->subset != NULL ? x->nsubset : x->task->p;
}

static int
suffices_in(hesca_min_makespan *x, double t)
{
    for (int k = 0; k < subset_size(x); ++k) {
        const int i = x->subset != NULL ? x->subset[k] : k;
        x->count[i] = x->by_limit
                          ? (int64_t)(t * (double)x->most[i])
                          : hesca_set_within(x->task->speed[i], x->most[i], t);
    }
    return x->suffices(x->what, x->count);
}

static double
longest(const hesca_min_makespan *x)
{
    double t = 0;
    for (int k = 0; k < subset_size(x); ++k) {
        const int i = x->subset != NULL ? x->subset[k] : k;
        t = fmax(t, hesca_speed_time(x->task->speed[i], (double)x->most[i]));
    }
    return t;
}

/* Bisection between the ideal time, a lower bound for all processors together,
 * and the longest time of a full memory.  Invariant: low does not suffice; at
 * the end high does. */
int
hesca_min_makespan_time(hesca_min_makespan *x)
{
    const int may_be_less = x->by_limit || x->subset != NULL;
    double low = may_be_less ? 0 : x->task->ideal * (1 - 1e-9);
    const double last = x->by_limit ? 1e6 : longest(x);
    double high = fmin(last, x->by_limit ? 1 : 2 * x->task->ideal);
    while (!suffices_in(x, high)) {
        if (!(high < last))
            return 0;
        low = high;
        high = fmin(last, 2 * high);
    }
    for (;;) {
        const double mid = low + (high - low) / 2;
        if (!(mid > low && mid < high))
            break;
        if (suffices_in(x, mid))
            high = mid;
        else
            low = mid;
    }
    return suffices_in(x, high);
}
