/* SPDX-License-Identifier: BSD-3-Clause */
/* sub(C) := alpha op(sub(A)) op(sub(B)) + beta sub(C).
 *
 * C stays in place. A process multiplies its whole local part of C, panel by
 * panel of the common dimension: of a panel of op(A) it needs the rows of its
 * part of C, of a panel of op(B) the columns. These are received directly from
 * the owners of A and B (panel/panel_multicast.h), the next two panels during
 * the multiplication of the current one. Nothing is transposed in transit: a
 * panel of a transposed matrix consists of its rows, and BLAS transposes.
 * Volume: a process receives (m k / nprow + k n / npcol) elements less those
 * that it has, on an nprow x npcol grid of C cut into equal parts. Source: the
 * outer-product algorithm of the HMPI thesis, 3.5.1, for any three layouts. */
#include "base/arith.h"
#include "base/status.h"
#include "dense/args.h"
#include "dense/kernels.h"
#include "exec/agree.h"
#include "exec/staging.h"
#include "layout/layout.h"
#include "panel/panel_multicast.h"
#include <stdlib.h>
#include <string.h>

static const char ME[] = "hesca_gemm";

enum {
    AHEAD = 2,      /* panels in flight */
    LEAST = 64,     /* slices of a panel */
    MOST = 256,     /* enough for BLAS to run at full speed */
    MOST_FAR = 128, /* between nodes, where large messages stall */
    PANELS = 8, /* so many at least: nothing is multiplied before the first */
    TILE = 48   /* columns: a multiple of the BLAS kernel's width, so that the
                   sum of an element does not depend on how C is cut */
};

/* Floating-point operations (real double) between two tests of messages: some
 * ten milliseconds inside a node, as BLAS packs the panel of A for each piece;
 * fewer between nodes, where a large message waits for tests at both ends. */
static const double PIECE = 5e8, PIECE_FAR = 1e8;

/* The arguments of the product. */
typedef struct {
    hesca_type type;
    char transa, transb;
    int64_t m, n, k;
    const void *alpha, *beta;
    const hesca_matrix *a, *b, *c;
} product;

/* One of the factors and its multicast. */
typedef struct {
    hesca_panel_mcast_spec what;
    const hesca_matrix *matrix;
    hesca_panel_mcast *mcast;
    int64_t count;          /* indices that this process needs */
    char *panel[AHEAD + 1]; /* panel t in t % (AHEAD + 1) */
    const char *home;       /* slice 0 in the local array; NULL: multicast */
} factor;

typedef struct {
    product p;
    hesca_comm *comm;
    int64_t width; /* of panels */
    factor a, b;
    int64_t m, n; /* local part of sub(C) */
    char *c;
    char *memory;
    hesca_panel_mcast *mcast[2];
    int nmcasts;
} work;

static int
has_product(const product *p)
{
    return p->m > 0 && p->n > 0 && p->k > 0 &&
           !hesca_is_zero(p->type, p->alpha);
}

/* --- what processes need ---
 * Specifications are global; width is the same on all processes after
 * the agreement. */

/* Describe the multicasts. Process columns (rows) without elements of sub(C)
 * need nothing. */
static void
describe(work *w)
{
    const product *p = &w->p;
    const size_t esize = hesca_type_size(p->type);
    w->a.matrix = p->a;
    w->a.what = (hesca_panel_mcast_spec){
        .source = p->a->layout,
        .i = p->a->i,
        .j = p->a->j,
        .along = p->transa == 'N' ? HESCA_COLS : HESCA_ROWS,
        .extent = p->m,
        .k = p->k,
        .target = p->c->layout,
        .by = HESCA_ROWS,
        .origin = p->c->i,
        .need_from = p->c->j,
        .need = p->n,
        .forwards = 1,
        .esize = esize};
    w->b.matrix = p->b;
    w->b.what = (hesca_panel_mcast_spec){
        .source = p->b->layout,
        .i = p->b->i,
        .j = p->b->j,
        .along = p->transb == 'N' ? HESCA_ROWS : HESCA_COLS,
        .extent = p->n,
        .k = p->k,
        .target = p->c->layout,
        .by = HESCA_COLS,
        .origin = p->c->j,
        .need_from = p->c->i,
        .need = p->m,
        .forwards = 1,
        .esize = esize};
}

/* Where all processes have what they need of a factor, each slice in one
 * piece, it is multiplied as it is: on a row or column of processes. */
static void
find_home(const work *w, factor *f)
{
    const hesca_panel_mcast_spec *x = &f->what;
    const hesca_layout *s = x->source, *t = x->target;
    const int by_cols = x->by == HESCA_COLS;
    int prow, pcol;
    if (!hesca_layout_is_product(s) || !hesca_layout_is_product(t) ||
        by_cols != (x->along == HESCA_ROWS) || s->nprow != t->nprow ||
        s->npcol != t->npcol || (by_cols ? s->nprow : s->npcol) != 1 ||
        memcmp(s->ranks, t->ranks,
               (size_t)s->nprow * (size_t)s->npcol * sizeof *s->ranks) != 0 ||
        !hesca_layout_coords(s, w->comm->rank, &prow, &pcol))
        return;
    const hesca_axis *axis = by_cols ? s->cols : s->rows;
    const int64_t from = by_cols ? x->j : x->i;
    if (!hesca_axis_coincide(axis, from, by_cols ? t->cols : t->rows,
                             x->origin))
        return;
    const int64_t at = hesca_axis_count(axis, by_cols ? pcol : prow, from);
    f->home = hesca_at_const(w->p.type, f->matrix->local, f->matrix->lld,
                             by_cols ? x->i : at, by_cols ? at : x->j);
}

/* This process's rectangle of sub(C). */
static void
find_c(work *w)
{
    const hesca_matrix *c = w->p.c;
    int prow, pcol;
    if (!hesca_layout_coords(c->layout, w->comm->rank, &prow, &pcol))
        return;
    const hesca_axis *rows = hesca_layout_row_axis(c->layout, pcol);
    const hesca_axis *cols = hesca_layout_col_axis(c->layout, prow);
    const int64_t i = hesca_axis_count(rows, prow, c->i);
    const int64_t j = hesca_axis_count(cols, pcol, c->j);
    w->m = hesca_axis_count(rows, prow, c->i + w->p.m) - i;
    w->n = hesca_axis_count(cols, pcol, c->j + w->p.n) - j;
    if (w->m == 0 || w->n == 0)
        w->m = w->n = 0;
    else
        w->c = hesca_at(w->p.type, c->local, c->lld, i, j);
}

/* Bytes for each slice of a panel. */
static int64_t
room(const work *w)
{
    const int64_t esize = (int64_t)hesca_type_size(w->p.type);
    return hesca_panel_mcast_bytes(w->comm, &w->a.what, AHEAD) +
           hesca_panel_mcast_bytes(w->comm, &w->b.what, AHEAD) +
           (AHEAD + 1) * (w->m + w->n) * esize;
}

/* The widest panels for which HESCA_BUFFER suffices on all processes. */
static int64_t
choose_width(const work *w, int64_t most_room)
{
    const int64_t budget = (int64_t)w->comm->params.buffer;
    const int64_t wanted =
        hesca_clamp(w->p.k / PANELS / LEAST * LEAST, LEAST,
                    hesca_comm_is_node(w->comm) ? MOST : MOST_FAR);
    return hesca_clamp(budget / hesca_max(most_room, 1), 1,
                       hesca_min(wanted, w->p.k));
}

static int
allocate(work *w)
{
    const int64_t esize = (int64_t)hesca_type_size(w->p.type);
    int err = HESCA_SUCCESS;
    w->a.what.width = w->b.what.width = w->width;
    if (w->a.home == NULL)
        HESCA_TRY(err, hesca_panel_mcast_create(w->comm, &w->a.what,
                                                HESCA_TAG_PANEL_MCAST, AHEAD,
                                                &w->a.mcast));
    if (w->b.home == NULL)
        HESCA_TRY(err, hesca_panel_mcast_create(w->comm, &w->b.what,
                                                HESCA_TAG_PANEL_MCAST + 1,
                                                AHEAD, &w->b.mcast));
    const int64_t a = w->a.home == NULL ? w->m * w->width * esize : 0;
    const int64_t b = w->b.home == NULL ? w->n * w->width * esize : 0;
    w->memory = hesca_staging_block((size_t)((AHEAD + 1) * (a + b)) + 1);
    if (w->memory == NULL)
        return hesca_fail(HESCA_ERR_NOMEM, 0, "%s: panels of %lld bytes", ME,
                          (long long)(a + b));
    if (w->a.mcast != NULL)
        w->mcast[w->nmcasts++] = w->a.mcast;
    if (w->b.mcast != NULL)
        w->mcast[w->nmcasts++] = w->b.mcast;
    for (int k = 0; k <= AHEAD; ++k) {
        w->a.panel[k] = w->memory + k * (a + b);
        w->b.panel[k] = w->a.panel[k] + a;
    }
    w->a.count = w->m;
    w->b.count = w->n;
fail:
    return err;
}

/* --- panels ---
 * Panel t is in panel[t % (AHEAD + 1)]; it is begun after panel t - AHEAD -
 * 1 has been multiplied. */

static int64_t
npanels(const work *w)
{
    return (w->p.k - 1) / w->width + 1;
}

/* Slices of panel t. */
static int64_t
slices(const work *w, int64_t t)
{
    return hesca_min(w->width, w->p.k - t * w->width);
}

static int64_t
leading(const factor *f, int64_t width)
{
    if (f->home != NULL)
        return f->matrix->lld;
    return f->what.along == HESCA_COLS ? f->count : width;
}

static int
begin_factor(const work *w, factor *f, int64_t t)
{
    const int64_t k0 = t * w->width, k1 = k0 + slices(w, t);
    if (f->home != NULL)
        return HESCA_SUCCESS;
    return hesca_panel_mcast_begin(f->mcast, k0, k1, 0, f->matrix->local,
                                   f->matrix->lld, f->panel[t % (AHEAD + 1)],
                                   hesca_max(1, leading(f, k1 - k0)));
}

/* The elements of panel t. */
static const char *
panel_of(const work *w, const factor *f, int64_t t)
{
    const int64_t k = t * w->width;
    if (f->home == NULL)
        return f->panel[t % (AHEAD + 1)];
    return f->what.along == HESCA_COLS
               ? hesca_at_const(w->p.type, f->home, f->matrix->lld, 0, k)
               : hesca_at_const(w->p.type, f->home, f->matrix->lld, k, 0);
}

/* Begin panel t, if there is one. */
static int
begin(work *w, int64_t t)
{
    int err = HESCA_SUCCESS;
    if (t >= npanels(w))
        return HESCA_SUCCESS;
    HESCA_TRY(err, begin_factor(w, &w->a, t));
    HESCA_TRY(err, begin_factor(w, &w->b, t));
fail:
    return err;
}

/* Columns of C that are multiplied at once. */
static int64_t
piece_of(const work *w)
{
    if (w->m == 0)
        return TILE;
    const double complexity = hesca_type_is_complex(w->p.type) ? 4 : 1;
    const double column = 2 * complexity * (double)w->m * (double)w->width;
    const double piece = hesca_comm_is_node(w->comm) ? PIECE : PIECE_FAR;
    const double most = 1 + piece / (TILE * column);
    return TILE * (int64_t)hesca_clamp((int64_t)most, 4, 1 << 20);
}

static int
advance(work *w)
{
    int err = HESCA_SUCCESS;
    for (int k = 0; k < w->nmcasts; ++k)
        HESCA_TRY(err, hesca_panel_mcast_advance(w->mcast[k], NULL));
fail:
    return err;
}

/* Multiply panel t. */
static int
multiply(work *w, int64_t t)
{
    const product *p = &w->p;
    const int64_t width = slices(w, t), piece = piece_of(w);
    const int64_t lda = leading(&w->a, width), ldb = leading(&w->b, width);
    const void *beta = t == 0 ? p->beta : hesca_one(p->type);
    const char *a = panel_of(w, &w->a, t), *b = panel_of(w, &w->b, t);
    const int across = p->transb == 'N';
    int err = HESCA_SUCCESS;
    for (int64_t j = 0; j < w->n; j += piece) {
        const int64_t n = hesca_min(piece, w->n - j);
        hesca_kernel_gemm(
            p->type, p->transa, p->transb, w->m, n, width, p->alpha, a, lda,
            hesca_at_const(p->type, b, ldb, across ? 0 : j, across ? j : 0),
            ldb, beta, hesca_at(p->type, w->c, p->c->lld, 0, j), p->c->lld);
        HESCA_TRY(err, advance(w));
    }
fail:
    return err;
}

static int
run(work *w)
{
    const int64_t n = npanels(w);
    int err = HESCA_SUCCESS;
    for (int64_t t = 0; t < AHEAD; ++t)
        HESCA_TRY(err, begin(w, t));
    for (int64_t t = 0; t < n; ++t) {
        if (w->nmcasts > 0)
            HESCA_TRY(err, hesca_panel_mcast_wait_all(w->nmcasts, w->mcast));
        HESCA_TRY(err, begin(w, t + AHEAD));
        HESCA_TRY(err, multiply(w, t));
    }
    for (int k = 0; k < w->nmcasts; ++k)
        HESCA_TRY(err, hesca_panel_mcast_end(w->mcast[k]));
fail:
    return err;
}

/* sub(C) := beta sub(C) */
static void
scale(const work *w)
{
    const product *p = &w->p;
    hesca_kernel_gemm(p->type, 'N', 'N', w->m, w->n, 0, hesca_zero(p->type),
                      w->c, w->m, w->c, 1, p->beta, w->c, p->c->lld);
}

/* --- the call ---
 * No data moves before all processes have agreed on arguments and memory. */

static hesca_args
check(product *p, const hesca_comm *c)
{
    hesca_args x = hesca_args_begin(ME, c);
    p->type = hesca_args_type(&x, 1, p->type);
    p->transa = hesca_args_letter(&x, 2, "transa", p->transa, "NTC");
    p->transb = hesca_args_letter(&x, 3, "transb", p->transb, "NTC");
    hesca_args_size(&x, 4, "m", p->m);
    hesca_args_size(&x, 5, "n", p->n);
    hesca_args_size(&x, 6, "k", p->k);
    hesca_args_scalar(&x, p->type, 7, "alpha", p->alpha);
    const int a_as_is = p->transa == 'N', b_as_is = p->transb == 'N';
    hesca_args_matrix(&x, 8, "a", p->a, a_as_is ? p->m : p->k,
                      a_as_is ? p->k : p->m);
    hesca_args_matrix(&x, 9, "b", p->b, b_as_is ? p->k : p->n,
                      b_as_is ? p->n : p->k);
    hesca_args_scalar(&x, p->type, 10, "beta", p->beta);
    hesca_args_matrix(&x, 11, "c", p->c, p->m, p->n);
    return x;
}

static void
clear(work *w)
{
    hesca_panel_mcast_free(w->a.mcast);
    hesca_panel_mcast_free(w->b.mcast);
    hesca_staging_unblock(w->memory);
}

int
hesca_gemm(hesca_type type, char transa, char transb, int64_t m, int64_t n,
           int64_t k, const void *alpha, const hesca_matrix *a,
           const hesca_matrix *b, const void *beta, const hesca_matrix *c,
           MPI_Comm comm)
{
    work w = {.p = {type, transa, transb, m, n, k, alpha, beta, a, b, c}};
    int64_t most_room = 0; /* negative */
    int err;
    hesca_caller_enter(ME);
    HESCA_TRY(err, hesca_comm_get(comm, &w.comm));
    hesca_args args = check(&w.p, w.comm);
    if (args.err == HESCA_SUCCESS) {
        find_c(&w);
        if (has_product(&w.p)) {
            describe(&w);
            find_home(&w, &w.a);
            find_home(&w, &w.b);
            most_room = -room(&w);
        }
    }
    HESCA_TRY(err, hesca_args_agree(&args, 1, &most_room));
    if (!has_product(&w.p)) {
        scale(&w);
        return HESCA_SUCCESS;
    }
    w.width = choose_width(&w, -most_room);
    err = allocate(&w);
    HESCA_TRY(err, hesca_agree(w.comm, err, 0, NULL));
    err = run(&w);
fail:
    clear(&w);
    return err;
}
