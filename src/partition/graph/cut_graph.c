/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/status.h"
#include "partition/graph/cut.h"

int
hesca_cut_graph_named(const hesca_argument_names *names, int p,
                      const hesca_speed *const *speed,
                      const hesca_graph *graph, const hesca_cut_options *how,
                      int how_arg, hesca_cut **cut)
{
    hesca_adjacency g = {.n = 0};
    hesca_connectivity connectivity = hesca_connectivity_graph(&g);
    hesca_cut_options full;
    hesca_cut *c = NULL;
    int err;
    HESCA_TRY(err, hesca_cut_check(names, p, speed, graph, "graph", cut));
    HESCA_TRY(err, hesca_engine_check(names->routine, how_arg, how, &full));
    HESCA_TRY(err, hesca_adjacency_init(names, graph, &g));
    const hesca_cut_job job = {.names = names,
                               .how_arg = how_arg,
                               .p = p,
                               .speed = speed,
                               .graph = &g,
                               .class_of = graph->vtype,
                               .connectivity = &connectivity,
                               .how = &full};
    HESCA_TRY(err, hesca_cut_solve(&job, &c));
    HESCA_TRY(err, hesca_cut_measure(&g, c));
fail:
    hesca_adjacency_clear(&g);
    if (err < 0) {
        hesca_cut_free(c);
        c = NULL;
    }
    if (cut != NULL)
        *cut = c;
    return err;
}

int
hesca_cut_graph(int p, const hesca_speed *const *speed,
                const hesca_graph *graph, const hesca_cut_options *how,
                hesca_cut **cut)
{
    hesca_argument_names names = hesca_graph_argument_names;
    names.routine = "hesca_cut_graph";
    names.prefix = "graph->";
    names.p = 1;
    names.n = names.vwgt = names.first = names.to = names.edge_weight =
        names.vtype = 3;
    return hesca_cut_graph_named(&names, p, speed, graph, how, 4, cut);
}
