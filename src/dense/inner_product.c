/* SPDX-License-Identifier: BSD-3-Clause */
/* sub(C) := alpha op(sub(A)) op(sub(B)) + beta sub(C), or a triangle of it,
 * where a factor stays in place.
 *
 * Described for A; for B rows and columns change places.  A process multiplies
 * its part of op(A) by the rows of op(B) that match its columns: panels of
 * columns of op(B) are received from their owners (moving.h).  That makes as
 * many products, each to be added to a part of C, as there are process columns
 * of op(A).  They are one matrix, side by side, that is copied to the layout
 * of C, repeated, by a plan (exec/plan.h); then the owners of C add them up in
 * the order of process columns, so the bits are the same in every run.
 * Volume: on an nprow x npcol grid of A a process receives k n / npcol
 * elements of B less those that it has, and npcol m n / P of products: little
 * if C is much smaller than A.
 * Source: R. van de Geijn and J. Watts, SUMMA: Scalable Universal Matrix
 * Multiplication Algorithm, 1997, for any three layouts. */
#include "base/arith.h"
#include "base/status.h"
#include "dense/local.h"
#include "dense/moving.h"
#include "dense/product.h"
#include "dense/triangle.h"
#include "exec/agree.h"
#include "exec/plan.h"
#include "exec/staging.h"
#include <stdlib.h>

enum {
    AHEAD = 1,      /* panels in flight, inside a node */
    AHEAD_FAR = 2,  /* between nodes */
    LEAST = 256,    /* slices of a panel: BLAS packs what stays for each */
    LEAST_FAR = 64, /* between nodes, so that one is sent meanwhile */
    PANELS = 4,     /* at most */
    TILE = 16,      /* slices: a multiple of the BLAS kernel's width */
    FEW = 64        /* slices that are multiplied at once, at least */
};

/* Operations (real double) between two tests of messages, inside a node and
 * between nodes. */
static const double PIECE = 5e8, PIECE_FAR = 1e8;

typedef struct {
    hesca_product p;
    hesca_comm *comm;
    const char *routine;
    int stays_a;
    const hesca_matrix *stays;
    hesca_rectangle here; /* the local part of what stays */
    int64_t kept, summed; /* its extents: along C, and along the sums */
    int nkept, nsums;     /* processes along them */
    hesca_moving moving;
    hesca_moving_set set; /* it alone */
    /* The products of this process, and all that it adds up; matrices of which
     * sub(X) begins at i, j. */
    hesca_matrix made, total;
    hesca_plan *plan;
    hesca_triangle triangle; /* of C, if p.uplo */
} work;

/* Whether what stays has its rows along C, its columns along the sums. */
static int
keeps_rows(const work *w)
{
    return w->moving.what.by == HESCA_COLS;
}

/* --- layouts --- */

/* The grid of the products: what stays, transposed if need be. */
static int
make_grid(work *w, hesca_layout **layout)
{
    const hesca_layout *s = w->stays->layout;
    const int nprow = w->stays_a ? w->nkept : w->nsums;
    const int npcol = w->stays_a ? w->nsums : w->nkept;
    const int as_is = keeps_rows(w) == w->stays_a;
    hesca_layout *x = hesca_layout_allocate(nprow, npcol, NULL, 1, 1);
    *layout = x;
    if (x == NULL)
        return HESCA_ERR_NOMEM;
    for (int p = 0; p < nprow; ++p)
        for (int q = 0; q < npcol; ++q)
            x->ranks[p * npcol + q] =
                s->ranks[as_is ? p * s->npcol + q : q * s->npcol + p];
    return HESCA_SUCCESS;
}

/* Products side by side if A stays, else one below the other. */
static int
describe_made(work *w)
{
    const hesca_matrix *s = w->stays;
    const int64_t extent = w->moving.what.need; /* of C along what stays */
    const hesca_axis *kept = keeps_rows(w) ? s->layout->rows : s->layout->cols;
    const int64_t from = keeps_rows(w) ? s->i : s->j;
    hesca_layout *x;
    int err;
    HESCA_TRY(err, make_grid(w, &x));
    w->made.layout = x;
    HESCA_TRY(err,
              hesca_axis_window(w->stays_a ? x->rows : x->cols, kept, from,
                                extent, w->stays_a ? &w->made.i : &w->made.j));
    err = hesca_axis_cyclic(w->stays_a ? x->cols : x->rows,
                            w->nsums * w->moving.what.k, (int)w->moving.what.k,
                            0, w->nsums);
fail:
    return err;
}

/* All cuts of one dimension of C; times = 1: once, from the beginning of a
 * period on, so that schedules are short, unless these differ. */
static int
make_cuts(int ncuts, hesca_axis *x, const hesca_axis *c, int64_t from,
          int64_t n, int64_t times, int64_t *before)
{
    int err = HESCA_SUCCESS;
    if (times == 1 && ncuts == 1)
        return hesca_axis_window(x, c, from, n, before);
    for (int k = 0; k < ncuts; ++k)
        HESCA_TRY(err, hesca_axis_repeated(&x[k], &c[k], from, n, times));
fail:
    return err;
}

/* C's layout, repeated for each product. */
static int
describe_total(work *w)
{
    const hesca_matrix *c = w->p.c;
    const hesca_layout *y = c->layout;
    const int64_t times = w->nsums;
    hesca_layout *x = hesca_layout_allocate(y->nprow, y->npcol, y->ranks,
                                            y->nrow_cuts, y->ncol_cuts);
    int err;
    w->total.layout = x;
    HESCA_TRY(err, x == NULL ? HESCA_ERR_NOMEM : HESCA_SUCCESS);
    HESCA_TRY(err, make_cuts(y->nrow_cuts, x->rows, y->rows, c->i, w->p.m,
                             w->stays_a ? 1 : times, &w->total.i));
    err = make_cuts(y->ncol_cuts, x->cols, y->cols, c->j, w->p.n,
                    w->stays_a ? times : 1, &w->total.j);
fail:
    return err;
}

/* Memory for this process's part. */
static int
allocate(const work *w, hesca_matrix *x)
{
    int64_t rows = 0, cols = 0;
    hesca_layout_local_size(x->layout, w->comm->rank, &rows, &cols);
    x->lld = hesca_max(rows, 1);
    x->local = hesca_staging_block(
        (size_t)(x->lld * cols) * hesca_type_size(w->p.type) + 1);
    return x->local != NULL
               ? HESCA_SUCCESS
               : hesca_fail(HESCA_ERR_NOMEM, 0, "%s: products of %lld x %lld",
                            w->routine, (long long)rows, (long long)cols);
}

/* --- what processes need ---
 * Specifications are global. */

static void
describe(work *w)
{
    const hesca_product *p = &w->p;
    w->stays = w->stays_a ? p->a : p->b;
    w->moving = (hesca_moving){
        .comm = w->comm,
        .type = p->type,
        .matrix = w->stays_a ? p->b : p->a,
        .ahead = hesca_comm_is_node(w->comm) ? AHEAD : AHEAD_FAR,
        .what =
            hesca_product_panels(p, w->stays_a ? 'B' : 'A',
                                 w->stays_a ? HESCA_STAYS_A : HESCA_STAYS_B)};
    hesca_moving_find_home(&w->moving);
    const hesca_layout *s = w->stays->layout;
    const int64_t other = w->moving.what.need;
    const hesca_local part =
        hesca_local_make(s, w->stays->i, w->stays->j, w->comm->rank);
    w->here = hesca_local_rectangle(&part, keeps_rows(w) ? other : p->k,
                                    keeps_rows(w) ? p->k : other);
    const int64_t rows = w->here.r1 - w->here.r0;
    const int64_t cols = w->here.c1 - w->here.c0;
    w->kept = keeps_rows(w) ? rows : cols;
    w->summed = keeps_rows(w) ? cols : rows;
    w->nkept = keeps_rows(w) ? s->nprow : s->npcol;
    w->nsums = keeps_rows(w) ? s->npcol : s->nprow;
}

/* Slices of a panel: all of them if they need not be sent. */
static int64_t
choose_width(const work *w, int64_t most_room)
{
    const int64_t k = w->moving.what.k;
    const int64_t budget = (int64_t)w->comm->params.buffer;
    const int64_t least = hesca_comm_is_node(w->comm) ? LEAST : LEAST_FAR;
    const int64_t npanels = hesca_clamp(k / least, 1, PANELS);
    const int64_t wanted = ((k - 1) / npanels / TILE + 1) * TILE;
    return hesca_moving_is_at_home(&w->moving.what)
               ? k
               : hesca_clamp(budget / hesca_max(most_room, 1), 1,
                             hesca_min(wanted, k));
}

static hesca_local
part_of(const work *w, const hesca_matrix *x)
{
    return hesca_local_make(x->layout, x->i, x->j, w->comm->rank);
}

static int
prepare_triangle(work *w)
{
    const hesca_product *p = &w->p;
    const hesca_local part = part_of(w, p->c);
    w->triangle = (hesca_triangle){.type = p->type,
                                   .upper = p->uplo == 'U',
                                   .transx = p->transa,
                                   .transy = p->transb};
    return hesca_triangle_init(&w->triangle, &part, p->n, p->c->local,
                               p->c->lld);
}

static int
prepare(work *w)
{
    const size_t esize = hesca_type_size(w->p.type);
    int err;
    HESCA_TRY(err, hesca_moving_create(&w->moving, w->routine,
                                       HESCA_TAG_PANEL_MCAST, w->summed));
    HESCA_TRY(err, describe_made(w));
    HESCA_TRY(err, describe_total(w));
    HESCA_TRY(err, allocate(w, &w->made));
    HESCA_TRY(err, allocate(w, &w->total));
    if (w->p.uplo)
        HESCA_TRY(err, prepare_triangle(w));
    const int64_t all = w->nsums * w->moving.what.k;
    err = hesca_plan_make_between(HESCA_ALL, w->stays_a ? w->p.m : all,
                                  w->stays_a ? all : w->p.n, &w->made,
                                  &w->total, esize, w->comm, &w->plan);
fail:
    return err;
}

/* --- computing --- */

/* Of the indices along C of this process, those before index x of C. */
static int64_t
kept_before(const work *w, int64_t x)
{
    const hesca_local part = part_of(w, &w->made);
    return w->stays_a ? hesca_local_row(&part, x) - hesca_local_row(&part, 0)
                      : hesca_local_col(&part, x) - hesca_local_col(&part, 0);
}

/* Element (i,j) of the product of this process. */
static void *
product_at(const work *w, int64_t i, int64_t j)
{
    const hesca_local part = part_of(w, &w->made);
    return hesca_at(w->p.type, w->made.local, w->made.lld,
                    i + (w->stays_a ? hesca_local_row(&part, 0) : 0),
                    j + (w->stays_a ? 0 : hesca_local_col(&part, 0)));
}

/* Slices s ... s + n - 1 of panel t, times the indices of what stays that have
 * elements in the triangle, or all. */
static void
multiply_slices(const work *w, int64_t t, int64_t s, int64_t n)
{
    const hesca_product *p = &w->p;
    const hesca_moving *f = &w->moving;
    const int64_t at = t * f->what.width + s, ldx = hesca_moving_leading(f, t);
    const int by_cols = f->what.along == HESCA_COLS;
    /* Of slices that are columns the rows from the diagonal on. */
    const int to_end = w->stays_a == (p->uplo == 'L');
    const int64_t k0 = p->uplo && to_end ? kept_before(w, at) : 0;
    const int64_t k1 = p->uplo && !to_end ? kept_before(w, at + n) : w->kept;
    const void *x = hesca_at_const(p->type, hesca_moving_at(f, t), ldx,
                                   by_cols ? 0 : s, by_cols ? s : 0);
    const void *y = hesca_at_const(p->type, w->stays->local, w->stays->lld,
                                   w->here.r0 + (keeps_rows(w) ? k0 : 0),
                                   w->here.c0 + (keeps_rows(w) ? 0 : k0));
    const int64_t m = w->stays_a ? k1 - k0 : n, nn = w->stays_a ? n : k1 - k0;
    void *z = product_at(w, w->stays_a ? k0 : at, w->stays_a ? at : k0);
    if (w->summed == 0) {
        hesca_kernel_scale(p->type, m, nn, hesca_zero(p->type), z,
                           w->made.lld);
        return;
    }
    hesca_kernel_gemm(p->type, p->transa, p->transb, m, nn, w->summed,
                      p->alpha, w->stays_a ? y : x,
                      w->stays_a ? w->stays->lld : ldx, w->stays_a ? x : y,
                      w->stays_a ? ldx : w->stays->lld, hesca_zero(p->type), z,
                      w->made.lld);
}

/* Slices that are multiplied at once. */
static int64_t
piece_of(const work *w)
{
    const double complexity = hesca_type_is_complex(w->p.type) ? 4 : 1;
    const double piece = hesca_comm_is_node(w->comm) ? PIECE : PIECE_FAR;
    const double slice =
        1 + 2 * complexity * (double)w->kept * (double)w->summed;
    if (w->p.uplo)
        return FEW;
    return hesca_moving_has_messages(&w->set)
               ? FEW * (int64_t)(1 + piece / (FEW * slice))
               : hesca_max(w->moving.what.k, 1);
}

/* What lies outside of the triangle is moved, too. */
static void
clear_products(const work *w)
{
    const int64_t k = w->moving.what.k;
    if (w->p.uplo && w->kept > 0)
        hesca_kernel_scale(w->p.type, w->stays_a ? w->kept : k,
                           w->stays_a ? k : w->kept, hesca_zero(w->p.type),
                           product_at(w, 0, 0), w->made.lld);
}

static int
multiply(work *w)
{
    const int64_t npanels = hesca_moving_npanels(&w->moving);
    const int64_t piece = piece_of(w);
    int err = HESCA_SUCCESS;
    for (int64_t t = 0; t < w->moving.ahead; ++t)
        HESCA_TRY(err, hesca_moving_begin(&w->set, t));
    clear_products(w);
    for (int64_t t = 0; t < npanels; ++t) {
        const int64_t n = hesca_moving_slices(&w->moving, t);
        HESCA_TRY(err, hesca_moving_wait(&w->set));
        HESCA_TRY(err, hesca_moving_begin(&w->set, t + w->moving.ahead));
        for (int64_t s = 0; s < n && w->kept > 0; s += piece) {
            multiply_slices(w, t, s, hesca_min(piece, n - s));
            HESCA_TRY(err, hesca_moving_advance(&w->set));
        }
        hesca_moving_release(&w->set, t + 1);
    }
    err = hesca_moving_end(&w->set);
fail:
    return err;
}

/* --- sums --- */

static void
add_double(int64_t n, const double *x, double *y)
{
    for (int64_t k = 0; k < n; ++k)
        y[k] += x[k];
}

static void
add_single(int64_t n, const float *x, float *y)
{
    for (int64_t k = 0; k < n; ++k)
        y[k] += x[k];
}

/* Y := Y + X */
static void
add(hesca_type type, int64_t m, int64_t n, const void *x, int64_t ldx, void *y,
    int64_t ldy)
{
    const int64_t reals = hesca_type_is_complex(type) ? 2 * m : m;
    for (int64_t j = 0; j < n; ++j)
        if (hesca_type_real(type) == HESCA_D)
            add_double(reals, hesca_at_const(type, x, ldx, 0, j),
                       hesca_at(type, y, ldy, 0, j));
        else
            add_single(reals, hesca_at_const(type, x, ldx, 0, j),
                       hesca_at(type, y, ldy, 0, j));
}

/* Add all products to rows r0 ... r1 - 1 and columns c0 ... c1 - 1 of this
 * process's part of C. */
static void
add_products(const work *w, int64_t r0, int64_t r1, int64_t c0, int64_t c1)
{
    const hesca_type type = w->p.type;
    const hesca_matrix *c = w->p.c;
    const hesca_local part = part_of(w, c), from = part_of(w, &w->total);
    const hesca_rectangle to = hesca_local_rectangle(&part, w->p.m, w->p.n);
    const int64_t m = to.r1 - to.r0, n = to.c1 - to.c0;
    const int64_t i = hesca_local_row(&from, 0) + r0;
    const int64_t j = hesca_local_col(&from, 0) + c0;
    for (int64_t t = 0; t < w->nsums; ++t)
        add(type, r1 - r0, c1 - c0,
            hesca_at_const(type, w->total.local, w->total.lld,
                           w->stays_a ? i : i + t * m,
                           w->stays_a ? j + t * n : j),
            w->total.lld,
            hesca_at(type, c->local, c->lld, to.r0 + r0, to.c0 + c0), c->lld);
}

/* C := beta C + all products, in the triangle, column by column. */
static void
sum_up_triangle(const work *w)
{
    const hesca_triangle *t = &w->triangle;
    const hesca_local part = part_of(w, w->p.c);
    hesca_triangle_scale(t, w->p.beta);
    for (int64_t j = t->col0; j < t->col1; ++j) {
        const int64_t index = t->col[j - t->col0];
        const int64_t split =
            hesca_local_row(&part, index + (t->upper ? 1 : 0));
        add_products(w, t->upper ? 0 : split - t->row0,
                     (t->upper ? split : t->row1) - t->row0, j - t->col0,
                     j - t->col0 + 1);
    }
    /* Rounding may have left imaginary parts. */
    hesca_triangle_scale(t, hesca_one(w->p.type));
}

/* C := beta C + all products, on the owners of C. */
static void
sum_up(const work *w)
{
    const hesca_product *p = &w->p;
    const hesca_local part = part_of(w, p->c);
    const hesca_rectangle to = hesca_local_rectangle(&part, p->m, p->n);
    const int64_t m = to.r1 - to.r0, n = to.c1 - to.c0;
    if (m == 0 || n == 0)
        return;
    if (p->uplo) {
        sum_up_triangle(w);
        return;
    }
    hesca_kernel_scale(p->type, m, n, p->beta,
                       hesca_at(p->type, p->c->local, p->c->lld, to.r0, to.c0),
                       p->c->lld);
    add_products(w, 0, m, 0, n);
}

/* --- the call ---
 * No data moves before all processes have agreed on arguments and memory. */

static void
clear(work *w)
{
    hesca_moving_free(&w->moving);
    hesca_plan_free(w->plan);
    hesca_triangle_clear(&w->triangle);
    hesca_staging_unblock(w->made.local);
    hesca_staging_unblock(w->total.local);
    /* The cast removes the const of hesca_matrix: they were made here. */
    hesca_layout_free((hesca_layout *)(uintptr_t)w->made.layout);
    hesca_layout_free((hesca_layout *)(uintptr_t)w->total.layout);
}

int
hesca_inner_product(hesca_comm *comm, hesca_args *args, const hesca_product *p,
                    hesca_stays stays)
{
    work w = {.p = *p,
              .comm = comm,
              .routine = args->routine,
              .stays_a = stays == HESCA_STAYS_A};
    int64_t most_room = 0; /* negative */
    int err;
    if (args->err == HESCA_SUCCESS) {
        describe(&w);
        most_room = -hesca_moving_room(&w.moving, w.summed);
    }
    HESCA_TRY(err, hesca_args_agree(args, 1, &most_room));
    w.moving.what.width = choose_width(&w, -most_room);
    w.set = (hesca_moving_set){1, {&w.moving}};
    HESCA_TRY(err, hesca_moving_share(&w.set));
    HESCA_TRY(err, hesca_agree(comm, prepare(&w), 0, NULL));
    HESCA_TRY(err, multiply(&w));
    HESCA_TRY(err, hesca_plan_execute(w.plan, w.made.local, w.made.lld,
                                      w.total.local, w.total.lld));
    sum_up(&w);
fail:
    clear(&w);
    return err;
}
