/* SPDX-License-Identifier: BSD-3-Clause */
#include "partition/graph/hypergraph.h"
#include "base/status.h"
#include <stdlib.h>
#include <string.h>

/* Most pins of an edge whose vertices are updated after a move; most parts
 * spanned by an edge that gives degrees to all of them. */
enum { PINS_MAX = 48, SPAN_MAX = 64 };

const hesca_argument_names hesca_hypergraph_argument_names = {
    .first_name = "hptr",
    .to_name = "hind",
    .vwgt_name = "vwgt",
    .edge_weight_name = "hwgt"};

static int
check(const hesca_argument_names *names, const hesca_hypergraph *h)
{
    int64_t sum;
    int err;
    if (h->n < 0 || h->n > INT64_MAX / 64)
        return hesca_fail_arg(names->routine, names->n, "n", h->n,
                              "0 ... 2^57");
    if (h->nedges < 0 || h->nedges > INT64_MAX / 64)
        return hesca_fail_arg(names->routine, names->edges, "nedges",
                              h->nedges, "0 ... 2^57");
    HESCA_TRY(err, hesca_check_offsets(names, h->nedges, h->hptr, h->hind));
    HESCA_TRY(err, hesca_check_weights(names, names->vwgt, names->vwgt_name,
                                       h->n, h->vwgt, &sum));
    HESCA_TRY(err, hesca_check_weights(names, names->edge_weight,
                                       names->edge_weight_name, h->nedges,
                                       h->hwgt, &sum));
    for (int64_t k = 0; h->nedges > 0 && k < h->hptr[h->nedges]; ++k)
        if (h->hind[k] < 0 || h->hind[k] >= h->n)
            return hesca_fail_entry(names, names->to, names->to_name, k,
                                    h->hind[k], "a vertex, 0 ... n - 1");
fail:
    return err;
}

static int64_t
pins_of(const hesca_hypergraph *h)
{
    return h->nedges > 0 ? h->hptr[h->nedges] : 0;
}

/* List the edges of each vertex, ascending, and check that no vertex is twice
 * in an edge. */
static int
list_edges(const hesca_argument_names *names, hesca_hypergraph_nets *x)
{
    const hesca_hypergraph *h = x->h;
    int64_t *next = x->first + 1;
    for (int64_t k = 0; k < pins_of(h); ++k)
        ++x->first[h->hind[k] + 2];
    for (int64_t v = 0; v < h->n; ++v)
        x->first[v + 2] += x->first[v + 1];
    for (int64_t e = 0; e < h->nedges; ++e)
        for (int64_t k = h->hptr[e]; k < h->hptr[e + 1]; ++k) {
            x->place[next[h->hind[k]]] = k;
            x->edge[next[h->hind[k]]++] = e;
        }
    for (int64_t v = 0; v < h->n; ++v)
        for (int64_t k = x->first[v] + 1; k < x->first[v + 1]; ++k)
            if (x->edge[k] == x->edge[k - 1])
                return hesca_fail_entry(names, names->to, names->to_name,
                                        x->place[k], v,
                                        "in an edge only once");
    return HESCA_SUCCESS;
}

int
hesca_hypergraph_nets_init(const hesca_argument_names *names,
                           const hesca_hypergraph *h, int objective,
                           hesca_hypergraph_nets *x)
{
    int err;
    *x = (hesca_hypergraph_nets){.h = h, .objective = objective};
    HESCA_TRY(err, check(names, h));
    const size_t pins = (size_t)pins_of(h) + 1;
    x->first = calloc((size_t)h->n + 2, sizeof *x->first);
    x->edge = malloc(pins * sizeof *x->edge);
    x->place = malloc(pins * sizeof *x->place);
    x->pins = malloc(pins * sizeof *x->pins);
    x->spans = calloc((size_t)h->nedges + 1, sizeof *x->spans);
    if (x->first == NULL || x->edge == NULL || x->place == NULL ||
        x->pins == NULL || x->spans == NULL)
        HESCA_TRY(err,
                  hesca_fail(HESCA_ERR_NOMEM, 0, "%s: hypergraph of %zu pins",
                             names->routine, pins));
    HESCA_TRY(err, list_edges(names, x));
fail:
    if (err < 0)
        hesca_hypergraph_nets_clear(x);
    return err;
}

void
hesca_hypergraph_nets_clear(hesca_hypergraph_nets *x)
{
    free(x->first);
    free(x->edge);
    free(x->place);
    free(x->pins);
    free(x->spans);
    *x = (hesca_hypergraph_nets){.h = NULL};
}

static int64_t
net_weight(const hesca_hypergraph_nets *x, int64_t e)
{
    return x->h->hwgt != NULL ? x->h->hwgt[e] : 1;
}

/* --- pins ---
 * The list of an edge holds the parts that it spans, ascending, each with at
 * least one pin. */

/* The position of a part, or its insertion point, among those that e spans. */
static int64_t
find_part(const hesca_hypergraph_nets *x, int64_t e, int part)
{
    const hesca_pins *list = x->pins + x->h->hptr[e];
    int64_t low = 0, high = x->spans[e];
    while (low < high) {
        const int64_t mid = (low + high) / 2;
        if (list[mid].part < part)
            low = mid + 1;
        else
            high = mid;
    }
    return low;
}

static int64_t
pins_in(const hesca_hypergraph_nets *x, int64_t e, int part)
{
    const hesca_pins *list = x->pins + x->h->hptr[e];
    const int64_t i = find_part(x, e, part);
    return i < x->spans[e] && list[i].part == part ? list[i].pins : 0;
}

static void
add_pin(hesca_hypergraph_nets *x, int64_t e, int part)
{
    const int64_t i = find_part(x, e, part), n = x->spans[e];
    hesca_pins *at = x->pins + x->h->hptr[e] + i;
    if (i == n || at->part != part) {
        memmove(at + 1, at, (size_t)(n - i) * sizeof *at);
        *at = (hesca_pins){part, 0};
        ++x->spans[e];
    }
    ++at->pins;
}

static void
remove_pin(hesca_hypergraph_nets *x, int64_t e, int part)
{
    const int64_t i = find_part(x, e, part);
    hesca_pins *at = x->pins + x->h->hptr[e] + i;
    if (--at->pins == 0) {
        --x->spans[e];
        memmove(at, at + 1, (size_t)(x->spans[e] - i) * sizeof *at);
    }
}

static int
by_part(const void *a, const void *b)
{
    const int x = ((const hesca_pins *)a)->part,
              y = ((const hesca_pins *)b)->part;
    return (x > y) - (x < y);
}

static void
nets_start(hesca_connectivity *b, const int *part)
{
    hesca_hypergraph_nets *x = b->of;
    for (int64_t e = 0; e < x->h->nedges; ++e) {
        const int64_t first = x->h->hptr[e], n = x->h->hptr[e + 1] - first;
        hesca_pins *list = x->pins + first;
        int64_t spans = 0;
        for (int64_t k = 0; k < n; ++k) /* insertion would be quadratic */
            list[k] = (hesca_pins){part[x->h->hind[first + k]], 1};
        if (n > 1)
            qsort(list, (size_t)n, sizeof *list, by_part);
        for (int64_t k = 0; k < n; ++k)
            if (spans > 0 && list[spans - 1].part == list[k].part)
                ++list[spans - 1].pins;
            else
                list[spans++] = list[k];
        x->spans[e] = spans;
    }
}

static void
nets_moved(hesca_connectivity *b, int64_t v, int from, int to)
{
    hesca_hypergraph_nets *x = b->of;
    for (int64_t k = x->first[v]; k < x->first[v + 1]; ++k) {
        remove_pin(x, x->edge[k], from);
        add_pin(x, x->edge[k], to);
    }
}

/* --- degrees and moves ---
 * The pins belong to the partition `part`; nets_start() sets them, and
 * nets_moved() updates them. */

/* Add the degrees by an edge: to all parts of its other pins.  For
 * HESCA_CUT_EDGES, gathering the whole edge in one part has 256 times the
 * weight. */
static void
add_degrees(const hesca_hypergraph_nets *x, int64_t e, int own,
            hesca_degrees *t)
{
    const hesca_pins *list = x->pins + x->h->hptr[e];
    const int64_t w = net_weight(x, e);
    int others = 0, other = 0;
    for (int64_t i = 0; i < x->spans[e]; ++i) {
        if (list[i].part == own && list[i].pins == 1)
            continue;
        hesca_degrees_add(t, list[i].part, w);
        other = list[i].part;
        ++others;
    }
    if (x->objective == HESCA_CUT_EDGES && others == 1)
        hesca_degrees_add(t, other, 255 * w);
}

/* The same for an edge that spans very many parts, restricted to the own part
 * and the parts to which other edges give degrees. */
static void
add_degrees_wide(const hesca_hypergraph_nets *x, int64_t e, int own,
                 hesca_degrees *t)
{
    const int64_t w = net_weight(x, e);
    const int is_listed = t->degree[own] > 0;
    for (int i = 0; i < t->n; ++i)
        if (pins_in(x, e, t->part[i]) > (t->part[i] == own))
            hesca_degrees_add(t, t->part[i], w);
    if (!is_listed && pins_in(x, e, own) > 1)
        hesca_degrees_add(t, own, w);
}

/* The degrees of v.  Few moves of a single vertex change the number of cut
 * edges, so connectivity counts too and decides between equal ones. */
static void
nets_degrees(const hesca_connectivity *b, const int *part, int64_t v,
             hesca_degrees *t)
{
    const hesca_hypergraph_nets *x = b->of;
    for (int64_t k = x->first[v]; k < x->first[v + 1]; ++k)
        if (x->spans[x->edge[k]] <= SPAN_MAX)
            add_degrees(x, x->edge[k], part[v], t);
    for (int64_t k = x->first[v]; k < x->first[v + 1]; ++k)
        if (x->spans[x->edge[k]] > SPAN_MAX)
            add_degrees_wide(x, x->edge[k], part[v], t);
}

static void
nets_around(const hesca_connectivity *b, int64_t v,
            void (*visit)(void *state, int64_t u), void *state)
{
    const hesca_hypergraph_nets *x = b->of;
    const hesca_hypergraph *h = x->h;
    for (int64_t k = x->first[v]; k < x->first[v + 1]; ++k) {
        const int64_t e = x->edge[k];
        for (int64_t j = h->hptr[e];
             h->hptr[e + 1] - h->hptr[e] <= PINS_MAX && j < h->hptr[e + 1];
             ++j)
            if (h->hind[j] != v)
                visit(state, h->hind[j]);
    }
}

void
hesca_hypergraph_nets_measure(hesca_hypergraph_nets *x, const int *part,
                              int64_t *edges, int64_t *weight, int64_t *volume)
{
    hesca_connectivity b = hesca_connectivity_nets(x);
    nets_start(&b, part);
    *edges = *weight = *volume = 0;
    for (int64_t e = 0; e < x->h->nedges; ++e) {
        if (x->spans[e] < 2)
            continue;
        ++*edges;
        *weight += net_weight(x, e);
        *volume += net_weight(x, e) * (x->spans[e] - 1);
    }
}

static int64_t
nets_cut(const hesca_connectivity *b, const int *part)
{
    hesca_hypergraph_nets *x = b->of;
    int64_t edges, weight, volume;
    hesca_hypergraph_nets_measure(x, part, &edges, &weight, &volume);
    return x->objective == HESCA_CUT_EDGES ? weight : volume;
}

hesca_connectivity
hesca_connectivity_nets(hesca_hypergraph_nets *x)
{
    static const hesca_connectivity_kind kind = {.degrees = nets_degrees,
                                                 .around = nets_around,
                                                 .start = nets_start,
                                                 .moved = nets_moved,
                                                 .cut = nets_cut};
    return (hesca_connectivity){&kind, x};
}
