#include "base/status.h"
#include "partition/graph/cut.h"
#include "partition/graph/hypergraph.h"

int
hesca_cut_hypergraph_told(const hesca_told *told, int p,
                          const hesca_speed *const *speed,
                          const hesca_hypergraph *h,
                          const hesca_cut_options *how, int how_arg,
                          hesca_cut **cut)
{
    hesca_nets nets = {.h = NULL};
    hesca_adjacency g = {.n = 0};
    hesca_bonds bonds = hesca_bonds_nets(&nets);
    hesca_cut_options full;
    hesca_cut *c = NULL;
    int err;
    HESCA_TRY(err, hesca_cut_check(told, p, speed, h, "hypergraph", cut));
    HESCA_TRY(err, hesca_engine_check(told->routine, how_arg, how, &full));
    HESCA_TRY(err, hesca_nets_make(told, h, full.objective, &nets));
    HESCA_TRY(err, hesca_nets_expand(&nets, &g));
    const hesca_cut_job job = {.told = told,
                               .how_arg = how_arg,
                               .p = p,
                               .speed = speed,
                               .graph = &g,
                               .bonds = &bonds,
                               .how = &full};
    HESCA_TRY(err, hesca_cut_solve(&job, &c));
    hesca_nets_measure(&nets, c->part, &c->edges, &c->weight, &c->volume);
fail:
    hesca_nets_clear(&nets);
    hesca_adjacency_clear(&g);
    if (cut != NULL)
        *cut = c;
    return err;
}

int
hesca_cut_hypergraph(int p, const hesca_speed *const *speed,
                     const hesca_hypergraph *hypergraph,
                     const hesca_cut_options *how, hesca_cut **cut)
{
    hesca_told told = hesca_told_hypergraph;
    told.routine = "hesca_cut_hypergraph";
    told.prefix = "hypergraph->";
    told.p = 1;
    told.n = told.edges = told.vwgt = told.first = told.to = told.edge_weight =
        3;
    return hesca_cut_hypergraph_told(&told, p, speed, hypergraph, how, 4, cut);
}
