#include "base/status.h"
#include "partition/graph/cut.h"

int
hesca_cut_graph_told(const hesca_told *told, int p,
                     const hesca_speed *const *speed, const hesca_graph *graph,
                     const hesca_cut_options *how, int how_arg,
                     hesca_cut **cut)
{
    hesca_adjacency g = {.n = 0};
    hesca_bonds bonds = hesca_bonds_graph(&g);
    hesca_cut_options full;
    hesca_cut *c = NULL;
    int err;
    HESCA_TRY(err, hesca_cut_check(told, p, speed, graph, "graph", cut));
    HESCA_TRY(err, hesca_engine_check(told->routine, how_arg, how, &full));
    HESCA_TRY(err, hesca_adjacency_make(told, graph, &g));
    const hesca_cut_job job = {.told = told,
                               .how_arg = how_arg,
                               .p = p,
                               .speed = speed,
                               .graph = &g,
                               .class_of = graph->vtype,
                               .bonds = &bonds,
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
    hesca_told told = hesca_told_graph;
    told.routine = "hesca_cut_graph";
    told.prefix = "graph->";
    told.p = 1;
    told.n = told.vwgt = told.first = told.to = told.edge_weight = told.vtype =
        3;
    return hesca_cut_graph_told(&told, p, speed, graph, how, 4, cut);
}
