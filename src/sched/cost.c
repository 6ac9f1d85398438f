#include "base/arith.h"
#include "sched/sched.h"
#include <math.h>

/* The most that one owner has of a dimension, of n and m owners on the two
 * sides; along the first or the second index of count. */
static int64_t
most(const int64_t *count, int n, int m, int second)
{
    int64_t best = 0;
    for (int p = 0; p < (second ? m : n); ++p) {
        int64_t sum = 0;
        for (int q = 0; q < (second ? n : m); ++q)
            sum +=
                second ? count[(int64_t)q * m + p] : count[(int64_t)p * m + q];
        best = hesca_max(best, sum);
    }
    return best;
}

/* Part of the elements that stay on their process. */
static double
kept_part(const hesca_problem *p)
{
    double kept = 0;
    int s, d;
    for (int r = 0; r < p->a->nprow; ++r)
        for (int c = 0; c < p->a->npcol; ++c)
            if (hesca_layout_coords(p->b, p->a->ranks[r * p->a->npcol + c], &s,
                                    &d))
                kept += (double)p->row_count[(int64_t)r * p->b->nprow + s] *
                        (double)p->col_count[(int64_t)c * p->b->npcol + d];
    return p->m == 0 || p->n == 0 ? 0 : kept / ((double)p->m * (double)p->n);
}

hesca_workload
hesca_workload_most(const hesca_problem *p)
{
    double bytes = 0;
    for (int side = 0; side < 2; ++side) {
        const double elements =
            (double)most(p->row_count, p->a->nprow, p->b->nprow, side) *
            (double)most(p->col_count, p->a->npcol, p->b->npcol, side);
        if (elements * (double)p->esize > bytes)
            bytes = elements * (double)p->esize;
    }
    const double kept = kept_part(p);
    const double steps = (double)hesca_steps_count(p);
    return (hesca_workload){.kept = kept * bytes,
                            .leaving = (1 - kept) * bytes,
                            .partners =
                                kept > 0 && steps > 1 ? steps - 1 : steps};
}

static int64_t
largest(const int64_t *count, int n)
{
    int64_t best = 0;
    for (int k = 0; k < n; ++k)
        best = hesca_max(best, count[k]);
    return best;
}

double
hesca_longest_bytes(const hesca_problem *p)
{
    return (double)largest(p->row_count, p->a->nprow * p->b->nprow) *
           (double)largest(p->col_count, p->a->npcol * p->b->npcol) *
           (double)p->esize;
}

hesca_outlook
hesca_outlook_make(hesca_costs costs, const hesca_network *x)
{
    for (int i = 0; x != NULL && i < x->nhosts; ++i)
        for (int j = 0; j < x->nhosts; ++j) {
            const hesca_wire w = x->wire[(int64_t)i * x->nhosts + j];
            costs.startup = fmax(costs.startup, w.startup);
            costs.byte = fmax(costs.byte, 1 / w.rate);
        }
    costs.message = fmin(costs.message, costs.startup);
    return (hesca_outlook){costs, x};
}

double
hesca_outlook_seconds(const hesca_outlook *o, int src, int dest, double bytes)
{
    static const double LEAST = 1e-12;
    const double s = o->network != NULL
                         ? hesca_network_seconds(o->network, src, dest, bytes)
                         : o->costs.startup + bytes * o->costs.byte;
    return s > LEAST ? s : LEAST;
}
