/* SPDX-License-Identifier: BSD-3-Clause */
/* HDPI: queries of the rectangles of a generalized block.
 *
 * If the type of distribution is known, widths and heights determine the
 * positions of the rectangles: corners that are NULL are derived. */
#include "base/arith.h"
#include "base/status.h"
#include "hdpi.h"
#include "partition/hdpi/hdpi_models.h"
#include "partition/hdpi/hdpi_rects.h"
#include "partition/matrix/repeat.h"
#include "partition/matrix/tiling.h"
#include <limits.h>
#include <stddef.h>

/* The rectangles as arguments of these functions. */
typedef struct {
    const char *routine;
    int arg; /* number of argument p */
    int p, q;
    const int *w, *h, *trow, *tcol;
    int type;
} block;

static int
width(const block *b, int i, int j)
{
    return b->w[(size_t)i * (size_t)b->q + (size_t)j];
}

static int
height(const block *b, int i, int j)
{
    const size_t k = (size_t)i * (size_t)b->q + (size_t)j;
    return b->h[k * ((size_t)b->p * (size_t)b->q + 1)];
}

static hesca_rect
rect_of(const block *b, int i, int j)
{
    const size_t k = (size_t)i * (size_t)b->q + (size_t)j;
    hesca_rect r = {0, 0, height(b, i, j), width(b, i, j)};
    if (b->trow != NULL)
        r.row = b->trow[k];
    else
        for (int above = 0; above < i; ++above)
            r.row += height(b, above, j);
    if (b->tcol != NULL)
        r.col = b->tcol[k];
    else
        for (int left = 0; left < j; ++left)
            r.col += width(b, i, left);
    return r;
}

/* If column-based, all rectangles of a column have the same width; if
 * row-based, all of a row have the same height.  So sums along j give columns
 * and sums along i give rows, for every type except RECURSIVE. */
static int
check(const block *b)
{
    int err;
    HESCA_TRY(err, hesca_tiling_check_grid(b->routine, b->arg, b->p, b->q));
    if (b->w == NULL)
        return hesca_fail_null(b->routine, b->arg + 2, "w");
    if (b->h == NULL)
        return hesca_fail_null(b->routine, b->arg + 3, "h");
    HESCA_TRY(err, hesca_hdpi_check_type(b->routine, b->arg + 6, b->type));
    if (b->type == RECURSIVE && (b->trow == NULL || b->tcol == NULL))
        return hesca_fail(HESCA_ERR_ARG, b->arg + (b->trow == NULL ? 4 : 5),
                          "%s: argument %d, %s, is NULL: where RECURSIVE "
                          "rectangles are does not follow from their sizes",
                          b->routine, b->arg + (b->trow == NULL ? 4 : 5),
                          b->trow == NULL ? "trow" : "tcol");
fail:
    return err;
}

static int
check_place(const block *b, int arg, int i, int j)
{
    if (i < 0 || i >= b->p)
        return hesca_fail_arg(b->routine, arg, "i", i, "0 ... p - 1");
    if (j < 0 || j >= b->q)
        return hesca_fail_arg(b->routine, arg + 1, "j", j, "0 ... q - 1");
    return HESCA_SUCCESS;
}

static int
is_in(const hesca_rect *x, int r, int c)
{
    return r >= x->row && r < x->row + x->height && c >= x->col &&
           c < x->col + x->width;
}

int
Get_matrix_processor(int r, int c, int p, int q, int *w, int *h, int *trow,
                     int *tcol, int type_of_distribution, Processor *root)
{
    static const char routine[] = "Get_matrix_processor";
    const block b = {routine, 3, p, q, w, h, trow, tcol, type_of_distribution};
    int err;
    HESCA_TRY(err, check(&b));
    if (root == NULL)
        HESCA_TRY(err, hesca_fail_null(routine, 10, "root"));
    for (int i = 0; i < p; ++i)
        for (int j = 0; j < q; ++j) {
            const hesca_rect x = rect_of(&b, i, j);
            if (is_in(&x, r, c)) {
                *root = (Processor){i, j};
                return 0;
            }
        }
    err = hesca_fail(HESCA_ERR_ARG, r < 0 ? 1 : 2,
                     "%s: arguments 1 and 2, r and c, are %d and %d: outside "
                     "the block",
                     routine, r, c);
fail:
    return hesca_hdpi_status(err);
}

/* --- counts ---
 * Indices and rectangles are checked first; results that exceed an int are
 * errors. */

/* The elements (x,x) of one block: those in both its rows and its columns. */
int
Get_diagonal(int i, int j, int p, int q, int *w, int *h, int *trow, int *tcol)
{
    static const char routine[] = "Get_diagonal";
    const block b = {routine, 3, p, q, w, h, trow, tcol, COLUMN_BASED};
    if (check(&b) < 0 || check_place(&b, 1, i, j) < 0)
        return -1;
    const hesca_rect r = rect_of(&b, i, j);
    return (int)hesca_max(0, hesca_min(r.row + r.height, r.col + r.width) -
                                 hesca_max(r.row, r.col));
}

/* Count elements with both coordinates >= k, in 64 bits. */
static int
count(const block *b, int n, int g, int k, int i, int j, char uplo)
{
    if (n < 0)
        return hesca_fail_arg(b->routine, 1, "n", n, "at least 0");
    if (g < 1)
        return hesca_fail_arg(b->routine, 2, "g", g, "at least 1");
    if (k < 0 || k > n)
        return hesca_fail_arg(b->routine, 3, "k", k, "0 ... n");
    if (check(b) < 0 || check_place(b, b->arg - 2, i, j) < 0)
        return -1;
    if (uplo != 'U' && uplo != 'L')
        return hesca_fail_arg(b->routine, b->arg + 7, "upper_or_lower", uplo,
                              "'U' or 'L'");
    const hesca_repeated x = {rect_of(b, i, j), g, g};
    if (x.r.row < 0 || x.r.height < 0 || x.r.row + x.r.height > g ||
        x.r.col < 0 || x.r.width < 0 || x.r.col + x.r.width > g)
        return hesca_fail(HESCA_ERR_ARG, 2,
                          "%s: argument 2, g, is %d: the rectangle of (%d,%d) "
                          "is beyond it",
                          b->routine, g, i, j);
    const int64_t elements = uplo == 'L' ? hesca_repeat_lower(&x, n, k)
                                         : hesca_repeat_upper(&x, n, k);
    if (elements > INT_MAX)
        return hesca_fail(HESCA_ERR_UNSUPPORTED, 1,
                          "%s: argument 1, n, is %d: %lld elements are more "
                          "than an int can hold; see hesca_tiling_triangle()",
                          b->routine, n, (long long)elements);
    return (int)elements;
}

int
Get_my_elements(int n, int g, int i, int j, int p, int q, int *w, int *h,
                int *trow, int *tcol, int type_of_distribution,
                char upper_or_lower)
{
    const block b = {"Get_my_elements",   5, p, q, w, h, trow, tcol,
                     type_of_distribution};
    const int elements = count(&b, n, g, 0, i, j, upper_or_lower);
    return elements < 0 ? -1 : elements;
}

int
Get_my_kk_elements(int n, int g, int k, int i, int j, int p, int q, int *w,
                   int *h, int *trow, int *tcol, int type_of_distribution,
                   char upper_or_lower)
{
    const block b = {"Get_my_kk_elements", 6, p, q, w, h, trow, tcol,
                     type_of_distribution};
    const int elements = count(&b, n, g, k, i, j, upper_or_lower);
    return elements < 0 ? -1 : elements;
}

int
Get_trow_tcol(int m, const int *w, const int *h, int *trow, int *tcol)
{
    static const char routine[] = "Get_trow_tcol";
    if (m < 1 || m > (1 << 14))
        hesca_fail_arg(routine, 1, "m", m, "1 ... 2^14");
    else if (w == NULL || h == NULL)
        hesca_fail_null(routine, w == NULL ? 2 : 3, w == NULL ? "w" : "h");
    else if (trow == NULL || tcol == NULL)
        hesca_fail_null(routine, trow == NULL ? 4 : 5,
                        trow == NULL ? "trow" : "tcol");
    else {
        const block b = {routine, 1, m, m, w, h, NULL, NULL, COLUMN_BASED};
        for (int j = 0, col = 0; j < m; col += w[j++])
            for (int i = 0, row = 0; i < m; row += height(&b, i++, j)) {
                trow[i * m + j] = row;
                tcol[i * m + j] = col;
            }
        return 0;
    }
    return -1;
}
