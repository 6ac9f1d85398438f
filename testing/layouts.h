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

static inline void
draw_lengths(int64_t *length, int n, int most)
{
    int64_t sum = 0;
    for (int k = 0; k < n; ++k)
        sum += length[k] = check_uniform(0, 3) ? check_uniform(0, most) : 0;
    length[check_uniform(0, n - 1)] += sum == 0;
}

/* Of an m x n matrix on some of size processes, in blocks of at most most x
 * most. */
static inline hesca_layout *
draw_layout(int size, int64_t m, int64_t n, int most)
{
    const int nprow = check_uniform(1, size);
    const int npcol = check_uniform(1, size / nprow);
    int ranks[LAYOUTS_MOST], err;
    int64_t heights[LAYOUTS_MOST], widths[LAYOUTS_MOST];
    hesca_layout *x;
    draw_ranks(size, ranks, nprow * npcol);
    if (check_uniform(0, 1)) {
        draw_lengths(heights, nprow, most);
        draw_lengths(widths, npcol, most);
        err = hesca_layout_create_generalized(m, n, nprow, npcol, heights,
                                              widths, ranks, &x);
    } else {
        const int mb = check_uniform(1, most), nb = check_uniform(1, most);
        const int rsrc = check_uniform(0, nprow - 1);
        const int csrc = check_uniform(0, npcol - 1);
        err = hesca_layout_create_cyclic(m, n, mb, nb, rsrc, csrc, nprow,
                                         npcol, ranks, &x);
    }
    CHECK(err == HESCA_SUCCESS, "%s", hesca_error_text());
    return x;
}

#endif
