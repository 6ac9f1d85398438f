/* Where limits are full, no vertex can move alone.  Of two parts, the heaviest
 * vertices of the one are paired with the lightest of the other, from both
 * ends of sorted lists; the fullest part comes first, with the emptiest.
 * Ties are not looked at: few exchanges of much weight cut little. */
#include "base/status.h"
#include "partition/graph/refinement.h"
#include <stdlib.h>

/* Sweeps over all parts, O(n log n) each. */
enum { SWEEPS = 32 };

typedef struct {
    int64_t weight, vertex;
} item;

typedef struct {
    double excess;
    int part;
} fullness;

typedef struct {
    hesca_partition_state *s;
    int class_of;      /* that is exchanged */
    item *item;        /* [n] its vertices, by part, the heaviest first */
    int64_t *first;    /* [p + 2] where those of each part are */
    int64_t *next;     /* [p] the one that is to go next */
    fullness *fullest; /* [p] descending */
} exchange;

static int
by_weight(const void *a, const void *b)
{
    const item *x = a, *y = b;
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
sort(exchange *e)
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
            e->item[end[part[v]]++] = (item){hesca_weight(x, v), v};
    for (int i = 0; i < x->p; ++i) {
        const double excess =
            hesca_partition_state_excess(x, e->class_of, i, load_of(e, i));
        const int64_t first = e->first[i], n = e->first[i + 1] - first;
        if (n > 1)
            qsort(e->item + first, (size_t)n, sizeof *e->item, by_weight);
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

/* Exchange vertices of a full part and an empty one, until both are within
 * their tolerance or one of them has no more.  Return how many. */
static int64_t
pair(exchange *e, int full, int empty)
{
    const hesca_partition_problem *x = e->s->x;
    int64_t n = 0, *give = e->next + full, *take = e->next + empty;
    while (*give < e->first[full + 1] && *take >= e->first[empty] &&
           !(is_within(e, full) && is_within(e, empty))) {
        const item *u = e->item + *give, *v = e->item + *take;
        const int64_t w = u->weight - v->weight;
        if (w <= 0)
            break;
        ++*give;
        if (hesca_partition_state_growth(x, e->class_of, full,
                                         load_of(e, full), -w) +
                hesca_partition_state_growth(x, e->class_of, empty,
                                             load_of(e, empty), w) >=
            -1e-9)
            continue; /* too heavy */
        --*take;
        hesca_partition_state_move(e->s, u->vertex, empty);
        hesca_partition_state_move(e->s, v->vertex, full);
        ++n;
    }
    return n;
}

/* Return how many exchanges there were. */
static int64_t
sweep(exchange *e)
{
    const fullness *of = e->fullest;
    int64_t n = 0;
    int i = 0, k = e->s->x->p - 1;
    sort(e);
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
                  .item = malloc(n * sizeof *e.item + 1),
                  .first = malloc((p + 2) * sizeof *e.first),
                  .next = malloc(p * sizeof *e.next),
                  .fullest = malloc(p * sizeof *e.fullest)};
    int err = HESCA_SUCCESS;
    if (e.item == NULL || e.first == NULL || e.next == NULL ||
        e.fullest == NULL)
        HESCA_TRY(err,
                  hesca_fail(HESCA_ERR_NOMEM, 0, "exchange in %zu parts", p));
    for (; e.class_of < s->x->classes; ++e.class_of)
        for (int i = 0; i < SWEEPS && sweep(&e) > 0; ++i)
            ;
fail:
    free(e.item);
    free(e.first);
    free(e.next);
    free(e.fullest);
    return err;
}
