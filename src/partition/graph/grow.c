#include "base/arith.h"
#include "base/status.h"
#include "partition/graph/gains.h"
#include "partition/graph/refinement.h"
#include <stdlib.h>

/* Vertices that are looked at for all first seeds, and for another one. */
enum { SEEN = 10000000, FEW = 256 };

typedef struct {
    hesca_partition_state *s;
    hesca_ties ties;
    hesca_gains gains;
    int part;     /* that grows */
    int64_t next; /* from the trial's place on all before it are in parts */
} growth;

static int64_t
gain_of(growth *g, int64_t v)
{
    const hesca_partition_state *s = g->s;
    hesca_ties_reset(&g->ties);
    s->x->connectivity->kind->ties(s->x->connectivity, s->part, v, &g->ties);
    return g->ties.tie[g->part] - g->ties.tie[s->x->p];
}

static void
look(void *state, int64_t v)
{
    growth *g = state;
    if (g->s->part[v] == g->s->x->p)
        hesca_gains_put(&g->gains, v, gain_of(g, v));
}

/* The vertex in no part that a part begins with, or goes on with where it has
 * no neighbours left: the least tied to others in none, from a place on that
 * depends on the trial, of the next `reach` vertices; -1 if there is none. */
static int64_t
find_seed(growth *g, int trial, int64_t reach)
{
    const int none = g->s->x->p, *part = g->s->part;
    const int64_t n = g->s->x->n, first = n / 7 * trial;
    int64_t best = -1, most = 0;
    while (g->next < n && part[(first + g->next) % n] != none)
        ++g->next;
    for (int64_t i = g->next; i < n && i - g->next < reach; ++i) {
        const int64_t v = (first + i) % n;
        if (part[v] != none)
            continue;
        const int64_t gain = gain_of(g, v);
        if (best < 0 || gain > most) {
            best = v;
            most = gain;
        }
    }
    return best;
}

/* Load and target of a part, all classes together. */
static double
lacks(const hesca_partition_state *s, int part)
{
    const hesca_partition_problem *x = s->x;
    double sum = 0;
    for (int c = 0; c < x->classes; ++c)
        sum += x->target[c * x->p + part] - (double)s->load[c * x->p + part];
    return sum;
}

/* Add vertices while that brings the part nearer to its target. */
static void
fill(growth *g, int part, int trial)
{
    hesca_partition_state *s = g->s;
    /* A graph of very many components needs as many seeds. */
    int64_t reach = hesca_max(FEW, SEEN / s->x->p);
    g->part = part;
    hesca_gains_empty(&g->gains);
    while (s->count[part] < s->x->most[part]) {
        const int64_t v =
            g->gains.n > 0 ? g->gains.heap[0] : find_seed(g, trial, reach);
        if (v < 0 ||
            2 * lacks(s, part) < (double)hesca_max(1, hesca_weight(s->x, v)))
            return;
        reach = FEW;
        hesca_gains_drop(&g->gains, v);
        hesca_partition_state_move(s, v, part);
        s->x->connectivity->kind->around(s->x->connectivity, v, look, g);
    }
}

/* Parts in descending order of targets in even trials, else ascending; the
 * last takes what is left. */
static int
next_part(const hesca_partition_state *s, const char *is_done, int trial)
{
    int best = -1;
    for (int i = 0; i < s->x->p; ++i) {
        if (is_done[i])
            continue;
        if (best < 0 || (trial % 2 == 0 ? lacks(s, i) > lacks(s, best)
                                        : lacks(s, i) < lacks(s, best)))
            best = i;
    }
    return best;
}

int
hesca_grow(hesca_partition_state *s, int trial)
{
    growth g = {.s = s};
    char *is_done = NULL;
    int err, last = 0;
    HESCA_TRY(err, hesca_ties_init(&g.ties, s->x->p));
    HESCA_TRY(err, hesca_gains_init(&g.gains, s->x->n));
    is_done = calloc((size_t)s->x->p, 1);
    if (is_done == NULL)
        HESCA_TRY(err, hesca_fail(HESCA_ERR_NOMEM, 0, "%d parts", s->x->p));
    s->x->connectivity->kind->begin(s->x->connectivity, s->part);
    for (int i = 0; i < s->x->p; ++i) {
        last = next_part(s, is_done, trial);
        is_done[last] = 1;
        if (i < s->x->p - 1)
            fill(&g, last, trial);
    }
    for (int64_t v = 0; v < s->x->n; ++v)
        if (s->part[v] == s->x->p)
            hesca_partition_state_move(s, v, last);
fail:
    hesca_ties_clear(&g.ties);
    hesca_gains_clear(&g.gains);
    free(is_done);
    return err;
}
