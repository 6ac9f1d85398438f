/* SPDX-License-Identifier: BSD-3-Clause */
#include "partition/graph/connectivity.h"
#include "base/status.h"
#include <stdlib.h>

/* Largest degree of a neighbour that is updated after a move. */
enum { DEGREE_MAX = 1024 };

int
hesca_degrees_init(hesca_degrees *t, int p)
{
    *t = (hesca_degrees){.part = malloc(((size_t)p + 1) * sizeof *t->part),
                         .degree = calloc((size_t)p + 1, sizeof *t->degree)};
    if (t->part != NULL && t->degree != NULL)
        return HESCA_SUCCESS;
    hesca_degrees_clear(t);
    return hesca_fail(HESCA_ERR_NOMEM, 0, "degrees of %d parts", p);
}

void
hesca_degrees_clear(hesca_degrees *t)
{
    free(t->part);
    free(t->degree);
    *t = (hesca_degrees){.n = 0};
}

static int64_t
edge_weight(const hesca_adjacency *g, int64_t k)
{
    return g->weight != NULL ? g->weight[k] : 1;
}

static void
graph_degrees(const hesca_connectivity *x, const int *part, int64_t v,
              hesca_degrees *t)
{
    const hesca_adjacency *g = x->of;
    for (int64_t k = g->first[v]; k < g->first[v + 1]; ++k)
        hesca_degrees_add(t, part[g->to[k]], edge_weight(g, k));
}

static void
graph_around(const hesca_connectivity *x, int64_t v,
             void (*visit)(void *state, int64_t u), void *state)
{
    const hesca_adjacency *g = x->of;
    for (int64_t k = g->first[v]; k < g->first[v + 1]; ++k)
        if (g->first[g->to[k] + 1] - g->first[g->to[k]] <= DEGREE_MAX)
            visit(state, g->to[k]);
}

static void
graph_start(hesca_connectivity *x, const int *part)
{
    (void)x;
    (void)part;
}

static void
graph_moved(hesca_connectivity *x, int64_t v, int from, int to)
{
    (void)x;
    (void)v;
    (void)from;
    (void)to;
}

static int64_t
graph_cut(const hesca_connectivity *x, const int *part)
{
    const hesca_adjacency *g = x->of;
    int64_t cut = 0;
    for (int64_t v = 0; v < g->n; ++v)
        for (int64_t k = g->first[v]; k < g->first[v + 1]; ++k)
            if (g->to[k] > v && part[v] != part[g->to[k]])
                cut += edge_weight(g, k);
    return cut;
}

hesca_connectivity
hesca_connectivity_graph(hesca_adjacency *graph)
{
    static const hesca_connectivity_kind kind = {.degrees = graph_degrees,
                                                 .around = graph_around,
                                                 .start = graph_start,
                                                 .moved = graph_moved,
                                                 .cut = graph_cut};
    return (hesca_connectivity){&kind, graph};
}
