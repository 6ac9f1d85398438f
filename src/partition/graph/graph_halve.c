#include "base/status.h"
#include "partition/graph/refinement.h"
#include <stdlib.h>

/* Parts of[first] ... of[last - 1], for the vertices whose group is first. */
typedef struct {
    int first, last;
} span;

typedef struct {
    const hesca_adjacency *graph;
    hesca_partition_state *s;
    int *of;         /* [p] */
    int *other;      /* [p] those of the second half */
    int *group;      /* [n] */
    int64_t *inside; /* [n] its number in the graph of its group */
    int trial;
} bisection;

/* The graph of a group, and what is to be parted there. */
typedef struct {
    hesca_adjacency graph;
    hesca_connectivity connectivity;
    hesca_partition_problem x;
    double target[4];
    int64_t most[2];
    int64_t *weight, *vertex; /* vertex: [n] in the whole graph */
    int *class_of;
} inner;

static double
target_of(const hesca_partition_problem *x, int part)
{
    return x->target[part] + (x->classes == 2 ? x->target[x->p + part] : 0);
}

/* Reorder of[first] ... such that those before the return value have about
 * half of the targets: the largest first, each to the half that has less.  In
 * odd trials every part but the largest is in the second half.  Both halves
 * have a part, also where no part has a target. */
static int
divide(bisection *b, span g)
{
    const hesca_partition_problem *x = b->s->x;
    double left = 0, right = 0;
    int n = g.first, m = 0;
    for (int i = g.first + 1; i < g.last; ++i)
        for (int k = i; k > g.first &&
                        target_of(x, b->of[k]) > target_of(x, b->of[k - 1]);
             --k) {
            const int swap = b->of[k];
            b->of[k] = b->of[k - 1];
            b->of[k - 1] = swap;
        }
    for (int i = g.first; i < g.last; ++i) {
        const int is_left =
            i == g.first ||
            (b->trial % 2 == 0 && left <= right && (m > 0 || i < g.last - 1));
        *(is_left ? &left : &right) += target_of(x, b->of[i]);
        if (is_left)
            b->of[n++] = b->of[i];
        else
            b->other[m++] = b->of[i];
    }
    for (int i = 0; i < m; ++i)
        b->of[n + i] = b->other[i];
    return n;
}

static void
inner_clear(inner *in)
{
    hesca_adjacency_clear(&in->graph);
    free(in->weight);
    free(in->vertex);
    free(in->class_of);
}

static int
allocate(const bisection *b, span g, inner *in)
{
    size_t n = 1, entries = 1;
    for (int64_t v = 0; v < b->s->x->n; ++v)
        if (b->group[v] == g.first) {
            ++n;
            entries += (size_t)(b->graph->first[v + 1] - b->graph->first[v]);
        }
    *in = (inner){.graph = {.first = malloc(n * sizeof(int64_t)),
                            .to = malloc(entries * sizeof(int64_t)),
                            .weight = malloc(entries * sizeof(int64_t))},
                  .weight = malloc(n * sizeof(int64_t)),
                  .vertex = malloc(n * sizeof(int64_t)),
                  .class_of = malloc(n * sizeof(int))};
    if (in->graph.first == NULL || in->graph.to == NULL ||
        in->graph.weight == NULL || in->weight == NULL || in->vertex == NULL ||
        in->class_of == NULL)
        return hesca_fail(HESCA_ERR_NOMEM, 0, "half of a graph");
    return HESCA_SUCCESS;
}

static void
extract(bisection *b, span g, inner *in)
{
    const hesca_partition_problem *x = b->s->x;
    const hesca_adjacency *from = b->graph;
    hesca_adjacency *to = &in->graph;
    int64_t entries = 0;
    for (int64_t v = 0; v < x->n; ++v)
        if (b->group[v] == g.first) {
            in->vertex[to->n] = v;
            in->weight[to->n] = hesca_weight(x, v);
            in->class_of[to->n] = hesca_class(x, v);
            b->inside[v] = to->n++;
        }
    for (int64_t i = 0; i < to->n; ++i) {
        const int64_t v = in->vertex[i];
        to->first[i] = entries;
        for (int64_t k = from->first[v]; k < from->first[v + 1]; ++k) {
            if (b->group[from->to[k]] != g.first)
                continue;
            to->to[entries] = b->inside[from->to[k]];
            to->weight[entries++] = from->weight != NULL ? from->weight[k] : 1;
        }
    }
    to->first[to->n] = entries;
}

/* Two parts that share what the group has as their targets are. */
static void
set_targets(const bisection *b, span g, int mid, inner *in)
{
    const hesca_partition_problem *x = b->s->x;
    in->connectivity = hesca_connectivity_graph(&in->graph);
    in->x = (hesca_partition_problem){.p = 2,
                                      .classes = x->classes,
                                      .n = in->graph.n,
                                      .weight = in->weight,
                                      .class_of = in->class_of,
                                      .target = in->target,
                                      .most = in->most,
                                      .tolerance = x->tolerance / 2,
                                      .slack = x->slack,
                                      .heaviest = x->heaviest,
                                      .connectivity = &in->connectivity};
    in->most[0] = in->most[1] = in->graph.n;
    for (int c = 0; c < x->classes; ++c) {
        double sum[2] = {0, 0}, load = 0;
        for (int i = g.first; i < g.last; ++i)
            sum[i >= mid] += x->target[c * x->p + b->of[i]];
        for (int64_t i = 0; i < in->graph.n; ++i)
            load += in->class_of[i] == c ? (double)in->weight[i] : 0;
        for (int half = 0; half < 2; ++half)
            in->target[2 * c + half] =
                sum[0] + sum[1] > 0 ? load * sum[half] / (sum[0] + sum[1]) : 0;
    }
}

/* Cut one group in two; mid: where the parts of the second begin. */
static int
halve(bisection *b, span g, int *mid)
{
    hesca_partition_state two = {.x = NULL};
    inner in;
    int err;
    *mid = divide(b, g);
    HESCA_TRY(err, allocate(b, g, &in));
    extract(b, g, &in);
    set_targets(b, g, *mid, &in);
    HESCA_TRY(err, hesca_partition_state_init(&two, &in.x));
    HESCA_TRY(err, hesca_initial_partition(&in.graph, &two));
    for (int64_t i = 0; i < in.graph.n; ++i)
        if (two.part[i] == 1)
            b->group[in.vertex[i]] = *mid;
fail:
    hesca_partition_state_clear(&two);
    inner_clear(&in);
    return err;
}

int
hesca_graph_halve(hesca_adjacency *graph, hesca_partition_state *s, int trial)
{
    const size_t p = (size_t)s->x->p, n = (size_t)s->x->n;
    bisection b = {.graph = graph,
                   .s = s,
                   .of = malloc(p * sizeof *b.of),
                   .other = malloc(p * sizeof *b.other),
                   .group = calloc(n + 1, sizeof *b.group),
                   .inside = malloc(n * sizeof *b.inside + 1),
                   .trial = trial};
    span *stack = malloc((p + 1) * sizeof *stack);
    int err = HESCA_SUCCESS, depth = 0;
    if (b.of == NULL || b.other == NULL || b.group == NULL ||
        b.inside == NULL || stack == NULL)
        HESCA_TRY(err, hesca_fail(HESCA_ERR_NOMEM, 0, "%zu parts", p));
    for (int i = 0; i < s->x->p; ++i)
        b.of[i] = i;
    stack[depth++] = (span){0, s->x->p};
    while (depth > 0) {
        const span g = stack[--depth];
        int mid;
        if (g.last - g.first < 2)
            continue;
        HESCA_TRY(err, halve(&b, g, &mid));
        stack[depth++] = (span){g.first, mid};
        stack[depth++] = (span){mid, g.last};
    }
    for (int64_t v = 0; v < s->x->n; ++v)
        s->part[v] = b.of[b.group[v]];
    hesca_partition_state_count(s);
fail:
    free(b.of);
    free(b.other);
    free(b.group);
    free(b.inside);
    free(stack);
    return err;
}
