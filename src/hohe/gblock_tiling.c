/* SPDX-License-Identifier: BSD-3-Clause */
/* A generalized block with the owners of a tiling. */
#include "base/status.h"
#include "hohe/gblock.h"
#include <limits.h>
#include <stdlib.h>

static const char ROUTINE[] = "hesca_gblock_of_tiling";

/* The place in the grid of each processor of the tiling; NULL: no memory. */
static int *
find_places(const hesca_tiling *t, int nprow, int npcol)
{
    int *place = malloc((size_t)nprow * (size_t)npcol * sizeof *place);
    for (int k = 0; place != NULL && k < nprow * npcol; ++k)
        place[hesca_tiling_at(t, k / npcol, k % npcol)] = k;
    return place;
}

/* Try a kind: set the owners of each line, and test whether they describe
 * every block. */
static int
is_of_kind(hesca_gblock *g, const hesca_tiling *t, const int *place)
{
    const int lp = g->info.lp, lq = g->info.lq, npcol = g->info.npcol;
    int p, q;
    for (int i = 0; i < lp; ++i)
        for (int j = 0; j < lq; ++j) {
            const int k = place[hesca_tiling_owner(t, i, j)];
            const int row = g->nrow_cuts > 1 ? k % npcol : 0;
            const int col = g->ncol_cuts > 1 ? k / npcol : 0;
            g->rowowner[row * lp + i] = k / npcol;
            g->colowner[col * lq + j] = k % npcol;
        }
    for (int i = 0; i < lp; ++i)
        for (int j = 0; j < lq; ++j) {
            const int k = place[hesca_tiling_owner(t, i, j)];
            hesca_gblock_owner(g, i, j, &p, &q);
            if (p * npcol + q != k)
                return 0;
        }
    return 1;
}

/* Finish the block; the imbalance is that of the tiling, which compares areas
 * to speeds. */
static int
finish(hesca_gblock *g, const hesca_tiling *t, const int *ranks)
{
    const int err = hesca_gblock_finish(g, NULL, ranks);
    g->info.imbalance = hesca_tiling_imbalance(t);
    return err;
}

static int
check(const hesca_tiling *t, int64_t m, int64_t n, int mb, int nb)
{
    if (t == NULL)
        return hesca_fail_null(ROUTINE, 1, "tiling");
    if (hesca_tiling_rows(t) < 1 || hesca_tiling_cols(t) < 1 ||
        hesca_tiling_rows(t) > INT_MAX / hesca_tiling_parts(t) ||
        hesca_tiling_cols(t) > INT_MAX / hesca_tiling_parts(t))
        return hesca_fail(HESCA_ERR_ARG, 1,
                          "%s: argument 1, tiling, is of %lld x %lld blocks",
                          ROUTINE, (long long)hesca_tiling_rows(t),
                          (long long)hesca_tiling_cols(t));
    if (m < 0 || n < 0)
        return hesca_fail_arg(ROUTINE, m < 0 ? 2 : 3, m < 0 ? "m" : "n",
                              m < 0 ? m : n, "at least 0");
    if (mb < 1 || nb < 1)
        return hesca_fail_arg(ROUTINE, mb < 1 ? 4 : 5, mb < 1 ? "mb" : "nb",
                              mb < 1 ? mb : nb, "at least 1");
    return HESCA_SUCCESS;
}

int
hesca_gblock_of_tiling(const hesca_tiling *tiling, int64_t m, int64_t n,
                       int mb, int nb, const int *ranks, hesca_gblock **gblock)
{
    static const hesca_layout_kind order[] = {
        HESCA_CARTESIAN, HESCA_COLUMN_BASED, HESCA_ROW_BASED};
    hesca_gblock_info info = {.m = m, .n = n, .mb = mb, .nb = nb};
    hesca_gblock *g = NULL;
    int *place = NULL, err, found = 0;
    if (gblock == NULL)
        return hesca_fail_null(ROUTINE, 7, "gblock");
    HESCA_TRY(err, check(tiling, m, n, mb, nb));
    hesca_tiling_grid(tiling, &info.nprow, &info.npcol);
    info.lp = (int)hesca_tiling_rows(tiling);
    info.lq = (int)hesca_tiling_cols(tiling);
    place = find_places(tiling, info.nprow, info.npcol);
    if (place == NULL)
        HESCA_TRY(err, hesca_fail(HESCA_ERR_NOMEM, 0, "places of a grid"));
    for (int k = 0; k < 3 && !found; ++k) {
        hesca_gblock_free(g);
        info.kind = order[k];
        g = hesca_gblock_allocate(&info);
        HESCA_TRY(err, g == NULL ? HESCA_ERR_NOMEM : HESCA_SUCCESS);
        found = is_of_kind(g, tiling, place);
    }
    if (!found)
        HESCA_TRY(err, hesca_fail(HESCA_ERR_UNSUPPORTED, 1,
                                  "%s: argument 1, tiling: neither rows nor "
                                  "columns of its grid are aligned",
                                  ROUTINE));
    HESCA_TRY(err, finish(g, tiling, ranks));
fail:
    if (err < 0) {
        hesca_gblock_free(g);
        g = NULL;
    }
    free(place);
    *gblock = g;
    return err;
}
