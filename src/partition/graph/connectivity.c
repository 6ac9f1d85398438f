#include "partition/graph/connectivity.h"
#include "base/status.h"
#include <stdlib.h>

/* Neighbours of a vertex that are looked at again after it has moved. */
enum { MANY = 1024 };

int
hesca_ties_init(hesca_ties *t, int p)
{
    *t = (hesca_ties){.part = malloc(((size_t)p + 1) * sizeof *t->part),
                      .tie = calloc((size_t)p + 1, sizeof *t->tie)};
    if (t->part != NULL && t->tie != NULL)
        return HESCA_SUCCESS;
    hesca_ties_clear(t);
    return hesca_fail(HESCA_ERR_NOMEM, 0, "ties to %d parts", p);
}

void
hesca_ties_clear(hesca_ties *t)
{
    free(t->part);
    free(t->tie);
    *t = (hesca_ties){.n = 0};
}

static int64_t
edge_weight(const hesca_adjacency *g, int64_t k)
{
    return g->weight != NULL ? g->weight[k] : 1;
}

static void
graph_ties(const hesca_connectivity *x, const int *part, int64_t v,
           hesca_ties *t)
{
    const hesca_adjacency *g = x->of;
    for (int64_t k = g->first[v]; k < g->first[v + 1]; ++k)
        hesca_ties_add(t, part[g->to[k]], edge_weight(g, k));
}

static void
graph_around(const hesca_connectivity *x, int64_t v,
             void (*visit)(void *state, int64_t u), void *state)
{
    const hesca_adjacency *g = x->of;
    for (int64_t k = g->first[v]; k < g->first[v + 1]; ++k)
        if (g->first[g->to[k] + 1] - g->first[g->to[k]] <= MANY)
            visit(state, g->to[k]);
}

static void
graph_begin(hesca_connectivity *x, const int *part)
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
    static const hesca_connectivity_kind kind = {.ties = graph_ties,
                                                 .around = graph_around,
                                                 .begin = graph_begin,
                                                 .moved = graph_moved,
                                                 .cut = graph_cut};
    return (hesca_connectivity){&kind, graph};
}
