#include "partition/graph/hypergraph.h"
#include "base/status.h"
#include <stdlib.h>
#include <string.h>

/* Pins of an edge that are looked at again after one of them has moved; parts
 * that an edge spans if it is to draw vertices into them. */
enum { MANY = 48, WIDE = 64 };

const hesca_argument_names hesca_hypergraph_argument_names = {
    .first_name = "hptr",
    .to_name = "hind",
    .vwgt_name = "vwgt",
    .edge_weight_name = "hwgt"};

static int
check(const hesca_argument_names *told, const hesca_hypergraph *h)
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
turn_around(const hesca_argument_names *told, hesca_hypergraph_nets *x)
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
hesca_hypergraph_nets_init(const hesca_argument_names *told,
                           const hesca_hypergraph *h, int objective,
                           hesca_hypergraph_nets *x)
{
    int err;
    *x = (hesca_hypergraph_nets){.h = h, .objective = objective};
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

/* Where a part is, or belongs, among those that e spans. */
static int64_t
find(const hesca_hypergraph_nets *x, int64_t e, int part)
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
    const int64_t i = find(x, e, part);
    return i < x->spans[e] && list[i].part == part ? list[i].pins : 0;
}

static void
pin(hesca_hypergraph_nets *x, int64_t e, int part)
{
    const int64_t i = find(x, e, part), n = x->spans[e];
    hesca_pins *at = x->pins + x->h->hptr[e] + i;
    if (i == n || at->part != part) {
        memmove(at + 1, at, (size_t)(n - i) * sizeof *at);
        *at = (hesca_pins){part, 0};
        ++x->spans[e];
    }
    ++at->pins;
}

static void
unpin(hesca_hypergraph_nets *x, int64_t e, int part)
{
    const int64_t i = find(x, e, part);
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
nets_begin(hesca_connectivity *b, const int *part)
{
    hesca_hypergraph_nets *x = b->of;
    for (int64_t e = 0; e < x->h->nedges; ++e) {
        const int64_t first = x->h->hptr[e], n = x->h->hptr[e + 1] - first;
        hesca_pins *list = x->pins + first;
        int64_t spans = 0;
        for (int64_t k = 0; k < n; ++k) /* one by one takes squares of pins */
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
        unpin(x, x->edge[k], from);
        pin(x, x->edge[k], to);
    }
}

/* v is tied to all parts that others in an edge are in. */
static void
tie_by(const hesca_hypergraph_nets *x, int64_t e, int own, hesca_ties *t)
{
    const hesca_pins *list = x->pins + x->h->hptr[e];
    const int64_t w = net_weight(x, e);
    int others = 0, other = 0;
    for (int64_t i = 0; i < x->spans[e]; ++i) {
        if (list[i].part == own && list[i].pins == 1)
            continue;
        hesca_ties_add(t, list[i].part, w);
        other = list[i].part;
        ++others;
    }
    if (x->objective == HESCA_CUT_EDGES && others == 1)
        hesca_ties_add(t, other, 255 * w);
}

/* The same, of an edge that spans very many parts, to its own part and those
 * alone that it is tied to by other edges. */
static void
tie_by_wide(const hesca_hypergraph_nets *x, int64_t e, int own, hesca_ties *t)
{
    const int64_t w = net_weight(x, e);
    const int is_listed = t->tie[own] > 0;
    for (int i = 0; i < t->n; ++i)
        if (pins_in(x, e, t->part[i]) > (t->part[i] == own))
            hesca_ties_add(t, t->part[i], w);
    if (!is_listed && pins_in(x, e, own) > 1)
        hesca_ties_add(t, own, w);
}

/* Connectivity.  To cut whole edges less is hardly seen from one vertex;
 * connectivity decides where that is equal. */
static void
nets_ties(const hesca_connectivity *b, const int *part, int64_t v,
          hesca_ties *t)
{
    const hesca_hypergraph_nets *x = b->of;
    for (int64_t k = x->first[v]; k < x->first[v + 1]; ++k)
        if (x->spans[x->edge[k]] <= WIDE)
            tie_by(x, x->edge[k], part[v], t);
    for (int64_t k = x->first[v]; k < x->first[v + 1]; ++k)
        if (x->spans[x->edge[k]] > WIDE)
            tie_by_wide(x, x->edge[k], part[v], t);
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
             h->hptr[e + 1] - h->hptr[e] <= MANY && j < h->hptr[e + 1]; ++j)
            if (h->hind[j] != v)
                visit(state, h->hind[j]);
    }
}

void
hesca_hypergraph_nets_measure(hesca_hypergraph_nets *x, const int *part,
                              int64_t *edges, int64_t *weight, int64_t *volume)
{
    hesca_connectivity b = hesca_connectivity_nets(x);
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
    static const hesca_connectivity_kind kind = {.ties = nets_ties,
                                                 .around = nets_around,
                                                 .begin = nets_begin,
                                                 .moved = nets_moved,
                                                 .cut = nets_cut};
    return (hesca_connectivity){&kind, x};
}
