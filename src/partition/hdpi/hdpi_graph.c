/* SPDX-License-Identifier: BSD-3-Clause */
/* HDPI's functions of graphs and trees: their arrays of int are converted to
 * those of hesca/experimental/cut.h, and messages give the numbers of their
 * arguments.
 * */
#include "base/status.h"
#include "hdpi.h"
#include "partition/graph/cut.h"
#include "partition/graph/hypergraph.h"
#include "partition/hdpi/hdpi_models.h"
#include <limits.h>
#include <stdlib.h>

/* The arguments of a call that all functions have in common. */
typedef struct {
    hesca_argument_names names;
    const char *n_name, *edges_name;
    int n, edges;
    const int *vwgt, *first, *to, *edge_weight, *vtype;
    int nopts, nopts_arg;
    const int *options;
    int *vp, *edgecut, vp_arg;
} call;

/* Its arrays in 64 bits. */
typedef struct {
    int64_t *vwgt, *first, *to, *edge_weight;
} wide;

static void
wide_clear(wide *w)
{
    free(w->vwgt);
    free(w->first);
    free(w->to);
    free(w->edge_weight);
}

/* A copy of an array, NULL if there is none. */
static int
widen(const call *c, const int *from, int64_t n, int64_t **to)
{
    *to = NULL;
    if (from == NULL)
        return HESCA_SUCCESS;
    *to = malloc((size_t)n * sizeof **to + 1);
    if (*to == NULL)
        return hesca_fail(HESCA_ERR_NOMEM, 0, "%s: %lld numbers",
                          c->names.routine, (long long)n);
    for (int64_t i = 0; i < n; ++i)
        (*to)[i] = from[i];
    return HESCA_SUCCESS;
}

static int
check(const call *c)
{
    const char *routine = c->names.routine;
    if (c->n < 0)
        return hesca_fail_arg(routine, c->names.n, c->n_name, c->n,
                              "at least 0");
    if (c->edges < 0)
        return hesca_fail_arg(routine, c->names.edges, c->edges_name, c->edges,
                              "at least 0");
    if (c->vp == NULL && c->n > 0)
        return hesca_fail_null(routine, c->vp_arg, "vp");
    if (c->edgecut == NULL)
        return hesca_fail_null(routine, c->vp_arg + 1, "edgecut");
    if (c->nopts > 0 && c->options == NULL)
        return hesca_fail_null(routine, c->nopts_arg + 1, "options");
    return HESCA_SUCCESS;
}

/* --- conversion ---
 * The arrays of `wide` are copies; they are freed by wide_clear(), also after
 * an error. */

/* Convert all arrays. lists: number of lists, first has one entry more;
 * per_list: weights are of lists, not of entries of to. */
static int
widen_all(const call *c, int64_t lists, int per_list, wide *w)
{
    int err;
    *w = (wide){.vwgt = NULL};
    HESCA_TRY(err, check(c));
    HESCA_TRY(err, widen(c, c->vwgt, c->n, &w->vwgt));
    HESCA_TRY(err, widen(c, c->first, lists + 1, &w->first));
    /* Check `first` before its last entry is used as a length. */
    static const int64_t any = 0;
    HESCA_TRY(err, hesca_check_offsets(&c->names, lists, w->first,
                                       c->to != NULL ? &any : NULL));
    const int64_t entries = w->first != NULL ? w->first[lists] : 0;
    HESCA_TRY(err, widen(c, c->to, entries, &w->to));
    HESCA_TRY(err, widen(c, c->edge_weight, per_list ? lists : entries,
                         &w->edge_weight));
fail:
    return err;
}

/* Write the parts and the cut. */
static int
write_parts(const call *c, const hesca_cut *cut)
{
    if (hesca_cut_weight(cut) > INT_MAX)
        return hesca_fail(HESCA_ERR_UNSUPPORTED, c->vp_arg + 1,
                          "%s: the cut weighs %lld, which no int holds",
                          c->names.routine, (long long)hesca_cut_weight(cut));
    for (int v = 0; v < c->n; ++v)
        c->vp[v] = hesca_cut_part(cut)[v];
    *c->edgecut = (int)hesca_cut_weight(cut);
    return HESCA_SUCCESS;
}

/* The numbers of the arguments of a graph or hypergraph, from n on. */
static call
call_of(const char *routine, const hesca_argument_names *names, int vwgt)
{
    call c = {.names = *names, .n_name = "n", .edges_name = "m"};
    c.names.routine = routine;
    c.names.prefix = "";
    c.names.p = 1;
    c.names.n = 6;
    c.names.edges = 7;
    c.names.vtype = 8;
    c.names.vwgt = vwgt;
    c.names.first = vwgt + 1;
    c.names.to = vwgt + 2;
    c.names.edge_weight = vwgt + 3;
    return c;
}

static int
check_edges(const call *c, const wide *w)
{
    const int64_t entries = c->n > 0 ? w->first[c->n] : 0;
    if (entries != 2 * (int64_t)c->edges)
        return hesca_fail(HESCA_ERR_ARG, c->names.edges,
                          "%s: argument %d, m, is %d: must be %lld / 2, what "
                          "xadj[n] says",
                          c->names.routine, c->names.edges, c->edges,
                          (long long)entries);
    return HESCA_SUCCESS;
}

/* Check that no edge is within a subset. */
static int
check_subsets(const call *c, const wide *w)
{
    for (int v = 0; v < c->n; ++v)
        for (int64_t k = w->first[v]; k < w->first[v + 1]; ++k) {
            const int64_t u = w->to[k];
            if (u >= 0 && u < c->n && c->vtype[u] == c->vtype[v])
                return hesca_fail(HESCA_ERR_ARG, c->names.to,
                                  "%s: argument %d, adjacency: vertices %d "
                                  "and %lld are neighbours, and both of "
                                  "subset %d",
                                  c->names.routine, c->names.to, v,
                                  (long long)u, c->vtype[v]);
        }
    return HESCA_SUCCESS;
}

/* --- graphs, hypergraphs, trees ---
 * Processors are checked first, then the object; vp and edgecut are written on
 * success only. */

/* balanced: vtype if each subset is to be balanced, else NULL. */
static int
cut_graph(const call *c, int p, const hesca_speed *const *model,
          const int *balanced)
{
    const hesca_cut_options how = {.nopts = c->nopts, .options = c->options};
    hesca_cut *cut = NULL;
    wide w;
    int err;
    HESCA_TRY(err, widen_all(c, c->n, 0, &w));
    HESCA_TRY(err, check_edges(c, &w));
    if (c->vtype != NULL)
        HESCA_TRY(err, check_subsets(c, &w));
    const hesca_graph g = {.n = c->n,
                           .xadj = w.first,
                           .adjacency = w.to,
                           .vwgt = w.vwgt,
                           .adjwgt = w.edge_weight,
                           .vtype = balanced};
    HESCA_TRY(err, hesca_cut_graph_named(&c->names, p, model, &g, &how,
                                         c->nopts_arg, &cut));
    HESCA_TRY(err, write_parts(c, cut));
fail:
    hesca_cut_free(cut);
    wide_clear(&w);
    return err;
}

int
Partition_graph(int p, int pn, const double *speeds, const int *psizes,
                const int *mlimits, int n, int m, const int *vwgt,
                const int *xadj, const int *adjacency, const int *adjwgt,
                int nopts, const int *options, int *vp, int *edgecut)
{
    const hesca_speed **model = NULL;
    call c = call_of("Partition_graph", &hesca_graph_argument_names, 8);
    int err;
    c.n = n, c.edges = m, c.vwgt = vwgt, c.first = xadj, c.to = adjacency;
    c.edge_weight = adjwgt, c.nopts = nopts, c.nopts_arg = 12;
    c.options = options, c.vp = vp, c.edgecut = edgecut, c.vp_arg = 14;
    HESCA_TRY(err, hesca_hdpi_models(c.names.routine, 2, p, pn, speeds, psizes,
                                     mlimits, &model));
    HESCA_TRY(err, cut_graph(&c, p, model, NULL));
fail:
    hesca_hdpi_models_free(p, model);
    return hesca_hdpi_status(err);
}

static int
check_types(const call *c, int type_of_partitioning)
{
    if (type_of_partitioning != PARTITION_SUBSET &&
        type_of_partitioning != PARTITION_OTHER)
        return hesca_fail_arg(c->names.routine, 13, "type_of_partitioning",
                              type_of_partitioning,
                              "PARTITION_SUBSET or PARTITION_OTHER");
    if (c->vtype == NULL && c->n > 0)
        return hesca_fail_null(c->names.routine, c->names.vtype, "vtype");
    for (int v = 0; v < c->n; ++v)
        if (c->vtype[v] != 0 && c->vtype[v] != 1)
            return hesca_fail_entry(&c->names, c->names.vtype, "vtype", v,
                                    c->vtype[v], "0 or 1");
    return HESCA_SUCCESS;
}

int
Partition_bipartite_graph(int p, int pn, const double *speeds,
                          const int *psizes, const int *mlimits, int n, int m,
                          const int *vtype, const int *vwgt, const int *xadj,
                          const int *adjacency, const int *adjwgt,
                          int type_of_partitioning, int nopts,
                          const int *options, int *vp, int *edgecut)
{
    const hesca_speed **model = NULL;
    call c =
        call_of("Partition_bipartite_graph", &hesca_graph_argument_names, 9);
    int err;
    c.n = n, c.edges = m, c.vwgt = vwgt, c.first = xadj, c.to = adjacency;
    c.edge_weight = adjwgt, c.nopts = nopts, c.nopts_arg = 14;
    c.options = options, c.vp = vp, c.edgecut = edgecut, c.vp_arg = 16;
    c.vtype = vtype;
    HESCA_TRY(err, check_types(&c, type_of_partitioning));
    HESCA_TRY(err, hesca_hdpi_models(c.names.routine, 2, p, pn, speeds, psizes,
                                     mlimits, &model));
    HESCA_TRY(err, cut_graph(&c, p, model,
                             type_of_partitioning == PARTITION_SUBSET ? vtype
                                                                      : NULL));
fail:
    hesca_hdpi_models_free(p, model);
    return hesca_hdpi_status(err);
}

static int
cut_hypergraph(const call *c, int p, const hesca_speed *const *model)
{
    const hesca_cut_options how = {.nopts = c->nopts, .options = c->options};
    hesca_cut *cut = NULL;
    wide w;
    int err;
    HESCA_TRY(err, widen_all(c, c->edges, 1, &w));
    const hesca_hypergraph h = {.n = c->n,
                                .nedges = c->edges,
                                .vwgt = w.vwgt,
                                .hptr = w.first,
                                .hind = w.to,
                                .hwgt = w.edge_weight};
    HESCA_TRY(err, hesca_cut_hypergraph_named(&c->names, p, model, &h, &how,
                                              c->nopts_arg, &cut));
    HESCA_TRY(err, write_parts(c, cut));
fail:
    hesca_cut_free(cut);
    wide_clear(&w);
    return err;
}

int
Partition_hypergraph(int p, int pn, const double *speeds, const int *psizes,
                     const int *mlimits, int nv, int nedges, const int *vwgt,
                     const int *hptr, const int *hind, const int *hwgt,
                     int nopts, const int *options, int *vp, int *edgecut)
{
    const hesca_speed **model = NULL;
    call c =
        call_of("Partition_hypergraph", &hesca_hypergraph_argument_names, 8);
    int err;
    c.n_name = "nv", c.edges_name = "nedges";
    c.n = nv, c.edges = nedges, c.vwgt = vwgt, c.first = hptr, c.to = hind;
    c.edge_weight = hwgt, c.nopts = nopts, c.nopts_arg = 12;
    c.options = options, c.vp = vp, c.edgecut = edgecut, c.vp_arg = 14;
    HESCA_TRY(err, hesca_hdpi_models(c.names.routine, 2, p, pn, speeds, psizes,
                                     mlimits, &model));
    HESCA_TRY(err, cut_hypergraph(&c, p, model));
fail:
    hesca_hdpi_models_free(p, model);
    return hesca_hdpi_status(err);
}

static int
cut_tree(const call *c, int p, const hesca_speed *const *model)
{
    hesca_cut *cut = NULL;
    wide w;
    int err;
    HESCA_TRY(err, widen_all(c, c->n, 0, &w));
    if (c->edges != (c->n > 0 ? c->n - 1 : 0))
        HESCA_TRY(err, hesca_fail_arg(c->names.routine, c->names.edges,
                                      "nedges", c->edges, "n - 1"));
    const hesca_graph g = {.n = c->n,
                           .xadj = w.first,
                           .adjacency = w.to,
                           .vwgt = w.vwgt,
                           .adjwgt = w.edge_weight};
    HESCA_TRY(err, hesca_cut_tree_named(&c->names, p, model, &g, &cut));
    HESCA_TRY(err, write_parts(c, cut));
fail:
    hesca_cut_free(cut);
    wide_clear(&w);
    return err;
}

int
Partition_tree(int p, int pn, const double *speeds, const int *psizes,
               const int *mlimits, int n, int nedges, const int *nwgt,
               const int *xadj, const int *adjacency, const int *adjwgt,
               int *vp, int *edgecut)
{
    const hesca_speed **model = NULL;
    call c = call_of("Partition_tree", &hesca_graph_argument_names, 8);
    int err;
    c.names.vwgt_name = "nwgt", c.edges_name = "nedges";
    c.n = n, c.edges = nedges, c.vwgt = nwgt, c.first = xadj;
    c.to = adjacency, c.edge_weight = adjwgt, c.vp = vp, c.edgecut = edgecut;
    c.vp_arg = 12;
    HESCA_TRY(err, hesca_hdpi_models(c.names.routine, 2, p, pn, speeds, psizes,
                                     mlimits, &model));
    HESCA_TRY(err, cut_tree(&c, p, model));
fail:
    hesca_hdpi_models_free(p, model);
    return hesca_hdpi_status(err);
}
