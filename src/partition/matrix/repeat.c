/* SPDX-License-Identifier: BSD-3-Clause */
#include "partition/matrix/repeat.h"
#include "base/arith.h"
#include <stddef.h>

int64_t
hesca_repeat_lines(int64_t x, int64_t period, int64_t start, int64_t extent)
{
    if (period == 0)
        return 0;
    return x / period * extent + hesca_clamp(x % period - start, 0, extent);
}

/* 0 + 1 + ... + (n - 1), without larger intermediate values. */
static int64_t
sum_below(int64_t n)
{
    return n % 2 == 0 ? n / 2 * (n - 1) : (n - 1) / 2 * n;
}

/* The sum of clamp(z - start, 0, extent) over 0 <= z < x. */
static int64_t
ramp(int64_t x, int64_t start, int64_t extent)
{
    const int64_t rise = hesca_clamp(x - start, 0, extent + 1);
    const int64_t flat = hesca_max(0, x - start - extent - 1);
    return sum_below(rise) + flat * extent;
}

/* The number of columns of the rectangle among the first y, summed over 0 <= y
 * < x. */
static int64_t
columns_below(const hesca_repeated *b, int64_t x)
{
    const int64_t col = b->r.col, width = b->r.width;
    const int64_t whole = x / b->n, rest = x % b->n;
    return sum_below(whole) * width * b->n + whole * ramp(b->n, col, width) +
           whole * width * rest + ramp(rest, col, width);
}

/* Elements (r,c), c <= r, of the rows first ... last - 1. */
static int64_t
below(const hesca_repeated *b, int64_t first, int64_t last)
{
    return columns_below(b, last + 1) - columns_below(b, first + 1);
}

/* Elements (r,c), c <= r < x.  Rows form bands, one for each block row; bands
 * that are a common period of rows and columns apart differ by a constant. */
static int64_t
triangle(const hesca_repeated *b, int64_t x)
{
    const int64_t bands = x / b->m, apart = b->n / hesca_gcd(b->m, b->n);
    const int64_t row = b->r.row, height = b->r.height;
    int64_t sum = 0;
    for (int64_t k = 0; k < hesca_min(bands, apart); ++k) {
        const int64_t first = k * b->m + row;
        const int64_t repeats = (bands - 1 - k) / apart + 1;
        sum += repeats * below(b, first, first + height);
        if (repeats > 1)
            sum += sum_below(repeats) * (apart * b->m / b->n) * b->r.width *
                   height;
    }
    const int64_t last = bands * b->m + row;
    return sum + below(b, last, last + hesca_clamp(x - last, 0, height));
}

int64_t
hesca_repeat_lower(const hesca_repeated *x, int64_t order, int64_t k)
{
    const hesca_rect *r = &x->r;
    if (x->m == 0 || x->n == 0)
        return 0;
    const int64_t rows = hesca_repeat_lines(order, x->m, r->row, r->height) -
                         hesca_repeat_lines(k, x->m, r->row, r->height);
    return triangle(x, order) - triangle(x, k) -
           rows * hesca_repeat_lines(k, x->n, r->col, r->width);
}

int64_t
hesca_repeat_upper(const hesca_repeated *x, int64_t order, int64_t k)
{
    const hesca_rect *r = &x->r;
    const hesca_repeated transposed = {
        {r->col, r->row, r->width, r->height}, x->n, x->m};
    return hesca_repeat_lower(&transposed, order, k);
}

/* ------------------------------------------------ queries of a tiling
 * Public: out-of-range arguments give -1, so that no product overflows. */

enum { EXTENT_BITS = 62 };

/* Whether rows x cols elements of processor i can be counted. */
static int
is_in_range(const hesca_tiling *t, int i, int64_t rows, int64_t cols)
{
    return i >= 0 && i < hesca_tiling_parts(t) && rows >= 0 && cols >= 0 &&
           (cols == 0 || rows <= ((int64_t)1 << EXTENT_BITS) / cols);
}

static hesca_repeated
repeated(const hesca_tiling *t, int i)
{
    return (hesca_repeated){hesca_tiling_rect(t, i), hesca_tiling_rows(t),
                            hesca_tiling_cols(t)};
}

int64_t
hesca_tiling_locr(const hesca_tiling *tiling, int i, int64_t rows)
{
    if (!is_in_range(tiling, i, rows, 1))
        return -1;
    const hesca_repeated b = repeated(tiling, i);
    return hesca_repeat_lines(rows, b.m, b.r.row, b.r.height);
}

int64_t
hesca_tiling_locc(const hesca_tiling *tiling, int i, int64_t cols)
{
    if (!is_in_range(tiling, i, 1, cols))
        return -1;
    const hesca_repeated b = repeated(tiling, i);
    return hesca_repeat_lines(cols, b.n, b.r.col, b.r.width);
}

int64_t
hesca_tiling_count(const hesca_tiling *tiling, int i, int64_t rows,
                   int64_t cols)
{
    if (!is_in_range(tiling, i, rows, cols))
        return -1;
    return hesca_tiling_locr(tiling, i, rows) *
           hesca_tiling_locc(tiling, i, cols);
}

int64_t
hesca_tiling_triangle(const hesca_tiling *tiling, int i, int64_t order,
                      int64_t k, char uplo)
{
    if (!is_in_range(tiling, i, order, order) || k < 0 || k > order ||
        (uplo != 'L' && uplo != 'U'))
        return -1;
    const hesca_repeated b = repeated(tiling, i);
    return uplo == 'L' ? hesca_repeat_lower(&b, order, k)
                       : hesca_repeat_upper(&b, order, k);
}

/* Both triangles contain the diagonal: lower + upper - whole. */
int64_t
hesca_tiling_diagonal(const hesca_tiling *tiling, int i, int64_t order,
                      int64_t k)
{
    if (!is_in_range(tiling, i, order, order) || k < 0 || k > order)
        return -1;
    const hesca_repeated b = repeated(tiling, i);
    const hesca_rect r = b.r;
    const int64_t rows = hesca_repeat_lines(order, b.m, r.row, r.height) -
                         hesca_repeat_lines(k, b.m, r.row, r.height);
    const int64_t cols = hesca_repeat_lines(order, b.n, r.col, r.width) -
                         hesca_repeat_lines(k, b.n, r.col, r.width);
    return hesca_repeat_lower(&b, order, k) +
           hesca_repeat_upper(&b, order, k) - rows * cols;
}
