/* SPDX-License-Identifier: BSD-3-Clause */
#include "partition/graph/partition_state.h"
#include "base/status.h"
#include <math.h>
#include <stdlib.h>

int
hesca_partition_state_init(hesca_partition_state *s,
                           const hesca_partition_problem *x)
{
    const size_t p = (size_t)x->p;
    *s = (hesca_partition_state){
        .x = x,
        .part = malloc((size_t)x->n * sizeof *s->part + 1),
        .load = calloc(p * (size_t)x->classes, sizeof *s->load),
        .count = calloc(p, sizeof *s->count)};
    if (s->part == NULL || s->load == NULL || s->count == NULL) {
        hesca_partition_state_clear(s);
        return hesca_fail(HESCA_ERR_NOMEM, 0, "%lld vertices in %d parts",
                          (long long)x->n, x->p);
    }
    for (int64_t v = 0; v < x->n; ++v)
        s->part[v] = x->p;
    return HESCA_SUCCESS;
}

void
hesca_partition_state_clear(hesca_partition_state *s)
{
    free(s->part);
    free(s->load);
    free(s->count);
    *s = (hesca_partition_state){.x = NULL};
}

void
hesca_partition_state_count(hesca_partition_state *s)
{
    const hesca_partition_problem *x = s->x;
    for (int i = 0; i < x->p * x->classes; ++i)
        s->load[i] = 0;
    for (int i = 0; i < x->p; ++i)
        s->count[i] = 0;
    for (int64_t v = 0; v < x->n; ++v) {
        if (s->part[v] == x->p)
            continue;
        s->load[hesca_class(x, v) * x->p + s->part[v]] += hesca_weight(x, v);
        ++s->count[s->part[v]];
    }
}

void
hesca_partition_state_move(hesca_partition_state *s, int64_t v, int to)
{
    const hesca_partition_problem *x = s->x;
    const int from = s->part[v], at = hesca_class(x, v) * x->p;
    const int64_t w = hesca_weight(x, v);
    if (from < x->p) {
        s->load[at + from] -= w;
        --s->count[from];
    }
    s->load[at + to] += w;
    ++s->count[to];
    s->part[v] = to;
    x->connectivity->kind->moved(x->connectivity, v, from, to);
}

double
hesca_partition_state_outside(const hesca_partition_problem *x, int class_of,
                              int part, int64_t load)
{
    const double target = x->target[class_of * x->p + part];
    return fmax(0, fabs((double)load - target) -
                       fmax(x->tolerance * target, x->slack));
}

double
hesca_partition_state_excess(const hesca_partition_problem *x, int class_of,
                             int part, int64_t load)
{
    const double target = x->target[class_of * x->p + part];
    return ((double)load - target) / fmax(target, 1e-6);
}

double
hesca_partition_state_growth(const hesca_partition_problem *x, int class_of,
                             int part, int64_t load, int64_t w)
{
    const double target = x->target[class_of * x->p + part];
    return (double)w * (2 * ((double)load - target) + (double)w) /
           fmax(target, 1e-6);
}

/* Vertices above a limit outweigh any violation of weights. */
static double
above_limit(const hesca_partition_problem *x, int part, int64_t count)
{
    const int64_t above = count - x->most[part];
    return above > 0 ? (double)above * 1e16 : 0;
}

double
hesca_partition_state_violation(const hesca_partition_state *s)
{
    const hesca_partition_problem *x = s->x;
    double sum = 0;
    for (int i = 0; i < x->p; ++i) {
        sum += above_limit(x, i, s->count[i]);
        for (int c = 0; c < x->classes; ++c)
            sum +=
                hesca_partition_state_outside(x, c, i, s->load[c * x->p + i]);
    }
    return sum;
}

double
hesca_partition_state_worse(const hesca_partition_state *s, int64_t v, int to)
{
    const hesca_partition_problem *x = s->x;
    const int from = s->part[v], c = hesca_class(x, v);
    const int64_t w = hesca_weight(x, v), *load = s->load + c * x->p;
    return hesca_partition_state_outside(x, c, to, load[to] + w) -
           hesca_partition_state_outside(x, c, to, load[to]) +
           hesca_partition_state_outside(x, c, from, load[from] - w) -
           hesca_partition_state_outside(x, c, from, load[from]) +
           above_limit(x, to, s->count[to] + 1) -
           above_limit(x, to, s->count[to]) +
           above_limit(x, from, s->count[from] - 1) -
           above_limit(x, from, s->count[from]);
}

double
hesca_partition_state_deviation(const hesca_partition_state *s)
{
    const hesca_partition_problem *x = s->x;
    double most = 0;
    for (int i = 0; i < x->p * x->classes; ++i) {
        const double off = fabs((double)s->load[i] - x->target[i]);
        if (off > 0)
            most = fmax(most, off / x->target[i]);
    }
    return most;
}
