#include "base/status.h"
#include "partition/graph/refinement.h"
#include <string.h>

/* Growth is tried so many times; halving, where there are not more vertices
 * for each part, nor ends of edges for each vertex, than this; and to take off
 * one part after the other, as the second trial of it does, for few parts. */
enum { GROWN = 6, MANY = 200, DENSE = 24, FEW = 64 };

/* The best partition so far. */
typedef struct {
    hesca_partition_state *s;
    int tried;
    double violation;
    int64_t cut;
} best_of;

static void
keep_better(best_of *b, const hesca_partition_state *trial)
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

/* How many times to halve. */
static int
halvings(const hesca_adjacency *graph, const hesca_partition_problem *x)
{
    if (x->p <= 2 || x->n > (int64_t)MANY * x->p ||
        graph->first[x->n] > DENSE * x->n)
        return 0;
    return x->p <= FEW ? 2 : 1;
}

int
hesca_initial_partition(hesca_adjacency *graph, hesca_partition_state *s)
{
    hesca_partition_state trial = {.x = NULL};
    best_of best = {.s = s};
    int err = HESCA_SUCCESS;
    const int halved = halvings(graph, s->x);
    for (int i = 0; i < GROWN + halved; ++i) {
        HESCA_TRY(err, hesca_partition_state_init(&trial, s->x));
        HESCA_TRY(err, i >= GROWN ? hesca_graph_halve(graph, &trial, i)
                                  : hesca_grow(&trial, i));
        HESCA_TRY(err, hesca_polish(&trial));
        keep_better(&best, &trial);
        hesca_partition_state_clear(&trial);
    }
    hesca_partition_state_count(s);
fail:
    hesca_partition_state_clear(&trial);
    return err;
}
