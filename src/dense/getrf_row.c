/* SPDX-License-Identifier: BSD-3-Clause */
/* LU factorization on one process row, where rows are interchanged without
 * messages.
 *
 * A few panels are a group.  A panel updates the other columns of its group at
 * once, the next panel's first; those to the right of the group wait for all
 * of its panels and are then interchanged and updated by all at once, because
 * that takes a fraction of the passes through memory and BLAS is faster.  This
 * work is done in strips of columns while the panels of the next group are
 * awaited: the columns of the panel that this process factors next, if it is
 * the first of its group, then all others.
 *
 * L of a group is one matrix, the panels of which are side by side, in the
 * order of rows after the last panel that is here.
 *
 * Messages progress between strips. Operands and results do not depend on when
 * messages arrive. Source: two levels of blocks as in LAPACK's and the HPL
 * benchmark's; the order of the work as in potrf.c. */
#include "base/activity.h"
#include "base/arith.h"
#include "base/status.h"
#include "dense/getrf_job.h"
#include <string.h>

/* Strips of an update, each of which makes BLAS pack L of the group; more of
 * them between nodes, where messages wait for tests at both ends: of at most
 * so many operations (real), some ms. */
enum { STRIPS = 4, NARROWEST = 64 };
static const double PIECE_FAR = 6e7;

typedef struct {
    hesca_lu *f;
    int64_t row0;   /* local row of row 0 of sub(A) */
    int64_t t0, t1; /* the group whose update goes on: panels t0 ... t1 - 1 */
    int64_t next, first, strip; /* local columns: the first one that is left,
                                   the end of the first strip, the number in
                                   any other one */
    int64_t nmoves;             /* of the group, in f->from and f->to */
} work;

/* --- matrices ---
 * Rows are those of sub(A), columns local; of L, rows from the first of the
 * group on. */

static int64_t
group_of(const work *w, int64_t t)
{
    return t / w->f->span * w->f->span;
}

static int64_t
group_end(const work *w, int64_t t)
{
    return hesca_min(group_of(w, t) + w->f->span, w->f->npanels);
}

static char *
at(const work *w, int64_t i, int64_t c)
{
    const hesca_lu *f = w->f;
    return f->a + (w->row0 + i + c * f->lld) * f->esize;
}

/* L of the group of panel t, from row i and column k on. */
static char *
l_at(const work *w, int64_t t, int64_t i, int64_t k)
{
    const hesca_lu *f = w->f;
    const int64_t t0 = group_of(w, t), k0 = f->bound[t0];
    return f->l[t0 / f->span % HESCA_LU_DEPTH] +
           (i - k0 + (k - k0) * f->ldl) * f->esize;
}

static int
is_mine(const work *w, int64_t t)
{
    const hesca_lu *f = w->f;
    return f->part.pcol == hesca_local_pcol(&f->part, 0, f->bound[t]);
}

/* --- interchanges --- */

/* Row from[d] becomes row to[d]: the interchanges of columns k0 ... k1 - 1, as
 * far as rows change.  f->source is the identity before and afterwards.
 * \return Number of rows, at most 2 (k1 - k0). */
static int64_t
list_moves(hesca_lu *f, int64_t k0, int64_t k1, int64_t *from, int64_t *to)
{
    int64_t n = 0, *source = f->source;
    for (int64_t k = k0; k < k1; ++k) {
        const int64_t p = f->ipiv[k], row = source[k];
        source[k] = source[p];
        source[p] = row;
    }
    for (int64_t k = k0; k < k1; ++k)
        for (int way = 0; way < 2; ++way) {
            const int64_t i = way == 0 ? k : f->ipiv[k];
            if (source[i] == i)
                continue;
            from[n] = source[i];
            to[n++] = i;
            source[i] = i;
        }
    return n;
}

static void
interchange(const work *w, const hesca_lu_panel *s, int64_t c0, int64_t c1)
{
    const hesca_lu *f = w->f;
    hesca_rows_move((size_t)f->esize, at(w, 0, c0), f->lld, c1 - c0, s->nmoves,
                    s->from, s->to, f->line);
}

/* --- updates --- */

/* C(i0 ... i1 - 1, c0 ... c1 - 1) -= L(:, k0 ... k1 - 1) U */
static void
subtract(const work *w, int64_t t, int64_t k0, int64_t k1, int64_t i0,
         int64_t i1, int64_t c0, int64_t c1)
{
    const hesca_lu *f = w->f;
    if (i0 < i1)
        hesca_kernel_gemm(f->type, 'N', 'N', i1 - i0, c1 - c0, k1 - k0,
                          hesca_minus_one(f->type), l_at(w, t, i0, k0), f->ldl,
                          at(w, k0, c0), f->lld, hesca_one(f->type),
                          at(w, i0, c0), f->lld);
}

/* Rows k0 ... k1 - 1 of panel t become rows of U. */
static void
solve(const work *w, int64_t t, int64_t c0, int64_t c1)
{
    const hesca_lu *f = w->f;
    const int64_t k0 = f->bound[t], k1 = f->bound[t + 1];
    hesca_kernel_trsm(f->type, 'L', 'L', 'N', 'U', k1 - k0, c1 - c0,
                      hesca_one(f->type), l_at(w, t, k0, k0), f->ldl,
                      at(w, k0, c0), f->lld);
}

static int
has_rest(const work *w)
{
    return w->next < w->f->col_end;
}

/* The end of the next strip. */
static int64_t
next_end(const work *w)
{
    return w->next < w->first ? w->first
                              : hesca_min(w->next + w->strip, w->f->col_end);
}

/* Update the next strip by the group. */
static int
update_strip(work *w)
{
    hesca_lu *f = w->f;
    const int64_t c0 = w->next, c1 = next_end(w), k1 = f->bound[w->t1];
    int err;
    HESCA_TRY(err, hesca_lu_await_columns(f, c1));
    hesca_rows_move((size_t)f->esize, at(w, 0, c0), f->lld, c1 - c0, w->nmoves,
                    f->from, f->to, f->line);
    for (int64_t t = w->t0; t < w->t1; ++t) {
        solve(w, t, c0, c1);
        subtract(w, t, f->bound[t], f->bound[t + 1], f->bound[t + 1], k1, c0,
                 c1);
    }
    subtract(w, w->t0, f->bound[w->t0], k1, k1, f->m, c0, c1);
    w->next = c1;
    err = hesca_lu_progress(f);
fail:
    return err;
}

/* Update a later panel of the same group, behind the groups before. */
static int
apply(work *w, int64_t t, int64_t to)
{
    hesca_lu *f = w->f;
    int err;
    const int64_t c0 = hesca_local_col(&f->part, f->bound[to]);
    const int64_t c1 = hesca_local_col(&f->part, f->bound[to + 1]);
    HESCA_TRY(err, hesca_lu_await_columns(f, c1));
    while (w->next < c1 && has_rest(w))
        HESCA_TRY(err, update_strip(w));
    interchange(w, &f->panel_state[t % HESCA_LU_DEPTH], c0, c1);
    solve(w, t, c0, c1);
    subtract(w, t, f->bound[t], f->bound[t + 1], f->bound[t + 1], f->m, c0,
             c1);
    err = hesca_lu_progress(f);
fail:
    return err;
}

static int
finish_rest(work *w)
{
    int err = HESCA_SUCCESS;
    while (has_rest(w))
        HESCA_TRY(err, update_strip(w));
fail:
    return err;
}

/* Columns of a strip by k columns of L, except of the first one. */
static int64_t
strip_of(const work *w, int64_t k)
{
    const hesca_lu *f = w->f;
    const double complexity = hesca_type_is_complex(f->type) ? 4 : 1;
    const double column = 2 * complexity * (double)f->m * (double)k;
    const int64_t part = (f->col_end - w->first) / STRIPS;
    const int64_t most =
        hesca_comm_is_node(f->c) ? INT64_MAX : (int64_t)(PIECE_FAR / column);
    return hesca_max(hesca_min(part, most) / 16 * 16, NARROWEST);
}

/* Interchange rows in the columns on the left of the group's panels, so that
 * its rows of L are final. */
static void
interchange_left(const work *w)
{
    const hesca_lu *f = w->f;
    const int64_t k1 = f->bound[w->t1];
    for (int64_t t = w->t0; t < w->t1; ++t) {
        const int64_t c0 = t == w->t0
                               ? f->col_begin
                               : hesca_local_col(&f->part, f->bound[t - 1]);
        const int64_t c1 = hesca_local_col(&f->part, f->bound[t]);
        if (c0 == c1)
            continue;
        const int64_t n = list_moves(w->f, f->bound[t], k1, f->from, f->to);
        hesca_rows_move((size_t)f->esize, at(w, 0, c0), f->lld, c1 - c0, n,
                        f->from, f->to, f->line);
    }
}

/* Begin the update by the group of panel t, its last one. */
static void
begin_rest(work *w, int64_t t)
{
    hesca_lu *f = w->f;
    const int64_t k0 = f->bound[group_of(w, t)], k1 = f->bound[t + 1];
    w->t0 = group_of(w, t);
    w->t1 = t + 1;
    w->next = w->first = hesca_local_col(&f->part, k1);
    if (t + 1 < f->npanels && is_mine(w, t + 1))
        w->first = hesca_local_col(&f->part, f->bound[t + 2]);
    w->strip = strip_of(w, k1 - k0);
    if (f->copies != NULL)
        interchange_left(w);
    w->nmoves = has_rest(w) ? list_moves(f, k0, k1, f->from, f->to) : 0;
}

/* --- panels --- */

static int
is_here(const work *w, int64_t t)
{
    return w->f->panel.has_head && w->f->mcast_ready > t;
}

/* Wait for panel t, updating meanwhile. */
static int
await(work *w, int64_t t)
{
    hesca_lu *f = w->f;
    hesca_backoff pause = hesca_comm_backoff(f->c);
    int err = HESCA_SUCCESS;
    HESCA_TRY(err, hesca_lu_progress(f));
    while (!is_here(w, t)) {
        if (has_rest(w) && hesca_lu_has_arrived(f, next_end(w))) {
            HESCA_TRY(err, update_strip(w));
            continue;
        }
        hesca_comm_pause(f->c, &pause, "a panel");
        HESCA_TRY(err, hesca_lu_progress(f));
    }
    HESCA_TRY(err, hesca_panel_mcast_wait(f->mcast));
fail:
    return err;
}

/* Copy panel t out of shared memory: L of a group moves as its panels are
 * added. */
static void
take_shared(const work *w, int64_t t)
{
    const hesca_lu *f = w->f;
    const int64_t k0 = f->bound[t], k1 = f->bound[t + 1];
    const hesca_activity before = hesca_activity_enter(HESCA_ACTIVITY_COPIES);
    if (f->shared != NULL && f->col_begin < f->col_end)
        for (int64_t k = k0; k < k1 && k1 < f->m; ++k)
            memcpy(l_at(w, t, k1, k),
                   f->slot[t % HESCA_LU_SHARED] + (k - k0) * f->ldl * f->esize,
                   (size_t)((f->m - k1) * f->esize));
    hesca_panel_mcast_release(f->mcast, t + 1);
    hesca_activity_leave(before);
}

/* Add panel t, which is here, to L of its group. */
static void
add(work *w, int64_t t)
{
    hesca_lu *f = w->f;
    hesca_lu_panel *s = &f->panel_state[t % HESCA_LU_DEPTH];
    const int64_t k0 = s->k0, width = s->k1 - s->k0;
    const int64_t first = f->bound[group_of(w, t)];
    hesca_lu_take_head(f, s);
    take_shared(w, t);
    s->nmoves = list_moves(f, k0, s->k1, s->from, s->to);
    for (int64_t c = 0; c < width; ++c)
        memcpy(l_at(w, t, k0, k0 + c),
               hesca_head_block(&s->head) + c * width * f->esize,
               (size_t)(width * f->esize));
    if (f->col_begin < f->col_end && first < k0) {
        for (int64_t d = 0; d < s->nmoves; ++d) {
            s->from[d] -= first;
            s->to[d] -= first;
        }
        hesca_rows_move((size_t)f->esize, l_at(w, t, first, first), f->ldl,
                        k0 - first, s->nmoves, s->from, s->to, f->line);
        for (int64_t d = 0; d < s->nmoves; ++d) {
            s->from[d] += first;
            s->to[d] += first;
        }
    }
}

static int
begin(work *w, int64_t t)
{
    hesca_lu *f = w->f;
    int err;
    HESCA_TRY(err, hesca_lu_await_columns(
                       f, hesca_local_col(&f->part, f->bound[t + 1])));
    err = hesca_lu_begin_panel(f, l_at(w, t, f->bound[t + 1], f->bound[t]),
                               f->ldl);
fail:
    return err;
}

/* Panel t, which is here, and the beginning of the next one. */
static int
step(work *w, int64_t t)
{
    hesca_lu *f = w->f;
    const int has_next = t + 1 < f->npanels;
    int err = HESCA_SUCCESS;
    add(w, t);
    if (t + 1 == group_end(w, t)) {
        HESCA_TRY(err, finish_rest(w));
        f->nfinal = f->bound[group_of(w, t)];
        begin_rest(w, t);
        if (has_next && w->next < w->first)
            HESCA_TRY(err, update_strip(w));
        if (has_next)
            HESCA_TRY(err, begin(w, t + 1));
        return err;
    }
    if (is_mine(w, t + 1))
        HESCA_TRY(err, apply(w, t, t + 1));
    HESCA_TRY(err, begin(w, t + 1));
    for (int64_t to = t + 2; to < group_end(w, t); ++to)
        if (is_mine(w, to))
            HESCA_TRY(err, apply(w, t, to));
fail:
    return err;
}

static int
is_over(hesca_lu *f, int64_t x)
{
    (void)x;
    return hesca_panel_is_over(&f->panel);
}

int
hesca_lu_factor_row(hesca_lu *f)
{
    work w = {
        .f = f, .row0 = hesca_local_row(&f->part, 0), .next = f->col_end};
    int err = HESCA_SUCCESS;
    for (int64_t i = 0; i < f->m; ++i)
        f->source[i] = i;
    HESCA_TRY(err, begin(&w, 0));
    for (int64_t t = 0; t < f->npanels; ++t) {
        HESCA_TRY(err, await(&w, t));
        HESCA_TRY(err, step(&w, t));
    }
    HESCA_TRY(err, finish_rest(&w));
    HESCA_TRY(err, hesca_lu_wait(f, is_over, 0, "messages to be taken"));
    HESCA_TRY(err, hesca_panel_mcast_end(f->mcast));
fail:
    return err;
}
