/* SPDX-License-Identifier: BSD-3-Clause */
#include "partition/graph/adjacency.h"
#include "base/status.h"
#include <stdlib.h>
#include <string.h>

static const int64_t sum_max = (int64_t)1 << 53;

const hesca_argument_names hesca_graph_argument_names = {
    .first_name = "xadj",
    .to_name = "adjacency",
    .vwgt_name = "vwgt",
    .edge_weight_name = "adjwgt"};

/* --- checks ---
 * The first error found is recorded, with the routine, the number of the
 * argument and the value; later checks rely on earlier ones. */

int
hesca_fail_entry(const hesca_argument_names *names, int arg, const char *name,
                 int64_t i, int64_t value, const char *must)
{
    return hesca_fail(HESCA_ERR_ARG, arg,
                      "%s: argument %d, %s%s[%lld], is %lld: must be %s",
                      names->routine, arg, names->prefix, name, (long long)i,
                      (long long)value, must);
}

static int
fail_null(const hesca_argument_names *names, int arg, const char *name)
{
    return hesca_fail(HESCA_ERR_ARG, arg, "%s: argument %d, %s%s, is NULL",
                      names->routine, arg, names->prefix, name);
}

/* Record that vertex v `what` u. */
static int
fail_pair(const hesca_argument_names *names, int64_t v, int64_t u,
          const char *what)
{
    return hesca_fail(HESCA_ERR_ARG, names->to,
                      "%s: argument %d, %s%s: vertex %lld %s %lld",
                      names->routine, names->to, names->prefix, names->to_name,
                      (long long)v, what, (long long)u);
}

int
hesca_check_offsets(const hesca_argument_names *names, int64_t n,
                    const int64_t *first, const int64_t *to)
{
    if (first == NULL)
        return n == 0 ? HESCA_SUCCESS
                      : fail_null(names, names->first, names->first_name);
    if (first[0] != 0)
        return hesca_fail_entry(names, names->first, names->first_name, 0,
                                first[0], "0");
    for (int64_t v = 0; v < n; ++v)
        if (first[v + 1] < first[v])
            return hesca_fail_entry(names, names->first, names->first_name,
                                    v + 1, first[v + 1],
                                    "at least the entry before it");
    if (first[n] > 0 && to == NULL)
        return fail_null(names, names->to, names->to_name);
    return HESCA_SUCCESS;
}

int
hesca_check_weights(const hesca_argument_names *names, int arg,
                    const char *name, int64_t n, const int64_t *weight,
                    int64_t *sum)
{
    *sum = weight == NULL ? n : 0;
    for (int64_t v = 0; weight != NULL && v < n; ++v) {
        if (weight[v] < 0)
            return hesca_fail_entry(names, arg, name, v, weight[v],
                                    "at least 0");
        if (weight[v] > sum_max - *sum)
            return hesca_fail_entry(names, arg, name, v, weight[v],
                                    "less: the sum is above 2^53");
        *sum += weight[v];
    }
    return HESCA_SUCCESS;
}

static int
check_vertices(const hesca_argument_names *names, const hesca_graph *g)
{
    int err;
    int64_t sum;
    if (g->n < 0 || g->n > sum_max)
        return hesca_fail_arg(names->routine, names->n, "n", g->n,
                              "0 ... 2^53");
    HESCA_TRY(err, hesca_check_offsets(names, g->n, g->xadj, g->adjacency));
    HESCA_TRY(err, hesca_check_weights(names, names->vwgt, names->vwgt_name,
                                       g->n, g->vwgt, &sum));
    const int64_t entries = g->xadj != NULL ? g->xadj[g->n] : 0;
    HESCA_TRY(err, hesca_check_weights(
                       names, names->edge_weight, names->edge_weight_name,
                       g->adjwgt != NULL ? entries : 0, g->adjwgt, &sum));
    for (int64_t v = 0; g->vtype != NULL && v < g->n; ++v)
        if (g->vtype[v] != 0 && g->vtype[v] != 1)
            return hesca_fail_entry(names, names->vtype, "vtype", v,
                                    g->vtype[v], "0 or 1");
    for (int64_t v = 0; v < g->n; ++v)
        for (int64_t k = g->xadj[v]; k < g->xadj[v + 1]; ++k) {
            const int64_t u = g->adjacency[k];
            if (u < 0 || u >= g->n)
                return hesca_fail_entry(names, names->to, names->to_name, k, u,
                                        "a vertex, 0 ... n - 1");
            if (u == v)
                return fail_pair(names, v, v, "is its own neighbour");
        }
fail:
    return err;
}

/* --- graphs and trees ---
 * The copy lists the neighbours of each vertex in ascending order, and every
 * edge at both ends. */

static int
allocate(const hesca_argument_names *names, int64_t n, int64_t entries,
         int weighted, hesca_adjacency *x)
{
    *x = (hesca_adjacency){.n = n};
    x->first = calloc((size_t)n + 2, sizeof *x->first);
    x->to = malloc((size_t)entries * sizeof *x->to + 1);
    if (weighted)
        x->weight = malloc((size_t)entries * sizeof *x->weight + 1);
    if (x->first == NULL || x->to == NULL || (weighted && x->weight == NULL))
        return hesca_fail(HESCA_ERR_NOMEM, 0, "%s: graph of %lld vertices",
                          names->routine, (long long)n);
    return HESCA_SUCCESS;
}

/* Transpose the adjacency: v becomes a neighbour of u for each u in the list
 * of v; lists are ascending, since v is. both: u becomes a neighbour of v as
 * well. */
static void
transpose(const hesca_graph *g, int both, hesca_adjacency *x)
{
    int64_t *next = x->first + 1; /* end of the list of u so far */
    for (int64_t v = 0; v < g->n; ++v)
        for (int64_t k = g->xadj[v]; k < g->xadj[v + 1]; ++k) {
            ++x->first[g->adjacency[k] + 2];
            x->first[v + 2] += both;
        }
    for (int64_t v = 0; v < g->n; ++v)
        x->first[v + 2] += x->first[v + 1];
    for (int64_t v = 0; v < g->n; ++v)
        for (int64_t k = g->xadj[v]; k < g->xadj[v + 1]; ++k) {
            const int64_t u = g->adjacency[k];
            if (x->weight != NULL)
                x->weight[next[u]] = g->adjwgt[k];
            x->to[next[u]++] = v;
            if (!both)
                continue;
            if (x->weight != NULL)
                x->weight[next[v]] = g->adjwgt[k];
            x->to[next[v]++] = u;
        }
}

/* Check that the adjacency is symmetric, without duplicates and with equal
 * weights. at: [n] the entry of u in the list of v. */
static int
check_symmetry(const hesca_argument_names *names, const hesca_graph *g,
               const hesca_adjacency *x, int64_t *at)
{
    for (int64_t v = 0; v < g->n; ++v)
        at[v] = -1;
    for (int64_t v = 0; v < g->n; ++v) {
        for (int64_t k = g->xadj[v]; k < g->xadj[v + 1]; ++k) {
            const int64_t u = g->adjacency[k];
            if (at[u] >= g->xadj[v])
                return fail_pair(names, v, u, "has twice the neighbour");
            at[u] = k;
        }
        for (int64_t k = x->first[v]; k < x->first[v + 1]; ++k) {
            const int64_t u = x->to[k];
            if (at[u] < g->xadj[v])
                return fail_pair(names, v, u,
                                 "lacks the neighbour, which has it,");
            if (x->weight != NULL && x->weight[k] != g->adjwgt[at[u]])
                return hesca_fail_entry(
                    names, names->edge_weight, names->edge_weight_name, at[u],
                    g->adjwgt[at[u]], "equal at both ends of an edge");
        }
    }
    return HESCA_SUCCESS;
}

int
hesca_adjacency_init(const hesca_argument_names *names,
                     const hesca_graph *graph, hesca_adjacency *x)
{
    int64_t *at = NULL;
    int err;
    *x = (hesca_adjacency){.n = 0};
    HESCA_TRY(err, check_vertices(names, graph));
    const int64_t entries = graph->n > 0 ? graph->xadj[graph->n] : 0;
    HESCA_TRY(err,
              allocate(names, graph->n, entries, graph->adjwgt != NULL, x));
    at = malloc((size_t)graph->n * sizeof *at + 1);
    if (at == NULL)
        HESCA_TRY(err, hesca_fail(HESCA_ERR_NOMEM, 0, "%s: %lld vertices",
                                  names->routine, (long long)graph->n));
    transpose(graph, 0, x);
    HESCA_TRY(err, check_symmetry(names, graph, x, at));
    x->vwgt = graph->vwgt;
fail:
    free(at);
    if (err < 0)
        hesca_adjacency_clear(x);
    return err;
}

/* Check that the graph is connected: with n - 1 edges it is a tree then. */
static int
check_connected(const hesca_argument_names *names, const hesca_adjacency *x)
{
    int64_t n = 0, *order = malloc((size_t)x->n * sizeof *order + 1);
    char *seen = calloc((size_t)x->n + 1, 1);
    int err = HESCA_SUCCESS;
    if (order == NULL || seen == NULL)
        HESCA_TRY(err, hesca_fail(HESCA_ERR_NOMEM, 0, "%s: %lld vertices",
                                  names->routine, (long long)x->n));
    if (x->n > 0) {
        order[n++] = 0;
        seen[0] = 1;
    }
    for (int64_t i = 0; i < n; ++i)
        for (int64_t k = x->first[order[i]]; k < x->first[order[i] + 1]; ++k)
            if (!seen[x->to[k]]) {
                seen[x->to[k]] = 1;
                order[n++] = x->to[k];
            }
    for (int64_t v = 0; v < x->n; ++v)
        if (!seen[v])
            HESCA_TRY(err, fail_pair(names, v, 0, "is not connected with"));
fail:
    free(order);
    free(seen);
    return err;
}

int
hesca_adjacency_make_tree(const hesca_argument_names *names,
                          const hesca_graph *tree, hesca_adjacency *x)
{
    const int64_t n = tree->n;
    int err;
    *x = (hesca_adjacency){.n = 0};
    HESCA_TRY(err, check_vertices(names, tree));
    const int64_t entries = n > 0 ? tree->xadj[n] : 0;
    if (n > 0 && entries != n - 1 && entries != 2 * (n - 1))
        HESCA_TRY(err, hesca_fail_entry(names, names->first, names->first_name,
                                        n, entries,
                                        "n - 1 or 2 (n - 1), as of a tree"));
    if (entries == n - 1 && n > 1) {
        HESCA_TRY(err,
                  allocate(names, n, 2 * entries, tree->adjwgt != NULL, x));
        transpose(tree, 1, x);
        x->vwgt = tree->vwgt;
    } else
        HESCA_TRY(err, hesca_adjacency_init(names, tree, x));
    HESCA_TRY(err, check_connected(names, x));
fail:
    if (err < 0)
        hesca_adjacency_clear(x);
    return err;
}

void
hesca_adjacency_clear(hesca_adjacency *x)
{
    free(x->first);
    free(x->to);
    free(x->weight);
    *x = (hesca_adjacency){.n = 0};
}
