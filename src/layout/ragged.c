/* SPDX-License-Identifier: BSD-3-Clause */
/* Layouts with a separate cut of the rows in every process column, or of the
 * columns in every process row. */
#include "base/status.h"
#include "layout/arguments.h"
#include "layout/layout.h"
#include <stdlib.h>

/* --- lines ---
 * A line is a process column of a column-based layout, a process row of a
 * row-based one.  All lines share one cut of the first dimension; each has its
 * own cut of the second.  A line of width 0 has no elements: its arguments are
 * ignored, and it takes the cut of the first line of positive width.  If all
 * lines have equal cuts, one remains. */

/* Replace n equal cuts by one; return the number of cuts. */
static int
merge_equal(hesca_axis *cut, int n)
{
    for (int k = 1; k < n; ++k)
        if (!hesca_axis_equal(&cut[0], &cut[k]))
            return n;
    for (int k = 1; k < n; ++k)
        hesca_axis_clear(&cut[k]);
    return 1;
}

static void
merge_equal_cuts(hesca_layout *x)
{
    x->nrow_cuts = merge_equal(x->rows, x->nrow_cuts);
    x->ncol_cuts = merge_equal(x->cols, x->ncol_cuts);
}

/* --- heights and widths ---
 * A checked request has a line of positive width, and the blocks of all such
 * lines have the same sum. */

/* The arguments of a call; heights and widths are arguments 5 and 6. */
typedef struct {
    const char *routine;
    int64_t m, n;
    int nprow, npcol;
    const int64_t *heights, *widths;
    const int *ranks;
    int by_rows; /* row-based */
} request;

/* The lengths of the first dimension, one per line. */
static hesca_lengths
lines_of(const request *q)
{
    return q->by_rows ? (hesca_lengths){q->heights, 0, q->nprow, 1}
                      : (hesca_lengths){q->widths, 0, q->npcol, 1};
}

/* The lengths of the second dimension in line k. */
static hesca_lengths
parts_of(const request *q, int k)
{
    return q->by_rows ? (hesca_lengths){q->widths, k * q->npcol, q->npcol, 1}
                      : (hesca_lengths){q->heights, k, q->nprow, q->npcol};
}

/* The lengths of every line of positive width must have the same sum. */
static int
check_parts(const request *q)
{
    const hesca_lengths lines = lines_of(q);
    const char *name = q->by_rows ? "widths" : "heights";
    const int info = q->by_rows ? 6 : 5;
    int64_t sum, first = 0;
    int err = HESCA_SUCCESS;
    for (int k = 0; k < lines.n; ++k) {
        if (lines.length[k] == 0)
            continue;
        HESCA_TRY(err, hesca_layout_check_lengths(q->routine, info, name,
                                                  parts_of(q, k), &sum));
        if (first > 0 && sum != first)
            return hesca_fail(HESCA_ERR_ARG, info,
                              "%s: argument %d, %s, of process %s %d: the sum "
                              "is %lld: must be %lld, as before it",
                              q->routine, info, name,
                              q->by_rows ? "row" : "column", k, (long long)sum,
                              (long long)first);
        first = sum;
    }
fail:
    return err;
}

static int
check_request(const request *q)
{
    const char *name = q->by_rows ? "heights" : "widths";
    int64_t sum;
    int err;
    HESCA_TRY(err, hesca_layout_check_least(q->routine, 1, "m", q->m, 0));
    HESCA_TRY(err, hesca_layout_check_least(q->routine, 2, "n", q->n, 0));
    HESCA_TRY(err, hesca_layout_check_grid(q->routine, 3, q->nprow, q->npcol));
    HESCA_TRY(err, hesca_layout_check_lengths(q->routine, q->by_rows ? 5 : 6,
                                              name, lines_of(q), &sum));
    HESCA_TRY(err, check_parts(q));
    HESCA_TRY(err, hesca_layout_check_ranks(q->routine, 7, q->ranks,
                                            q->nprow * q->npcol));
fail:
    return err;
}

/* Cut the second dimension, of the given extent, in every line. */
static int
cut_lines(const request *q, hesca_axis *cut, int64_t extent)
{
    const hesca_lengths lines = lines_of(q);
    const int n = q->by_rows ? q->npcol : q->nprow;
    int64_t *length = malloc((size_t)n * sizeof *length);
    int first = 0, err = HESCA_SUCCESS;
    if (length == NULL)
        return hesca_fail(HESCA_ERR_NOMEM, 0, "%d lengths", n);
    while (lines.length[first] == 0)
        ++first;
    for (int k = 0; k < lines.n; ++k) {
        const hesca_lengths x = parts_of(q, lines.length[k] > 0 ? k : first);
        for (int p = 0; p < n; ++p)
            length[p] = x.length[x.at + p * x.step];
        HESCA_TRY(err, hesca_axis_generalized(&cut[k], extent, n, length));
    }
fail:
    free(length);
    return err;
}

/* The length if all are equal, else 0. */
static int
common_length(hesca_lengths x)
{
    const int64_t first = x.length[x.at];
    for (int p = 1; p < x.n; ++p)
        if (x.length[x.at + p * x.step] != first)
            return 0;
    return first <= INT32_MAX ? (int)first : 0;
}

/* Set the block sizes mb and nb, which messages name. */
static void
set_block_sizes(hesca_layout *x, const request *q)
{
    const hesca_lengths lines = lines_of(q);
    int line = 0;
    while (lines.length[line] == 0)
        ++line;
    const int parts =
        hesca_layout_is_product(x) ? common_length(parts_of(q, line)) : 0;
    x->mb = q->by_rows ? common_length(lines) : parts;
    x->nb = q->by_rows ? parts : common_length(lines);
}

static int
create(const request *q, hesca_layout **layout)
{
    hesca_layout *x = NULL;
    int err;
    if (layout == NULL)
        return hesca_fail_null(q->routine, 8, "layout");
    HESCA_TRY(err, check_request(q));
    x = hesca_layout_allocate(q->nprow, q->npcol, q->ranks,
                              q->by_rows ? 1 : q->npcol,
                              q->by_rows ? q->nprow : 1);
    HESCA_TRY(err, x == NULL ? HESCA_ERR_NOMEM : HESCA_SUCCESS);
    if (q->by_rows) {
        HESCA_TRY(err,
                  hesca_axis_generalized(x->rows, q->m, q->nprow, q->heights));
        HESCA_TRY(err, cut_lines(q, x->cols, q->n));
    } else {
        HESCA_TRY(err, cut_lines(q, x->rows, q->m));
        HESCA_TRY(err,
                  hesca_axis_generalized(x->cols, q->n, q->npcol, q->widths));
    }
    merge_equal_cuts(x);
    set_block_sizes(x, q);
fail:
    if (err < 0) {
        hesca_layout_free(x);
        x = NULL;
    }
    *layout = x;
    return err;
}

int
hesca_layout_create_column_based(int64_t m, int64_t n, int nprow, int npcol,
                                 const int64_t *heights, const int64_t *widths,
                                 const int *ranks, hesca_layout **layout)
{
    const request q = {.routine = "hesca_layout_create_column_based",
                       .m = m,
                       .n = n,
                       .nprow = nprow,
                       .npcol = npcol,
                       .heights = heights,
                       .widths = widths,
                       .ranks = ranks};
    return create(&q, layout);
}

int
hesca_layout_create_row_based(int64_t m, int64_t n, int nprow, int npcol,
                              const int64_t *heights, const int64_t *widths,
                              const int *ranks, hesca_layout **layout)
{
    const request q = {.routine = "hesca_layout_create_row_based",
                       .m = m,
                       .n = n,
                       .nprow = nprow,
                       .npcol = npcol,
                       .heights = heights,
                       .widths = widths,
                       .ranks = ranks,
                       .by_rows = 1};
    return create(&q, layout);
}

/* --- blocks with assigned owners ---
 * Blocks of one dimension have the same size.  Only the dimension that differs
 * between lines has ncuts > 1, and then ncuts is the number of lines. */

static const char ASSIGNED[] = "hesca_layout_create_by_owners";

/* One dimension: the owners of every nblocks blocks, in each cut. */
typedef struct {
    int64_t extent;
    int nb, nblocks, nowners, ncuts;
    const int *owner; /* [ncuts][nblocks] */
} assignment;

/* Make the cuts of dimension x; the lines are those of dimension other.  A
 * line without blocks takes the cut of the line that owns the first block. */
static int
cut_assigned(hesca_axis *cut, const assignment *x, const assignment *other)
{
    int err = HESCA_SUCCESS;
    for (int k = 0; k < x->ncuts; ++k) {
        int line = k, at = 0;
        while (x->ncuts > 1 && at < other->nblocks && other->owner[at] != k)
            ++at;
        if (at == other->nblocks)
            line = other->owner[0];
        HESCA_TRY(err, hesca_axis_assigned(
                           &cut[k], x->extent, x->nb, x->nblocks,
                           x->owner + (int64_t)line * x->nblocks, x->nowners));
    }
fail:
    return err;
}

/* The block size, 0 if blocks or cuts differ. */
static int
block_length(const assignment *x, const hesca_axis *cut, int ncuts)
{
    int src;
    const int64_t length = hesca_axis_is_cyclic(cut, &src);
    if (ncuts > 1)
        return 0;
    if (x->nowners == 1)
        return x->nb;
    return length <= INT32_MAX ? (int)length : 0;
}

static int
check_owners(int info, const char *name, const assignment *x)
{
    return hesca_layout_check_owners(ASSIGNED, info, name, x->owner,
                                     (int64_t)x->ncuts * x->nblocks,
                                     x->nowners);
}

static int
check_assigned(hesca_layout_kind kind, const assignment *rows,
               const assignment *cols, const int *ranks)
{
    int err;
    if ((unsigned)kind > HESCA_COLUMN_BASED)
        return hesca_fail_arg(ASSIGNED, 1, "kind", kind,
                              "one of hesca_layout_kind");
    HESCA_TRY(err,
              hesca_layout_check_least(ASSIGNED, 2, "m", rows->extent, 0));
    HESCA_TRY(err,
              hesca_layout_check_least(ASSIGNED, 3, "n", cols->extent, 0));
    HESCA_TRY(err, hesca_layout_check_least(ASSIGNED, 4, "mb", rows->nb, 1));
    HESCA_TRY(err, hesca_layout_check_least(ASSIGNED, 5, "nb", cols->nb, 1));
    HESCA_TRY(err,
              hesca_layout_check_least(ASSIGNED, 6, "lp", rows->nblocks, 1));
    HESCA_TRY(err,
              hesca_layout_check_least(ASSIGNED, 7, "lq", cols->nblocks, 1));
    HESCA_TRY(err, hesca_layout_check_grid(ASSIGNED, 8, rows->nowners,
                                           cols->nowners));
    HESCA_TRY(err, check_owners(10, "rowowner", rows));
    HESCA_TRY(err, check_owners(11, "colowner", cols));
    HESCA_TRY(err, hesca_layout_check_ranks(ASSIGNED, 12, ranks,
                                            rows->nowners * cols->nowners));
fail:
    return err;
}

int
hesca_layout_create_by_owners(hesca_layout_kind kind, int64_t m, int64_t n,
                              int mb, int nb, int lp, int lq, int nprow,
                              int npcol, const int *rowowner,
                              const int *colowner, const int *ranks,
                              hesca_layout **layout)
{
    const assignment rows = {
        m, mb, lp, nprow, kind == HESCA_COLUMN_BASED ? npcol : 1, rowowner};
    const assignment cols = {
        n, nb, lq, npcol, kind == HESCA_ROW_BASED ? nprow : 1, colowner};
    hesca_layout *x = NULL;
    int err;
    if (layout == NULL)
        return hesca_fail_null(ASSIGNED, 13, "layout");
    HESCA_TRY(err, check_assigned(kind, &rows, &cols, ranks));
    x = hesca_layout_allocate(nprow, npcol, ranks, rows.ncuts, cols.ncuts);
    HESCA_TRY(err, x == NULL ? HESCA_ERR_NOMEM : HESCA_SUCCESS);
    HESCA_TRY(err, cut_assigned(x->rows, &rows, &cols));
    HESCA_TRY(err, cut_assigned(x->cols, &cols, &rows));
    merge_equal_cuts(x);
    x->mb = block_length(&rows, x->rows, x->nrow_cuts);
    x->nb = block_length(&cols, x->cols, x->ncol_cuts);
fail:
    if (err < 0) {
        hesca_layout_free(x);
        x = NULL;
    }
    *layout = x;
    return err;
}
