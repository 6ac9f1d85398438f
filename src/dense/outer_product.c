/* SPDX-License-Identifier: BSD-3-Clause */
/* sub(C) := alpha op(sub(A)) op(sub(B)) + beta sub(C).
 *
 * C stays in place. A process multiplies its whole local part of C, or of its
 * triangle, panel by panel of the common dimension: of a panel of op(A) it
 * needs the rows of its part of C, of a panel of op(B) the columns. These are
 * received directly from the owners of A and B (panel/panel_multicast.h), the
 * next two panels during the multiplication of the current one. Nothing is
 * transposed in transit: a panel of a transposed matrix consists of its rows,
 * and BLAS transposes.
 * Volume: a process receives (m k / nprow + k n / npcol) elements less those
 * that it has, on an nprow x npcol grid of C cut into equal parts. Source: the
 * outer-product algorithm of the HMPI thesis, 3.5.1, for any three layouts. */
#include "dense/outer_product.h"
#include "base/arith.h"
#include "base/status.h"
#include "dense/triangle.h"
#include "exec/agree.h"
#include "exec/staging.h"
#include "panel/panel_multicast.h"
#include <stdlib.h>
#include <string.h>

enum {
    AHEAD = 2,      /* panels in flight, inside a node */
    AHEAD_FAR = 4,  /* between nodes, so that the links of their owners are all
                       in use */
    SLACK = 2,      /* panels that a process may be behind, of shared ones */
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

/* One of the factors and its multicast. */
typedef struct {
    hesca_panel_mcast_spec what;
    const hesca_matrix *matrix;
    hesca_panel_mcast *mcast;
    int64_t count;              /* indices that this process needs */
    int npanels;                /* in memory */
    char *panel[AHEAD_FAR + 1]; /* panel t in t % npanels */
    const char *home; /* slice 0 in the local array; NULL: multicast */
} factor;

typedef struct {
    hesca_product p;
    hesca_comm *comm;
    const char *routine;
    int64_t width; /* of panels */
    int ahead;     /* panels in flight */
    factor a, b;
    hesca_rectangle here; /* local part of sub(C) */
    int64_t m, n;         /* its extents */
    char *c;
    hesca_triangle triangle; /* of C, if p.uplo */
    char *memory;
    hesca_panel_mcast *mcast[2];
    int nmcasts;
} work;

static int
has_product(const hesca_product *p)
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
    const hesca_product *p = &w->p;
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

/* This process's part of sub(C). */
static int
find_c(work *w)
{
    const hesca_product *p = &w->p;
    const hesca_matrix *c = p->c;
    const hesca_local part =
        hesca_local_make(c->layout, c->i, c->j, w->comm->rank);
    w->here = hesca_local_rectangle(&part, p->m, p->n);
    w->m = w->here.r1 - w->here.r0;
    w->n = w->here.c1 - w->here.c0;
    if (w->m == 0 || w->n == 0)
        w->m = w->n = 0;
    else
        w->c = hesca_at(p->type, c->local, c->lld, w->here.r0, w->here.c0);
    if (!p->uplo)
        return HESCA_SUCCESS;
    w->triangle = (hesca_triangle){.type = p->type,
                                   .upper = p->uplo == 'U',
                                   .transx = p->transa,
                                   .transy = p->transb,
                                   .alpha = p->alpha};
    return hesca_triangle_init(&w->triangle, &part, p->n, c->local, c->lld);
}

/* Bytes for each slice of a panel. */
static int64_t
room(const work *w)
{
    const int64_t esize = (int64_t)hesca_type_size(w->p.type);
    return hesca_panel_mcast_bytes(w->comm, &w->a.what, w->ahead) +
           hesca_panel_mcast_bytes(w->comm, &w->b.what, w->ahead) +
           (w->ahead + 1) * (w->m + w->n) * esize;
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

/* The memory for panels of a factor that the node shares, from `at` on;
 * s == NULL: its size alone, which is global: where one process would share
 * with nobody, the factor is at home. */
static int64_t
place_shared(const work *w, factor *f, const hesca_segment *s, int64_t at)
{
    const hesca_layout *c = f->what.target;
    int nteams, team;
    int64_t most;
    if ((f->what.by == HESCA_ROWS ? c->npcol : c->nprow) == 1 ||
        !hesca_panel_mcast_may_share(w->comm, &f->what))
        return 0;
    hesca_panel_mcast_teams(w->comm, &f->what, &nteams, &team, &most);
    f->npanels = w->ahead + 1 + SLACK;
    const int64_t bytes =
        hesca_max(most, 1) * w->width * (int64_t)f->what.esize;
    for (int k = 0; k < f->npanels && s != NULL; ++k)
        f->panel[k] = s->memory + at + (team * f->npanels + k) * bytes;
    return nteams * f->npanels * bytes;
}

/* Share panels inside a node, as far as possible. */
static int
share(work *w)
{
    hesca_segment *s;
    const int64_t a = place_shared(w, &w->a, NULL, 0);
    const int64_t b = place_shared(w, &w->b, NULL, 0);
    int err = HESCA_SUCCESS;
    if (a + b > 0)
        HESCA_TRY(err, hesca_segment_get(w->comm, a + b, &s));
    if (a + b == 0 || s == NULL)
        return err;
    if (a > 0) {
        w->a.what.shared = s;
        place_shared(w, &w->a, s, 0);
    }
    if (b > 0) {
        w->b.what.shared = s;
        w->b.what.user = 1;
        place_shared(w, &w->b, s, a);
    }
fail:
    return err;
}

/* Bytes of the panels of a factor that are this process's alone. */
static int64_t
own_bytes(const work *w, factor *f, int64_t count)
{
    f->count = count;
    if (f->mcast == NULL)
        return 0;
    if (f->what.shared != NULL) {
        f->count = hesca_panel_mcast_count(f->mcast, 0);
        return 0;
    }
    f->npanels = w->ahead + 1;
    return count * w->width * (int64_t)f->what.esize;
}

static int
allocate(work *w)
{
    int err = HESCA_SUCCESS;
    if (w->a.home == NULL)
        HESCA_TRY(err, hesca_panel_mcast_create(w->comm, &w->a.what,
                                                HESCA_TAG_PANEL_MCAST,
                                                w->ahead, &w->a.mcast));
    if (w->b.home == NULL)
        HESCA_TRY(err, hesca_panel_mcast_create(w->comm, &w->b.what,
                                                HESCA_TAG_PANEL_MCAST + 1,
                                                w->ahead, &w->b.mcast));
    const int64_t a = own_bytes(w, &w->a, w->m);
    const int64_t b = own_bytes(w, &w->b, w->n);
    w->memory = hesca_staging_block((size_t)((w->ahead + 1) * (a + b)) + 1);
    if (w->memory == NULL)
        return hesca_fail(HESCA_ERR_NOMEM, 0, "%s: panels of %lld bytes",
                          w->routine, (long long)(a + b));
    if (w->a.mcast != NULL)
        w->mcast[w->nmcasts++] = w->a.mcast;
    if (w->b.mcast != NULL)
        w->mcast[w->nmcasts++] = w->b.mcast;
    for (int k = 0; k <= w->ahead; ++k) {
        if (w->a.what.shared == NULL)
            w->a.panel[k] = w->memory + k * (a + b);
        if (w->b.what.shared == NULL)
            w->b.panel[k] = w->memory + k * (a + b) + a;
    }
fail:
    return err;
}

/* --- panels ---
 * Panel t is in panel[t % npanels]; it is begun after panel t - ahead - 1 has
 * been multiplied; if it is shared, after all processes have multiplied the
 * one before it in the same memory. */

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
                                   f->matrix->lld, f->panel[t % f->npanels],
                                   hesca_max(1, leading(f, k1 - k0)));
}

/* The elements of panel t. */
static const char *
panel_of(const work *w, const factor *f, int64_t t)
{
    const int64_t k = t * w->width;
    if (f->home == NULL)
        return f->panel[t % f->npanels];
    return f->what.along == HESCA_COLS
               ? hesca_at_const(w->p.type, f->home, f->matrix->lld, 0, k)
               : hesca_at_const(w->p.type, f->home, f->matrix->lld, k, 0);
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

static int
has_room(const factor *f, int64_t t)
{
    return f->mcast == NULL ||
           hesca_panel_mcast_is_released(f->mcast, t - f->npanels + 1);
}

/* Begin panel t, if there is one. */
static int
begin(work *w, int64_t t)
{
    hesca_backoff wait = hesca_backoff_begin(w->comm->yields);
    int err = HESCA_SUCCESS;
    if (t >= npanels(w))
        return HESCA_SUCCESS;
    while (!has_room(&w->a, t) || !has_room(&w->b, t)) {
        hesca_comm_pause(w->comm, &wait, "its panels to be multiplied");
        HESCA_TRY(err, advance(w));
    }
    HESCA_TRY(err, begin_factor(w, &w->a, t));
    HESCA_TRY(err, begin_factor(w, &w->b, t));
fail:
    return err;
}

/* Whether panels come by messages, which progress between pieces. */
static int
has_messages(const work *w)
{
    return (w->a.mcast != NULL && w->a.what.shared == NULL) ||
           (w->b.mcast != NULL && w->b.what.shared == NULL);
}

/* Columns of C that are multiplied at once. */
static int64_t
piece_of(const work *w)
{
    if (w->m == 0)
        return TILE;
    if (!has_messages(w))
        return hesca_max(w->n, 1);
    const double complexity = hesca_type_is_complex(w->p.type) ? 4 : 1;
    const double column = 2 * complexity * (double)w->m * (double)w->width;
    const double piece = hesca_comm_is_node(w->comm) ? PIECE : PIECE_FAR;
    const double most = 1 + piece / (TILE * column);
    return TILE * (int64_t)hesca_clamp((int64_t)most, 4, 1 << 20);
}

/* Columns j ... j + n - 1 of C += alpha (panel of A) (panel of B). */
static void
multiply_columns(const work *w, int64_t t, int64_t j, int64_t n)
{
    const hesca_product *p = &w->p;
    const int64_t width = slices(w, t);
    const int64_t lda = leading(&w->a, width), ldb = leading(&w->b, width);
    const char *a = panel_of(w, &w->a, t), *b = panel_of(w, &w->b, t);
    const hesca_rectangle *here = &w->here;
    const int across = p->transb == 'N';
    if (p->uplo)
        hesca_triangle_update(
            &w->triangle, width, (hesca_slices){a, lda, here->r0},
            (hesca_slices){b, ldb, here->c0},
            (hesca_rectangle){here->r0, here->r1, here->c0 + j,
                              here->c0 + j + n});
    else
        hesca_kernel_gemm(
            p->type, p->transa, p->transb, w->m, n, width, p->alpha, a, lda,
            hesca_at_const(p->type, b, ldb, across ? 0 : j, across ? j : 0),
            ldb, t == 0 ? p->beta : hesca_one(p->type),
            hesca_at(p->type, w->c, p->c->lld, 0, j), p->c->lld);
}

/* Multiply panel t. */
static int
multiply(work *w, int64_t t)
{
    const int64_t piece = piece_of(w);
    int err = HESCA_SUCCESS;
    for (int64_t j = 0; j < w->n; j += piece) {
        multiply_columns(w, t, j, hesca_min(piece, w->n - j));
        HESCA_TRY(err, advance(w));
    }
fail:
    return err;
}

/* sub(C) := beta sub(C) */
static void
scale(const work *w)
{
    const hesca_product *p = &w->p;
    if (p->uplo)
        hesca_triangle_scale(&w->triangle, p->beta);
    else
        hesca_kernel_scale(p->type, w->m, w->n, p->beta, w->c, p->c->lld);
}

static int
run(work *w)
{
    const int64_t n = npanels(w);
    int err = HESCA_SUCCESS;
    for (int64_t t = 0; t < w->ahead; ++t)
        HESCA_TRY(err, begin(w, t));
    if (w->p.uplo)
        hesca_triangle_scale(&w->triangle, w->p.beta);
    for (int64_t t = 0; t < n; ++t) {
        if (w->nmcasts > 0)
            HESCA_TRY(err, hesca_panel_mcast_wait_all(w->nmcasts, w->mcast));
        HESCA_TRY(err, begin(w, t + w->ahead));
        HESCA_TRY(err, multiply(w, t));
        for (int k = 0; k < w->nmcasts; ++k)
            hesca_panel_mcast_release(w->mcast[k], t + 1);
    }
    for (int k = 0; k < w->nmcasts; ++k)
        HESCA_TRY(err, hesca_panel_mcast_end(w->mcast[k]));
    if (w->p.uplo) /* rounding may have left imaginary parts */
        hesca_triangle_scale(&w->triangle, hesca_one(w->p.type));
fail:
    return err;
}

/* --- the call ---
 * No data moves before all processes have agreed on arguments and memory. */

static void
clear(work *w)
{
    hesca_panel_mcast_free(w->a.mcast);
    hesca_panel_mcast_free(w->b.mcast);
    hesca_triangle_clear(&w->triangle);
    hesca_staging_unblock(w->memory);
}

int
hesca_outer_product(hesca_comm *comm, hesca_args *args, const hesca_product *p)
{
    work w = {.p = *p,
              .comm = comm,
              .routine = args->routine,
              .ahead = hesca_comm_is_node(comm) ? AHEAD : AHEAD_FAR};
    int64_t most_room = 0; /* negative */
    int err;
    if (args->err == HESCA_SUCCESS)
        args->err = find_c(&w);
    if (args->err == HESCA_SUCCESS && has_product(p)) {
        describe(&w);
        find_home(&w, &w.a);
        find_home(&w, &w.b);
        most_room = -room(&w);
    }
    HESCA_TRY(err, hesca_args_agree(args, 1, &most_room));
    if (has_product(p)) {
        w.width = choose_width(&w, -most_room);
        w.a.what.width = w.b.what.width = w.width;
        HESCA_TRY(err, share(&w));
        err = allocate(&w);
        HESCA_TRY(err, hesca_agree(comm, err, 0, NULL));
        err = run(&w);
    } else if (!hesca_is_one(p->type, p->beta)) {
        scale(&w);
    }
fail:
    clear(&w);
    return err;
}
