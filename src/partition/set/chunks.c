/* Contiguous chunks in a given order of processors: the exact optimum.
 *
 * Within a time, every processor in turn takes the longest chunk that it
 * finishes; if the end is reached, the time is enough.  Bisection over times
 * jumps from one that occurs to another: what is enough falls to the largest
 * time of the chunks, what is not rises to the least at which one of them
 * would have been longer.  So it ends at the optimum exactly, for speed
 * functions and limits too.  Source: Pinar, Tabak, Aykanat, JPDC 68 (2008),
 * for constant speeds.  Cost: a probe O(p log n), some fifty of them. */
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
