#include "partition/nets.h"
#include "base/status.h"
#include <stdlib.h>

/* Pins of an edge that are looked at again after one of them has moved. */
enum { MANY = 48 };

const hesca_told hesca_told_hypergraph = {.first_name = "hptr",
                                          .to_name = "hind",
                                          .vwgt_name = "vwgt",
                                          .edge_weight_name = "hwgt"};

static int
check(const hesca_told *told, const hesca_hypergraph *h)
{
    int64_t sum;
    int err;
    if (h->n < 0 || h->n > INT64_MAX / 64)
        return hesca_fail_arg(told->routine, told->n, "n", h->n, "0 ... 2^57");
    if (h->nedges < 0 || h->nedges > INT64_MAX / 64)
        return hesca_fail_arg(told->routine, told->edges, "nedges", h->nedges,
                              "0 ... 2^57");
    HESCA_TRY(err, hesca_check_offsets(told, h->nedges, h->hptr, h->hind));
    HESCA_TRY(err, hesca_check_weights(told, told->vwgt, told->vwgt_name, h->n,
                                       h->vwgt, &sum));
    HESCA_TRY(err, hesca_check_weights(told, told->edge_weight,
                                       told->edge_weight_name, h->nedges,
                                       h->hwgt, &sum));
    for (int64_t k = 0; h->nedges > 0 && k < h->hptr[h->nedges]; ++k)
        if (h->hind[k] < 0 || h->hind[k] >= h->n)
            return hesca_fail_entry(told, told->to, told->to_name, k,
                                    h->hind[k], "a vertex, 0 ... n - 1");
fail:
    return err;
}

static int64_t
pins_of(const hesca_hypergraph *h)
{
    return h->nedges > 0 ? h->hptr[h->nedges] : 0;
}

/* Which edges each vertex is in, ascending; once in each. */
static int
turn_around(const hesca_told *told, hesca_nets *x)
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
                return hesca_fail_entry(told, told->to, told->to_name,
                                        x->place[k], v,
                                        "in an edge only once");
    return HESCA_SUCCESS;
}

int
hesca_nets_make(const hesca_told *told, const hesca_hypergraph *h,
                int objective, hesca_nets *x)
{
    int err;
    *x = (hesca_nets){.h = h, .objective = objective};
    HESCA_TRY(err, check(told, h));
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
                             told->routine, pins));
    HESCA_TRY(err, turn_around(told, x));
fail:
    if (err < 0)
        hesca_nets_clear(x);
    return err;
}

void
hesca_nets_clear(hesca_nets *x)
{
    free(x->first);
    free(x->edge);
    free(x->place);
    free(x->pins);
    free(x->spans);
    *x = (hesca_nets){.h = NULL};
}

static int64_t
net_weight(const hesca_nets *x, int64_t e)
{
    return x->h->hwgt != NULL ? x->h->hwgt[e] : 1;
}

static void
pin(hesca_nets *x, int64_t e, int part)
{
    hesca_pins *list = x->pins + x->h->hptr[e];
    int64_t i = 0;
    while (i < x->spans[e] && list[i].part != part)
        ++i;
    if (i == x->spans[e])
        list[x->spans[e]++] = (hesca_pins){part, 0};
    ++list[i].pins;
}

static void
unpin(hesca_nets *x, int64_t e, int part)
{
    hesca_pins *list = x->pins + x->h->hptr[e];
    int64_t i = 0;
    while (list[i].part != part)
        ++i;
    if (--list[i].pins == 0)
        list[i] = list[--x->spans[e]];
}

static void
nets_begin(hesca_bonds *b, const int *part)
{
    hesca_nets *x = b->of;
    for (int64_t e = 0; e < x->h->nedges; ++e) {
        x->spans[e] = 0;
        for (int64_t k = x->h->hptr[e]; k < x->h->hptr[e + 1]; ++k)
            pin(x, e, part[x->h->hind[k]]);
    }
}

static void
nets_moved(hesca_bonds *b, int64_t v, int from, int to)
{
    hesca_nets *x = b->of;
    for (int64_t k = x->first[v]; k < x->first[v + 1]; ++k) {
        unpin(x, x->edge[k], from);
        pin(x, x->edge[k], to);
    }
}

/* Connectivity: v is tied to all parts that others in its edges are in.  To
 * cut whole edges less is hardly seen from one vertex; connectivity decides
 * where that is equal. */
static void
nets_ties(const hesca_bonds *b, const int *part, int64_t v, hesca_ties *t)
{
    const hesca_nets *x = b->of;
    for (int64_t k = x->first[v]; k < x->first[v + 1]; ++k) {
        const int64_t e = x->edge[k], w = net_weight(x, e);
        const hesca_pins *list = x->pins + x->h->hptr[e];
        int others = 0, other = 0;
        for (int64_t i = 0; i < x->spans[e]; ++i) {
            if (list[i].part == part[v] && list[i].pins == 1)
                continue;
            hesca_ties_add(t, list[i].part, w);
            other = list[i].part;
            ++others;
        }
        if (x->objective == HESCA_CUT_EDGES && others == 1)
            hesca_ties_add(t, other, 255 * w);
    }
}

static void
nets_around(const hesca_bonds *b, int64_t v,
            void (*visit)(void *state, int64_t u), void *state)
{
    const hesca_nets *x = b->of;
    const hesca_hypergraph *h = x->h;
    for (int64_t k = x->first[v]; k < x->first[v + 1]; ++k) {
        const int64_t e = x->edge[k];
        for (int64_t j = h->hptr[e];
             h->hptr[e + 1] - h->hptr[e] <= MANY && j < h->hptr[e + 1]; ++j)
            if (h->hind[j] != v)
                visit(state, h->hind[j]);
    }
}

void
hesca_nets_measure(hesca_nets *x, const int *part, int64_t *edges,
                   int64_t *weight, int64_t *volume)
{
    hesca_bonds b = hesca_bonds_nets(x);
    nets_begin(&b, part);
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
nets_cut(const hesca_bonds *b, const int *part)
{
    hesca_nets *x = b->of;
    int64_t edges, weight, volume;
    hesca_nets_measure(x, part, &edges, &weight, &volume);
    return x->objective == HESCA_CUT_EDGES ? weight : volume;
}

hesca_bonds
hesca_bonds_nets(hesca_nets *x)
{
    static const hesca_bonds_kind kind = {.ties = nets_ties,
                                          .around = nets_around,
                                          .begin = nets_begin,
                                          .moved = nets_moved,
                                          .cut = nets_cut};
    return (hesca_bonds){&kind, x};
}
