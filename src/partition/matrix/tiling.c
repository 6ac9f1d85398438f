/* SPDX-License-Identifier: BSD-3-Clause */
#include "partition/matrix/tiling.h"
#include "base/arith.h"
#include "base/status.h"
#include <stdlib.h>

/* ------------------------------------------------ construction
 * The parts of a node fill it: their extents sum up to its own. */

hesca_tiling *
hesca_tiling_alloc(const hesca_tiling_task *x, int nprow, int npcol)
{
    const size_t p = (size_t)x->p;
    hesca_tiling *t = calloc(1, sizeof *t);
    if (t != NULL) {
        t->node = malloc((2 * p + 1) * sizeof *t->node);
        t->leaf = malloc(p * sizeof *t->leaf);
        t->at = malloc(p * sizeof *t->at);
    }
    if (t == NULL || t->node == NULL || t->leaf == NULL || t->at == NULL) {
        hesca_tiling_free(t);
        hesca_fail(HESCA_ERR_NOMEM, 0, "%s: a tiling of %d", x->routine, x->p);
        return NULL;
    }
    t->p = x->p;
    t->nprow = nprow;
    t->npcol = npcol;
    t->m = x->m;
    t->n = x->n;
    t->nodes = 1;
    t->node[0] = (hesca_tile){.r = {0, 0, x->m, x->n}, .proc = -1};
    for (int i = 0; i < x->p; ++i)
        t->at[i] = i;
    return t;
}

void
hesca_tiling_free(hesca_tiling *tiling)
{
    if (tiling == NULL)
        return;
    free(tiling->node);
    free(tiling->leaf);
    free(tiling->at);
    free(tiling);
}

int
hesca_tiling_divide(hesca_tiling *t, int node, hesca_direction cut, int n,
                    const int64_t *extent)
{
    hesca_rect r = t->node[node].r;
    const int first = t->nodes;
    t->node[node].first = first;
    t->node[node].n = n;
    t->node[node].cut = cut;
    for (int k = 0; k < n; ++k) {
        *(cut == HESCA_ROWS ? &r.height : &r.width) = extent[k];
        t->node[t->nodes++] = (hesca_tile){.r = r, .proc = -1};
        *(cut == HESCA_ROWS ? &r.row : &r.col) += extent[k];
    }
    return first;
}

void
hesca_tiling_assign(hesca_tiling *t, int node, int i)
{
    t->node[node].proc = i;
    t->leaf[i] = node;
}

/* ------------------------------------------------ queries
 * Every processor has one leaf; all nodes without a processor are divided. */

int
hesca_tiling_parts(const hesca_tiling *tiling)
{
    return tiling->p;
}

int64_t
hesca_tiling_rows(const hesca_tiling *tiling)
{
    return tiling->m;
}

int64_t
hesca_tiling_cols(const hesca_tiling *tiling)
{
    return tiling->n;
}

void
hesca_tiling_grid(const hesca_tiling *tiling, int *nprow, int *npcol)
{
    *nprow = tiling->nprow;
    *npcol = tiling->npcol;
}

int
hesca_tiling_at(const hesca_tiling *tiling, int myrow, int mycol)
{
    return tiling->at[myrow * tiling->npcol + mycol];
}

hesca_rect
hesca_tiling_rect(const hesca_tiling *tiling, int i)
{
    return tiling->node[tiling->leaf[i]].r;
}

/* The part of `whole` that contains line x: the last one that begins at or
 * before x.  An empty part begins where the next one does, or at the end. */
static int
part_with(const hesca_tile *node, const hesca_tile *whole, int64_t x)
{
    int low = whole->first, high = whole->first + whole->n;
    while (high - low > 1) {
        const int mid = low + (high - low) / 2;
        const hesca_rect *r = &node[mid].r;
        if ((whole->cut == HESCA_ROWS ? r->row : r->col) <= x)
            low = mid;
        else
            high = mid;
    }
    return low;
}

int
hesca_tiling_owner(const hesca_tiling *tiling, int64_t row, int64_t col)
{
    int k = 0;
    if (row < 0 || row >= tiling->m || col < 0 || col >= tiling->n)
        return -1;
    while (tiling->node[k].proc < 0)
        k = part_with(tiling->node, &tiling->node[k],
                      tiling->node[k].cut == HESCA_ROWS ? row : col);
    return tiling->node[k].proc;
}

static int64_t
common(int64_t x, int64_t nx, int64_t y, int64_t ny)
{
    return hesca_max(0, hesca_min(x + nx, y + ny) - hesca_max(x, y));
}

int64_t
hesca_tiling_common_rows(const hesca_tiling *tiling, int i, int k)
{
    const hesca_rect a = hesca_tiling_rect(tiling, i);
    const hesca_rect b = hesca_tiling_rect(tiling, k);
    return common(a.row, a.height, b.row, b.height);
}

int64_t
hesca_tiling_common_cols(const hesca_tiling *tiling, int i, int k)
{
    const hesca_rect a = hesca_tiling_rect(tiling, i);
    const hesca_rect b = hesca_tiling_rect(tiling, k);
    return common(a.col, a.width, b.col, b.width);
}
