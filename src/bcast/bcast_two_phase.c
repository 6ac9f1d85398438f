/* SPDX-License-Identifier: BSD-3-Clause */
/* The two-phase approach: BHAT-COL 6, a sketch.
 *
 * As published: the first phase computes a minimum spanning tree, by an
 * algorithm for directed graphs if costs are not symmetric; its structure
 * guides the selection of intermediate nodes in the second phase, which
 * computes the schedule.  The paper leaves the selection open; chosen here: a
 * process may receive when its parent in the tree has the message, from the
 * member of A that delivers first; the next step has the least
 * R_i + C_ij - tail_j, where tail_j is the time that the tree below j takes.
 * So intermediate nodes come early if the tree below them takes long.  In
 * multicast the tree spans the root and the destinations. */
#include "base/status.h"
#include "bcast/arborescence.h"
#include "bcast/tree.h"
#include <limits.h>
#include <math.h>
#include <stdlib.h>

typedef struct {
    hesca_growth g;
    hesca_tree tree;
    int *parent; /* [nproc] */
    int *from;   /* [nproc] earliest sender to a process that may receive; -1:
                    it may not yet */
} plan;

/* The tree of root and destinations, which have consecutive numbers here. */
static int
span(plan *p)
{
    const hesca_broadcast_problem *x = p->g.problem;
    const size_t n = (size_t)p->g.nb + 1;
    double *cost = malloc(n * n * sizeof *cost);
    int *up = malloc(2 * n * sizeof *up), *name, err = HESCA_SUCCESS;
    if (cost == NULL || up == NULL)
        HESCA_TRY(err,
                  hesca_fail(HESCA_ERR_NOMEM, 0, "spanning tree of %zu", n));
    name = up + n;
    for (size_t i = 0; i < n; ++i)
        name[i] = i == 0 ? x->root : p->g.bs[i - 1];
    for (size_t i = 0; i < n; ++i)
        for (size_t j = 0; j < n; ++j)
            cost[i * n + j] = hesca_broadcast_cost(x, name[i], name[j]);
    HESCA_TRY(err, hesca_arborescence((int)n, cost, 0, up));
    for (int i = 0; i < x->nproc; ++i)
        p->parent[i] = -1;
    for (size_t i = 1; i < n; ++i)
        p->parent[name[i]] = name[up[i]];
    hesca_tree_build(&p->tree, p->parent);
fail:
    free(cost);
    free(up);
    return err;
}

static double
arrival(const plan *p, int i, int j)
{
    return p->g.ready[i] + hesca_broadcast_cost(p->g.problem, i, j);
}

static void
find_sender(plan *p, int j)
{
    p->from[j] = p->parent[j];
    for (int k = 0; k < p->g.na; ++k)
        if (arrival(p, p->g.a[k], j) < arrival(p, p->from[j], j))
            p->from[j] = p->g.a[k];
}

/* The receiver of the next step. */
static int
choose(const plan *p)
{
    double least = INFINITY;
    int best = -1;
    for (int k = 0; k < p->g.nb; ++k) {
        const int j = p->g.bs[k];
        if (p->from[j] < 0)
            continue;
        const double value = arrival(p, p->from[j], j) - p->tree.tail[j];
        if (value < least) {
            least = value;
            best = j;
        }
    }
    return best;
}

static void
grow(plan *p)
{
    const int root = p->g.problem->root;
    for (int j = 0; j < p->g.problem->nproc; ++j)
        p->from[j] = p->parent[j] == root ? root : -1;
    while (p->g.nb > 0) {
        const int j = choose(p), i = p->from[j];
        hesca_growth_send(&p->g, i, j);
        for (int k = 0; k < p->g.nb; ++k) {
            const int l = p->g.bs[k];
            if (p->parent[l] == j || p->from[l] == i)
                find_sender(p, l);
            else if (p->from[l] >= 0 &&
                     arrival(p, j, l) < arrival(p, p->from[l], l))
                p->from[l] = j;
        }
    }
}

static int
make(const hesca_broadcast_algorithm *algorithm,
     const hesca_broadcast_problem *problem, hesca_broadcast *b)
{
    plan p = {.parent = malloc(2 * (size_t)problem->nproc * sizeof *p.parent)};
    int err = hesca_growth_init(&p.g, problem, b);
    (void)algorithm;
    if (err < 0)
        goto fail;
    if (p.parent == NULL)
        HESCA_TRY(err, hesca_fail(HESCA_ERR_NOMEM, 0, "%d processes",
                                  problem->nproc));
    p.from = p.parent + problem->nproc;
    HESCA_TRY(err, hesca_tree_init(&p.tree, problem));
    HESCA_TRY(err, span(&p));
    grow(&p);
fail:
    hesca_tree_clear(&p.tree);
    hesca_growth_clear(&p.g);
    free(p.parent);
    return err;
}

const hesca_broadcast_algorithm hesca_broadcast_by_two_phase = {
    .name = "two-phase",
    .help = "schedule guided by a minimum spanning tree",
    .most = INT_MAX,
    .make = make,
};
