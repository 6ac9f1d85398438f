/* Exchanges with the processor that takes longest.
 *
 * It gives an element to another processor, for nothing or for a lighter one.
 * Of the exchanges with the next processor that can help, that is done after
 * which the longer of the two is done first, if that is sooner than before; so
 * the times, sorted, fall each time, and it ends.  The best difference in
 * weight is known first, and a walk through both lists, by descending weight,
 * finds the pairs that are next to it: O(elements of the two). */
#include "base/status.h"
#include "partition/set/weights.h"
#include <math.h>
#include <stdlib.h>

/* Elements looked at: in all, and until what is so near to the ideal is good
 * enough. */
static const int64_t budget = 5000000, patience = 500000;
static const double near = 1e-6;

typedef struct {
    const hesca_weights *x;
    const int64_t *order;
    hesca_shares *r;
    int64_t *head, *next; /* lists of ranks, ascending, ended by n */
    int64_t looked;
    int from; /* takes longest */
} desk;

/* What goes from the longest to another: rank a for rank b, n: nothing. */
typedef struct {
    double time;
    int to;
    int64_t a, b;
} swap;

static int64_t
weight_of(const desk *d, int64_t k)
{
    return k < d->x->n ? d->x->weight[d->order[k]] : 0;
}

static double
time_with(const desk *d, int i, int64_t more)
{
    const int64_t w = d->r->weight[i] + more;
    return w <= d->x->full[i] ? hesca_set_time(d->x->speed[i], w) : INFINITY;
}

/* The difference in weight from which on the other takes longer. */
static int64_t
best_difference(const desk *d, int to)
{
    int64_t low = 0, high = d->r->weight[d->from];
    while (high - low > 1) {
        const int64_t mid = low + (high - low) / 2;
        if (time_with(d, d->from, -mid) > time_with(d, to, mid))
            low = mid;
        else
            high = mid;
    }
    return low;
}

static void
consider(const desk *d, int to, int64_t a, int64_t b, swap *best)
{
    const int64_t more = weight_of(d, a) - weight_of(d, b);
    if (more <= 0 || (b == d->x->n && d->r->count[to] == d->x->most[to]))
        return;
    const double time =
        fmax(time_with(d, d->from, -more), time_with(d, to, more));
    if (time < best->time)
        *best = (swap){time, to, a, b};
}

/* All pairs that are next to the best difference. */
static void
look(desk *d, int to, swap *best)
{
    const int64_t n = d->x->n, difference = best_difference(d, to);
    int64_t b = d->head[to], before = n;
    for (int64_t a = d->head[d->from]; a < n; a = d->next[a]) {
        const int64_t want = weight_of(d, a) - difference;
        for (; b < n && weight_of(d, b) > want; b = d->next[b]) {
            before = b;
            ++d->looked;
        }
        ++d->looked;
        if (before < n)
            consider(d, to, a, before, best);
        consider(d, to, a, b, best);
        consider(d, to, a, n, best);
    }
}

static void
take_out(desk *d, int i, int64_t k)
{
    int64_t *link = &d->head[i];
    while (*link != k)
        link = &d->next[*link];
    *link = d->next[k];
    --d->r->count[i];
    d->r->weight[i] -= weight_of(d, k);
}

static void
put_in(desk *d, int i, int64_t k)
{
    int64_t *link = &d->head[i];
    while (*link < k)
        link = &d->next[*link];
    d->next[k] = *link;
    *link = k;
    ++d->r->count[i];
    d->r->weight[i] += weight_of(d, k);
    d->r->owner[d->order[k]] = i;
}

/* One exchange; 0 if none helps. */
static int
improve(desk *d)
{
    swap best = {.to = -1};
    for (int i = 0; i < d->x->p; ++i)
        if (time_with(d, i, 0) > best.time) {
            best.time = time_with(d, i, 0);
            d->from = i;
        }
    if (best.time <= d->x->bound ||
        (d->looked > patience && best.time <= d->x->ideal * (1 + near)))
        return 0;
    /* The next that can help. */
    for (int k = 1; k < d->x->p && best.to < 0; ++k)
        look(d, (d->from + k) % d->x->p, &best);
    if (best.to < 0)
        return 0;
    take_out(d, d->from, best.a);
    if (best.b < d->x->n) {
        take_out(d, best.to, best.b);
        put_in(d, d->from, best.b);
    }
    put_in(d, best.to, best.a);
    return 1;
}

int
hesca_weights_exchange(const hesca_weights *x, const int64_t *order,
                       hesca_shares *r)
{
    const size_t n = (size_t)x->n, p = (size_t)x->p;
    desk d = {.x = x,
              .order = order,
              .r = r,
              .head = malloc(p * sizeof *d.head),
              .next = malloc((n + 1) * sizeof *d.next)};
    int err = HESCA_SUCCESS;
    if (d.head == NULL || d.next == NULL)
        HESCA_TRY(err, hesca_fail(HESCA_ERR_NOMEM, 0, "lists of %lld weights",
                                  (long long)x->n));
    for (int i = 0; i < x->p; ++i)
        d.head[i] = x->n;
    for (int64_t k = x->n - 1; k >= 0; --k) {
        const int i = r->owner[order[k]];
        d.next[k] = d.head[i];
        d.head[i] = k;
    }
    while (d.looked < budget && improve(&d))
        ;
fail:
    free(d.head);
    free(d.next);
    return err;
}
