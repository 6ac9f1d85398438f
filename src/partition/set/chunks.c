/* SPDX-License-Identifier: BSD-3-Clause */
/* Contiguous chunks in a given order of processors: the exact optimum.
 *
 * Within a time, every processor in the order takes the longest chunk that it
 * finishes; the time is feasible if the chunks cover all elements.  Bisection
 * moves between times that occur: a feasible time is lowered to the largest
 * time of the chunks, an infeasible one is raised to the smallest time at
 * which a chunk would have been longer.  So it ends exactly at the optimum,
 * for speed functions and limits too.  Source: Pinar, Tabak, Aykanat, JPDC 68
 * (2008), for constant speeds.  Cost: some fifty probes of O(p log n). */
#include "base/arith.h"
#include "partition/set/weights.h"
#include <math.h>

int64_t
hesca_chunks_end(const hesca_chunks *c, int i, int64_t from, int64_t weight)
{
    int64_t low = from,
            high = from + hesca_min(c->x->most[i], c->x->n - from) + 1;
    while (high - low > 1) {
        const int64_t mid = low + (high - low) / 2;
        if (c->sum[mid] - c->sum[from] <= weight)
            low = mid;
        else
            high = mid;
    }
    return low;
}

double
hesca_chunks_later(const hesca_chunks *c, int i, int64_t from, int64_t end)
{
    if (end == c->x->n || end - from == c->x->most[i])
        return INFINITY;
    const int64_t weight = c->sum[end + 1] - c->sum[from];
    return weight <= c->x->full[i] ? hesca_set_time(c->x->speed[i], weight)
                                   : INFINITY;
}

int
hesca_chunks_probe(const hesca_chunks *c, const int *place, double *time)
{
    const hesca_weights *x = c->x;
    double longest = 0, later = INFINITY;
    int64_t from = 0;
    for (int k = 0; k < x->p; ++k) {
        const int i = place[k];
        const int64_t end = hesca_chunks_end(
            c, i, from, hesca_set_within(x->speed[i], x->full[i], *time));
        later = fmin(later, hesca_chunks_later(c, i, from, end));
        longest = fmax(
            longest, hesca_set_time(x->speed[i], c->sum[end] - c->sum[from]));
        from = end;
    }
    *time = from == x->n ? longest : later;
    return from == x->n;
}

int
hesca_chunks_optimize(const hesca_chunks *c, const int *place, double *time)
{
    double low = c->x->bound, high = nextafter(*time, 0);
    int probes = 1;
    if (*time <= low || !hesca_chunks_probe(c, place, &high))
        return 0;
    for (; low < high; ++probes) {
        double mid = low + (high - low) / 2;
        if (!(mid < high))
            mid = low;
        if (hesca_chunks_probe(c, place, &mid))
            high = mid;
        else
            low = mid;
    }
    *time = high;
    return probes;
}
