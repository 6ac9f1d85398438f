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
#include "base/arith.h"
#include "base/status.h"
#include "dense/moving.h"
#include "dense/product.h"
#include "dense/triangle.h"
#include "exec/agree.h"

enum {
    AHEAD = 2,                      /* panels in flight, inside a node */
    AHEAD_FAR = HESCA_MOVING_AHEAD, /* between nodes, so that the links of
                       their owners are all in use */
    LEAST = 64,                     /* slices of a panel */
    MOST = 256,                     /* enough for BLAS to run at full speed */
    MOST_FAR = 128, /* between nodes, where large messages stall */
    PANELS = 8, /* so many at least: nothing is multiplied before the first */
    TILE = 48   /* columns: a multiple of the BLAS kernel's width, so that the
                   sum of an element does not depend on how C is cut */
};

/* Floating-point operations (real double) between two tests of messages: some
 * ten milliseconds inside a node, as BLAS packs the panel of A for each piece;
 * fewer between nodes, where a large message waits for tests at both ends. */
static const double PIECE = 5e8, PIECE_FAR = 1e8;

typedef struct {
    hesca_product p;
    hesca_comm *comm;
    const char *routine;
    int ahead; /* panels in flight */
    hesca_moving a, b;
    hesca_moving_set moving; /* these two */
    hesca_rectangle here;    /* local part of sub(C) */
    int64_t m, n;            /* its extents */
    char *c;
    hesca_triangle triangle; /* of C, if p.uplo */
} work;

/* --- what processes need ---
 * Specifications are global; width is the same on all processes after
 * the agreement. */

/* Describe the multicasts. Process columns (rows) without elements of sub(C)
 * need nothing. */
static void
describe(work *w)
{
    const hesca_product *p = &w->p;
    w->a = w->b =
        (hesca_moving){.comm = w->comm, .type = p->type, .ahead = w->ahead};
    w->a.matrix = p->a;
    w->b.matrix = p->b;
    w->a.what = hesca_product_panels(p, 'A', HESCA_STAYS_C);
    w->b.what = hesca_product_panels(p, 'B', HESCA_STAYS_C);
    hesca_moving_find_home(&w->a);
    hesca_moving_find_home(&w->b);
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
    int err;
    HESCA_TRY(err, hesca_moving_create(&w->a, w->routine,
                                       HESCA_TAG_PANEL_MCAST, w->m));
    HESCA_TRY(err, hesca_moving_create(&w->b, w->routine,
                                       HESCA_TAG_PANEL_MCAST + 1, w->n));
fail:
    return err;
}

/* --- computing --- */

/* Columns of C that are multiplied at once. */
static int64_t
piece_of(const work *w)
{
    if (w->m == 0)
        return TILE;
    if (!hesca_moving_has_messages(&w->moving))
        return hesca_max(w->n, 1);
    const double complexity = hesca_type_is_complex(w->p.type) ? 4 : 1;
    const double column =
        2 * complexity * (double)w->m * (double)w->a.what.width;
    const double piece = hesca_comm_is_node(w->comm) ? PIECE : PIECE_FAR;
    const double most = 1 + piece / (TILE * column);
    return TILE * (int64_t)hesca_clamp((int64_t)most, 4, 1 << 20);
}

/* Columns j ... j + n - 1 of C += alpha (panel of A) (panel of B). */
static void
multiply_columns(const work *w, int64_t t, int64_t j, int64_t n)
{
    const hesca_product *p = &w->p;
    const int64_t width = hesca_moving_slices(&w->a, t);
    const int64_t lda = hesca_moving_leading(&w->a, t);
    const int64_t ldb = hesca_moving_leading(&w->b, t);
    const char *a = hesca_moving_at(&w->a, t), *b = hesca_moving_at(&w->b, t);
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
        HESCA_TRY(err, hesca_moving_advance(&w->moving));
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
    const int64_t n = hesca_moving_npanels(&w->a);
    int err = HESCA_SUCCESS;
    for (int64_t t = 0; t < w->ahead; ++t)
        HESCA_TRY(err, hesca_moving_begin(&w->moving, t));
    if (w->p.uplo)
        hesca_triangle_scale(&w->triangle, w->p.beta);
    for (int64_t t = 0; t < n; ++t) {
        HESCA_TRY(err, hesca_moving_wait(&w->moving));
        HESCA_TRY(err, hesca_moving_begin(&w->moving, t + w->ahead));
        HESCA_TRY(err, multiply(w, t));
        hesca_moving_release(&w->moving, t + 1);
    }
    HESCA_TRY(err, hesca_moving_end(&w->moving));
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
    hesca_moving_free(&w->a);
    hesca_moving_free(&w->b);
    hesca_triangle_clear(&w->triangle);
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
    if (args->err == HESCA_SUCCESS && hesca_product_is_any(p)) {
        describe(&w);
        most_room =
            -hesca_moving_room(&w.a, w.m) - hesca_moving_room(&w.b, w.n);
    }
    HESCA_TRY(err, hesca_args_agree(args, 1, &most_room));
    if (hesca_product_is_any(p)) {
        w.a.what.width = w.b.what.width = choose_width(&w, -most_room);
        w.moving = (hesca_moving_set){2, {&w.a, &w.b}};
        HESCA_TRY(err, hesca_moving_share(&w.moving));
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
