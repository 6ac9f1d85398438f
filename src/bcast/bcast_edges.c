/* SPDX-License-Identifier: BSD-3-Clause */
/* Broadcast algorithms that choose an edge from A to B by its cost plus a
 * value of its sender: 0 (FEF), its ready time (ECEF, progressive MST), or the
 * time for which it has been sending (balanced MST).  In a chain only the last
 * receiver may send.
 *
 * Since this value is the same for all edges of a sender, its best edge is its
 * cheapest one, and a step compares one edge of each sender: O(N^2) without
 * the sorting of edges; O(N^2 log^2 N) in total, usually O(N^2). */
#include "base/status.h"
#include "bcast/nearest.h"
#include "bcast/tree.h"
#include <limits.h>
#include <math.h>
#include <stdlib.h>

enum { FEF, ECEF, BALANCED, CHAIN };

/* --- growth by edges ---
 * dest[i] is the cheapest receiver of sender i; it is updated before it is
 * used if it has left B. */

/* The value that is added to the costs of the edges of sender i. */
static double
sender_value(const hesca_growth *g, int variant, int i)
{
    switch (variant) {
    case FEF:
        return 0;
    case ECEF:
        return g->ready[i];
    case BALANCED:
        return g->ready[i] - g->joined[i];
    default: /* the last receiver alone may send */
        return i == (g->b->n > 0 ? g->b->send[g->b->n - 1].dest : i)
                   ? 0
                   : INFINITY;
    }
}

/* The cheapest edge of every member of A. */
typedef struct {
    hesca_nearest nearest;
    int *dest; /* [nproc] -1: no edge to B */
    double *cost;
} best_edges;

static void
find_edge(best_edges *f, int i)
{
    const hesca_broadcast_problem *x = f->nearest.g->problem;
    f->dest[i] = hesca_nearest_get(&f->nearest, i);
    f->cost[i] =
        f->dest[i] < 0 ? INFINITY : hesca_broadcast_cost(x, i, f->dest[i]);
}

/* The sender of the best edge, -1 if there is none. */
static int
best_sender(best_edges *f, int variant)
{
    const hesca_growth *g = f->nearest.g;
    double least = INFINITY;
    int best = -1;
    for (int k = 0; k < g->na; ++k) {
        const int i = g->a[k];
        if (f->dest[i] >= 0 && !g->wants[f->dest[i]])
            find_edge(f, i);
        const double value = sender_value(g, variant, i) + f->cost[i];
        if (value < least) {
            least = value;
            best = i;
        }
    }
    return best;
}

static int
grow(hesca_growth *g, best_edges *f, int variant)
{
    find_edge(f, g->problem->root);
    while (g->nb > 0) {
        const int i = best_sender(f, variant);
        if (i < 0)
            return hesca_growth_stuck(g);
        const int j = f->dest[i];
        hesca_growth_send(g, i, j);
        find_edge(f, j);
    }
    return HESCA_SUCCESS;
}

static int
make(const hesca_broadcast_algorithm *algorithm,
     const hesca_broadcast_problem *problem, hesca_broadcast *b)
{
    const size_t n = (size_t)problem->nproc;
    hesca_growth g;
    best_edges f = {.dest = malloc(n * sizeof *f.dest),
                    .cost = malloc(n * sizeof *f.cost)};
    int err = hesca_growth_init(&g, problem, b);
    if (err < 0)
        goto fail;
    if (f.dest == NULL || f.cost == NULL)
        HESCA_TRY(err, hesca_fail(HESCA_ERR_NOMEM, 0, "edges of %d processes",
                                  problem->nproc));
    HESCA_TRY(err, hesca_nearest_init(&f.nearest, &g));
    HESCA_TRY(err, grow(&g, &f, algorithm->variant));
fail:
    hesca_nearest_clear(&f.nearest);
    hesca_growth_clear(&g);
    free(f.dest);
    free(f.cost);
    return err;
}

const hesca_broadcast_algorithm hesca_broadcast_by_fef = {
    .name = "fef",
    .help = "fastest edge first",
    .most = INT_MAX,
    .variant = FEF,
    .make = make,
};

/* --- the algorithms --- They differ in the value of a sender only. */

/* Not from BHAT-COL: the edges of a sender become more expensive with the time
 * of its messages, so that the tree has cheap edges and no sender has too many
 * of them.  Its depth has no influence: a tree for many consecutive messages.
 */
const hesca_broadcast_algorithm hesca_broadcast_by_balanced_mst = {
    .name = "balanced-mst",
    .help = "a spanning tree whose senders share the work, for segments",
    .most = INT_MAX,
    .variant = BALANCED,
    .make = make,
};

const hesca_broadcast_algorithm hesca_broadcast_by_chain = {
    .name = "chain",
    .help = "each receiver sends once, to the nearest remaining process",
    .most = INT_MAX,
    .variant = CHAIN,
    .make = make,
};

/* BHAT-COL 6 has a sketch: Prim's algorithm, where after each step some
 * weights are updated to reflect the change in ready times.  If those of the
 * sender and of the receiver are updated, the weights are those of ECEF.  The
 * remaining difference, as interpreted here: the result is a tree, not an
 * order, so its messages are sent in the best order of the tree. */
static int
make_progressive(const hesca_broadcast_algorithm *algorithm,
                 const hesca_broadcast_problem *problem, hesca_broadcast *b)
{
    hesca_tree t;
    int err = hesca_tree_init(&t, problem);
    if (err < 0)
        return err;
    HESCA_TRY(err, make(algorithm, problem, b));
    hesca_tree_read(&t, b);
    hesca_tree_write(&t, b);
fail:
    hesca_tree_clear(&t);
    return err;
}

const hesca_broadcast_algorithm hesca_broadcast_by_progressive_mst = {
    .name = "progressive-mst",
    .help = "Prim's algorithm with ready times, sends in the best order",
    .most = INT_MAX,
    .variant = ECEF,
    .make = make_progressive,
};

/* With relays, ECEF is the look-ahead algorithm without the look-ahead term.
 */
static int
make_ecef(const hesca_broadcast_algorithm *algorithm,
          const hesca_broadcast_problem *problem, hesca_broadcast *b)
{
    if (problem->relays && problem->dest != NULL)
        return hesca_lookahead(problem, HESCA_AHEAD_NOTHING, 1, b);
    return make(algorithm, problem, b);
}

const hesca_broadcast_algorithm hesca_broadcast_by_ecef = {
    .name = "ecef",
    .help = "earliest completing edge first",
    .most = INT_MAX,
    .relays = 1,
    .variant = ECEF,
    .make = make_ecef,
};
