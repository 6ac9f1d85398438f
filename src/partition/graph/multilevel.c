#include "base/arith.h"
#include "base/status.h"
#include "partition/graph/coarsen.h"
#include "partition/graph/refinement.h"
#include <stdlib.h>

/* The coarsest graph has so many vertices for each part, but not less than
 * LEAST; coarsening ends as well where a level has not got smaller by a
 * tenth. */
enum { EACH = 30, LEAST = 120, LEVELS = 60 };

/* Set the pointers of a level that has been moved in memory. */
static void
bind(hesca_level *l)
{
    l->connectivity = hesca_connectivity_graph(&l->graph);
    l->x.connectivity = &l->connectivity;
}

/* Levels 0 ... *n - 1, each coarser than the one before. */
static int
coarsen_all(hesca_adjacency *graph, const hesca_partition_problem *x,
            const int64_t *any_number, hesca_level *level, int *n)
{
    const int64_t goal = hesca_max(LEAST, (int64_t)EACH * x->p);
    int64_t sum = 0;
    int err = HESCA_SUCCESS;
    for (int64_t v = 0; v < x->n; ++v)
        sum += hesca_weight(x, v);
    for (*n = 0; *n < LEVELS && x->n > goal; ++*n) {
        HESCA_TRY(err,
                  hesca_coarsen(graph, x, sum / goal * 3 / 2 + 1, &level[*n]));
        bind(&level[*n]);
        /* To be nearer than half a vertex is for finer levels, and limits,
         * which count vertices, for the finest one. */
        level[*n].x.slack = (double)level[*n].x.heaviest / 2;
        level[*n].x.most = (int64_t *)any_number;
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

/* Parts of a level from those of the coarser one. */
static int
refine(hesca_partition_state *fine, const hesca_level *coarser,
       const hesca_partition_state *coarse)
{
    for (int64_t v = 0; v < fine->x->n; ++v)
        fine->part[v] = coarse->part[coarser->coarse[v]];
    hesca_partition_state_count(fine);
    return hesca_polish(fine);
}

int
hesca_multilevel(hesca_adjacency *graph, hesca_partition_state *s)
{
    hesca_level *level = calloc(LEVELS, sizeof *level);
    int64_t *any_number = malloc((size_t)s->x->p * sizeof *any_number);
    hesca_partition_state now = {.x = NULL}, coarse = {.x = NULL};
    int err = HESCA_SUCCESS, n = 0;
    if (level == NULL || any_number == NULL)
        HESCA_TRY(err, hesca_fail(HESCA_ERR_NOMEM, 0, "levels of a graph"));
    for (int i = 0; i < s->x->p; ++i)
        any_number[i] = s->x->n;
    HESCA_TRY(err, coarsen_all(graph, s->x, any_number, level, &n));
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
    free(any_number);
    return err;
}
