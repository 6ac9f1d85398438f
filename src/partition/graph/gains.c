/* SPDX-License-Identifier: BSD-3-Clause */
#include "partition/graph/gains.h"
#include "base/heap.h"
#include "base/status.h"
#include <stdlib.h>

int
hesca_gains_init(hesca_gains *x, int64_t n)
{
    const size_t size = (size_t)n * sizeof(int64_t) + 1;
    *x = (hesca_gains){
        .heap = malloc(size), .at = malloc(size), .gain = malloc(size)};
    if (x->heap == NULL || x->at == NULL || x->gain == NULL) {
        hesca_gains_clear(x);
        return hesca_fail(HESCA_ERR_NOMEM, 0, "gains of %lld vertices",
                          (long long)n);
    }
    for (int64_t v = 0; v < n; ++v)
        x->at[v] = -1;
    return HESCA_SUCCESS;
}

void
hesca_gains_clear(hesca_gains *x)
{
    free(x->heap);
    free(x->at);
    free(x->gain);
    *x = (hesca_gains){.n = 0};
}

static int
is_better(const hesca_gains *x, int64_t v, int64_t u)
{
    return x->gain[v] > x->gain[u] || (x->gain[v] == x->gain[u] && v < u);
}

static void
place(hesca_gains *x, int64_t *heap, int64_t i, int64_t v)
{
    heap[i] = v;
    x->at[v] = i;
}

HESCA_HEAP_RISE(rise, hesca_gains *, int64_t, is_better, place)
HESCA_HEAP_SINK(sink, hesca_gains *, int64_t, is_better, place)

/* Restore the order where v has come to i. */
static void
settle(hesca_gains *x, int64_t v, int64_t i)
{
    sink(x, x->heap, x->n, rise(x, x->heap, i, v), v);
}

void
hesca_gains_put(hesca_gains *x, int64_t v, int64_t gain)
{
    x->gain[v] = gain;
    if (x->at[v] < 0)
        settle(x, v, x->n++);
    else
        settle(x, v, x->at[v]);
}

void
hesca_gains_drop(hesca_gains *x, int64_t v)
{
    const int64_t i = x->at[v];
    if (i < 0)
        return;
    x->at[v] = -1;
    if (i < --x->n)
        settle(x, x->heap[x->n], i);
}

void
hesca_gains_empty(hesca_gains *x)
{
    while (x->n > 0)
        x->at[x->heap[--x->n]] = -1;
}
