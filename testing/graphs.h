/* SPDX-License-Identifier: BSD-3-Clause */
/* Graphs to partition, as hesca/experimental/cut.h takes them: of a shape, or
 * random from a seed. */
#ifndef HESCA_TESTING_GRAPHS_H
#define HESCA_TESTING_GRAPHS_H

#include "hesca/experimental/cut.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* splitmix64 */
static inline uint64_t
graph_random(uint64_t *state)
{
    uint64_t z = (*state += 0x9e3779b97f4a7c15u);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}

/* 0 ... n - 1 */
static inline int64_t
graph_below(uint64_t *state, int64_t n)
{
    return (int64_t)(graph_random(state) % (uint64_t)n);
}

/* Edges, each once, as pairs. */
typedef struct {
    int64_t n, nedges, room;
    int64_t *pair;
} graph_edges;

static inline void
graph_add(graph_edges *e, int64_t v, int64_t u)
{
    if (e->nedges == e->room) {
        e->room = 2 * e->room + 64;
        e->pair = realloc(e->pair, (size_t)e->room * 2 * sizeof *e->pair);
        if (e->pair == NULL)
            abort();
    }
    e->pair[2 * e->nedges] = v;
    e->pair[2 * e->nedges++ + 1] = u;
}

static inline int
graph_compare(const void *x, const void *y)
{
    const int64_t a = *(const int64_t *)x, b = *(const int64_t *)y;
    return a < b ? -1 : a > b;
}

/* The graph of edges, which it frees; loops and repeated edges are dropped.
 * Free with graph_free(). */
static inline hesca_graph
graph_make(graph_edges *e)
{
    const size_t n = (size_t)e->n;
    int64_t *xadj = calloc(n + 2, sizeof *xadj), *next = xadj + 1, at = 0,
            *to = malloc(((size_t)e->nedges * 2 + 1) * sizeof *to);
    if (xadj == NULL || to == NULL)
        abort();
    for (int64_t k = 0; k < 2 * e->nedges; ++k)
        ++xadj[e->pair[k] + 2];
    for (size_t v = 0; v < n; ++v)
        xadj[v + 2] += xadj[v + 1];
    for (int64_t k = 0; k < e->nedges; ++k) {
        to[next[e->pair[2 * k]]++] = e->pair[2 * k + 1];
        to[next[e->pair[2 * k + 1]]++] = e->pair[2 * k];
    }
    for (size_t v = 0; v < n; ++v) {
        int64_t *list = to + xadj[v];
        const int64_t length = xadj[v + 1] - xadj[v];
        qsort(list, (size_t)length, sizeof *list, graph_compare);
        xadj[v] = at;
        for (int64_t k = 0; k < length; ++k)
            if (list[k] != (int64_t)v &&
                (at == xadj[v] || to[at - 1] != list[k]))
                to[at++] = list[k];
    }
    xadj[n] = at;
    free(e->pair);
    return (hesca_graph){.n = e->n, .xadj = xadj, .adjacency = to};
}

static inline void
graph_free(hesca_graph *g)
{
    free((void *)g->xadj);
    free((void *)g->adjacency);
    free((void *)g->vwgt);
    free((void *)g->adjwgt);
    free((void *)g->vtype);
    *g = (hesca_graph){.n = 0};
}

/* A grid of a x b x c vertices. */
static inline hesca_graph
graph_grid(int64_t a, int64_t b, int64_t c)
{
    graph_edges e = {.n = a * b * c};
    for (int64_t i = 0; i < a; ++i)
        for (int64_t j = 0; j < b; ++j)
            for (int64_t k = 0; k < c; ++k) {
                const int64_t v = (i * b + j) * c + k;
                if (k + 1 < c)
                    graph_add(&e, v, v + 1);
                if (j + 1 < b)
                    graph_add(&e, v, v + c);
                if (i + 1 < a)
                    graph_add(&e, v, v + b * c);
            }
    return graph_make(&e);
}

/* About n d / 2 edges between any vertices. */
static inline hesca_graph
graph_any(int64_t n, int64_t d, uint64_t seed)
{
    graph_edges e = {.n = n};
    for (int64_t k = 0; k < n * d / 2; ++k)
        graph_add(&e, graph_below(&seed, n), graph_below(&seed, n));
    return graph_make(&e);
}

/* Every new vertex is joined to d ends of edges before it, so that degrees
 * follow a power law (Barabasi and Albert). */
static inline hesca_graph
graph_power_law(int64_t n, int64_t d, uint64_t seed)
{
    graph_edges e = {.n = n};
    for (int64_t v = 1; v < n; ++v) {
        const int64_t ends = 2 * e.nedges;
        for (int64_t k = 0; k < d; ++k)
            graph_add(&e, v, ends == 0 ? 0 : e.pair[graph_below(&seed, ends)]);
    }
    return graph_make(&e);
}

/* Points in the unit square, joined where less than r apart; d neighbours on
 * average.  Numbered by cells of a grid of side r. */
static inline hesca_graph
graph_geometric(int64_t n, double d, uint64_t seed)
{
    graph_edges e = {.n = n};
    const double r = sqrt(d / (3.14159265358979 * (double)n));
    const int64_t side = (int64_t)fmax(1, floor(1 / r));
    int64_t *first = calloc((size_t)(side * side) + 1, sizeof *first);
    double *x = malloc((size_t)n * sizeof *x),
           *y = malloc((size_t)n * sizeof *y);
    if (first == NULL || x == NULL || y == NULL)
        abort();
    for (int64_t v = 0; v < n; ++v)
        ++first[graph_below(&seed, side * side) + 1];
    for (int64_t i = 0; i < side * side; ++i)
        first[i + 1] += first[i];
    for (int64_t i = 0; i < side * side; ++i)
        for (int64_t v = first[i]; v < first[i + 1]; ++v) {
            x[v] = ((double)(i / side) +
                    (double)(graph_random(&seed) >> 11) / 9007199254740992.) /
                   (double)side;
            y[v] = ((double)(i % side) +
                    (double)(graph_random(&seed) >> 11) / 9007199254740992.) /
                   (double)side;
        }
    const int64_t next[] = {0, 1, side - 1, side, side + 1};
    for (int64_t i = 0; i < side * side; ++i)
        for (int c = 0; c < 5 && i + next[c] < side * side; ++c) {
            const int64_t j = i + next[c];
            for (int64_t v = first[i]; v < first[i + 1]; ++v)
                for (int64_t u = j == i ? v + 1 : first[j]; u < first[j + 1];
                     ++u)
                    if ((x[v] - x[u]) * (x[v] - x[u]) +
                            (y[v] - y[u]) * (y[v] - y[u]) <
                        r * r)
                        graph_add(&e, v, u);
        }
    free(first);
    free(x);
    free(y);
    return graph_make(&e);
}

#endif
