/* SPDX-License-Identifier: BSD-3-Clause */
/* If limits bind, no vertex can move alone.  Of two parts, the heaviest
 * vertices of one are exchanged with the lightest of the other, from both ends
 * of sorted lists; the fullest part comes first, with the emptiest.  Edges are
 * ignored: few exchanges of large weight cut few edges. */
#include "base/status.h"
#include "partition/graph/refinement.h"
#include <stdlib.h>

/* Sweeps over all parts, O(n log n) each. */
enum { SWEEPS = 32 };

typedef struct {
    int64_t weight, vertex;
} vertex_entry;

typedef struct {
    double excess;
    int part;
} fullness;

typedef struct {
    hesca_partition_state *s;
    int class_of;               /* the class of the vertices exchanged */
    vertex_entry *vertex_entry; /* [n] its vertices, by part, heaviest first */
    int64_t *first;             /* [p + 2] first entry of each part */
    int64_t *next;              /* [p] the next entry to exchange */
    fullness *fullest;          /* [p] descending */
} exchange;

static int
by_weight(const void *a, const void *b)
{
    const vertex_entry *x = a, *y = b;
    return x->weight != y->weight
               ? (x->weight < y->weight ? 1 : -1)
               : (x->vertex > y->vertex) - (x->vertex < y->vertex);
}

static int
by_excess(const void *a, const void *b)
{
    const fullness *x = a, *y = b;
    if (x->excess < y->excess || x->excess > y->excess)
        return x->excess < y->excess ? 1 : -1;
    return x->part - y->part;
}

static int64_t
load_of(const exchange *e, int part)
{
    return e->s->load[e->class_of * e->s->x->p + part];
}

static void
sort_vertices(exchange *e)
{
    const hesca_partition_problem *x = e->s->x;
    const int *part = e->s->part;
    int64_t *end = e->first + 1;
    for (int i = 0; i < x->p + 2; ++i)
        e->first[i] = 0;
    for (int64_t v = 0; v < x->n; ++v)
        e->first[part[v] + 2] += hesca_class(x, v) == e->class_of;
    for (int i = 0; i < x->p; ++i)
        e->first[i + 2] += e->first[i + 1];
    for (int64_t v = 0; v < x->n; ++v)
        if (hesca_class(x, v) == e->class_of)
            e->vertex_entry[end[part[v]]++] =
                (vertex_entry){hesca_weight(x, v), v};
    for (int i = 0; i < x->p; ++i) {
        const double excess =
            hesca_partition_state_excess(x, e->class_of, i, load_of(e, i));
        const int64_t first = e->first[i], n = e->first[i + 1] - first;
        if (n > 1)
            qsort(e->vertex_entry + first, (size_t)n, sizeof *e->vertex_entry,
                  by_weight);
        e->next[i] = excess > 0 ? first : first + n - 1;
        e->fullest[i] = (fullness){excess, i};
    }
    qsort(e->fullest, (size_t)x->p, sizeof *e->fullest, by_excess);
}

static int
is_within(const exchange *e, int part)
{
    return hesca_partition_state_outside(e->s->x, e->class_of, part,
                                         load_of(e, part)) <= 0;
}

/* --- exchanges ---
 * e->next only advances within a sweep, so each vertex is exchanged at most
 * once; every exchange decreases the potential of rebalance.c. */

/* Exchange vertices of a full part and an empty one, until both are within
 * tolerance or one of them has no more vertices.  Returns the number of
 * exchanges. */
static int64_t
pair(exchange *e, int full, int empty)
{
    const hesca_partition_problem *x = e->s->x;
    int64_t n = 0, *full_next = e->next + full, *empty_next = e->next + empty;
    while (*full_next < e->first[full + 1] && *empty_next >= e->first[empty] &&
           !(is_within(e, full) && is_within(e, empty))) {
        const vertex_entry *u = e->vertex_entry + *full_next,
                           *v = e->vertex_entry + *empty_next;
        const int64_t w = u->weight - v->weight;
        if (w <= 0)
            break;
        ++*full_next;
        if (hesca_partition_state_growth(x, e->class_of, full,
                                         load_of(e, full), -w) +
                hesca_partition_state_growth(x, e->class_of, empty,
                                             load_of(e, empty), w) >=
            -1e-9)
            continue; /* too heavy */
        --*empty_next;
        hesca_partition_state_move(e->s, u->vertex, empty);
        hesca_partition_state_move(e->s, v->vertex, full);
        ++n;
    }
    return n;
}

/* Exchange between pairs of parts, the fullest with the emptiest.  Returns the
 * number of exchanges. */
static int64_t
sweep(exchange *e)
{
    const fullness *of = e->fullest;
    int64_t n = 0;
    int i = 0, k = e->s->x->p - 1;
    sort_vertices(e);
    while (i < k && of[i].excess > 0 && of[k].excess < 0) {
        const int full = of[i].part, empty = of[k].part;
        n += pair(e, full, empty);
        if (is_within(e, full) || e->next[full] == e->first[full + 1])
            ++i;
        else
            --k;
    }
    return n;
}

int
hesca_pairwise_exchange(hesca_partition_state *s)
{
    const size_t p = (size_t)s->x->p, n = (size_t)s->x->n;
    exchange e = {.s = s,
                  .vertex_entry = malloc(n * sizeof *e.vertex_entry + 1),
                  .first = malloc((p + 2) * sizeof *e.first),
                  .next = malloc(p * sizeof *e.next),
                  .fullest = malloc(p * sizeof *e.fullest)};
    int err = HESCA_SUCCESS;
    if (e.vertex_entry == NULL || e.first == NULL || e.next == NULL ||
        e.fullest == NULL)
        HESCA_TRY(err,
                  hesca_fail(HESCA_ERR_NOMEM, 0, "exchange in %zu parts", p));
    for (; e.class_of < s->x->classes; ++e.class_of)
        for (int i = 0; i < SWEEPS && sweep(&e) > 0; ++i)
            ;
fail:
    free(e.vertex_entry);
    free(e.first);
    free(e.next);
    free(e.fullest);
    return err;
}
