#include "base/status.h"
#include "partition/graph/cut.h"
#include "partition/graph/hypergraph.h"

int
hesca_cut_hypergraph_named(const hesca_argument_names *told, int p,
                           const hesca_speed *const *speed,
                           const hesca_hypergraph *h,
                           const hesca_cut_options *how, int how_arg,
                           hesca_cut **cut)
{
    hesca_hypergraph_nets nets = {.h = NULL};
    hesca_adjacency g = {.n = 0};
    hesca_connectivity connectivity = hesca_connectivity_nets(&nets);
    hesca_cut_options full;
    hesca_cut *c = NULL;
    int err;
    HESCA_TRY(err, hesca_cut_check(told, p, speed, h, "hypergraph", cut));
    HESCA_TRY(err, hesca_engine_check(told->routine, how_arg, how, &full));
    HESCA_TRY(err, hesca_hypergraph_nets_init(told, h, full.objective, &nets));
    HESCA_TRY(err, hesca_hypergraph_nets_expand(&nets, &g));
    const hesca_cut_job job = {.told = told,
                               .how_arg = how_arg,
                               .p = p,
                               .speed = speed,
                               .graph = &g,
                               .connectivity = &connectivity,
                               .how = &full};
    HESCA_TRY(err, hesca_cut_solve(&job, &c));
    hesca_hypergraph_nets_measure(&nets, c->part, &c->edges, &c->weight,
                                  &c->volume);
fail:
    hesca_hypergraph_nets_clear(&nets);
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
    hesca_argument_names told = hesca_hypergraph_argument_names;
    told.routine = "hesca_cut_hypergraph";
    told.prefix = "hypergraph->";
    told.p = 1;
    told.n = told.edges = told.vwgt = told.first = told.to = told.edge_weight =
        3;
    return hesca_cut_hypergraph_named(&told, p, speed, hypergraph, how, 4,
                                      cut);
}
