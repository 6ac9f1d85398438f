/* SPDX-License-Identifier: BSD-3-Clause */
/* What a product moves, and which matrix stays in place.
 *
 * Costs are operations of the process that has most, and words moved, each as
 * long as some operations.  Words that a process of several nodes moves are
 * those that it lacks; inside a node each process writes its part of a factor
 * to memory that all read, and sums cross that memory. */
#include "dense/product.h"
#include "base/arith.h"
#include "dense/moving.h"
#include <math.h>

/* Operations (of type double) in the time of moving a word: of panels that
 * caches hold until they are multiplied, of long panels; of a sum, which is
 * written, moved and added; between nodes, with fast and with slow links. Time
 * of an operation where C stays, relative to one long sum. Fitted to 27 shapes
 * on two cores. */
static const double WORD = 120, WORD_LONG = 200, WORD_SUM = 180,
                    WORD_FAR = 120, WORD_SLOW = 600, SHORT = 1.1;

/* The part of C's cost that another must save: it costs memory, too. */
static const double WORTH = 0.9;

int
hesca_product_is_any(const hesca_product *p)
{
    return p->m > 0 && p->n > 0 && p->k > 0 &&
           !hesca_is_zero(p->type, p->alpha);
}

/* Of op(A) and op(B), whether rows are rows of the matrix. */
static int
is_as_is(const hesca_product *p, char factor)
{
    return (factor == 'A' ? p->transa : p->transb) == 'N';
}

hesca_panel_mcast_spec
hesca_product_panels(const hesca_product *p, char factor, hesca_stays stays)
{
    const int is_a = factor == 'A';
    const hesca_matrix *x = is_a ? p->a : p->b;
    const hesca_matrix *to = stays == HESCA_STAYS_A   ? p->a
                             : stays == HESCA_STAYS_B ? p->b
                                                      : p->c;
    const int by_c = stays == HESCA_STAYS_C;
    const int64_t own = is_a ? p->m : p->n, other = is_a ? p->n : p->m;
    /* Slices are columns of op(A), rows of op(B), if C stays. */
    const int cols = (is_a == by_c) == is_as_is(p, factor);
    /* The dimension of what stays that matches indices across. */
    const int by_rows =
        by_c ? is_a
             : (stays == HESCA_STAYS_B) == is_as_is(p, is_a ? 'B' : 'A');
    return (hesca_panel_mcast_spec){.source = x->layout,
                                    .i = x->i,
                                    .j = x->j,
                                    .along = cols ? HESCA_COLS : HESCA_ROWS,
                                    .extent = by_c ? own : p->k,
                                    .k = by_c ? p->k : own,
                                    .target = to->layout,
                                    .by = by_rows ? HESCA_ROWS : HESCA_COLS,
                                    .origin = by_rows ? to->i : to->j,
                                    .need_from = by_rows ? to->j : to->i,
                                    .need = other,
                                    .forwards = 1,
                                    .esize = hesca_type_size(p->type)};
}

/* --- costs --- */

/* The most rows, or columns, of sub(X) that a process has. */
static double
most(const hesca_layout *x, hesca_dim dim, int64_t from, int64_t n)
{
    const int by_rows = dim == HESCA_ROWS;
    const int ncuts = by_rows ? x->nrow_cuts : x->ncol_cuts;
    int64_t largest = 0;
    for (int c = 0; c < ncuts; ++c) {
        const hesca_axis *axis = by_rows ? &x->rows[c] : &x->cols[c];
        for (int q = 0; q < axis->nowners; ++q)
            largest = hesca_max(largest, hesca_axis_count(axis, q, from + n) -
                                             hesca_axis_count(axis, q, from));
    }
    return (double)largest;
}

double
hesca_product_lacks(const hesca_panel_mcast_spec *x, double needs)
{
    const hesca_layout *s = x->source, *t = x->target;
    const int cols = x->along == HESCA_COLS;
    const int slices = cols ? s->npcol : s->nprow; /* process lines of them */
    const int across = cols ? s->nprow : s->npcol;
    const int matches = (x->by == HESCA_ROWS) == cols &&
                        across == (cols ? t->nprow : t->npcol);
    if (hesca_moving_is_at_home(x))
        return 0;
    return needs * (double)x->k * (1 - 1.0 / slices / (matches ? 1 : across));
}

/* Words that a process moves of a factor of which it needs `needs` indices of
 * each slice. */
static double
moved(const hesca_comm *comm, const hesca_panel_mcast_spec *x, double needs)
{
    const int cols = x->along == HESCA_COLS;
    if (!hesca_comm_is_node(comm) || hesca_moving_is_at_home(x))
        return hesca_product_lacks(x, needs);
    return most(x->source, HESCA_ROWS, x->i, cols ? x->extent : x->k) *
           most(x->source, HESCA_COLS, x->j, cols ? x->k : x->extent);
}

static double
word(const hesca_comm *comm, hesca_type type, double inside)
{
    const double words = hesca_type_is_complex(type) ? 2 : 1;
    const double far = comm->slow ? WORD_SLOW : WORD_FAR;
    return words * (hesca_comm_is_node(comm) ? inside : far);
}

/* Operations for each term of a sum; of a triangle for half of the sums. */
static double
operations(const hesca_product *p)
{
    return (hesca_type_is_complex(p->type) ? 8 : 2) * (p->uplo ? 0.5 : 1);
}

static double
cost_of_outer(const hesca_comm *comm, const hesca_product *p)
{
    const double rows = most(p->c->layout, HESCA_ROWS, p->c->i, p->m);
    const double cols = most(p->c->layout, HESCA_COLS, p->c->j, p->n);
    const hesca_panel_mcast_spec a =
        hesca_product_panels(p, 'A', HESCA_STAYS_C);
    const hesca_panel_mcast_spec b =
        hesca_product_panels(p, 'B', HESCA_STAYS_C);
    return SHORT * operations(p) * rows * cols * (double)p->k +
           word(comm, p->type, WORD) *
               (moved(comm, &a, rows) + moved(comm, &b, cols));
}

/* Where A or B stays, the most that a process has of: rows or columns along C,
 * and along the sums; elements of its products, and of those that it adds. */
typedef struct {
    hesca_panel_mcast_spec moving;
    double kept, summed, made, added;
} inner;

static inner
measure_inner(const hesca_product *p, hesca_stays stays)
{
    const hesca_panel_mcast_spec x =
        hesca_product_panels(p, stays == HESCA_STAYS_A ? 'B' : 'A', stays);
    const hesca_dim across = x.by == HESCA_ROWS ? HESCA_COLS : HESCA_ROWS;
    const int nsums = x.by == HESCA_ROWS ? x.target->nprow : x.target->npcol;
    const double kept = most(x.target, across, x.need_from, x.need);
    return (inner){.moving = x,
                   .kept = kept,
                   .summed = most(x.target, x.by, x.origin, p->k),
                   .made = kept * (double)x.k,
                   .added = nsums *
                            most(p->c->layout, HESCA_ROWS, p->c->i, p->m) *
                            most(p->c->layout, HESCA_COLS, p->c->j, p->n)};
}

int
hesca_product_fits(const hesca_comm *comm, const hesca_product *p,
                   hesca_stays stays)
{
    const hesca_matrix *x = stays == HESCA_STAYS_A ? p->a : p->b;
    if (!hesca_layout_is_product(x->layout))
        return 0;
    const inner w = measure_inner(p, stays);
    return (w.made + w.added) * (double)hesca_type_size(p->type) <=
               (double)comm->params.buffer &&
           w.moving.k <= INT32_MAX;
}

static double
cost_of_inner(const hesca_comm *comm, const hesca_product *p,
              hesca_stays stays)
{
    const inner w = measure_inner(p, stays);
    return operations(p) * w.kept * w.summed * (double)w.moving.k +
           word(comm, p->type, WORD_LONG) * moved(comm, &w.moving, w.summed) +
           word(comm, p->type, WORD_SUM) * fmax(w.made, w.added);
}

hesca_stays
hesca_product_choose(const hesca_comm *comm, const hesca_product *p)
{
    double least = WORTH * cost_of_outer(comm, p);
    hesca_stays best = HESCA_STAYS_C;
    for (int k = 0; k < 2; ++k) {
        const hesca_stays stays = k == 0 ? HESCA_STAYS_A : HESCA_STAYS_B;
        if (!hesca_product_fits(comm, p, stays))
            continue;
        const double cost = cost_of_inner(comm, p, stays);
        if (cost < least) {
            least = cost;
            best = stays;
        }
    }
    return best;
}

int
hesca_product_run(hesca_comm *c, hesca_args *args, const hesca_product *p,
                  hesca_stays stays)
{
    if (args->err < 0 || !hesca_product_is_any(p))
        stays = HESCA_STAYS_C;
    else if (stays == HESCA_STAYS_ANY)
        stays = hesca_product_choose(c, p);
    else if (stays != HESCA_STAYS_C && !hesca_product_fits(c, p, stays))
        stays = HESCA_STAYS_C;
    return stays == HESCA_STAYS_C ? hesca_outer_product(c, args, p)
                                  : hesca_inner_product(c, args, p, stays);
}
