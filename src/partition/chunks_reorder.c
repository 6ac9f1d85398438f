/* Orders of processors for chunks.
 *
 * Exactly, for few: the farthest element that a subset of processors reaches
 * within a time, in its best order, is that of the subset without the one that
 * is last, and its chunk.  O(2^p p log n) for a probe; bisection as for one
 * order.  For many: a few orders that are often good, and exchanges.  The
 * problem is NP-complete (Pinar, Tabak, Aykanat, JPDC 68, 2008). */
#include "base/status.h"
#include "partition/weights.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const int64_t budget = 1000000; /* chunks that exchanges may make */

/* ------------------------------------------------ subsets */

typedef struct {
    const hesca_chunks *c;
    int64_t *reach; /* [2^p] */
    int64_t weight[HESCA_CHUNKS_EXACT];
} subsets;

/* Whether some order is within a time; else *later is the least at which a
 * chunk would be longer. */
static int
reach_all(subsets *s, double time, double *later)
{
    const hesca_weights *x = s->c->x;
    const int all = (1 << x->p) - 1;
    for (int i = 0; i < x->p; ++i)
        s->weight[i] = hesca_set_within(x->speed[i], x->full[i], time);
    memset(s->reach, 0, ((size_t)all + 1) * sizeof *s->reach);
    *later = INFINITY;
    for (int set = 0; set < all; ++set)
        for (int i = 0; i < x->p; ++i) {
            const int with = set | 1 << i;
            if (with == set)
                continue;
            const int64_t end =
                hesca_chunks_end(s->c, i, s->reach[set], s->weight[i]);
            *later =
                fmin(*later, hesca_chunks_later(s->c, i, s->reach[set], end));
            if (end > s->reach[with])
                s->reach[with] = end;
        }
    return s->reach[all] == x->n;
}

/* The order that reached the end, from its last processor. */
static void
recover(const subsets *s, int *place)
{
    int set = (1 << s->c->x->p) - 1;
    for (int k = s->c->x->p - 1; k >= 0; --k) {
        int i = 0;
        while (!(set & 1 << i) ||
               hesca_chunks_end(s->c, i, s->reach[set & ~(1 << i)],
                                s->weight[i]) != s->reach[set])
            ++i;
        place[k] = i;
        set &= ~(1 << i);
    }
}

int
hesca_chunks_reorder(const hesca_chunks *c, int *place, double *time)
{
    subsets s = {.c = c, .reach = malloc(sizeof *s.reach << c->x->p)};
    double low = c->x->bound, high = *time, later;
    if (s.reach == NULL)
        return hesca_fail(HESCA_ERR_NOMEM, 0, "orders of %d", c->x->p);
    /* The first guess tells whether there is a way at all. */
    double mid = nextafter(high, 0);
    while (low < high) {
        if (reach_all(&s, mid, &later)) {
            recover(&s, place);
            high = mid;
            hesca_chunks_probe(c, place, &high);
        } else
            low = later;
        mid = low + (high - low) / 2;
        if (!(mid < high))
            mid = low;
    }
    *time = high;
    free(s.reach);
    return HESCA_SUCCESS;
}

/* ------------------------------------------------ good orders */

typedef struct {
    double speed;
    int i;
} rated;

static int
is_slower(const void *a, const void *b)
{
    const rated *x = a, *y = b;
    if (x->speed < y->speed || x->speed > y->speed)
        return x->speed < y->speed ? 1 : -1;
    return x->i - y->i;
}

/* Processors by decreasing speed at the real-valued optimum. */
static int
rate(const hesca_weights *x, int *order)
{
    rated *all = malloc((size_t)x->p * sizeof *all);
    if (all == NULL)
        return hesca_fail(HESCA_ERR_NOMEM, 0, "an order of %d", x->p);
    for (int i = 0; i < x->p; ++i)
        all[i] = (rated){hesca_speed_size(x->speed[i], x->ideal), i};
    qsort(all, (size_t)x->p, sizeof *all, is_slower);
    for (int i = 0; i < x->p; ++i)
        order[i] = all[i].i;
    free(all);
    return HESCA_SUCCESS;
}

static void
exchange(int *place, int a, int b)
{
    const int i = place[a];
    place[a] = place[b];
    place[b] = i;
}

/* Exchange two wherever it helps. */
static void
improve(const hesca_chunks *c, int *place, double *time)
{
    const int p = c->x->p;
    int64_t left = budget;
    int last = 0; /* exchanges since the last that helped */
    for (int a = 0, b = 1; left > 0 && last < p * (p - 1) / 2; ++last) {
        exchange(place, a, b);
        left -= p;
        if (hesca_chunks_optimize(c, place, time))
            last = -1;
        else
            exchange(place, a, b);
        if (++b == p) {
            a = (a + 1) % (p - 1);
            b = a + 1;
        }
    }
}

int
hesca_chunks_rearrange(const hesca_chunks *c, int *place, double *time)
{
    const int p = c->x->p;
    int *order = malloc((size_t)p * sizeof *order);
    int err = HESCA_SUCCESS;
    if (order == NULL)
        HESCA_TRY(err, hesca_fail(HESCA_ERR_NOMEM, 0, "orders of %d", p));
    HESCA_TRY(err, rate(c->x, order));
    for (int way = 0; way < 2; ++way) {
        if (hesca_chunks_optimize(c, order, time))
            memcpy(place, order, (size_t)p * sizeof *order);
        for (int k = 0; k < p / 2; ++k)
            exchange(order, k, p - 1 - k);
    }
    if (*time < INFINITY)
        improve(c, place, time);
fail:
    free(order);
    return err;
}
