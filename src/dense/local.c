/* SPDX-License-Identifier: BSD-3-Clause */
#include "dense/local.h"
#include "base/arith.h"

hesca_local
hesca_local_make(const hesca_layout *layout, int64_t i, int64_t j, int rank)
{
    hesca_local part = {.layout = layout, .i = i, .j = j};
    part.here = hesca_layout_coords(layout, rank, &part.prow, &part.pcol);
    return part;
}

int64_t
hesca_local_row(const hesca_local *part, int64_t i)
{
    if (!part->here)
        return 0;
    return hesca_axis_count(hesca_layout_row_axis(part->layout, part->pcol),
                            part->prow, part->i + i);
}

int64_t
hesca_local_col(const hesca_local *part, int64_t j)
{
    if (!part->here)
        return 0;
    return hesca_axis_count(hesca_layout_col_axis(part->layout, part->prow),
                            part->pcol, part->j + j);
}

hesca_rectangle
hesca_local_rectangle(const hesca_local *part, int64_t m, int64_t n)
{
    return (hesca_rectangle){
        hesca_local_row(part, 0), hesca_local_row(part, m),
        hesca_local_col(part, 0), hesca_local_col(part, n)};
}

/* The indices, less origin, at local positions first ... end - 1 of an
 * owner. */
static void
indices(const hesca_axis *x, int owner, int64_t origin, int64_t first,
        int64_t end, int64_t *index)
{
    int64_t at = first;
    if (first >= end)
        return;
    for (int64_t r = first / x->share[owner]; at < end; ++r)
        for (int k = x->first[owner]; k < x->first[owner + 1]; ++k) {
            const hesca_piece *p = &x->piece[x->own[k]];
            const int64_t local = r * x->share[owner] + p->local;
            const int64_t from = r * x->period + p->offset - local - origin;
            for (; at < hesca_min(local + p->length, end); ++at)
                index[at - first] = from + at;
        }
}

void
hesca_local_row_indices(const hesca_local *part, int64_t first, int64_t end,
                        int64_t *index)
{
    if (part->here)
        indices(hesca_layout_row_axis(part->layout, part->pcol), part->prow,
                part->i, first, end, index);
}

void
hesca_local_col_indices(const hesca_local *part, int64_t first, int64_t end,
                        int64_t *index)
{
    if (part->here)
        indices(hesca_layout_col_axis(part->layout, part->prow), part->pcol,
                part->j, first, end, index);
}

int
hesca_local_owner(const hesca_axis *x, int64_t i)
{
    return hesca_axis_piece(x, i % x->period)->owner;
}

int64_t
hesca_local_end(const hesca_axis *x, int64_t i)
{
    const int64_t offset = i % x->period;
    const hesca_piece *p = hesca_axis_piece(x, offset);
    return hesca_min(i - offset + p->offset + p->length, x->n);
}

int
hesca_local_pcol(const hesca_local *part, int prow, int64_t j)
{
    return hesca_local_owner(hesca_layout_col_axis(part->layout, prow),
                             part->j + j);
}

int
hesca_local_prow(const hesca_local *part, int pcol, int64_t i)
{
    return hesca_local_owner(hesca_layout_row_axis(part->layout, pcol),
                             part->i + i);
}

/* At most one of the dimensions is ragged, so an axis of process (0,0) gives
 * the owner in the other dimension. */
int
hesca_local_rank(const hesca_local *part, int64_t i, int64_t j)
{
    const hesca_layout *x = part->layout;
    int prow = hesca_local_prow(part, 0, i);
    const int pcol = hesca_local_pcol(part, prow, j);
    prow = hesca_local_prow(part, pcol, i);
    return x->ranks[prow * x->npcol + pcol];
}

int64_t
hesca_local_cols_end(const hesca_local *part, int64_t j, int64_t most)
{
    const hesca_axis *before = NULL;
    int64_t end = most;
    for (int prow = 0; prow < part->layout->nprow; ++prow) {
        const hesca_axis *x = hesca_layout_col_axis(part->layout, prow);
        if (x != before)
            end = hesca_min(end, hesca_local_end(x, part->j + j) - part->j);
        before = x;
    }
    return end;
}

int64_t
hesca_local_rows_end(const hesca_local *part, int64_t i, int64_t most)
{
    const hesca_axis *before = NULL;
    int64_t end = most;
    for (int pcol = 0; pcol < part->layout->npcol; ++pcol) {
        const hesca_axis *x = hesca_layout_row_axis(part->layout, pcol);
        if (x != before)
            end = hesca_min(end, hesca_local_end(x, part->i + i) - part->i);
        before = x;
    }
    return end;
}
