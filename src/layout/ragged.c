/* Layouts whose rows are cut anew in every process column, or whose columns
 * in every process row. */
#include "base/status.h"
#include "layout/check.h"
#include "layout/layout.h"
#include <stdlib.h>

/* A process column is a line of column-based layouts, a process row of
 * row-based ones: lines have one dimension together, and each cuts the other
 * one on its own.  Lines without width have nothing to cut: whatever they
 * say, they take the cut of the first one that has. */

/* One cut for all where all are alike. */
static int
keep_different(hesca_axis *cut, int n)
{
    for (int k = 1; k < n; ++k)
        if (!hesca_axis_equal(&cut[0], &cut[k]))
            return n;
    for (int k = 1; k < n; ++k)
        hesca_axis_clear(&cut[k]);
    return 1;
}

static void
settle(hesca_layout *x)
{
    x->nrow_cuts = keep_different(x->rows, x->nrow_cuts);
    x->ncol_cuts = keep_different(x->cols, x->ncol_cuts);
}

/* ------------------------------------------------ heights and widths */

/* A call; its arguments 5 and 6 are heights and widths. */
typedef struct {
    hesca_routine routine;
    int64_t m, n;
    int nprow, npcol;
    const int64_t *heights, *widths;
    const int *ranks;
    int by_rows; /* row-based */
} request;

/* What lines have together, and what line k cuts on its own. */
static hesca_lengths
lines_of(const request *q)
{
    return q->by_rows ? (hesca_lengths){q->heights, 0, q->nprow, 1}
                      : (hesca_lengths){q->widths, 0, q->npcol, 1};
}

static hesca_lengths
parts_of(const request *q, int k)
{
    return q->by_rows ? (hesca_lengths){q->widths, k * q->npcol, q->npcol, 1}
                      : (hesca_lengths){q->heights, k, q->nprow, q->npcol};
}

/* All lines that have width must cut blocks of the same size. */
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
        HESCA_TRY(err, hesca_check_lengths(q->routine, info, name,
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
    HESCA_TRY(err, hesca_check_least(q->routine, 1, "m", q->m, 0));
    HESCA_TRY(err, hesca_check_least(q->routine, 2, "n", q->n, 0));
    HESCA_TRY(err, hesca_check_grid(q->routine, 3, q->nprow, q->npcol));
    HESCA_TRY(err, hesca_check_lengths(q->routine, q->by_rows ? 5 : 6, name,
                                       lines_of(q), &sum));
    HESCA_TRY(err, check_parts(q));
    HESCA_TRY(err,
              hesca_check_ranks(q->routine, 7, q->ranks, q->nprow * q->npcol));
fail:
    return err;
}

/* The cuts of the lines, of an extent. */
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

/* The length that all have in common, 0 if there is none. */
static int
common_length(hesca_lengths x)
{
    const int64_t first = x.length[x.at];
    for (int p = 1; p < x.n; ++p)
        if (x.length[x.at + p * x.step] != first)
            return 0;
    return first <= INT32_MAX ? (int)first : 0;
}

/* The block sizes to speak of. */
static void
tell(hesca_layout *x, const request *q)
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
    settle(x);
    tell(x, q);
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

/* ------------------------------------------------ blocks that are dealt */

static const char DEALT[] = "hesca_layout_create_dealt";

/* One dimension: of every nblocks blocks, who has which, in each cut. */
typedef struct {
    int64_t extent;
    int nb, nblocks, nowners, ncuts;
    const int *owner; /* [ncuts][nblocks] */
} deal;

/* The cuts of a dimension, whose lines lie in the other one. */
static int
cut_dealt(hesca_axis *cut, const deal *x, const deal *other)
{
    int err = HESCA_SUCCESS;
    for (int k = 0; k < x->ncuts; ++k) {
        int line = k, at = 0;
        while (x->ncuts > 1 && at < other->nblocks && other->owner[at] != k)
            ++at;
        if (at == other->nblocks)
            line = other->owner[0];
        HESCA_TRY(err, hesca_axis_dealt(&cut[k], x->extent, x->nb, x->nblocks,
                                        x->owner + (int64_t)line * x->nblocks,
                                        x->nowners));
    }
fail:
    return err;
}

/* The block size to speak of, 0 if blocks differ. */
static int
told_length(const deal *x, const hesca_axis *cut, int ncuts)
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
check_deal(int info, const char *name, const deal *x)
{
    return hesca_check_owners(DEALT, info, name, x->owner,
                              (int64_t)x->ncuts * x->nblocks, x->nowners);
}

static int
check_dealt(hesca_layout_kind kind, const deal *rows, const deal *cols,
            const int *ranks)
{
    int err;
    if ((unsigned)kind > HESCA_COLUMN_BASED)
        return hesca_fail_arg(DEALT, 1, "kind", kind,
                              "one of hesca_layout_kind");
    HESCA_TRY(err, hesca_check_least(DEALT, 2, "m", rows->extent, 0));
    HESCA_TRY(err, hesca_check_least(DEALT, 3, "n", cols->extent, 0));
    HESCA_TRY(err, hesca_check_least(DEALT, 4, "mb", rows->nb, 1));
    HESCA_TRY(err, hesca_check_least(DEALT, 5, "nb", cols->nb, 1));
    HESCA_TRY(err, hesca_check_least(DEALT, 6, "lp", rows->nblocks, 1));
    HESCA_TRY(err, hesca_check_least(DEALT, 7, "lq", cols->nblocks, 1));
    HESCA_TRY(err, hesca_check_grid(DEALT, 8, rows->nowners, cols->nowners));
    HESCA_TRY(err, check_deal(10, "rowowner", rows));
    HESCA_TRY(err, check_deal(11, "colowner", cols));
    HESCA_TRY(err, hesca_check_ranks(DEALT, 12, ranks,
                                     rows->nowners * cols->nowners));
fail:
    return err;
}

int
hesca_layout_create_dealt(hesca_layout_kind kind, int64_t m, int64_t n, int mb,
                          int nb, int lp, int lq, int nprow, int npcol,
                          const int *rowowner, const int *colowner,
                          const int *ranks, hesca_layout **layout)
{
    const deal rows = {
        m, mb, lp, nprow, kind == HESCA_COLUMN_BASED ? npcol : 1, rowowner};
    const deal cols = {
        n, nb, lq, npcol, kind == HESCA_ROW_BASED ? nprow : 1, colowner};
    hesca_layout *x = NULL;
    int err;
    if (layout == NULL)
        return hesca_fail_null(DEALT, 13, "layout");
    HESCA_TRY(err, check_dealt(kind, &rows, &cols, ranks));
    x = hesca_layout_allocate(nprow, npcol, ranks, rows.ncuts, cols.ncuts);
    HESCA_TRY(err, x == NULL ? HESCA_ERR_NOMEM : HESCA_SUCCESS);
    HESCA_TRY(err, cut_dealt(x->rows, &rows, &cols));
    HESCA_TRY(err, cut_dealt(x->cols, &cols, &rows));
    settle(x);
    x->mb = told_length(&rows, x->rows, x->nrow_cuts);
    x->nb = told_length(&cols, x->cols, x->ncol_cuts);
fail:
    if (err < 0) {
        hesca_layout_free(x);
        x = NULL;
    }
    *layout = x;
    return err;
}
