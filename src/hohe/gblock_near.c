/* SPDX-License-Identifier: BSD-3-Clause */
/* A generalized block with the owners of a block-cyclic layout as far as
 * speeds allow. */
#include "base/arith.h"
#include "base/status.h"
#include "hohe/gblock.h"
#include "layout/layout.h"
#include "overlap/problem.h"
#include <math.h>
#include <stdlib.h>

static const char ROUTINE[] = "hesca_gblock_near";

/* Bound of the sizes that are tried, and the accepted excess of the imbalance
 * over the best. */
enum { MOST = 64 };
static const double SLACK = 0.02;

/* The given layout: blocks are assigned cyclically from rsrc, csrc on. */
typedef struct {
    const hesca_layout *layout;
    const double *speed;
    hesca_gblock_info info;
    int rsrc, csrc;
} origin;

/* --- owners ---
 * Counts per owner stay those of the cyclic assignment by speeds. */

/* Change the owners (src + k) mod np of a line of n blocks such that owner p
 * has left[p] blocks. An owner with too many blocks gives some up, from the
 * end on: first those that the cyclic assignment in owner[] gives to an owner
 * with too few. */
static void
keep_owners(int n, int np, int src, int *left, int *owner)
{
    int to = 0;
    for (int k = 0; k < n; ++k)
        --left[(src + k) % np];
    /* left: blocks still missing; < 0: blocks to be given up */
    for (int k = n - 1; k >= 0; --k) {
        const int old = (src + k) % np, next = owner[k];
        if (left[old] < 0 && left[next] > 0) {
            ++left[old];
            --left[next];
        } else {
            owner[k] = old;
        }
    }
    for (int k = n - 1; k >= 0; --k) {
        const int old = owner[k];
        if (left[old] >= 0)
            continue;
        while (left[to] <= 0)
            ++to;
        ++left[old];
        --left[to];
        owner[k] = to;
    }
}

/* Replace a cyclic assignment by the one with the same counts that moves
 * least. */
static int
keep_line(int n, int np, int src, int *owner)
{
    int *left = calloc((size_t)np, sizeof *left);
    if (left == NULL)
        return hesca_fail(HESCA_ERR_NOMEM, 0, "owners of %d blocks", n);
    for (int k = 0; k < n; ++k)
        ++left[owner[k]];
    keep_owners(n, np, src, left, owner);
    free(left);
    return HESCA_SUCCESS;
}

static int
make_of_kind(const origin *o, hesca_layout_kind kind, hesca_gblock **gblock)
{
    hesca_gblock_info info = o->info;
    info.kind = kind;
    info.assignment = HESCA_ASSIGN_CYCLIC;
    hesca_gblock *g = *gblock = hesca_gblock_allocate(&info);
    int err;
    HESCA_TRY(err, g == NULL ? HESCA_ERR_NOMEM : HESCA_SUCCESS);
    HESCA_TRY(err, hesca_gblock_cut(g, o->speed));
    for (int k = 0; k < g->nrow_cuts; ++k)
        HESCA_TRY(err, keep_line(info.lp, info.nprow, o->rsrc,
                                 g->rowowner + k * info.lp));
    for (int k = 0; k < g->ncol_cuts; ++k)
        HESCA_TRY(err, keep_line(info.lq, info.npcol, o->csrc,
                                 g->colowner + k * info.lq));
    HESCA_TRY(err, hesca_gblock_finish(g, o->speed, o->layout->ranks));
fail:
    return err;
}

/* The part of the elements that change their owner. */
static int
find_moved(const origin *o, const hesca_gblock *g, double *moved)
{
    hesca_problem p;
    int64_t bytes = 0;
    int err;
    *moved = 0;
    if (o->info.m == 0 || o->info.n == 0)
        return HESCA_SUCCESS;
    HESCA_TRY(err, hesca_problem_init(&p, HESCA_ALL, o->info.m, o->info.n,
                                      o->layout, 0, 0, g->layout, 0, 0, 1));
    err = hesca_problem_moved(&p, &bytes);
    *moved = (double)bytes / (double)o->info.m / (double)o->info.n;
    hesca_problem_clear(&p);
fail:
    return err;
}

/* --- sizes ---
 * Sizes are multiples of the grid, so that an equal-speed block is the
 * given layout. */

/* The parts of the processes in a column-based block of this size. */
static int
count_blocks(const origin *o, int lp, int lq, int *height, int *width)
{
    hesca_gblock_info info = o->info;
    info.kind = HESCA_COLUMN_BASED;
    info.assignment = HESCA_ASSIGN_RECTANGLES;
    info.lp = lp;
    info.lq = lq;
    hesca_gblock *g = hesca_gblock_allocate(&info);
    int err;
    HESCA_TRY(err, g == NULL ? HESCA_ERR_NOMEM : HESCA_SUCCESS);
    HESCA_TRY(err, hesca_gblock_cut(g, o->speed));
    hesca_gblock_blocks(g, height, width);
fail:
    hesca_gblock_free(g);
    return err;
}

/* Number of multiples of np to try. */
static int
count_sizes(int64_t extent, int block, int np)
{
    const int64_t blocks = extent == 0 ? 0 : (extent - 1) / block + 1;
    return (int)hesca_max(1, hesca_min(MOST, blocks) / np);
}

/* The k-th size that is tried. */
static int
size_of(int fixed, int k, int np)
{
    return fixed ? fixed : (k + 1) * np;
}

/* Choose the size with the fewest blocks among those within SLACK of the best.
 * Heights do not depend on lq, nor widths on lp. */
static int
choose_size(origin *o, int fixed_lp, int fixed_lq)
{
    hesca_gblock_info *x = &o->info;
    const int rows = fixed_lp ? 1 : count_sizes(x->m, x->mb, x->nprow);
    const int cols = fixed_lq ? 1 : count_sizes(x->n, x->nb, x->npcol);
    const size_t n = (size_t)rows * (size_t)cols;
    const size_t np = (size_t)x->nprow * (size_t)x->npcol;
    double *imbalance = malloc(n * sizeof *imbalance), best = INFINITY;
    int *height = malloc((size_t)(rows + 1) * np * sizeof *height);
    int *width = malloc((size_t)(cols + 1) * np * sizeof *width);
    int64_t least = INT64_MAX;
    int err = HESCA_SUCCESS;
    if (imbalance == NULL || height == NULL || width == NULL)
        HESCA_TRY(err, hesca_fail(HESCA_ERR_NOMEM, 0, "%zu sizes", n));
    for (size_t i = 0; i < (size_t)rows; ++i)
        HESCA_TRY(err, count_blocks(o, size_of(fixed_lp, (int)i, x->nprow),
                                    x->npcol, height + i * np,
                                    width + (size_t)cols * np));
    for (size_t j = 0; j < (size_t)cols; ++j)
        HESCA_TRY(
            err, count_blocks(o, x->nprow, size_of(fixed_lq, (int)j, x->npcol),
                              height + (size_t)rows * np, width + j * np));
    for (size_t k = 0; k < n; ++k) {
        const size_t i = k / (size_t)cols, j = k % (size_t)cols;
        hesca_gblock_info info = *x;
        info.lp = size_of(fixed_lp, (int)i, x->nprow);
        info.lq = size_of(fixed_lq, (int)j, x->npcol);
        imbalance[k] = hesca_gblock_imbalance(&info, o->speed, height + i * np,
                                              width + j * np);
        best = fmin(best, imbalance[k]);
    }
    for (size_t k = 0; k < n; ++k) {
        const int lp = size_of(fixed_lp, (int)k / cols, x->nprow);
        const int lq = size_of(fixed_lq, (int)k % cols, x->npcol);
        if (imbalance[k] > best * (1 + SLACK) || (int64_t)lp * lq >= least)
            continue;
        least = (int64_t)lp * lq;
        x->lp = lp;
        x->lq = lq;
    }
fail:
    free(imbalance);
    free(height);
    free(width);
    return err;
}

/* --- the call ---
 * Of the two kinds, the one that moves fewer elements is returned, unless it
 * is less balanced: sizes are chosen for one of them. */

static int
choose_rows(double by_rows, double by_cols, int moves_less)
{
    if (by_rows > (1 + SLACK) * by_cols)
        return 0;
    return moves_less || by_cols > (1 + SLACK) * by_rows;
}

static int
check(const hesca_layout *x, const double *speed, int lp, int lq)
{
    const hesca_gblock_call call = {ROUTINE, 2};
    int src;
    if (x == NULL)
        return hesca_fail_null(ROUTINE, 1, "layout");
    if (!hesca_layout_is_product(x) ||
        (x->nprow > 1 && hesca_axis_is_cyclic(x->rows, &src) == 0) ||
        (x->npcol > 1 && hesca_axis_is_cyclic(x->cols, &src) == 0) ||
        x->mb < 1 || x->nb < 1)
        return hesca_fail(HESCA_ERR_ARG, 1,
                          "%s: argument 1, layout, is not block-cyclic",
                          ROUTINE);
    if (lp < 0 || lp % x->nprow != 0 || lp > INT32_MAX / x->nprow / x->npcol)
        return hesca_fail_arg(ROUTINE, 3, "lp", lp,
                              "0 or a multiple of nprow");
    if (lq < 0 || lq % x->npcol != 0 || lq > INT32_MAX / x->nprow / x->npcol)
        return hesca_fail_arg(ROUTINE, 4, "lq", lq,
                              "0 or a multiple of npcol");
    return hesca_gblock_check_speeds(&call, speed, x->nprow * x->npcol);
}

static origin
origin_of(const hesca_layout *x, const double *speed)
{
    origin o = {.layout = x,
                .speed = speed,
                .info = {.m = hesca_layout_m(x),
                         .n = hesca_layout_n(x),
                         .mb = x->mb,
                         .nb = x->nb,
                         .nprow = x->nprow,
                         .npcol = x->npcol}};
    o.rsrc = x->rows->piece[0].owner;
    o.csrc = x->cols->piece[0].owner;
    return o;
}

int
hesca_gblock_near(const hesca_layout *layout, const double *speed, int lp,
                  int lq, double *moved, hesca_gblock **gblock)
{
    hesca_gblock *by_cols = NULL, *by_rows = NULL;
    double cols_move, rows_move;
    int err;
    if (gblock == NULL)
        return hesca_fail_null(ROUTINE, 6, "gblock");
    *gblock = NULL;
    HESCA_TRY(err, check(layout, speed, lp, lq));
    origin o = origin_of(layout, speed);
    HESCA_TRY(err, choose_size(&o, lp, lq));
    HESCA_TRY(err, make_of_kind(&o, HESCA_COLUMN_BASED, &by_cols));
    HESCA_TRY(err, make_of_kind(&o, HESCA_ROW_BASED, &by_rows));
    HESCA_TRY(err, find_moved(&o, by_cols, &cols_move));
    HESCA_TRY(err, find_moved(&o, by_rows, &rows_move));
    const int takes_rows =
        choose_rows(by_rows->info.imbalance, by_cols->info.imbalance,
                    rows_move < cols_move);
    hesca_gblock **taken = takes_rows ? &by_rows : &by_cols;
    if (moved != NULL)
        *moved = takes_rows ? rows_move : cols_move;
    *gblock = *taken;
    *taken = NULL;
fail:
    hesca_gblock_free(by_cols);
    hesca_gblock_free(by_rows);
    return err;
}
