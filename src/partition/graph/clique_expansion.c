/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/arith.h"
#include "base/status.h"
#include "partition/graph/hypergraph.h"
#include <math.h>
#include <stdlib.h>

/* An edge of up to CLIQUE pins becomes a clique; in a larger one each pin is
 * joined with the pins at the distances chord[] on either side. */
enum { CLIQUE = 12, CHORDS = 3 };
static const int64_t chord[CHORDS] = {1, 2, 5};

static int64_t
pins_of(const hesca_hypergraph *h, int64_t e)
{
    return h->hptr[e + 1] - h->hptr[e];
}

/* The number of pins that each pin of an edge is joined with. */
static int64_t
degree(int64_t pins)
{
    return pins <= CLIQUE ? pins - 1 : 2 * CHORDS;
}

static int64_t
partner(int64_t pins, int64_t place, int64_t i)
{
    if (pins <= CLIQUE)
        return i < place ? i : i + 1;
    const int64_t far = i < CHORDS ? chord[i] : -chord[i - CHORDS];
    return hesca_mod(place + far, pins);
}

/* The factor of weights: large enough that they can be divided among the
 * neighbours, and such that their sum is at most 2^53. */
static double
unit(const hesca_hypergraph *h)
{
    double sum = 1;
    for (int64_t e = 0; e < h->nedges; ++e)
        sum +=
            (h->hwgt != NULL ? (double)h->hwgt[e] : 1) * (double)pins_of(h, e);
    return fmin(60, 9007199254740992. / sum);
}

/* Append the neighbours of v. at: [n] the entry of each neighbour, valid if
 * not less than the first entry of v. */
static void
join(const hesca_hypergraph_nets *x, int64_t v, double factor, int64_t *at,
     int64_t *entries, hesca_adjacency *g)
{
    const hesca_hypergraph *h = x->h;
    for (int64_t k = x->first[v]; k < x->first[v + 1]; ++k) {
        const int64_t e = x->edge[k], first = h->hptr[e], pins = pins_of(h, e),
                      n = degree(pins);
        const double w = h->hwgt != NULL ? (double)h->hwgt[e] : 1;
        for (int64_t i = 0; i < n; ++i) {
            const int64_t u =
                h->hind[first + partner(pins, x->place[k] - first, i)];
            if (at[u] < g->first[v]) {
                at[u] = (*entries)++;
                g->to[at[u]] = u;
                g->weight[at[u]] = 0;
            }
            g->weight[at[u]] += (int64_t)fmax(1, factor * w / (double)n);
        }
    }
}

int
hesca_hypergraph_nets_expand(const hesca_hypergraph_nets *x,
                             hesca_adjacency *graph)
{
    const hesca_hypergraph *h = x->h;
    const size_t n = (size_t)h->n;
    const double factor = unit(h);
    size_t capacity = 1;
    int64_t entries = 0, *at = malloc((n + 1) * sizeof *at);
    int err = HESCA_SUCCESS;
    for (int64_t e = 0; e < h->nedges; ++e)
        if (pins_of(h, e) > 0)
            capacity += (size_t)(pins_of(h, e) * degree(pins_of(h, e)));
    *graph = (hesca_adjacency){.n = h->n,
                               .first = malloc((n + 1) * sizeof(int64_t)),
                               .to = malloc(capacity * sizeof(int64_t)),
                               .weight = malloc(capacity * sizeof(int64_t)),
                               .vwgt = h->vwgt};
    if (at == NULL || graph->first == NULL || graph->to == NULL ||
        graph->weight == NULL)
        HESCA_TRY(err, hesca_fail(HESCA_ERR_NOMEM, 0, "hypergraph of %zu pins",
                                  capacity));
    for (size_t v = 0; v < n; ++v)
        at[v] = -1;
    for (int64_t v = 0; v < h->n; ++v) {
        graph->first[v] = entries;
        join(x, v, factor, at, &entries, graph);
    }
    graph->first[n] = entries;
fail:
    free(at);
    if (err < 0)
        hesca_adjacency_clear(graph);
    return err;
}
