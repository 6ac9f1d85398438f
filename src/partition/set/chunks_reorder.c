/* SPDX-License-Identifier: BSD-3-Clause */
/* The best order of few processors for chunks.
 *
 * The farthest element that a subset of processors reaches within a time, in
 * its best order, follows from the subset without its last processor, plus the
 * chunk of that processor.  O(2^p p log n) for a probe; bisection as for one
 * order.  The problem is NP-complete (Pinar, Tabak, Aykanat, JPDC 68,
 * 2008). */
#include "base/status.h"
#include "partition/set/weights.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
    const hesca_chunks *c;
    int64_t *reach; /* [2^p] */
    int64_t weight[HESCA_CHUNKS_EXACT];
} subsets;

/* Whether some order is within a time; else *later is the smallest time at
 * which a chunk would be longer. */
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

/* The order that covers all elements, from its last processor to its first. */
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
    /* The first guess, just below *time, decides whether any order is
     * better. */
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
