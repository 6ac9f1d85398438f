/* SPDX-License-Identifier: BSD-3-Clause */
#include "hohe/gblock.h"
#include "base/status.h"
#include "layout/layout.h"
#include <math.h>
#include <stdlib.h>

/* --- arguments ---
 * On success every speed that is not 0 is within a factor of 1e200 of
 * the largest. */

static const char CREATE[] = "hesca_gblock_create";

/* Largest quotient of two speeds that are not 0. */
static const double MOST_RATIO = 1e200;

int
hesca_gblock_check_speeds(const hesca_gblock_call *call, const double *speed,
                          int n)
{
    const int arg = call->speed_info;
    double most = 0;
    for (int k = 0; speed != NULL && k < n; ++k) {
        if (!(speed[k] >= 0 && speed[k] <= MOST_RATIO))
            return hesca_fail(HESCA_ERR_ARG, arg,
                              "%s: argument %d, speed[%d], is %g: must be at "
                              "least 0, at most 1e200",
                              call->routine, arg, k, speed[k]);
        most = fmax(most, speed[k]);
    }
    if (speed != NULL && !(most > 0))
        return hesca_fail(HESCA_ERR_ARG, arg,
                          "%s: argument %d, speed: all are 0", call->routine,
                          arg);
    for (int k = 0; speed != NULL && k < n; ++k)
        if (speed[k] > 0 && speed[k] < most / MOST_RATIO)
            return hesca_fail(HESCA_ERR_ARG, arg,
                              "%s: argument %d, speed[%d], is %g: must be 0, "
                              "or at least 1e-200 of the largest",
                              call->routine, arg, k, speed[k]);
    return HESCA_SUCCESS;
}

/* Check what hesca_layout_create_by_owners() does not check. */
static int
check_create(const hesca_gblock_info *x, const double *speed)
{
    const hesca_gblock_call call = {CREATE, 11};
    const int64_t most = (int64_t)INT32_MAX;
    if ((unsigned)x->kind > HESCA_COLUMN_BASED)
        return hesca_fail_arg(CREATE, 1, "kind", x->kind,
                              "one of hesca_layout_kind");
    if ((unsigned)x->assignment > HESCA_ASSIGN_CYCLIC)
        return hesca_fail_arg(CREATE, 2, "assignment", x->assignment,
                              "one of hesca_gblock_assignment");
    if (x->m < 0 || x->n < 0)
        return hesca_fail_arg(CREATE, x->m < 0 ? 3 : 4, x->m < 0 ? "m" : "n",
                              x->m < 0 ? x->m : x->n, "at least 0");
    if (x->mb < 1 || x->nb < 1)
        return hesca_fail_arg(CREATE, x->mb < 1 ? 5 : 6,
                              x->mb < 1 ? "mb" : "nb",
                              x->mb < 1 ? x->mb : x->nb, "at least 1");
    if (x->nprow < 1)
        return hesca_fail_arg(CREATE, 9, "nprow", x->nprow, "at least 1");
    if (x->npcol < 1 || x->npcol > most / x->nprow)
        return hesca_fail_arg(CREATE, 10, "npcol", x->npcol,
                              "at least 1, and nprow x npcol below 2^31");
    const int64_t room = most / x->nprow / x->npcol;
    if (x->lp < x->nprow || x->lp > room)
        return hesca_fail_arg(CREATE, 7, "lp", x->lp,
                              "at least nprow, lp x nprow x npcol below 2^31");
    if (x->lq < x->npcol || x->lq > room)
        return hesca_fail_arg(CREATE, 8, "lq", x->lq,
                              "at least npcol, lq x nprow x npcol below 2^31");
    return hesca_gblock_check_speeds(&call, speed, x->nprow * x->npcol);
}

/* --- creating ---
 * A finished block has owners in 0 ... nprow - 1 and 0 ... npcol - 1, and a
 * layout with these owners. */

hesca_gblock *
hesca_gblock_allocate(const hesca_gblock_info *info)
{
    hesca_gblock *g = calloc(1, sizeof *g);
    if (g != NULL) {
        g->info = *info;
        g->nrow_cuts = info->kind == HESCA_COLUMN_BASED ? info->npcol : 1;
        g->ncol_cuts = info->kind == HESCA_ROW_BASED ? info->nprow : 1;
        g->rowowner = calloc((size_t)g->nrow_cuts * (size_t)info->lp,
                             sizeof *g->rowowner);
        g->colowner = calloc((size_t)g->ncol_cuts * (size_t)info->lq,
                             sizeof *g->colowner);
        if (g->rowowner != NULL && g->colowner != NULL)
            return g;
    }
    hesca_fail(HESCA_ERR_NOMEM, 0, "a generalized block of %d x %d blocks",
               info->lp, info->lq);
    hesca_gblock_free(g);
    return NULL;
}

void
hesca_gblock_blocks(const hesca_gblock *g, int *height, int *width)
{
    const hesca_gblock_info *x = &g->info;
    for (int p = 0; p < x->nprow; ++p)
        for (int q = 0; q < x->npcol; ++q) {
            height[p * x->npcol + q] = hesca_gblock_height(g, p, q);
            width[p * x->npcol + q] = hesca_gblock_width(g, p, q);
        }
}

double
hesca_gblock_imbalance(const hesca_gblock_info *x, const double *speed,
                       const int *height, const int *width)
{
    double all = 0, longest = 0;
    for (int k = 0; k < x->nprow * x->npcol; ++k) {
        const double s = speed == NULL ? 1 : speed[k];
        const double share = (double)height[k] * width[k];
        all += s;
        if (share > 0)
            longest = fmax(longest, share / s);
    }
    return longest * (all / ((double)x->lp * x->lq));
}

int
hesca_gblock_finish(hesca_gblock *g, const double *speed, const int *ranks)
{
    const hesca_gblock_info *x = &g->info;
    const size_t n = (size_t)x->nprow * (size_t)x->npcol;
    int *blocks = malloc(2 * n * sizeof *blocks);
    if (blocks == NULL)
        return hesca_fail(HESCA_ERR_NOMEM, 0, "blocks of %zu processes", n);
    hesca_gblock_blocks(g, blocks, blocks + n);
    g->info.imbalance = hesca_gblock_imbalance(x, speed, blocks, blocks + n);
    free(blocks);
    return hesca_layout_create_by_owners(
        x->kind, x->m, x->n, x->mb, x->nb, x->lp, x->lq, x->nprow, x->npcol,
        g->rowowner, g->colowner, ranks, &g->layout);
}

int
hesca_gblock_create(hesca_layout_kind kind, hesca_gblock_assignment assignment,
                    int64_t m, int64_t n, int mb, int nb, int lp, int lq,
                    int nprow, int npcol, const double *speed,
                    const int *ranks, hesca_gblock **gblock)
{
    const hesca_gblock_info info = {.kind = kind,
                                    .assignment = assignment,
                                    .m = m,
                                    .n = n,
                                    .mb = mb,
                                    .nb = nb,
                                    .lp = lp,
                                    .lq = lq,
                                    .nprow = nprow,
                                    .npcol = npcol};
    hesca_gblock *g = NULL;
    int err;
    if (gblock == NULL)
        return hesca_fail_null(CREATE, 13, "gblock");
    HESCA_TRY(err, check_create(&info, speed));
    g = hesca_gblock_allocate(&info);
    HESCA_TRY(err, g == NULL ? HESCA_ERR_NOMEM : HESCA_SUCCESS);
    HESCA_TRY(err, hesca_gblock_cut(g, speed));
    HESCA_TRY(err, hesca_gblock_finish(g, speed, ranks));
fail:
    if (err < 0) {
        hesca_gblock_free(g);
        g = NULL;
    }
    *gblock = g;
    return err;
}

void
hesca_gblock_free(hesca_gblock *g)
{
    if (g == NULL)
        return;
    free(g->rowowner);
    free(g->colowner);
    hesca_layout_free(g->layout);
    free(g);
}

/* --- queries ---
 * Read-only; indices outside of the grid give -1. */

static int
is_outside(const hesca_gblock *g, int prow, int pcol)
{
    return prow < 0 || prow >= g->info.nprow || pcol < 0 ||
           pcol >= g->info.npcol;
}

hesca_gblock_info
hesca_gblock_get_info(const hesca_gblock *gblock)
{
    return gblock->info;
}

const hesca_layout *
hesca_gblock_layout(const hesca_gblock *gblock)
{
    return gblock->layout;
}

static int
count(const int *owner, int n, int process)
{
    int sum = 0;
    for (int k = 0; k < n; ++k)
        sum += owner[k] == process;
    return sum;
}

int
hesca_gblock_height(const hesca_gblock *g, int prow, int pcol)
{
    if (is_outside(g, prow, pcol))
        return -1;
    const int cut = g->nrow_cuts > 1 ? pcol : 0;
    return count(g->rowowner + cut * g->info.lp, g->info.lp, prow);
}

int
hesca_gblock_width(const hesca_gblock *g, int prow, int pcol)
{
    if (is_outside(g, prow, pcol))
        return -1;
    const int cut = g->ncol_cuts > 1 ? prow : 0;
    return count(g->colowner + cut * g->info.lq, g->info.lq, pcol);
}

int
hesca_gblock_owner(const hesca_gblock *g, int64_t i, int64_t j, int *prow,
                   int *pcol)
{
    static const char me[] = "hesca_gblock_owner";
    if (g == NULL)
        return hesca_fail_null(me, 1, "gblock");
    if (i < 0 || j < 0)
        return hesca_fail_arg(me, i < 0 ? 2 : 3, i < 0 ? "i" : "j",
                              i < 0 ? i : j, "at least 0");
    if (prow == NULL || pcol == NULL)
        return hesca_fail_null(me, prow == NULL ? 4 : 5,
                               prow == NULL ? "prow" : "pcol");
    const int row = (int)(i % g->info.lp), col = (int)(j % g->info.lq);
    if (g->ncol_cuts > 1) {
        *prow = g->rowowner[row];
        *pcol = g->colowner[*prow * g->info.lq + col];
    } else {
        *pcol = g->colowner[col];
        *prow = g->rowowner[(g->nrow_cuts > 1 ? *pcol : 0) * g->info.lp + row];
    }
    return HESCA_SUCCESS;
}

/* The layout's axes are periodic, so counts beyond the matrix are valid. */
int64_t
hesca_gblock_locr(const hesca_gblock *g, int64_t rows, int prow, int pcol)
{
    if (rows < 0 || is_outside(g, prow, pcol))
        return -1;
    return hesca_axis_count(hesca_layout_row_axis(g->layout, pcol), prow,
                            rows);
}

int64_t
hesca_gblock_locc(const hesca_gblock *g, int64_t cols, int prow, int pcol)
{
    if (cols < 0 || is_outside(g, prow, pcol))
        return -1;
    return hesca_axis_count(hesca_layout_col_axis(g->layout, prow), pcol,
                            cols);
}
