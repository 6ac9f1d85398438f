#include "base/status.h"
#include "partition/cut.h"

int
hesca_cut_graph_told(const hesca_told *told, int p,
                     const hesca_speed *const *speed, const hesca_graph *graph,
                     const hesca_cut_options *how, int how_arg,
                     hesca_cut **cut)
{
    hesca_adjacency g = {.n = 0};
    hesca_problem_parts x = {.p = 0};
    hesca_parting s = {.x = NULL};
    hesca_bonds bonds = hesca_bonds_graph(&g);
    hesca_cut_options full;
    hesca_cut raw = {.p = 0}, *c = NULL;
    int err;
    HESCA_TRY(err, hesca_cut_check(told, p, graph, cut));
    HESCA_TRY(err, hesca_engine_check(told->routine, how_arg, how, &full));
    HESCA_TRY(err, hesca_adjacency_make(told, graph, &g));
    HESCA_TRY(err, hesca_targets_make(told->routine, told->p + 1, p, speed,
                                      g.n, g.vwgt, graph->vtype, &x));
    x.tolerance = full.tolerance;
    x.bonds = &bonds;
    HESCA_TRY(err, hesca_cut_solve(told, how_arg, &g, &x, &full, &s, &raw));
    HESCA_TRY(err, hesca_cut_make(&s, &x, speed, &c));
    c->engine = raw.engine;
    c->raw_weight = raw.raw_weight;
    c->raw_deviation = raw.raw_deviation;
    HESCA_TRY(err, hesca_cut_measure(&g, c));
fail:
    hesca_parting_clear(&s);
    hesca_targets_clear(&x);
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
