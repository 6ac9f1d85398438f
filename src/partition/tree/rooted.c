/* SPDX-License-Identifier: BSD-3-Clause */
#include "partition/tree/rooted.h"
#include "base/arith.h"
#include "base/status.h"
#include <math.h>
#include <stdlib.h>

int
hesca_rooted_init(const hesca_adjacency *tree,
                  const hesca_partition_problem *x,
                  const hesca_speed *const *speed, hesca_rooted *r)
{
    const size_t size = (size_t)tree->n * sizeof(int64_t) + 1;
    int64_t n = 0;
    *r = (hesca_rooted){
        .x = x, .speed = speed, .order = malloc(size), .parent = malloc(size)};
    if (r->order == NULL || r->parent == NULL) {
        hesca_rooted_clear(r);
        return hesca_fail(HESCA_ERR_NOMEM, 0, "tree of %lld vertices",
                          (long long)tree->n);
    }
    if (tree->n > 0) {
        r->order[n++] = 0;
        r->parent[0] = -1;
    }
    for (int64_t i = 0; i < n; ++i) {
        const int64_t v = r->order[i];
        r->total += hesca_weight(x, v);
        for (int64_t k = tree->first[v]; k < tree->first[v + 1]; ++k)
            if (tree->to[k] != r->parent[v]) {
                r->parent[tree->to[k]] = v;
                r->order[n++] = tree->to[k];
            }
    }
    return HESCA_SUCCESS;
}

void
hesca_rooted_clear(hesca_rooted *r)
{
    free(r->order);
    free(r->parent);
    *r = (hesca_rooted){.x = NULL};
}

double
hesca_rooted_time(const hesca_rooted *r, int k, int64_t load, int64_t count)
{
    if (count > r->x->most[k])
        return INFINITY;
    if (load == 0 || r->speed == NULL)
        return (double)load;
    return (double)load / hesca_speed_at(r->speed[k], (double)load);
}

int
hesca_rooted_makespan(const hesca_rooted *r, const int *piece, double *time)
{
    const size_t p = (size_t)r->x->p;
    int64_t *load = calloc(2 * p, sizeof *load), *count = load + p;
    if (load == NULL)
        return hesca_fail(HESCA_ERR_NOMEM, 0, "%zu pieces", p);
    for (int64_t v = 0; v < r->x->n; ++v) {
        load[piece[v]] += hesca_weight(r->x, v);
        ++count[piece[v]];
    }
    *time = 0;
    for (int k = 0; k < r->x->p; ++k)
        *time = fmax(*time, hesca_rooted_time(r, k, load[k], count[k]));
    free(load);
    return HESCA_SUCCESS;
}

int64_t
hesca_rooted_capacity(const hesca_rooted *r, int k, double time)
{
    const int64_t most =
        r->x->weight == NULL ? hesca_min(r->x->most[k], r->total) : r->total;
    const double size =
        r->speed == NULL ? time : hesca_speed_size(r->speed[k], time);
    int64_t load = size < (double)most ? (int64_t)size : most;
    /* Correct for rounding: the rounded times decide. */
    while (load > 0 && hesca_rooted_time(r, k, load, 0) > time)
        --load;
    while (load < most && hesca_rooted_time(r, k, load + 1, 0) <= time)
        ++load;
    return load;
}
