/* SPDX-License-Identifier: BSD-3-Clause */
/* Exchanges with the processor that takes longest.
 *
 * The processor that takes longest gives an element to another processor,
 * alone or in exchange for a lighter one.  Of the exchanges with the first
 * processor for which one helps, the one with the smallest larger time of the
 * two is made, if that is smaller than before; so the sorted vector of times
 * decreases with each exchange, and the method ends.  The best difference in
 * weight is computed first; a walk through both lists, by descending weight,
 * finds the pairs nearest to it: O(elements of the two). */
#include "base/status.h"
#include "partition/set/weights.h"
#include <math.h>
#include <stdlib.h>

/* Elements visited: at most, and after which a time within `near` of the ideal
 * is accepted. */
static const int64_t budget = 5000000, patience = 500000;
static const double near = 1e-6;

typedef struct {
    const hesca_weights *x;
    const int64_t *order;
    hesca_shares *r;
    int64_t *head, *next; /* lists of ranks, ascending, that end with n */
    int64_t visited;
    int from; /* the processor that takes longest */
} exchanger;

/* An exchange of rank a of the longest processor for rank b of another; b = n:
 * no element in return. */
typedef struct {
    double time;
    int to;
    int64_t a, b;
} trial;

static int64_t
weight_of(const exchanger *d, int64_t k)
{
    return k < d->x->n ? d->x->weight[d->order[k]] : 0;
}

static double
time_with(const exchanger *d, int i, int64_t more)
{
    const int64_t w = d->r->weight[i] + more;
    return w <= d->x->full[i] ? hesca_set_time(d->x->speed[i], w) : INFINITY;
}

/* The largest difference in weight after which `from` still takes longer than
 * `to`. */
static int64_t
best_difference(const exchanger *d, int to)
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
consider(const exchanger *d, int to, int64_t a, int64_t b, trial *best)
{
    const int64_t more = weight_of(d, a) - weight_of(d, b);
    if (more <= 0 || (b == d->x->n && d->r->count[to] == d->x->most[to]))
        return;
    const double time =
        fmax(time_with(d, d->from, -more), time_with(d, to, more));
    if (time < best->time)
        *best = (trial){time, to, a, b};
}

/* --- search for an exchange ---
 * Lists are not changed here; *best is the exchange with the smallest larger
 * time so far, and its time never increases. */

/* Consider all pairs nearest to the best difference. */
static void
try_processor(exchanger *d, int to, trial *best)
{
    const int64_t n = d->x->n, difference = best_difference(d, to);
    int64_t b = d->head[to], before = n;
    for (int64_t a = d->head[d->from]; a < n; a = d->next[a]) {
        const int64_t want = weight_of(d, a) - difference;
        for (; b < n && weight_of(d, b) > want; b = d->next[b]) {
            before = b;
            ++d->visited;
        }
        ++d->visited;
        if (before < n)
            consider(d, to, a, before, best);
        consider(d, to, a, b, best);
        consider(d, to, a, n, best);
    }
}

static void
take_out(exchanger *d, int i, int64_t k)
{
    int64_t *link = &d->head[i];
    while (*link != k)
        link = &d->next[*link];
    *link = d->next[k];
    --d->r->count[i];
    d->r->weight[i] -= weight_of(d, k);
}

static void
put_in(exchanger *d, int i, int64_t k)
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

/* Make one exchange; 0 if none reduces the time. */
static int
improve(exchanger *d)
{
    trial best = {.to = -1};
    for (int i = 0; i < d->x->p; ++i)
        if (time_with(d, i, 0) > best.time) {
            best.time = time_with(d, i, 0);
            d->from = i;
        }
    if (best.time <= d->x->bound ||
        (d->visited > patience && best.time <= d->x->ideal * (1 + near)))
        return 0;
    /* The first processor after `from` with which an exchange helps. */
    for (int k = 1; k < d->x->p && best.to < 0; ++k)
        try_processor(d, (d->from + k) % d->x->p, &best);
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
    exchanger d = {.x = x,
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
    while (d.visited < budget && improve(&d))
        ;
fail:
    free(d.head);
    free(d.next);
    return err;
}
