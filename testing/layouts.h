/* SPDX-License-Identifier: BSD-3-Clause */
/* Random layouts of all kinds, the same on all processes: odd blocks, empty
 * shares, grids of some of the processes in any order. */
#ifndef HESCA_TESTING_LAYOUTS_H
#define HESCA_TESTING_LAYOUTS_H

#include "hesca/layout.h"
#include "testing/check.h"

enum { LAYOUTS_MOST = 64 }; /* processes */

static inline void
draw_ranks(int size, int *ranks, int n)
{
    int all[LAYOUTS_MOST];
    for (int k = 0; k < size; ++k)
        all[k] = k;
    for (int k = 0; k < n; ++k) {
        const int l = check_uniform(k, size - 1), r = all[l];
        all[l] = all[k];
        ranks[k] = all[k] = r;
    }
}

/* n numbers >= 0 that sum to total. */
static inline void
draw_parts(int64_t *part, int n, int total)
{
    int left = total;
    for (int k = 0; k < n - 1; ++k) {
        part[k] = check_uniform(0, 3) ? check_uniform(0, left) / 2 : 0;
        left -= (int)part[k];
    }
    part[n - 1] = left;
    const int k = check_uniform(0, n - 1); /* whose turn it is to have most */
    part[n - 1] = part[k];
    part[k] = left;
}

/* n x times numbers, every n of them with the same sum, [k * step + l * skip].
 */
static inline void
draw_ragged(int64_t *part, int n, int step, int times, int skip, int most)
{
    int64_t one[LAYOUTS_MOST];
    const int total = check_uniform(1, n * most);
    for (int l = 0; l < times; ++l) {
        draw_parts(one, n, total);
        for (int k = 0; k < n; ++k)
            part[k * step + l * skip] = one[k];
    }
}

static inline void
draw_owners(int *owner, int n, int nowners)
{
    for (int k = 0; k < n; ++k)
        owner[k] = check_uniform(0, nowners - 1);
}

static inline int
draw_dealt(hesca_layout_kind kind, int64_t m, int64_t n, int nprow, int npcol,
           const int *ranks, int most, hesca_layout **x)
{
    enum { BLOCKS = 6 };
    int rows[LAYOUTS_MOST * BLOCKS], cols[LAYOUTS_MOST * BLOCKS];
    const int mb = check_uniform(1, most), nb = check_uniform(1, most);
    const int lp = check_uniform(1, BLOCKS), lq = check_uniform(1, BLOCKS);
    draw_owners(rows, LAYOUTS_MOST * BLOCKS, nprow);
    draw_owners(cols, LAYOUTS_MOST * BLOCKS, npcol);
    return hesca_layout_create_by_owners(kind, m, n, mb, nb, lp, lq, nprow,
                                         npcol, rows, cols, ranks, x);
}

static inline int
draw_cyclic(int64_t m, int64_t n, int nprow, int npcol, const int *ranks,
            int most, hesca_layout **x)
{
    const int mb = check_uniform(1, most), nb = check_uniform(1, most);
    const int rsrc = check_uniform(0, nprow - 1);
    const int csrc = check_uniform(0, npcol - 1);
    return hesca_layout_create_cyclic(m, n, mb, nb, rsrc, csrc, nprow, npcol,
                                      ranks, x);
}

/* In generalized blocks, each process one rectangle of them. */
static inline int
draw_blocks(hesca_layout_kind kind, int64_t m, int64_t n, int nprow, int npcol,
            const int *ranks, int most, hesca_layout **x)
{
    int64_t heights[LAYOUTS_MOST], widths[LAYOUTS_MOST];
    const int by_columns = kind == HESCA_COLUMN_BASED;
    const int by_rows = kind == HESCA_ROW_BASED;
    draw_ragged(heights, nprow, by_columns ? npcol : 1, by_columns ? npcol : 1,
                1, most);
    draw_ragged(widths, npcol, 1, by_rows ? nprow : 1, npcol, most);
    if (by_columns)
        return hesca_layout_create_column_based(m, n, nprow, npcol, heights,
                                                widths, ranks, x);
    if (by_rows)
        return hesca_layout_create_row_based(m, n, nprow, npcol, heights,
                                             widths, ranks, x);
    return hesca_layout_create_generalized(m, n, nprow, npcol, heights, widths,
                                           ranks, x);
}

/* Of an m x n matrix on some of size processes, in blocks of about most x
 * most. */
static inline hesca_layout *
draw_layout(int size, int64_t m, int64_t n, int most)
{
    const hesca_layout_kind kind = (hesca_layout_kind)check_uniform(0, 2);
    const int nprow = check_uniform(1, size);
    const int npcol = check_uniform(1, size / nprow);
    int ranks[LAYOUTS_MOST], err;
    hesca_layout *x;
    draw_ranks(size, ranks, nprow * npcol);
    switch (check_uniform(0, 3)) {
    case 0:
        err = draw_dealt(kind, m, n, nprow, npcol, ranks, most, &x);
        break;
    case 1:
        err = draw_cyclic(m, n, nprow, npcol, ranks, most, &x);
        break;
    default:
        err = draw_blocks(kind, m, n, nprow, npcol, ranks, most, &x);
    }
    CHECK(err == HESCA_SUCCESS, "%s", hesca_error_text());
    return x;
}

#endif
