/* SPDX-License-Identifier: BSD-3-Clause */
/* The panels of a Cholesky factorization, steps 1 to 3 of potrf.c. */
#include "base/arith.h"
#include "base/status.h"
#include "dense/potrf_job.h"
#include <string.h>

/* --- owners of a panel ---
 * Pure functions of the layout, so all processes agree on bounds and
 * owners. */

int64_t
hesca_potrf_panel_end(const hesca_potrf_job *x, int64_t k0)
{
    const hesca_local *part = &x->part;
    const hesca_layout *layout = x->a.layout;
    const int64_t most = hesca_min(k0 + x->widest, x->n);
    if (x->upper) {
        const int64_t end = hesca_local_rows_end(part, k0, most);
        const int prow =
            hesca_local_prow(part, hesca_local_pcol(part, 0, k0), k0);
        const hesca_axis *cols = hesca_layout_col_axis(layout, prow);
        return hesca_min(end, hesca_local_end(cols, x->a.j + k0) - x->a.j);
    }
    const int64_t end = hesca_local_cols_end(part, k0, most);
    const int pcol = hesca_local_pcol(part, hesca_local_prow(part, 0, k0), k0);
    const hesca_axis *rows = hesca_layout_row_axis(layout, pcol);
    return hesca_min(end, hesca_local_end(rows, x->a.i + k0) - x->a.i);
}

/* Rank and number of slices of the panel, below its diagonal block, of the
 * process that has it in a process row (upper: column). */
static int
holder(const hesca_potrf_job *x, const hesca_potrf_panel *p, int line,
       int64_t *count)
{
    const hesca_layout *layout = x->a.layout;
    const int prow = x->upper ? hesca_local_prow(&x->part, line, p->k0) : line;
    const int pcol = x->upper ? line : hesca_local_pcol(&x->part, line, p->k0);
    const hesca_axis *axis = x->upper ? hesca_layout_col_axis(layout, prow)
                                      : hesca_layout_row_axis(layout, pcol);
    const int64_t origin = x->upper ? x->a.j : x->a.i;
    *count = hesca_axis_count(axis, line, origin + x->n) -
             hesca_axis_count(axis, line, origin + p->k1);
    return layout->ranks[prow * layout->npcol + pcol];
}

/* List the ranks that need the diagonal block, its owner first. */
static int
list_line(hesca_potrf_job *x, const hesca_potrf_panel *p, int owner, int *me)
{
    const hesca_layout *layout = x->a.layout;
    const int lines = x->upper ? layout->npcol : layout->nprow;
    int n = 0;
    *me = owner == x->c->rank ? 0 : -1;
    x->line[n++] = owner;
    for (int k = 0; k < lines; ++k) {
        int64_t count;
        const int rank = holder(x, p, k, &count);
        if (count == 0 || rank == owner)
            continue;
        if (rank == x->c->rank)
            *me = n;
        x->line[n++] = rank;
    }
    return n;
}

/* --- a panel begins ---
 * A panel begins when all earlier panels have been applied to it; it is
 * final in the matrix when its multicast begins. */

static char *
element(const hesca_potrf_job *x, int64_t r, int64_t c)
{
    return (char *)x->a.local + (r + c * x->a.lld) * x->esize;
}

/* Factor the diagonal block, and pack it, with its info, into the message. */
static void
factor_diagonal(hesca_potrf_job *x, hesca_potrf_panel *p)
{
    const int64_t b = p->k1 - p->k0, esize = x->esize;
    const int64_t r = hesca_local_row(&x->part, p->k0);
    const int64_t c = hesca_local_col(&x->part, p->k0);
    int64_t info = hesca_kernel_potrf(x->type, x->upper ? 'U' : 'L', b,
                                      element(x, r, c), x->a.lld);
    info = info > 0 ? p->k0 + info : 0;
    memcpy(p->diagonal, &info, sizeof info);
    p->info = info;
    for (int64_t k = 0; k < b; ++k) {
        const int64_t first = x->upper ? 0 : k, end = x->upper ? k + 1 : b;
        memcpy(p->diagonal + HESCA_POTRF_HEAD + (first + k * b) * esize,
               element(x, r + first, c + k), (size_t)((end - first) * esize));
    }
}

/* L21 := A21 L11'^-1, U12 := U11'^-1 A12: the local slices with indices i ...
 * j - 1. */
static void
solve(hesca_potrf_job *x, const hesca_potrf_panel *p, int64_t i, int64_t j)
{
    const int64_t b = p->k1 - p->k0;
    const char *diagonal = p->diagonal + HESCA_POTRF_HEAD;
    int64_t info;
    memcpy(&info, p->diagonal, sizeof info);
    if (info > 0)
        return;
    if (x->upper) {
        const int64_t c = hesca_local_col(&x->part, i);
        const int64_t end = hesca_local_col(&x->part, j);
        if (c < end)
            hesca_kernel_trsm(x->type, 'L', 'U', 'C', 'N', b, end - c,
                              hesca_one(x->type), diagonal, b,
                              element(x, hesca_local_row(&x->part, p->k0), c),
                              x->a.lld);
    } else {
        const int64_t r = hesca_local_row(&x->part, i);
        const int64_t end = hesca_local_row(&x->part, j);
        if (r < end)
            hesca_kernel_trsm(x->type, 'R', 'L', 'C', 'N', end - r, b,
                              hesca_one(x->type), diagonal, b,
                              element(x, r, hesca_local_col(&x->part, p->k0)),
                              x->a.lld);
    }
}

/* The first index of the slices that are not needed by the next two panels. */
static int64_t
far(const hesca_potrf_job *x, const hesca_potrf_panel *p)
{
    return hesca_min(p->k1 + 2 * x->widest, x->n);
}

int64_t
hesca_potrf_chunk_end(const hesca_potrf_job *x, const hesca_potrf_panel *p,
                      int r)
{
    const int64_t end = ((far(x, p) - 1) / x->chunk + 1 + r) * x->chunk;
    return r + 1 == x->nchunks ? x->n : hesca_min(end, x->n);
}

static int64_t
chunk_begin(const hesca_potrf_job *x, const hesca_potrf_panel *p, int r)
{
    return r == 0 ? p->k1 : hesca_potrf_chunk_end(x, p, r - 1);
}

int
hesca_potrf_has_rows(const hesca_potrf_job *x, int64_t t, int64_t end)
{
    const hesca_potrf_panel *p = &x->panel[t % x->depth];
    int r = 0;
    while (hesca_potrf_chunk_end(x, p, r) < end)
        ++r;
    return x->here > t * x->nchunks + r;
}

/* The address of the slices from index f on in the array of the multicast, or
 * of the transpose. */
static char *
slices_from(const hesca_potrf_job *x, const hesca_potrf_panel *p, int64_t f,
            int by_rows, char *slices, int64_t ld)
{
    const int64_t count =
        by_rows
            ? hesca_local_row(&x->part, f) - hesca_local_row(&x->part, p->k1)
            : hesca_local_col(&x->part, f) - hesca_local_col(&x->part, p->k1);
    return slices + (x->upper ? count * ld : count) * x->esize;
}

/* Number of slices with indices i ... j - 1 that a process row has, if all of
 * its processes have the same. */
static int64_t
line_count(const hesca_potrf_job *x, int line, int64_t i, int64_t j)
{
    const hesca_axis *axis = x->upper ? x->a.layout->cols : x->a.layout->rows;
    const int64_t origin = x->upper ? x->a.j : x->a.i;
    return hesca_axis_count(axis, line, origin + j) -
           hesca_axis_count(axis, line, origin + i);
}

/* Where the process rows have the slices of panel t from index f on, in shared
 * memory; NULL: it is not shared. */
static const hesca_panel_transpose_source *
find_sources(hesca_potrf_job *x, int64_t t, int64_t f)
{
    const int lines = x->upper ? x->a.layout->npcol : x->a.layout->nprow;
    const hesca_potrf_panel *p = &x->panel[t % x->depth];
    const hesca_potrf_group *g =
        &x->group[hesca_potrf_group_of(x, t) % x->ngroups];
    const int64_t k = p->k0 - g->k0;
    if (x->shared == NULL)
        return NULL;
    for (int line = 0; line < lines; ++line) {
        const int64_t before = line_count(x, line, g->k1, f);
        const int64_t ld =
            x->upper ? g->ld_has
                     : hesca_max(line_count(x, line, g->k1, x->n), 1);
        int64_t count;
        x->source[line] = (hesca_panel_transpose_source){
            .have = g->has + (line - x->team) * x->team_bytes +
                    (x->upper ? k + before * ld : before + k * ld) * x->esize,
            .ldh = ld,
            .writer = holder(x, p, line, &count)};
    }
    return x->source;
}

/* Begin to receive the slices of panel t that its columns need. */
static int
expect(hesca_potrf_job *x, int64_t t)
{
    hesca_potrf_panel *p = &x->panel[t % x->depth];
    const int64_t b = p->k1 - p->k0, f = far(x, p);
    int err;
    HESCA_TRY(err, hesca_panel_transpose_expect(x->near, b, p->k1, f, p->wants,
                                                p->ld_wants,
                                                find_sources(x, t, p->k1)));
    HESCA_TRY(err, hesca_panel_transpose_expect(
                       x->far, b, f, x->n,
                       slices_from(x, p, f, x->upper, p->wants, p->ld_wants),
                       p->ld_wants, find_sources(x, t, f)));
fail:
    return err;
}

/* Steps 2 and 3 for the chunks of begun panels, in the order of panels, as far
 * as these are updated. */
static int
send_chunks(hesca_potrf_job *x)
{
    int err = HESCA_SUCCESS;
    for (; x->sent < x->begun * x->nchunks; ++x->sent) {
        const int64_t t = x->sent / x->nchunks;
        const int r = (int)(x->sent % x->nchunks);
        hesca_potrf_panel *p = &x->panel[t % x->depth];
        if (p->k1 == x->n ||
            (p->solves && (!p->block.arrived || r >= p->nupdated)))
            break;
        const hesca_slab slab = {p->k0, p->k1, chunk_begin(x, p, r),
                                 hesca_potrf_chunk_end(x, p, r)};
        if (p->solves)
            solve(x, p, slab.f0, slab.f1);
        if (r == 0)
            HESCA_TRY(err, expect(x, t));
        HESCA_TRY(err,
                  hesca_panel_mcast_begin_slab(
                      x->mcast, slab, x->a.local, x->a.lld,
                      slices_from(x, p, slab.f0, !x->upper, p->has, p->ld_has),
                      p->ld_has));
    }
fail:
    return err;
}

/* The place of panel t in the arrays of its group, which begins with it or has
 * begun. */
static void
place_panel(hesca_potrf_job *x, int64_t t)
{
    hesca_potrf_panel *p = &x->panel[t % x->depth];
    const int64_t index = hesca_potrf_group_of(x, t);
    hesca_potrf_group *g = &x->group[index % x->ngroups];
    const hesca_local *a = &x->part;
    if (t == hesca_potrf_group_begin(x, index)) {
        const int64_t width = (index == 0 ? x->lead : x->span) * x->widest;
        const int64_t rows = x->trailing.row1 - hesca_local_row(a, p->k1);
        const int64_t cols = x->trailing.col1 - hesca_local_col(a, p->k1);
        g->k0 = p->k0;
        g->k1 = p->k1;
        g->ld_has = x->upper ? width : hesca_max(rows, 1);
        g->ld_wants = x->upper ? width : hesca_max(cols, 1);
    }
    const int64_t rows = hesca_local_row(a, p->k1) - hesca_local_row(a, g->k1);
    const int64_t cols = hesca_local_col(a, p->k1) - hesca_local_col(a, g->k1);
    const int64_t k = p->k0 - g->k0;
    p->ld_has = g->ld_has;
    p->ld_wants = g->ld_wants;
    p->has =
        g->has +
        (x->upper ? k + cols * g->ld_has : rows + k * g->ld_has) * x->esize;
    p->wants = g->wants +
               (x->upper ? k + rows * g->ld_wants : cols + k * g->ld_wants) *
                   x->esize;
}

/* Tags of the small broadcasts of panel t. They differ between panels, because
 * a process may forward those of one panel after it has sent those of the next
 * one. */
static int
tag(int64_t t, int info_bcast)
{
    enum { TAGS = 1024 };
    return HESCA_TAG_SMALL_BCAST + (int)(t % TAGS) * 2 + info_bcast;
}

int
hesca_potrf_begin(hesca_potrf_job *x, int64_t t)
{
    hesca_potrf_panel *p = &x->panel[t % x->depth];
    const int owner = hesca_local_rank(&x->part, p->k0, p->k0);
    const int64_t b = p->k1 - p->k0;
    const int grid = x->a.layout->nprow * x->a.layout->npcol;
    int err = HESCA_SUCCESS, me, n, from = 0;
    ++x->begun;
    p->nupdated = 1;
    p->info = 0;
    place_panel(x, t);
    if (owner == x->c->rank)
        factor_diagonal(x, p);
    if (p->k1 == x->n) { /* no process needs it */
        x->info = p->info;
        return err;
    }
    while (x->a.layout->ranks[from] != owner)
        ++from;
    HESCA_TRY(err, hesca_small_bcast_begin(&p->info_bcast, x->c, tag(t, 1),
                                           x->a.layout->ranks, grid, x->place,
                                           from, &p->info, sizeof p->info));
    n = list_line(x, p, owner, &me);
    p->solves = me >= 0;
    p->block = (hesca_small_bcast){.arrived = 1};
    if (p->solves)
        HESCA_TRY(err, hesca_small_bcast_begin(
                           &p->block, x->c, tag(t, 0), x->line, n, me, 0,
                           p->diagonal,
                           (int)(HESCA_POTRF_HEAD + b * b * x->esize)));
    err = send_chunks(x);
fail:
    return err;
}

/* --- progress ---
 * Local, never waits: transposes are sent in the order of panels. */

/* Test the messages that panel t waits for. */
static int
advance_panel(hesca_potrf_job *x, int64_t t)
{
    hesca_potrf_panel *p = &x->panel[t % x->depth];
    int err, over;
    HESCA_TRY(err, hesca_small_bcast_advance(&p->info_bcast, &over));
    HESCA_TRY(err, hesca_small_bcast_advance(&p->block, &over));
fail:
    return err;
}

/* Whether the slices of panel t that the next panels do not need may be sent:
 * not before the next panel, which all processes wait for; at once if no next
 * panel will come, because this one is not positive definite. */
static int
may_send_far(const hesca_potrf_job *x, int64_t t)
{
    const hesca_potrf_panel *next = &x->panel[(t + 1) % x->depth];
    if (x->panel[t % x->depth].info > 0)
        return 1;
    return t + 1 < x->begun &&
           (next->k1 == x->n || x->sent > (t + 1) * x->nchunks);
}

/* The copies: what is final moves back. */
static int
advance_copies(hesca_potrf_job *x)
{
    const int64_t n = x->sent / x->nchunks;
    return hesca_background_advance(
        x->copies, n > 0 ? x->panel[(n - 1) % x->depth].k1 : 0);
}

int
hesca_potrf_advance(hesca_potrf_job *x)
{
    int64_t ready;
    int err = HESCA_SUCCESS;
    for (int64_t t = hesca_max(0, x->begun - HESCA_POTRF_FLIGHT); t < x->begun;
         ++t)
        if (x->panel[t % x->depth].k1 < x->n)
            HESCA_TRY(err, advance_panel(x, t));
    HESCA_TRY(err, send_chunks(x));
    HESCA_TRY(err, hesca_panel_mcast_advance(x->mcast, &ready));
    for (; x->here < ready; ++x->here) {
        hesca_potrf_panel *p = &x->panel[x->here / x->nchunks % x->depth];
        if (x->here % x->nchunks == 0)
            HESCA_TRY(err,
                      hesca_panel_transpose_send(x->near, p->has, p->ld_has));
        HESCA_TRY(err, hesca_panel_mcast_wait(x->mcast));
    }
    for (; (x->transposed_far + 1) * x->nchunks <= x->here &&
           may_send_far(x, x->transposed_far);
         ++x->transposed_far) {
        hesca_potrf_panel *p = &x->panel[x->transposed_far % x->depth];
        HESCA_TRY(err, hesca_panel_transpose_send(
                           x->far,
                           slices_from(x, p, far(x, p), !x->upper, p->has,
                                       p->ld_has),
                           p->ld_has));
    }
    HESCA_TRY(err, hesca_panel_transpose_advance(x->near));
    HESCA_TRY(err, hesca_panel_transpose_advance(x->far));
    HESCA_TRY(err, advance_copies(x));
fail:
    return err;
}

int
hesca_potrf_is_near(const hesca_potrf_job *x, int64_t t)
{
    const hesca_potrf_panel *p = &x->panel[t % x->depth];
    return x->sent > t * x->nchunks && p->info_bcast.arrived &&
           hesca_panel_transpose_ready(x->near) > t;
}

int
hesca_potrf_is_over(const hesca_potrf_job *x, int64_t t)
{
    const hesca_potrf_panel *p = &x->panel[t % x->depth];
    return hesca_potrf_is_near(x, t) && x->here >= (t + 1) * x->nchunks &&
           p->info_bcast.nrequests == 0 && p->block.arrived &&
           p->block.nrequests == 0 && hesca_panel_transpose_ready(x->far) > t;
}
