/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/status.h"
#include "partition/graph/refinement.h"
#include <string.h>

/* Trials of growth; most vertices for each part, and most edge ends for each
 * vertex, for which recursive bisection is tried; most parts for its second
 * trial, which separates one part at a time. */
enum { GROW_TRIALS = 6, MANY_VERTICES = 200, DENSE = 24, FEW_PARTS = 64 };

/* The best partition so far. */
typedef struct {
    hesca_partition_state *s;
    int tried;
    double violation;
    int64_t cut;
} best_of;

static void
accept_if_better(best_of *b, const hesca_partition_state *trial)
{
    const hesca_partition_problem *x = trial->x;
    const double violation = hesca_partition_state_violation(trial);
    const int64_t cut =
        x->connectivity->kind->cut(x->connectivity, trial->part);
    if (b->tried++ > 0 && (violation > b->violation ||
                           (violation >= b->violation && cut >= b->cut)))
        return;
    b->violation = violation;
    b->cut = cut;
    memcpy(b->s->part, trial->part, (size_t)x->n * sizeof *trial->part);
}

/* The number of trials of recursive bisection. */
static int
halvings(const hesca_adjacency *graph, const hesca_partition_problem *x)
{
    if (x->p <= 2 || x->n > (int64_t)MANY_VERTICES * x->p ||
        graph->first[x->n] > DENSE * x->n)
        return 0;
    return x->p <= FEW_PARTS ? 2 : 1;
}

int
hesca_initial_partition(hesca_adjacency *graph, hesca_partition_state *s)
{
    hesca_partition_state trial = {.x = NULL};
    best_of best = {.s = s};
    int err = HESCA_SUCCESS;
    const int nhalved = halvings(graph, s->x);
    for (int i = 0; i < GROW_TRIALS + nhalved; ++i) {
        HESCA_TRY(err, hesca_partition_state_init(&trial, s->x));
        HESCA_TRY(err, i >= GROW_TRIALS ? hesca_graph_halve(graph, &trial, i)
                                        : hesca_grow(&trial, i));
        HESCA_TRY(err, hesca_polish(&trial));
        accept_if_better(&best, &trial);
        hesca_partition_state_clear(&trial);
    }
    hesca_partition_state_count(s);
fail:
    hesca_partition_state_clear(&trial);
    return err;
}
