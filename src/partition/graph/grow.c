/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/arith.h"
#include "base/status.h"
#include "partition/graph/gains.h"
#include "partition/graph/refinement.h"
#include <stdlib.h>

/* Vertices evaluated for the first seeds of all parts together, and for each
 * later seed. */
enum { FIRST_REACH = 10000000, LATER_REACH = 256 };

typedef struct {
    hesca_partition_state *s;
    hesca_degrees degrees;
    hesca_gains gains;
    int part;     /* the growing part */
    int64_t next; /* vertices before it, counted from the start of the trial,
                     are assigned */
} growth;

static int64_t
gain_of(growth *g, int64_t v)
{
    const hesca_partition_state *s = g->s;
    hesca_degrees_reset(&g->degrees);
    s->x->connectivity->kind->degrees(s->x->connectivity, s->part, v,
                                      &g->degrees);
    return g->degrees.degree[g->part] - g->degrees.degree[s->x->p];
}

static void
update(void *state, int64_t v)
{
    growth *g = state;
    if (g->s->part[v] == g->s->x->p)
        hesca_gains_put(&g->gains, v, gain_of(g, v));
}

/* The seed of a part, also if the part has no unassigned neighbour left: of
 * the next `reach` vertices from a start that depends on the trial, the
 * unassigned one with the smallest degree to other unassigned vertices; -1 if
 * there is none. */
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

/* Target less load of a part, summed over classes. */
static double
deficit(const hesca_partition_state *s, int part)
{
    const hesca_partition_problem *x = s->x;
    double sum = 0;
    for (int c = 0; c < x->classes; ++c)
        sum += x->target[c * x->p + part] - (double)s->load[c * x->p + part];
    return sum;
}

/* Add vertices as long as that brings the part nearer to its target. */
static void
grow_part(growth *g, int part, int trial)
{
    hesca_partition_state *s = g->s;
    /* A graph of very many components needs as many seeds. */
    int64_t reach = hesca_max(LATER_REACH, FIRST_REACH / s->x->p);
    g->part = part;
    hesca_gains_empty(&g->gains);
    while (s->count[part] < s->x->most[part]) {
        const int64_t v =
            g->gains.n > 0 ? g->gains.heap[0] : find_seed(g, trial, reach);
        if (v < 0 ||
            2 * deficit(s, part) < (double)hesca_max(1, hesca_weight(s->x, v)))
            return;
        reach = LATER_REACH;
        hesca_gains_drop(&g->gains, v);
        hesca_partition_state_move(s, v, part);
        s->x->connectivity->kind->around(s->x->connectivity, v, update, g);
    }
}

/* Parts in descending order of deficit in even trials, else ascending; the
 * last part takes all remaining vertices. */
static int
next_part(const hesca_partition_state *s, const char *is_done, int trial)
{
    int best = -1;
    for (int i = 0; i < s->x->p; ++i) {
        if (is_done[i])
            continue;
        if (best < 0 || (trial % 2 == 0 ? deficit(s, i) > deficit(s, best)
                                        : deficit(s, i) < deficit(s, best)))
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
    HESCA_TRY(err, hesca_degrees_init(&g.degrees, s->x->p));
    HESCA_TRY(err, hesca_gains_init(&g.gains, s->x->n));
    is_done = calloc((size_t)s->x->p, 1);
    if (is_done == NULL)
        HESCA_TRY(err, hesca_fail(HESCA_ERR_NOMEM, 0, "%d parts", s->x->p));
    s->x->connectivity->kind->start(s->x->connectivity, s->part);
    for (int i = 0; i < s->x->p; ++i) {
        last = next_part(s, is_done, trial);
        is_done[last] = 1;
        if (i < s->x->p - 1)
            grow_part(&g, last, trial);
    }
    for (int64_t v = 0; v < s->x->n; ++v)
        if (s->part[v] == s->x->p)
            hesca_partition_state_move(s, v, last);
fail:
    hesca_degrees_clear(&g.degrees);
    hesca_gains_clear(&g.gains);
    free(is_done);
    return err;
}
