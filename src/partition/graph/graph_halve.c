/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/status.h"
#include "partition/graph/refinement.h"
#include <stdlib.h>

/* A group: its vertices have group[v] = first, and its parts are of[first] ...
 * of[last - 1]. */
typedef struct {
    int first, last;
} span;

typedef struct {
    const hesca_adjacency *graph;
    hesca_partition_state *s;
    int *of;        /* [p] */
    int *other;     /* [p] work space: the second half of the parts */
    int *group;     /* [n] */
    int64_t *index; /* [n] number of v in the graph of its group */
    int trial;
} bisection;

/* The graph of a group, and its problem. */
typedef struct {
    hesca_adjacency graph;
    hesca_connectivity connectivity;
    hesca_partition_problem x;
    double target[4];
    int64_t most[2];
    int64_t *weight, *vertex; /* vertex: [n] number in the whole graph */
    int *class_of;
} subproblem;

static double
target_of(const hesca_partition_problem *x, int part)
{
    return x->target[part] + (x->classes == 2 ? x->target[x->p + part] : 0);
}

/* Reorder of[first] ... such that the parts before the return value have about
 * half of the targets: the largest first, each to the half that has less.  In
 * odd trials the first half is the largest part alone.  Neither half is empty,
 * even if all targets are 0. */
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
subproblem_clear(subproblem *sub)
{
    hesca_adjacency_clear(&sub->graph);
    free(sub->weight);
    free(sub->vertex);
    free(sub->class_of);
}

static int
allocate(const bisection *b, span g, subproblem *sub)
{
    size_t n = 1, entries = 1;
    for (int64_t v = 0; v < b->s->x->n; ++v)
        if (b->group[v] == g.first) {
            ++n;
            entries += (size_t)(b->graph->first[v + 1] - b->graph->first[v]);
        }
    *sub = (subproblem){.graph = {.first = malloc(n * sizeof(int64_t)),
                                  .to = malloc(entries * sizeof(int64_t)),
                                  .weight = malloc(entries * sizeof(int64_t))},
                        .weight = malloc(n * sizeof(int64_t)),
                        .vertex = malloc(n * sizeof(int64_t)),
                        .class_of = malloc(n * sizeof(int))};
    if (sub->graph.first == NULL || sub->graph.to == NULL ||
        sub->graph.weight == NULL || sub->weight == NULL ||
        sub->vertex == NULL || sub->class_of == NULL)
        return hesca_fail(HESCA_ERR_NOMEM, 0, "half of a graph");
    return HESCA_SUCCESS;
}

static void
extract(bisection *b, span g, subproblem *sub)
{
    const hesca_partition_problem *x = b->s->x;
    const hesca_adjacency *from = b->graph;
    hesca_adjacency *to = &sub->graph;
    int64_t entries = 0;
    for (int64_t v = 0; v < x->n; ++v)
        if (b->group[v] == g.first) {
            sub->vertex[to->n] = v;
            sub->weight[to->n] = hesca_weight(x, v);
            sub->class_of[to->n] = hesca_class(x, v);
            b->index[v] = to->n++;
        }
    for (int64_t i = 0; i < to->n; ++i) {
        const int64_t v = sub->vertex[i];
        to->first[i] = entries;
        for (int64_t k = from->first[v]; k < from->first[v + 1]; ++k) {
            if (b->group[from->to[k]] != g.first)
                continue;
            to->to[entries] = b->index[from->to[k]];
            to->weight[entries++] = from->weight != NULL ? from->weight[k] : 1;
        }
    }
    to->first[to->n] = entries;
}

/* The load of the group is divided between two parts in proportion to the sums
 * of their targets. */
static void
set_targets(const bisection *b, span g, int mid, subproblem *sub)
{
    const hesca_partition_problem *x = b->s->x;
    sub->connectivity = hesca_connectivity_graph(&sub->graph);
    sub->x = (hesca_partition_problem){.p = 2,
                                       .classes = x->classes,
                                       .n = sub->graph.n,
                                       .weight = sub->weight,
                                       .class_of = sub->class_of,
                                       .target = sub->target,
                                       .most = sub->most,
                                       .tolerance = x->tolerance / 2,
                                       .slack = x->slack,
                                       .heaviest = x->heaviest,
                                       .connectivity = &sub->connectivity};
    sub->most[0] = sub->most[1] = sub->graph.n;
    for (int c = 0; c < x->classes; ++c) {
        double sum[2] = {0, 0}, load = 0;
        for (int i = g.first; i < g.last; ++i)
            sum[i >= mid] += x->target[c * x->p + b->of[i]];
        for (int64_t i = 0; i < sub->graph.n; ++i)
            load += sub->class_of[i] == c ? (double)sub->weight[i] : 0;
        for (int half = 0; half < 2; ++half)
            sub->target[2 * c + half] =
                sum[0] + sum[1] > 0 ? load * sum[half] / (sum[0] + sum[1]) : 0;
    }
}

/* --- recursion ---
 * Groups are disjoint ranges of of[]; a vertex belongs to the group that
 * begins at group[v]. */

/* Bisect a group; *mid is the first part of the second half. */
static int
halve(bisection *b, span g, int *mid)
{
    hesca_partition_state two = {.x = NULL};
    subproblem sub;
    int err;
    *mid = divide(b, g);
    HESCA_TRY(err, allocate(b, g, &sub));
    extract(b, g, &sub);
    set_targets(b, g, *mid, &sub);
    HESCA_TRY(err, hesca_partition_state_init(&two, &sub.x));
    HESCA_TRY(err, hesca_initial_partition(&sub.graph, &two));
    for (int64_t i = 0; i < sub.graph.n; ++i)
        if (two.part[i] == 1)
            b->group[sub.vertex[i]] = *mid;
fail:
    hesca_partition_state_clear(&two);
    subproblem_clear(&sub);
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
                   .index = malloc(n * sizeof *b.index + 1),
                   .trial = trial};
    span *stack = malloc((p + 1) * sizeof *stack);
    int err = HESCA_SUCCESS, depth = 0;
    if (b.of == NULL || b.other == NULL || b.group == NULL ||
        b.index == NULL || stack == NULL)
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
    free(b.index);
    free(stack);
    return err;
}
