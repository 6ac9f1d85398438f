/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/arith.h"
#include "base/status.h"
#include "partition/graph/coarsen.h"
#include "partition/graph/refinement.h"
#include <stdlib.h>

/* Coarsening ends at VERTICES_PER_PART vertices for each part, at least
 * COARSEST_LEAST, or when a level is not smaller by a tenth. */
enum { VERTICES_PER_PART = 30, COARSEST_LEAST = 120, LEVELS = 60 };

/* Set the pointers of a level to its address in the array. */
static void
bind(hesca_level *l)
{
    l->connectivity = hesca_connectivity_graph(&l->graph);
    l->x.connectivity = &l->connectivity;
}

/* Create levels 0 ... *n - 1, each coarser than the one before. */
static int
coarsen_all(hesca_adjacency *graph, const hesca_partition_problem *x,
            const int64_t *no_limits, hesca_level *level, int *n)
{
    const int64_t coarsest =
        hesca_max(COARSEST_LEAST, (int64_t)VERTICES_PER_PART * x->p);
    int64_t sum = 0;
    int err = HESCA_SUCCESS;
    for (int64_t v = 0; v < x->n; ++v)
        sum += hesca_weight(x, v);
    for (*n = 0; *n < LEVELS && x->n > coarsest; ++*n) {
        HESCA_TRY(err, hesca_coarsen(graph, x, sum / coarsest * 3 / 2 + 1,
                                     &level[*n]));
        bind(&level[*n]);
        /* Tolerances of less than half a vertex are left to finer levels, and
         * limits, which count vertices, to the finest one. */
        level[*n].x.slack = (double)level[*n].x.heaviest / 2;
        level[*n].x.most = (int64_t *)no_limits;
        const int is_stuck = level[*n].graph.n * 10 > x->n * 9;
        x = &level[*n].x;
        graph = &level[*n].graph;
        if (is_stuck) {
            ++*n;
            break;
        }
    }
fail:
    return err;
}

/* Project the parts of the coarser level, and refine them. */
static int
refine(hesca_partition_state *finer, const hesca_level *coarser,
       const hesca_partition_state *coarse)
{
    for (int64_t v = 0; v < finer->x->n; ++v)
        finer->part[v] = coarse->part[coarser->coarse[v]];
    hesca_partition_state_count(finer);
    return hesca_polish(finer);
}

int
hesca_multilevel(hesca_adjacency *graph, hesca_partition_state *s)
{
    hesca_level *level = calloc(LEVELS, sizeof *level);
    int64_t *no_limits = malloc((size_t)s->x->p * sizeof *no_limits);
    hesca_partition_state now = {.x = NULL}, coarse = {.x = NULL};
    int err = HESCA_SUCCESS, n = 0;
    if (level == NULL || no_limits == NULL)
        HESCA_TRY(err, hesca_fail(HESCA_ERR_NOMEM, 0, "levels of a graph"));
    for (int i = 0; i < s->x->p; ++i)
        no_limits[i] = s->x->n;
    HESCA_TRY(err, coarsen_all(graph, s->x, no_limits, level, &n));
    if (n == 0)
        HESCA_TRY(err, hesca_initial_partition(graph, s));
    for (int i = n - 1; i >= 0; --i) {
        if (i == n - 1) {
            HESCA_TRY(err, hesca_partition_state_init(&coarse, &level[i].x));
            HESCA_TRY(err, hesca_initial_partition(&level[i].graph, &coarse));
        }
        if (i > 0)
            HESCA_TRY(err, hesca_partition_state_init(&now, &level[i - 1].x));
        HESCA_TRY(err, refine(i > 0 ? &now : s, &level[i], &coarse));
        hesca_partition_state_clear(&coarse);
        coarse = now;
        now = (hesca_partition_state){.x = NULL};
    }
fail:
    hesca_partition_state_clear(&coarse);
    hesca_partition_state_clear(&now);
    for (int i = 0; level != NULL && i < n; ++i)
        hesca_level_clear(&level[i]);
    free(level);
    free(no_limits);
    return err;
}
