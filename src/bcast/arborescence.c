/* SPDX-License-Identifier: BSD-3-Clause */
#include "bcast/arborescence.h"
#include "base/status.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* --- contraction ---
 * Nodes 0 ... n - 1 are vertices; the others are contracted cycles, in the
 * order of their contraction.  A node that is not yet in a cycle is on top.
 * The cost of an edge into a cycle is reduced by the cost of the edge that it
 * would replace.  Every node on the path is entered by its cheapest edge,
 * which begins at the next node of the path. */
typedef struct {
    int n, nodes, root;
    int *row;       /* [2n] row of a node on top in in and target */
    double *in;     /* [n * n] cost of the edge from each vertex into a node */
    int *target;    /* [n * n] vertex where this edge ends */
    int *top;       /* [n] node on top of each vertex */
    int *cycle;     /* [2n] cycle that contains a node; -1: none */
    int *from, *to; /* [2n] vertices of the cheapest edge into a node */
    double *least;  /* [2n] cost of this edge */
    int *path;      /* [2n] each node is entered from the next one */
    char *state;    /* [2n] */
} graph;

enum { UNKNOWN, ON_PATH, REACHED };

static void
load(graph *x, const double *cost)
{
    const size_t n = (size_t)x->n;
    for (size_t j = 0; j < n; ++j) {
        for (size_t i = 0; i < n; ++i) {
            x->in[j * n + i] = i == j ? INFINITY : cost[i * n + j];
            x->target[j * n + i] = (int)j;
        }
        x->row[j] = x->top[j] = (int)j;
    }
    memset(x->cycle, -1, 2 * n * sizeof *x->cycle);
    x->state[x->root] = REACHED;
}

/* Find the cheapest edge into a node on top; 0 if there is none. */
static int
enter(graph *x, int node)
{
    const size_t at = (size_t)x->row[node] * (size_t)x->n;
    double least = INFINITY;
    for (int i = 0; i < x->n; ++i)
        if (x->in[at + (size_t)i] < least && x->top[i] != node) {
            least = x->in[at + (size_t)i];
            x->from[node] = i;
            x->to[node] = x->target[at + (size_t)i];
        }
    x->least[node] = least;
    return !isinf(least);
}

/* Contract the nodes of the path from `begin` on into one, which uses the row
 * of the first of them. */
static int
contract(graph *x, int begin, int end)
{
    const int new = x->nodes++;
    const size_t n = (size_t)x->n, r = (size_t)x->row[x->path[begin]] * n;
    for (int k = begin; k < end; ++k) {
        const int member = x->path[k];
        const size_t s = (size_t)x->row[member] * n;
        x->cycle[member] = new;
        for (size_t i = 0; i < n; ++i) {
            const double c = x->in[s + i] - x->least[member];
            if (k == begin || c < x->in[r + i]) {
                x->in[r + i] = c;
                x->target[r + i] = x->target[s + i];
            }
        }
    }
    for (int i = 0; i < x->n; ++i)
        if (x->cycle[x->top[i]] == new)
            x->top[i] = new;
    x->row[new] = x->row[x->path[begin]];
    return new;
}

/* Extend the path from a node on top against the edges, until an edge begins
 * at a node that is reached. */
static int
grow(graph *x, int node)
{
    int n = 0;
    for (;;) {
        x->path[n++] = node;
        x->state[node] = ON_PATH;
        if (!enter(x, node))
            return hesca_fail(HESCA_ERR_UNSUPPORTED, 0,
                              "spanning tree: not all can be reached");
        const int before = x->top[x->from[node]];
        if (x->state[before] == REACHED)
            break;
        node = before;
        if (x->state[before] == ON_PATH) {
            int begin = n - 1;
            while (x->path[begin] != before)
                --begin;
            node = contract(x, begin, n);
            n = begin;
        }
    }
    while (n > 0)
        x->state[x->path[--n]] = REACHED;
    return HESCA_SUCCESS;
}

/* --- expansion ---
 * Cycles are opened in the reverse order of their contraction.  The edge into
 * a cycle replaces the edge into the member where it ends, so that every node
 * has one edge into it at all times. */

static void
expand(graph *x, int *parent)
{
    for (int c = x->nodes - 1; c >= x->n; --c) {
        int member = x->to[c];
        while (x->cycle[member] != c)
            member = x->cycle[member];
        x->from[member] = x->from[c];
        x->to[member] = x->to[c];
    }
    for (int i = 0; i < x->n; ++i)
        parent[i] = i == x->root ? -1 : x->from[i];
}

static int
allocate(graph *x)
{
    const size_t n = (size_t)x->n;
    x->in = malloc(n * n * sizeof *x->in);
    x->target = malloc(n * n * sizeof *x->target);
    x->row = malloc((5 * 2 + 1) * n * sizeof *x->row);
    x->least = malloc(2 * n * sizeof *x->least);
    x->state = calloc(2 * n, 1);
    if (x->in == NULL || x->target == NULL || x->row == NULL ||
        x->least == NULL || x->state == NULL)
        return hesca_fail(HESCA_ERR_NOMEM, 0, "spanning tree of %d", x->n);
    x->cycle = x->row + 2 * n;
    x->from = x->cycle + 2 * n;
    x->to = x->from + 2 * n;
    x->path = x->to + 2 * n;
    x->top = x->path + 2 * n;
    return HESCA_SUCCESS;
}

int
hesca_arborescence(int n, const double *cost, int root, int *parent)
{
    graph x = {.n = n, .nodes = n, .root = root};
    int err = HESCA_SUCCESS;
    HESCA_TRY(err, allocate(&x));
    load(&x, cost);
    for (int i = 0; i < n; ++i)
        if (x.state[x.top[i]] == UNKNOWN)
            HESCA_TRY(err, grow(&x, x.top[i]));
    expand(&x, parent);
fail:
    free(x.in);
    free(x.target);
    free(x.row);
    free(x.least);
    free(x.state);
    return err;
}
