/* SPDX-License-Identifier: BSD-3-Clause */
/* Local search in trees: several trees are improved branch by branch, and the
 * best of them by random perturbations.
 *
 * ECEF and look-ahead are good if many links are equal; shortest paths and the
 * two-phase approach find fast processes behind slow links (BHAT-COL Eq. 11),
 * at any distance.  Each tree has the best order of its sends (tree.h).  The
 * number of moves is proportional to N, so the time is O(N^2). */
#include "base/status.h"
#include "bcast/tree_search.h"
#include <limits.h>
#include <math.h>
#include <stdlib.h>

/* Numbers of moves for each tree, and of perturbation: a constant, and a
 * multiple of the number of processes. */
enum { IMPROVE = 50, IMPROVE_EACH = 6, SHAKE = 800, SHAKE_EACH = 15 };

typedef struct {
    const hesca_broadcast_problem *problem;
    hesca_broadcast *b; /* work space */
    hesca_tree tree, best;
    hesca_tree_search search;
    double finish; /* of the best; INFINITY: there is none yet */
} plan;

/* The tree of shortest paths from root. */
static int
shortest_paths(plan *p)
{
    const size_t n = (size_t)p->problem->nproc;
    double *time = malloc(n * sizeof *time);
    int *parent = malloc(n * sizeof *parent), err = HESCA_SUCCESS;
    char *may = malloc(2 * n);
    if (time == NULL || parent == NULL || may == NULL)
        HESCA_TRY(err, hesca_fail(HESCA_ERR_NOMEM, 0, "paths of %d processes",
                                  p->problem->nproc));
    for (size_t i = 0; i < n; ++i) {
        may[i] = p->search.wanted[i] || p->problem->relays;
        time[i] = (int)i == p->problem->root ? 0 : INFINITY;
    }
    hesca_broadcast_paths(p->problem, may, time, parent, may + n);
    hesca_tree_build(&p->tree, parent);
    hesca_tree_prune(&p->tree, p->search.wanted);
fail:
    free(time);
    free(parent);
    free(may);
    return err;
}

/* Improve the present tree, and store it if it is the best so far. */
static void
improve(plan *p)
{
    hesca_tree_search_improve(&p->search, IMPROVE + (long)IMPROVE_EACH *
                                                        p->problem->nproc);
    const double finish = p->tree.tail[p->problem->root];
    if (finish < p->finish) {
        hesca_tree_copy(&p->best, &p->tree);
        p->finish = finish;
    }
}

/* Improve every initial tree.  An algorithm that cannot reach all destinations
 * because it uses no relays is skipped; shortest paths always reach them. */
static int
improve_all(plan *p)
{
    static const hesca_broadcast_algorithm *const begin[] = {
        &hesca_broadcast_by_ecef, &hesca_broadcast_by_lookahead,
        &hesca_broadcast_by_lookahead_avg, &hesca_broadcast_by_two_phase};
    int err = shortest_paths(p);
    if (err < 0)
        return err;
    improve(p);
    for (size_t k = 0; k < sizeof begin / sizeof *begin; ++k) {
        p->b->n = 0;
        err = begin[k]->make(begin[k], p->problem, p->b);
        if (err == HESCA_ERR_UNSUPPORTED)
            continue;
        if (err < 0)
            return err;
        hesca_tree_read(&p->tree, p->b);
        improve(p);
    }
    return HESCA_SUCCESS;
}

static int
make(const hesca_broadcast_algorithm *algorithm,
     const hesca_broadcast_problem *problem, hesca_broadcast *b)
{
    plan p = {.problem = problem, .b = b, .finish = INFINITY};
    int err;
    (void)algorithm;
    HESCA_TRY(err, hesca_tree_init(&p.tree, problem));
    HESCA_TRY(err, hesca_tree_init(&p.best, problem));
    HESCA_TRY(err, hesca_tree_search_init(&p.search, &p.tree));
    HESCA_TRY(err, improve_all(&p));
    hesca_tree_copy(&p.tree, &p.best);
    hesca_tree_search_shake(&p.search,
                            SHAKE + (long)SHAKE_EACH * problem->nproc);
    hesca_tree_write(&p.tree, b);
fail:
    hesca_tree_search_clear(&p.search);
    hesca_tree_clear(&p.best);
    hesca_tree_clear(&p.tree);
    return err;
}

const hesca_broadcast_algorithm hesca_broadcast_by_graft = {
    .name = "graft",
    .help = "the best of several trees, improved branch by branch",
    .most = INT_MAX,
    .relays = 1,
    .make = make,
};
