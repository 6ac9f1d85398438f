/* LPT: heaviest first, each to the processor that would have finished it
 * first, of several to the first.
 *
 * To ask all processors for each element takes O(n p).  So a tournament keeps
 * for each what is not later than its time with any of the next elements, that
 * with the lightest of them; only who may still win is asked. */
#include "base/status.h"
#include "partition/set/weights.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
    const hesca_weights *x;
    hesca_shares *r;
    int leaves;    /* a power of two, >= p */
    double *least; /* [2 leaves] of a node, 1 the root, k above 2 k, 2 k + 1 */
} tournament;

/* Who would be done first, so far. */
typedef struct {
    double time;
    int i; /* -1: nobody can take it */
} winner;

/* The time of i with an element; INFINITY if it cannot take it. */
static double
time_with(const tournament *t, int i, int64_t weight)
{
    const hesca_weights *x = t->x;
    const hesca_shares *r = t->r;
    if (r->count[i] == x->most[i] || weight > x->full[i] - r->weight[i])
        return INFINITY;
    return hesca_set_time(x->speed[i], r->weight[i] + weight);
}

/* All leaves, for elements of at least a weight. */
static void
begin(tournament *t, int64_t weight)
{
    for (int i = 0; i < t->leaves; ++i)
        t->least[t->leaves + i] =
            i < t->x->p ? time_with(t, i, weight) : INFINITY;
    for (int k = t->leaves - 1; k > 0; --k)
        t->least[k] = fmin(t->least[2 * k], t->least[2 * k + 1]);
}

static void
change(tournament *t, int i, int64_t weight)
{
    int k = t->leaves + i;
    t->least[k] = time_with(t, i, weight);
    while ((k /= 2) > 0)
        t->least[k] = fmin(t->least[2 * k], t->least[2 * k + 1]);
}

/* From left to right, so that the first of several wins. */
static void
ask(const tournament *t, int k, int64_t weight, winner *best)
{
    if (t->least[k] >= best->time)
        return;
    if (k < t->leaves) {
        ask(t, 2 * k, weight, best);
        ask(t, 2 * k + 1, weight, best);
        return;
    }
    const double time = time_with(t, k - t->leaves, weight);
    if (time < best->time)
        *best = (winner){time, k - t->leaves};
}

/* How many elements from rank k on are taken together: about as heavy, but so
 * many that beginning anew takes no longer than they do. */
static int64_t
together(const hesca_weights *x, const int64_t *order, int64_t k)
{
    const int64_t heaviest = x->weight[order[k]];
    const int64_t least = x->p / 16 + 1, most = x->p;
    int64_t n = 1;
    while (k + n < x->n && n < most &&
           (n < least || x->weight[order[k + n]] >= heaviest - heaviest / 100))
        ++n;
    return n;
}

static int
deal(tournament *t, const int64_t *order)
{
    const hesca_weights *x = t->x;
    int64_t lightest = 0, until = 0;
    for (int64_t k = 0; k < x->n; ++k) {
        const int64_t e = order[k], weight = x->weight[e];
        winner best = {INFINITY, -1};
        if (k == until) {
            until += together(x, order, k);
            lightest = x->weight[order[until - 1]];
            begin(t, lightest);
        }
        ask(t, 1, weight, &best);
        if (best.i < 0)
            return 0;
        t->r->owner[e] = best.i;
        ++t->r->count[best.i];
        t->r->weight[best.i] += weight;
        change(t, best.i, lightest);
    }
    return 1;
}

int
hesca_weights_lpt(const hesca_weights *x, const int64_t *order,
                  hesca_shares *r)
{
    tournament t = {.x = x, .r = r, .leaves = 1};
    while (t.leaves < x->p && t.leaves <= 1 << 29)
        t.leaves *= 2;
    if (t.leaves >= x->p)
        t.least = malloc(2 * (size_t)t.leaves * sizeof *t.least);
    if (t.least == NULL)
        return hesca_fail(HESCA_ERR_NOMEM, 0, "a tournament of %d", x->p);
    memset(r->count, 0, (size_t)x->p * sizeof *r->count);
    memset(r->weight, 0, (size_t)x->p * sizeof *r->weight);
    const int found = deal(&t, order);
    free(t.least);
    return found;
}
