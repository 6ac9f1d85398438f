/* SPDX-License-Identifier: BSD-3-Clause */
#include "bcast/nearest.h"
#include "base/heap.h"
#include "base/status.h"
#include <math.h>
#include <stdlib.h>

enum { FIRST = 16, GROWTH = 4 };

int
hesca_nearest_init(hesca_nearest *x, const hesca_growth *g)
{
    const size_t n = (size_t)g->problem->nproc;
    *x = (hesca_nearest){.g = g};
    x->row = malloc(n * n * sizeof *x->row);
    x->at = calloc(3 * n, sizeof *x->at);
    if (x->row == NULL || x->at == NULL) {
        hesca_nearest_clear(x);
        return hesca_fail(HESCA_ERR_NOMEM, 0, "edges of %d processes",
                          g->problem->nproc);
    }
    x->n = x->at + n;
    x->cap = x->n + n;
    for (size_t i = 0; i < n; ++i)
        x->cap[i] = FIRST;
    return HESCA_SUCCESS;
}

/* Whether receiver j comes after receiver k. */
static int
after(const double *cost, int j, int k)
{
    return cost[j] > cost[k] || (cost[j] == cost[k] && j > k);
}

/* The root of the heap comes last of all. */
HESCA_HEAP_SINK(sink, const double *, int, after, HESCA_HEAP_SET)

/* Sort the next cap[i] receivers of sender i.  Those sorted before are no
 * longer in B. */
static void
refill(hesca_nearest *x, int i)
{
    const hesca_growth *g = x->g;
    const double *cost =
        g->problem->cost + (size_t)i * (size_t)g->problem->nproc;
    int *heap = x->row + (size_t)i * (size_t)g->problem->nproc, n = 0;
    const int most = x->cap[i];
    for (int k = 0; k < g->nb; ++k) {
        const int j = g->bs[k];
        if (j == i || isinf(cost[j]))
            continue;
        if (n < most) {
            heap[n++] = j;
            for (int h = n / 2 - 1; n == most && h >= 0; --h)
                sink(cost, heap, n, h, heap[h]);
        } else if (after(cost, heap[0], j)) {
            sink(cost, heap, n, 0, j);
        }
    }
    for (int h = n / 2 - 1; n < most && h >= 0; --h)
        sink(cost, heap, n, h, heap[h]);
    for (int left = n - 1; left > 0; --left) {
        const int last = heap[0];
        sink(cost, heap, left, 0, heap[left]);
        heap[left] = last;
    }
    x->at[i] = 0;
    x->n[i] = n;
    x->cap[i] = most < g->problem->nproc ? most * GROWTH : most;
}

int
hesca_nearest_get(hesca_nearest *x, int i)
{
    const int *row = x->row + (size_t)i * (size_t)x->g->problem->nproc;
    for (int filled = 0;; filled = 1) {
        while (x->at[i] < x->n[i] && !x->g->wants[row[x->at[i]]])
            ++x->at[i];
        if (x->at[i] < x->n[i])
            return row[x->at[i]];
        if (filled)
            return -1;
        refill(x, i);
    }
}

void
hesca_nearest_clear(hesca_nearest *x)
{
    free(x->row);
    free(x->at);
    *x = (hesca_nearest){.g = NULL};
}
