/* SPDX-License-Identifier: BSD-3-Clause */
#include "dense/trailing.h"
#include "base/arith.h"
#include "base/status.h"
#include <stdlib.h>
#include <string.h>

/* Bounds of blocks that the diagonal crosses, so that little is computed
 * beyond it. */
enum { CORNER_COLS = 64, CORNER_ROWS = 128 };

int
hesca_trailing_init(hesca_trailing *t, hesca_type type, int upper,
                    const hesca_local *part, int64_t n, void *a, int64_t lda)
{
    *t = (hesca_trailing){.type = type,
                          .esize = (int64_t)hesca_type_size(type),
                          .upper = upper,
                          .a = a,
                          .lda = lda,
                          .row0 = hesca_local_row(part, 0),
                          .row1 = hesca_local_row(part, n),
                          .col0 = hesca_local_col(part, 0),
                          .col1 = hesca_local_col(part, n)};
    const size_t m = (size_t)(t->row1 - t->row0);
    const size_t k = (size_t)(t->col1 - t->col0);
    t->row = malloc((m + 1) * sizeof *t->row);
    t->col = malloc((k + 1) * sizeof *t->col);
    t->corner = malloc((size_t)(CORNER_COLS * CORNER_ROWS * t->esize));
    if (t->row == NULL || t->col == NULL || t->corner == NULL) {
        hesca_trailing_clear(t);
        return hesca_fail(HESCA_ERR_NOMEM, 0, "indices of %zu x %zu elements",
                          m, k);
    }
    hesca_local_row_indices(part, t->row0, t->row1, t->row);
    hesca_local_col_indices(part, t->col0, t->col1, t->col);
    return HESCA_SUCCESS;
}

void
hesca_trailing_clear(hesca_trailing *t)
{
    free(t->row);
    free(t->col);
    free(t->corner);
    memset(t, 0, sizeof *t);
}

/* --- elements ---
 * Local rows and columns are in ascending order of indices, so bounds are
 * found by bisection. */

static int64_t
row_index(const hesca_trailing *t, int64_t r)
{
    return t->row[r - t->row0];
}

static int64_t
col_index(const hesca_trailing *t, int64_t c)
{
    return t->col[c - t->col0];
}

/* The first of the rows r0 ... r1 - 1 with an index >= i, or r1. */
static int64_t
row_from(const hesca_trailing *t, int64_t r0, int64_t r1, int64_t i)
{
    while (r0 < r1) {
        const int64_t mid = r0 + (r1 - r0) / 2;
        if (row_index(t, mid) < i)
            r0 = mid + 1;
        else
            r1 = mid;
    }
    return r0;
}

static const char *
slice(const hesca_trailing *t, hesca_slices s, int64_t at)
{
    const int64_t skip = at - s.from;
    return s.at + (t->upper ? skip * s.ld : skip) * t->esize;
}

static char *
element(const hesca_trailing *t, int64_t r, int64_t c)
{
    return t->a + (r + c * t->lda) * t->esize;
}

/* C := beta C + alpha (rows of the panel) (columns of it)' */
static void
multiply(const hesca_trailing *t, int64_t width, hesca_slices rows,
         hesca_slices cols, hesca_block b, const void *alpha, const void *beta,
         char *c, int64_t ldc)
{
    hesca_kernel_gemm(t->type, t->upper ? 'C' : 'N', t->upper ? 'N' : 'C',
                      b.r1 - b.r0, b.c1 - b.c0, width, alpha,
                      slice(t, rows, b.r0), rows.ld, slice(t, cols, b.c0),
                      cols.ld, beta, c, ldc);
}

/* --- blocks ---
 * Every element of the triangle in b is updated once, none outside of it. */

static void
whole(const hesca_trailing *t, int64_t width, hesca_slices rows,
      hesca_slices cols, hesca_block b)
{
    if (b.r0 < b.r1 && b.c0 < b.c1)
        multiply(t, width, rows, cols, b, hesca_minus_one(t->type),
                 hesca_one(t->type), element(t, b.r0, b.c0), t->lda);
}

/* Whether rows and columns of a block have the same indices, without gaps. */
static int
is_diagonal(const hesca_trailing *t, hesca_block b)
{
    const int64_t n = b.c1 - b.c0, i = row_index(t, b.r0);
    return b.r1 - b.r0 == n && col_index(t, b.c0) == i &&
           row_index(t, b.r1 - 1) == i + n - 1 &&
           col_index(t, b.c1 - 1) == i + n - 1;
}

/* A block that the diagonal crosses: compute the product of the whole block
 * and subtract the part inside the triangle. */
static void
crossed(const hesca_trailing *t, int64_t width, hesca_slices rows,
        hesca_slices cols, hesca_block b)
{
    const int64_t m = b.r1 - b.r0;
    if (is_diagonal(t, b)) {
        hesca_kernel_herk(t->type, t->upper ? 'U' : 'L', t->upper ? 'C' : 'N',
                          m, width, -1, slice(t, rows, b.r0), rows.ld, 1,
                          element(t, b.r0, b.c0), t->lda);
        return;
    }
    multiply(t, width, rows, cols, b, hesca_one(t->type), hesca_zero(t->type),
             t->corner, m);
    for (int64_t c = b.c0; c < b.c1; ++c) {
        const int64_t j = col_index(t, c);
        const int64_t from = t->upper ? b.r0 : row_from(t, b.r0, b.r1, j);
        const int64_t end = t->upper ? row_from(t, b.r0, b.r1, j + 1) : b.r1;
        if (from < end)
            hesca_kernel_geru(
                t->type, end - from, 1, hesca_minus_one(t->type),
                t->corner + (from - b.r0 + (c - b.c0) * m) * t->esize, 1,
                hesca_one(t->type), 1, element(t, from, c), t->lda);
    }
}

void
hesca_trailing_update(const hesca_trailing *t, int64_t width,
                      hesca_slices rows, hesca_slices cols, hesca_block b)
{
    if (b.r0 >= b.r1 || b.c0 >= b.c1)
        return;
    const int64_t first = col_index(t, b.c0), last = col_index(t, b.c1 - 1);
    /* Rows a ... z - 1 are crossed by the diagonal; those beyond are whole. */
    const int64_t a = row_from(t, b.r0, b.r1, first);
    const int64_t z = row_from(t, b.r0, b.r1, last + 1);
    const int64_t mid = b.c0 + (b.c1 - b.c0) / 2;
    if (t->upper)
        whole(t, width, rows, cols, (hesca_block){b.r0, a, b.c0, b.c1});
    else
        whole(t, width, rows, cols, (hesca_block){z, b.r1, b.c0, b.c1});
    if (a == z)
        return;
    if (b.c1 - b.c0 == 1 ||
        (b.c1 - b.c0 <= CORNER_COLS && z - a <= CORNER_ROWS)) {
        crossed(t, width, rows, cols, (hesca_block){a, z, b.c0, b.c1});
        return;
    }
    hesca_trailing_update(t, width, rows, cols,
                          (hesca_block){a, z, b.c0, mid});
    hesca_trailing_update(t, width, rows, cols,
                          (hesca_block){a, z, mid, b.c1});
}
