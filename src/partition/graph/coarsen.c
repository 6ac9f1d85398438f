/* SPDX-License-Identifier: BSD-3-Clause */
#include "partition/graph/coarsen.h"
#include "base/arith.h"
#include "base/splitmix.h"
#include "base/status.h"
#include <stdlib.h>

/* Neighbours of neighbours tried for a vertex. */
enum { SECOND_MAX = 64 };

typedef struct {
    const hesca_adjacency *g;
    const hesca_partition_problem *x;
    int64_t heaviest;
    int64_t *mate; /* [n], -1: none yet */
} matching;

/* --- matching ---
 * mate is symmetric: mate[mate[v]] = v.  Matched vertices are of one class,
 * and not above `heaviest` together. */

/* An order independent of that of the vertices. */
static void
shuffle(int64_t n, int64_t *order)
{
    uint64_t state = (uint64_t)n;
    for (int64_t i = 0; i < n; ++i) {
        const int64_t k =
            (int64_t)(hesca_splitmix(&state) % (uint64_t)(i + 1));
        order[i] = order[k];
        order[k] = i;
    }
}

static int
can_match(const matching *m, int64_t v, int64_t u)
{
    return u != v && m->mate[u] < 0 &&
           hesca_class(m->x, v) == hesca_class(m->x, u) &&
           hesca_weight(m->x, v) + hesca_weight(m->x, u) <= m->heaviest;
}

static int64_t
find_neighbour(const matching *m, int64_t v)
{
    const hesca_adjacency *g = m->g;
    int64_t best = -1, most = 0, light = 0;
    for (int64_t k = g->first[v]; k < g->first[v + 1]; ++k) {
        const int64_t u = g->to[k], w = hesca_weight(m->x, u),
                      edge = g->weight != NULL ? g->weight[k] : 1;
        if (!can_match(m, v, u) ||
            (best >= 0 && (edge < most || (edge == most && w >= light))))
            continue;
        best = u;
        most = edge;
        light = w;
    }
    return best;
}

static int64_t
find_second_neighbour(const matching *m, int64_t v)
{
    const hesca_adjacency *g = m->g;
    int left = SECOND_MAX;
    for (int64_t k = g->first[v]; k < g->first[v + 1]; ++k)
        for (int64_t j = g->first[g->to[k]]; j < g->first[g->to[k] + 1]; ++j) {
            if (can_match(m, v, g->to[j]))
                return g->to[j];
            if (--left == 0)
                return -1;
        }
    return -1;
}

static void
match(matching *m, int64_t *order)
{
    const int64_t n = m->g->n;
    shuffle(n, order);
    for (int64_t v = 0; v < n; ++v)
        m->mate[v] = -1;
    for (int second = 0; second < 2; ++second)
        for (int64_t i = 0; i < n; ++i) {
            const int64_t v = order[i];
            if (m->mate[v] >= 0)
                continue;
            const int64_t u =
                second ? find_second_neighbour(m, v) : find_neighbour(m, v);
            if (u < 0)
                continue;
            m->mate[v] = u;
            m->mate[u] = v;
        }
}

/* --- coarse graph ---
 * Coarse vertices are numbered by their smaller vertex, so coarse[] does not
 * depend on the order of matching. */

/* Number the pairs, and sum up their weights. */
static void
merge_vertices(const matching *m, hesca_level *l)
{
    const hesca_partition_problem *x = m->x;
    int64_t n = 0;
    for (int64_t v = 0; v < x->n; ++v) {
        const int64_t u = m->mate[v] < 0 ? v : m->mate[v];
        if (u < v) {
            l->coarse[v] = l->coarse[u];
            continue;
        }
        l->coarse[v] = n;
        l->weight[n] = hesca_weight(x, v) + (u > v ? hesca_weight(x, u) : 0);
        l->x.heaviest = hesca_max(l->x.heaviest, l->weight[n]);
        if (l->class_of != NULL)
            l->class_of[n] = x->class_of[v];
        ++n;
    }
    l->graph.n = n;
}

/* Add the edges of v to those of the coarse vertex c. at: [coarse n] the entry
 * of each neighbour of c, valid if not less than the first entry of c. */
static void
merge_edges(const matching *m, int64_t v, int64_t c, int64_t *at,
            int64_t *entries, hesca_level *l)
{
    const hesca_adjacency *g = m->g;
    for (int64_t k = g->first[v]; k < g->first[v + 1]; ++k) {
        const int64_t u = l->coarse[g->to[k]],
                      w = g->weight != NULL ? g->weight[k] : 1;
        if (u == c)
            continue;
        if (at[u] < l->graph.first[c]) {
            at[u] = (*entries)++;
            l->graph.to[at[u]] = u;
            l->graph.weight[at[u]] = 0;
        }
        l->graph.weight[at[u]] += w;
    }
}

static void
merge_graph(const matching *m, int64_t *at, hesca_level *l)
{
    int64_t entries = 0, c = 0;
    for (int64_t i = 0; i < l->graph.n; ++i)
        at[i] = -1;
    for (int64_t v = 0; v < m->g->n; ++v) {
        const int64_t u = m->mate[v];
        if (u >= 0 && u < v)
            continue;
        l->graph.first[c] = entries;
        merge_edges(m, v, c, at, &entries, l);
        if (u >= 0)
            merge_edges(m, u, c, at, &entries, l);
        ++c;
    }
    l->graph.first[c] = entries;
}

static int
allocate(const hesca_adjacency *g, const hesca_partition_problem *x,
         hesca_level *l)
{
    const size_t n = (size_t)x->n + 1, entries = (size_t)g->first[x->n] + 1;
    *l = (hesca_level){.x = *x};
    l->x.heaviest = 0;
    l->graph.first = malloc(n * sizeof *l->graph.first);
    l->graph.to = malloc(entries * sizeof *l->graph.to);
    l->graph.weight = malloc(entries * sizeof *l->graph.weight);
    l->weight = malloc(n * sizeof *l->weight);
    l->coarse = malloc(n * sizeof *l->coarse);
    if (x->class_of != NULL)
        l->class_of = malloc(n * sizeof *l->class_of);
    if (l->graph.first == NULL || l->graph.to == NULL ||
        l->graph.weight == NULL || l->weight == NULL || l->coarse == NULL ||
        (x->class_of != NULL && l->class_of == NULL))
        return hesca_fail(HESCA_ERR_NOMEM, 0, "coarse graph of %lld vertices",
                          (long long)x->n);
    return HESCA_SUCCESS;
}

int
hesca_coarsen(const hesca_adjacency *graph, const hesca_partition_problem *x,
              int64_t heaviest, hesca_level *level)
{
    matching m = {.g = graph, .x = x, .heaviest = heaviest};
    int64_t *order = malloc((size_t)x->n * sizeof *order + 1);
    int err;
    m.mate = malloc((size_t)x->n * sizeof *m.mate + 1);
    HESCA_TRY(err, allocate(graph, x, level));
    if (order == NULL || m.mate == NULL)
        HESCA_TRY(err,
                  hesca_fail(HESCA_ERR_NOMEM, 0, "matching of %lld vertices",
                             (long long)x->n));
    match(&m, order);
    merge_vertices(&m, level);
    merge_graph(&m, order, level);
    level->x.n = level->graph.n;
    level->x.weight = level->weight;
    level->x.class_of = level->class_of;
    level->connectivity = hesca_connectivity_graph(&level->graph);
fail:
    free(order);
    free(m.mate);
    if (err < 0)
        hesca_level_clear(level);
    return err;
}

void
hesca_level_clear(hesca_level *level)
{
    hesca_adjacency_clear(&level->graph);
    free(level->weight);
    free(level->class_of);
    free(level->coarse);
    *level = (hesca_level){.coarse = NULL};
}
