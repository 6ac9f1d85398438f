/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/status.h"
#include "partition/graph/cut.h"
#include "partition/tree/rooted.h"
#include <math.h>

/* Use the best applicable method; *exact: the result is optimal. */
static int
solve(const hesca_rooted *r, int *piece, int *exact)
{
    double time;
    int err;
    *exact = 1;
    if (hesca_tree_is_equal(r))
        return hesca_tree_equal(r, piece);
    HESCA_TRY(err, hesca_tree_halve(r, piece));
    HESCA_TRY(err, hesca_tree_shift(r, piece));
    if (hesca_tree_is_small(r))
        return hesca_tree_exact(r, piece);
    *exact = 0;
    HESCA_TRY(err, hesca_rooted_makespan(r, piece, &time));
    if (!isfinite(time))
        err = hesca_fail(HESCA_ERR_UNSUPPORTED, 0,
                         "no %d connected parts within the limits were found, "
                         "though there may be some",
                         r->x->p);
fail:
    return err;
}

int
hesca_cut_tree_named(const hesca_argument_names *names, int p,
                     const hesca_speed *const *speed, const hesca_graph *tree,
                     hesca_cut **cut)
{
    hesca_adjacency g = {.n = 0};
    hesca_connectivity connectivity = hesca_connectivity_graph(&g);
    hesca_partition_problem x = {.p = 0};
    hesca_rooted r = {.x = NULL};
    hesca_partition_state s = {.x = NULL};
    hesca_cut *c = NULL;
    int err, exact;
    HESCA_TRY(err, hesca_cut_check(names, p, speed, tree, "tree", cut));
    HESCA_TRY(err, hesca_adjacency_make_tree(names, tree, &g));
    HESCA_TRY(err, hesca_targets_init(names->routine, names->p + 1, p, speed,
                                      g.n, g.vwgt, NULL, &x));
    x.connectivity = &connectivity;
    HESCA_TRY(err, hesca_rooted_init(&g, &x, speed, &r));
    HESCA_TRY(err, hesca_partition_state_init(&s, &x));
    HESCA_TRY(err, solve(&r, s.part, &exact));
    hesca_partition_state_count(&s);
    HESCA_TRY(err, hesca_cut_make(&s, &x, speed, &c));
    HESCA_TRY(err, hesca_cut_measure(&g, c));
    c->exact = exact;
    c->engine = HESCA_ENGINE_OWN;
    c->raw_weight = c->weight;
    c->raw_deviation = c->deviation;
fail:
    hesca_partition_state_clear(&s);
    hesca_rooted_clear(&r);
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
hesca_cut_tree(int p, const hesca_speed *const *speed, const hesca_graph *tree,
               hesca_cut **cut)
{
    hesca_argument_names names = hesca_graph_argument_names;
    names.routine = "hesca_cut_tree";
    names.prefix = "tree->";
    names.p = 1;
    names.n = names.vwgt = names.first = names.to = names.edge_weight =
        names.vtype = 3;
    return hesca_cut_tree_named(&names, p, speed, tree, cut);
}
