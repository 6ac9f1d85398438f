/* SPDX-License-Identifier: BSD-3-Clause */
#include "dense/triangle.h"
#include "base/arith.h"
#include "base/status.h"
#include <stdlib.h>
#include <string.h>

/* Bounds of blocks that the diagonal crosses, so that little is computed
 * beyond it. */
enum { CORNER_COLS = 64, CORNER_ROWS = 128 };

int
hesca_triangle_init(hesca_triangle *t, const hesca_local *part, int64_t n,
                    void *a, int64_t lda)
{
    const hesca_rectangle here = hesca_local_rectangle(part, n, n);
    t->esize = (int64_t)hesca_type_size(t->type);
    t->a = a;
    t->lda = lda;
    t->row0 = here.r0;
    t->row1 = here.r1;
    t->col0 = here.c0;
    t->col1 = here.c1;
    const size_t m = (size_t)(t->row1 - t->row0);
    const size_t k = (size_t)(t->col1 - t->col0);
    t->row = malloc((m + 1) * sizeof *t->row);
    t->col = malloc((k + 1) * sizeof *t->col);
    t->corner = malloc((size_t)(CORNER_COLS * CORNER_ROWS * t->esize));
    if (t->row == NULL || t->col == NULL || t->corner == NULL) {
        hesca_triangle_clear(t);
        return hesca_fail(HESCA_ERR_NOMEM, 0, "indices of %zu x %zu elements",
                          m, k);
    }
    hesca_local_row_indices(part, t->row0, t->row1, t->row);
    hesca_local_col_indices(part, t->col0, t->col1, t->col);
    return HESCA_SUCCESS;
}

void
hesca_triangle_clear(hesca_triangle *t)
{
    free(t->row);
    free(t->col);
    free(t->corner);
    memset(t, 0, sizeof *t);
}

/* --- elements ---
 * Local rows and columns are in ascending order of indices, so bounds are
 * found by bisection. */

static int
is_hermitian(const hesca_triangle *t)
{
    return t->transx == 'C' || t->transy == 'C';
}

static int64_t
row_index(const hesca_triangle *t, int64_t r)
{
    return t->row[r - t->row0];
}

static int64_t
col_index(const hesca_triangle *t, int64_t c)
{
    return t->col[c - t->col0];
}

/* The first of the rows r0 ... r1 - 1 with an index >= i, or r1. */
static int64_t
row_from(const hesca_triangle *t, int64_t r0, int64_t r1, int64_t i)
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

/* The slice of local row (column) at, of a count x width array or, if it is
 * across, of a width x count one. */
static const char *
slice(const hesca_triangle *t, hesca_slices s, int64_t at, int across)
{
    const int64_t skip = at - s.from;
    return s.at + (across ? skip * s.ld : skip) * t->esize;
}

static char *
element(const hesca_triangle *t, int64_t r, int64_t c)
{
    return t->a + (r + c * t->lda) * t->esize;
}

/* C := beta C + alpha op(X) op(Y) */
static void
multiply(const hesca_triangle *t, int64_t width, hesca_slices rows,
         hesca_slices cols, hesca_rectangle b, const void *beta, char *c,
         int64_t ldc)
{
    hesca_kernel_gemm(t->type, t->transx, t->transy, b.r1 - b.r0, b.c1 - b.c0,
                      width, t->alpha, slice(t, rows, b.r0, t->transx != 'N'),
                      rows.ld, slice(t, cols, b.c0, t->transy == 'N'), cols.ld,
                      beta, c, ldc);
}

/* --- columns --- */

/* The rows of column c that are in the triangle, of r0 ... r1 - 1. */
static void
bound(const hesca_triangle *t, int64_t c, int64_t *r0, int64_t *r1)
{
    const int64_t j = col_index(t, c);
    if (t->upper)
        *r1 = row_from(t, *r0, *r1, j + 1);
    else
        *r0 = row_from(t, *r0, *r1, j);
}

void
hesca_triangle_scale(const hesca_triangle *t, const void *beta)
{
    const size_t half = (size_t)t->esize / 2;
    for (int64_t c = t->col0; c < t->col1; ++c) {
        int64_t from = t->row0, end = t->row1;
        bound(t, c, &from, &end);
        const int64_t last = t->upper ? end - 1 : from;
        if (from < end && is_hermitian(t) && hesca_type_is_complex(t->type) &&
            row_index(t, last) == col_index(t, c))
            memset(element(t, last, c) + half, 0, half);
        if (!hesca_is_one(t->type, beta))
            hesca_kernel_scale(t->type, end - from, 1, beta,
                               element(t, from, c), t->lda);
    }
}

/* --- blocks ---
 * Every element of the triangle in b is updated once, none outside of it. */

static void
whole(const hesca_triangle *t, int64_t width, hesca_slices rows,
      hesca_slices cols, hesca_rectangle b)
{
    if (b.r0 < b.r1 && b.c0 < b.c1)
        multiply(t, width, rows, cols, b, hesca_one(t->type),
                 element(t, b.r0, b.c0), t->lda);
}

/* Whether rows and columns of a block have the same indices, without gaps. */
static int
is_diagonal(const hesca_triangle *t, hesca_rectangle b)
{
    const int64_t n = b.c1 - b.c0, i = row_index(t, b.r0);
    return b.r1 - b.r0 == n && col_index(t, b.c0) == i &&
           row_index(t, b.r1 - 1) == i + n - 1 &&
           col_index(t, b.c1 - 1) == i + n - 1;
}

/* A block that the diagonal crosses: compute the product of the whole block
 * and add the part inside the triangle. */
static void
crossed(const hesca_triangle *t, int64_t width, hesca_slices rows,
        hesca_slices cols, hesca_rectangle b)
{
    const int64_t m = b.r1 - b.r0;
    if (is_diagonal(t, b)) {
        hesca_kernel_syrk(t->type, is_hermitian(t), t->upper ? 'U' : 'L',
                          t->transx, m, width, t->alpha,
                          slice(t, rows, b.r0, t->transx != 'N'), rows.ld,
                          hesca_one(t->type), element(t, b.r0, b.c0), t->lda);
        return;
    }
    multiply(t, width, rows, cols, b, hesca_zero(t->type), t->corner, m);
    for (int64_t c = b.c0; c < b.c1; ++c) {
        int64_t from = b.r0, end = b.r1;
        bound(t, c, &from, &end);
        hesca_kernel_geru(
            t->type, end - from, 1, hesca_one(t->type),
            t->corner + (from - b.r0 + (c - b.c0) * m) * t->esize, 1,
            hesca_one(t->type), 1, element(t, from, c), t->lda);
    }
}

void
hesca_triangle_update(const hesca_triangle *t, int64_t width,
                      hesca_slices rows, hesca_slices cols, hesca_rectangle b)
{
    if (b.r0 >= b.r1 || b.c0 >= b.c1)
        return;
    const int64_t first = col_index(t, b.c0), last = col_index(t, b.c1 - 1);
    /* Rows a ... z - 1 are crossed by the diagonal; those beyond are whole. */
    const int64_t a = row_from(t, b.r0, b.r1, first);
    const int64_t z = row_from(t, b.r0, b.r1, last + 1);
    const int64_t mid = b.c0 + (b.c1 - b.c0) / 2;
    if (t->upper)
        whole(t, width, rows, cols, (hesca_rectangle){b.r0, a, b.c0, b.c1});
    else
        whole(t, width, rows, cols, (hesca_rectangle){z, b.r1, b.c0, b.c1});
    if (a == z)
        return;
    if (b.c1 - b.c0 == 1 ||
        (b.c1 - b.c0 <= CORNER_COLS && z - a <= CORNER_ROWS)) {
        crossed(t, width, rows, cols, (hesca_rectangle){a, z, b.c0, b.c1});
        return;
    }
    hesca_triangle_update(t, width, rows, cols,
                          (hesca_rectangle){a, z, b.c0, mid});
    hesca_triangle_update(t, width, rows, cols,
                          (hesca_rectangle){a, z, mid, b.c1});
}
