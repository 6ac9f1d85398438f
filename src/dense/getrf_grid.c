/* SPDX-License-Identifier: BSD-3-Clause */
/* LU factorization on any grid: the next panel is factored and sent while the
 * trailing matrix is updated by the current one.
 *
 * 1. A panel's team factors it (panel_factor.h); all processes receive its
 *    pivots and L11.
 * 2. L21 goes by a panel multicast to all processes that own these rows.
 * 3. Rows are interchanged in the columns to the right, by chunks of columns;
 *    those that come to the top go to all owners of the columns
 *    (row_interchange.h).
 * 4. Every process solves for U12 in its columns and updates its part of the
 *    trailing matrix: first the columns of the next panel, with which 1 and 2
 *    begin, then the others.  Step 3 of the next panel begins in a chunk when
 *    the chunk is updated and the pivots are known.
 * Solving for U12 on every process costs a little computation, saves a message
 * between the owner of the diagonal block and the others, and allows these
 * rows to have any number of owners.
 *
 * Messages progress between the pieces of step 4. Operands and results do not
 * depend on when messages arrive. */
#include "base/arith.h"
#include "base/status.h"
#include "dense/getrf_job.h"
#include <string.h>

/* Operations of a piece of an update, between two tests of messages: a few ms
 * on current processors. */
static const double PIECE = 1.5e8, PIECE_FAR = 3e7;

/* --- chunks ---
 * Bounds depend on the layout and the agreed width only. */

static int
has_next(const hesca_lu *f, const hesca_lu_panel *s)
{
    return s->k1 < f->k;
}

/* The end of the chunk of columns that begins at j. The next panel is a chunk;
 * the others end at the same columns for all panels. */
static int64_t
chunk_end(const hesca_lu *f, const hesca_lu_panel *s, int64_t j)
{
    if (j == s->k1 && has_next(f, s))
        return hesca_lu_panel_end(f, j);
    return hesca_min((j / f->stride + 1) * f->stride, f->n);
}

/* --- messages --- */

static int
head_is_here(hesca_lu *f, int64_t x)
{
    (void)x;
    return f->panel.has_head;
}

static int
panels_are_here(hesca_lu *f, int64_t x)
{
    return f->mcast_ready >= x;
}

static int
interchanges_are_here(hesca_lu *f, int64_t x)
{
    return f->interchanges_ready >= x;
}

static int
interchange_may_begin(hesca_lu *f, int64_t x)
{
    (void)x;
    return hesca_row_interchange_may_begin(f->interchange);
}

static int
all_is_over(hesca_lu *f, int64_t x)
{
    (void)x;
    return hesca_panel_is_over(&f->panel) &&
           hesca_row_interchange_is_over(f->interchange);
}

/* --- interchanges ---
 * Exchanges begin in the same order on all processes: chunk by chunk, panel
 * by panel. */

/* The interchanges of a panel as one permutation: rows that come to the top,
 * and rows that move to rows below. */
static void
sort_rows(hesca_lu_panel *s)
{
    const int64_t *pivots = hesca_head_pivots(&s->head);
    const int64_t width = s->k1 - s->k0;
    s->nmoves = 0;
    s->is_sorted = 1;
    for (int64_t c = 0; c < width; ++c)
        s->top[c] = s->k0 + c;
    for (int64_t c = 0; c < width; ++c) {
        int64_t d, *with;
        if (pivots[c] < s->k1) {
            with = &s->top[pivots[c] - s->k0];
        } else {
            for (d = 0; d < s->nmoves && s->to[d] != pivots[c]; ++d)
                ;
            if (d == s->nmoves) {
                s->to[d] = s->from[d] = pivots[c];
                ++s->nmoves;
            }
            with = &s->from[d];
        }
        const int64_t row = *with;
        *with = s->top[c];
        s->top[c] = row;
    }
}

static char *
u_of(const hesca_lu *f, int64_t local_col)
{
    return f->u + (local_col - f->col_begin) * f->widest * f->esize;
}

/* Begin to exchange the chunks that end at or before column end. */
static int
begin_interchanges(hesca_lu *f, hesca_lu_panel *s, int64_t end)
{
    int err = HESCA_SUCCESS;
    if (!s->is_sorted)
        sort_rows(s);
    const hesca_row_interchange_rows rows = {.ntops = s->k1 - s->k0,
                                             .nmoves = s->nmoves,
                                             .top = s->top,
                                             .from = s->from,
                                             .to = s->to};
    while (s->exchanged < f->n) {
        const int64_t j = s->exchanged, to = chunk_end(f, s, j);
        if (to > end)
            break;
        HESCA_TRY(err, hesca_lu_wait(f, interchange_may_begin, 0,
                                     "rows to be taken"));
        HESCA_TRY(err, hesca_row_interchange_begin(
                           f->interchange, &rows, j, to, f->a, f->lld,
                           u_of(f, hesca_local_col(&f->part, j)), f->widest));
        ++f->interchanges_begun;
        s->exchanged = to;
    }
fail:
    return err;
}

/* --- updates ---
 * A chunk is updated by panel t when its rows are exchanged and L21 is
 * here, after all earlier panels. */

/* Store the rows of U that this process owns into A. */
static void
store_u(const hesca_lu *f, const hesca_lu_panel *s, int64_t c0, int64_t c1)
{
    const int64_t row = hesca_local_row(&f->part, s->k0);
    const int64_t end = hesca_local_row(&f->part, s->k1);
    int64_t index[HESCA_LU_WIDEST];
    hesca_local_row_indices(&f->part, row, end, index);
    for (int64_t c = c0; c < c1 && row < end; ++c)
        for (int64_t r = row, len; r < end; r += len) {
            for (len = 1; r + len < end; ++len)
                if (index[r - row + len] != index[r - row] + len)
                    break;
            memcpy(f->a + (r + c * f->lld) * f->esize,
                   u_of(f, c) + (index[r - row] - s->k0) * f->esize,
                   (size_t)(len * f->esize));
        }
}

/* Update local columns c0 ... c1 - 1, in pieces. */
static int
multiply(hesca_lu *f, const hesca_lu_panel *s, int64_t c0, int64_t c1)
{
    const int64_t width = s->k1 - s->k0,
                  row = hesca_local_row(&f->part, s->k1);
    const int64_t rows = f->row_end - row;
    if (rows == 0)
        return HESCA_SUCCESS;
    const double column = 2.0 * (double)rows * (double)width;
    const double piece = hesca_comm_is_node(f->c) ? PIECE : PIECE_FAR;
    const int64_t most = hesca_max(32, (int64_t)(piece / column));
    int err = HESCA_SUCCESS;
    for (int64_t c = c0; c < c1; c += most) {
        const int64_t n = hesca_min(most, c1 - c);
        hesca_kernel_gemm(f->type, 'N', 'N', rows, n, width,
                          hesca_minus_one(f->type), s->l, s->ldl, u_of(f, c),
                          f->widest, hesca_one(f->type),
                          f->a + (row + c * f->lld) * f->esize, f->lld);
        HESCA_TRY(err, hesca_lu_progress(f));
    }
fail:
    return err;
}

/* Update the next chunk, which ends at column *j. */
static int
update(hesca_lu *f, const hesca_lu_panel *s, int64_t *chunk, int64_t *j)
{
    const int64_t end = chunk_end(f, s, *j), width = s->k1 - s->k0;
    const int64_t c0 = hesca_local_col(&f->part, *j);
    const int64_t c1 = hesca_local_col(&f->part, end);
    int err;
    *j = end;
    HESCA_TRY(err,
              hesca_lu_wait(f, interchanges_are_here, ++*chunk, "rows of U"));
    if (hesca_local_row(&f->part, s->k0) == f->row_end || c0 == c1)
        return err;
    hesca_kernel_trsm(f->type, 'L', 'L', 'N', 'U', width, c1 - c0,
                      hesca_one(f->type), hesca_head_block(&s->head), width,
                      u_of(f, c0), f->widest);
    store_u(f, s, c0, c1);
    HESCA_TRY(err, multiply(f, s, c0, c1));
fail:
    return err;
}

/* Steps 3 and 4 of panel t, and steps 1 and 2 of the next one. */
static int
step(hesca_lu *f, int64_t t)
{
    hesca_lu_panel *s = &f->panel_state[t % HESCA_LU_DEPTH],
                   *next = &f->panel_state[(t + 1) % HESCA_LU_DEPTH];
    int64_t j = s->k1, chunk = s->chunks;
    int err;
    HESCA_TRY(err, hesca_lu_wait(f, head_is_here, 0, "pivots"));
    hesca_lu_take_head(f, s);
    HESCA_TRY(err, begin_interchanges(f, s, f->n));
    next->chunks = f->interchanges_begun;
    HESCA_TRY(err, hesca_lu_wait(f, panels_are_here, t + 1, "a panel"));
    HESCA_TRY(err, hesca_panel_mcast_wait(f->mcast));
    if (has_next(f, s)) {
        HESCA_TRY(err, update(f, s, &chunk, &j));
        HESCA_TRY(err, hesca_lu_begin_panel(f, f->l[f->begun % HESCA_LU_DEPTH],
                                            f->ldl));
    }
    while (j < f->n) {
        HESCA_TRY(err, update(f, s, &chunk, &j));
        if (has_next(f, s) && f->panel.has_head)
            HESCA_TRY(err, begin_interchanges(f, next, j));
    }
    hesca_panel_mcast_release(f->mcast, t + 1);
fail:
    return err;
}

int
hesca_lu_factor_grid(hesca_lu *f)
{
    int err;
    HESCA_TRY(err, hesca_lu_await_columns(f, f->col_end));
    HESCA_TRY(
        err, hesca_lu_begin_panel(f, f->l[f->begun % HESCA_LU_DEPTH], f->ldl));
    for (int64_t t = 0; t < f->npanels; ++t)
        HESCA_TRY(err, step(f, t));
    HESCA_TRY(err, hesca_lu_wait(f, all_is_over, 0, "messages to be taken"));
    HESCA_TRY(err, hesca_panel_mcast_end(f->mcast));
fail:
    return err;
}
