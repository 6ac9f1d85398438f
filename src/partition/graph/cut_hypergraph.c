/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/status.h"
#include "partition/graph/cut.h"
#include "partition/graph/hypergraph.h"

int
hesca_cut_hypergraph_named(const hesca_argument_names *names, int p,
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
    HESCA_TRY(err, hesca_cut_check(names, p, speed, h, "hypergraph", cut));
    HESCA_TRY(err, hesca_engine_check(names->routine, how_arg, how, &full));
    HESCA_TRY(err,
              hesca_hypergraph_nets_init(names, h, full.objective, &nets));
    HESCA_TRY(err, hesca_hypergraph_nets_expand(&nets, &g));
    const hesca_cut_job job = {.names = names,
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
    hesca_argument_names names = hesca_hypergraph_argument_names;
    names.routine = "hesca_cut_hypergraph";
    names.prefix = "hypergraph->";
    names.p = 1;
    names.n = names.edges = names.vwgt = names.first = names.to =
        names.edge_weight = 3;
    return hesca_cut_hypergraph_named(&names, p, speed, hypergraph, how, 4,
                                      cut);
}
