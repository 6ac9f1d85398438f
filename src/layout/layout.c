/* SPDX-License-Identifier: BSD-3-Clause */
#include "layout/layout.h"
#include "base/hash.h"
#include "base/status.h"
#include "layout/arguments.h"
#include <stdlib.h>
#include <string.h>

/* --- creation ---
 * Arguments are checked before anything is allocated.  ranks is a copy: after
 * creation a layout refers to no memory of the caller. */

static const char CYCLIC[] = "hesca_layout_create_cyclic";
static const char GENERALIZED[] = "hesca_layout_create_generalized";

static int
check_cyclic(int64_t m, int64_t n, int mb, int nb, int rsrc, int csrc,
             int nprow, int npcol, const int *ranks)
{
    int err;
    HESCA_TRY(err, hesca_layout_check_least(CYCLIC, 1, "m", m, 0));
    HESCA_TRY(err, hesca_layout_check_least(CYCLIC, 2, "n", n, 0));
    HESCA_TRY(err, hesca_layout_check_least(CYCLIC, 3, "mb", mb, 1));
    HESCA_TRY(err, hesca_layout_check_least(CYCLIC, 4, "nb", nb, 1));
    HESCA_TRY(err, hesca_layout_check_grid(CYCLIC, 7, nprow, npcol));
    if (rsrc < 0 || rsrc >= nprow)
        return hesca_fail_arg(CYCLIC, 5, "rsrc", rsrc, "in 0 ... nprow - 1");
    if (csrc < 0 || csrc >= npcol)
        return hesca_fail_arg(CYCLIC, 6, "csrc", csrc, "in 0 ... npcol - 1");
    err = hesca_layout_check_ranks(CYCLIC, 9, ranks, nprow * npcol);
fail:
    return err;
}

static int
check_generalized(int64_t m, int64_t n, int nprow, int npcol,
                  const int64_t *heights, const int64_t *widths,
                  const int *ranks)
{
    int64_t sum;
    int err;
    HESCA_TRY(err, hesca_layout_check_least(GENERALIZED, 1, "m", m, 0));
    HESCA_TRY(err, hesca_layout_check_least(GENERALIZED, 2, "n", n, 0));
    HESCA_TRY(err, hesca_layout_check_grid(GENERALIZED, 3, nprow, npcol));
    HESCA_TRY(err, hesca_layout_check_lengths(
                       GENERALIZED, 5, "heights",
                       (hesca_lengths){heights, 0, nprow, 1}, &sum));
    HESCA_TRY(err, hesca_layout_check_lengths(
                       GENERALIZED, 6, "widths",
                       (hesca_lengths){widths, 0, npcol, 1}, &sum));
    err = hesca_layout_check_ranks(GENERALIZED, 7, ranks, nprow * npcol);
fail:
    return err;
}

hesca_layout *
hesca_layout_allocate(int nprow, int npcol, const int *ranks, int nrow_cuts,
                      int ncol_cuts)
{
    const size_t nprocs = (size_t)nprow * (size_t)npcol;
    const size_t ncuts = (size_t)nrow_cuts + (size_t)ncol_cuts;
    hesca_layout *x = calloc(1, sizeof *x);
    if (x == NULL || (x->rows = calloc(ncuts, sizeof *x->rows)) == NULL ||
        (x->ranks = malloc(nprocs * sizeof *x->ranks)) == NULL) {
        hesca_fail(HESCA_ERR_NOMEM, 0, "layout on %d x %d processes", nprow,
                   npcol);
        free(x == NULL ? NULL : x->rows);
        free(x);
        return NULL;
    }
    x->nrow_cuts = nrow_cuts;
    x->ncol_cuts = ncol_cuts;
    x->cols = x->rows + nrow_cuts;
    x->nprow = nprow;
    x->npcol = npcol;
    for (size_t k = 0; k < nprocs; ++k)
        x->ranks[k] = ranks == NULL ? (int)k : ranks[k];
    return x;
}

int
hesca_layout_create_cyclic(int64_t m, int64_t n, int mb, int nb, int rsrc,
                           int csrc, int nprow, int npcol, const int *ranks,
                           hesca_layout **layout)
{
    int err;
    hesca_layout *x = NULL;
    if (layout == NULL)
        return hesca_fail_null(CYCLIC, 10, "layout");
    HESCA_TRY(err,
              check_cyclic(m, n, mb, nb, rsrc, csrc, nprow, npcol, ranks));
    x = hesca_layout_allocate(nprow, npcol, ranks, 1, 1);
    HESCA_TRY(err, x == NULL ? HESCA_ERR_NOMEM : HESCA_SUCCESS);
    x->mb = mb;
    x->nb = nb;
    HESCA_TRY(err, hesca_axis_cyclic(x->rows, m, mb, rsrc, nprow));
    HESCA_TRY(err, hesca_axis_cyclic(x->cols, n, nb, csrc, npcol));
fail:
    if (err < 0) {
        hesca_layout_free(x);
        x = NULL;
    }
    *layout = x;
    return err;
}

/* The block size if it is the same for all owners, else 0. */
static int
common_length(const int64_t *length, int n)
{
    for (int p = 1; p < n; ++p)
        if (length[p] != length[0])
            return 0;
    return length[0] <= INT32_MAX ? (int)length[0] : 0;
}

int
hesca_layout_create_generalized(int64_t m, int64_t n, int nprow, int npcol,
                                const int64_t *heights, const int64_t *widths,
                                const int *ranks, hesca_layout **layout)
{
    int err;
    hesca_layout *x = NULL;
    if (layout == NULL)
        return hesca_fail_null(GENERALIZED, 8, "layout");
    HESCA_TRY(err,
              check_generalized(m, n, nprow, npcol, heights, widths, ranks));
    x = hesca_layout_allocate(nprow, npcol, ranks, 1, 1);
    HESCA_TRY(err, x == NULL ? HESCA_ERR_NOMEM : HESCA_SUCCESS);
    x->mb = common_length(heights, nprow);
    x->nb = common_length(widths, npcol);
    HESCA_TRY(err, hesca_axis_generalized(x->rows, m, nprow, heights));
    HESCA_TRY(err, hesca_axis_generalized(x->cols, n, npcol, widths));
fail:
    if (err < 0) {
        hesca_layout_free(x);
        x = NULL;
    }
    *layout = x;
    return err;
}

/* --- copies, comparison, hash ---
 * These visit all cuts in one order: those of the rows, then those of the
 * columns.  Layouts that are equal have equal fingerprints. */

/* Number of cuts of both dimensions. */
static int
count_cuts(const hesca_layout *x)
{
    return x->nrow_cuts + x->ncol_cuts;
}

/* Cut k; those of the rows come first. */
static const hesca_axis *
cut_of(const hesca_layout *x, int k)
{
    return k < x->nrow_cuts ? &x->rows[k] : &x->cols[k - x->nrow_cuts];
}

hesca_layout *
hesca_layout_copy(const hesca_layout *from)
{
    hesca_layout *x =
        hesca_layout_allocate(from->nprow, from->npcol, from->ranks,
                              from->nrow_cuts, from->ncol_cuts);
    if (x == NULL)
        return NULL;
    x->mb = from->mb;
    x->nb = from->nb;
    for (int k = 0; k < count_cuts(x); ++k)
        if (hesca_axis_copy(&x->rows[k], cut_of(from, k)) < 0) {
            hesca_layout_free(x);
            return NULL;
        }
    return x;
}

void
hesca_layout_free(hesca_layout *layout)
{
    if (layout == NULL)
        return;
    for (int k = 0; k < layout->nrow_cuts; ++k)
        hesca_axis_clear(&layout->rows[k]);
    for (int k = 0; k < layout->ncol_cuts; ++k)
        hesca_axis_clear(&layout->cols[k]);
    free(layout->rows); /* and cols */
    free(layout->ranks);
    free(layout);
}

int
hesca_layout_equal(const hesca_layout *x, const hesca_layout *y)
{
    const size_t nprocs = (size_t)x->nprow * (size_t)x->npcol;
    if (x->nprow != y->nprow || x->npcol != y->npcol || x->mb != y->mb ||
        x->nb != y->nb || x->nrow_cuts != y->nrow_cuts ||
        x->ncol_cuts != y->ncol_cuts)
        return 0;
    for (int k = 0; k < count_cuts(x); ++k)
        if (!hesca_axis_equal(cut_of(x, k), cut_of(y, k)))
            return 0;
    return memcmp(x->ranks, y->ranks, nprocs * sizeof *x->ranks) == 0;
}

static uint64_t
mix_axis(uint64_t h, const hesca_axis *x)
{
    h = hesca_hash_mix(hesca_hash_mix(h, (uint64_t)x->n), (uint64_t)x->period);
    for (int k = 0; k < x->npieces; ++k) {
        h = hesca_hash_mix(h, (uint64_t)x->piece[k].offset);
        h = hesca_hash_mix(h, (uint64_t)x->piece[k].owner);
    }
    return h;
}

int64_t
hesca_layout_fingerprint(const hesca_layout *x)
{
    uint64_t h = hesca_hash_mix(HESCA_HASH, (uint64_t)x->nprow);
    h = hesca_hash_mix(h, (uint64_t)x->npcol);
    for (int k = 0; k < x->nprow * x->npcol; ++k)
        h = hesca_hash_mix(h, (uint64_t)x->ranks[k]);
    for (int k = 0; k < count_cuts(x); ++k)
        h = mix_axis(h, cut_of(x, k));
    return hesca_hash_end(h);
}

/* --- queries ---
 * At most one dimension has several cuts, so the coordinate found in the
 * dimension with one cut selects the cut of the other dimension. */

int
hesca_layout_coords(const hesca_layout *layout, int rank, int *prow, int *pcol)
{
    for (int k = 0; k < layout->nprow * layout->npcol; ++k)
        if (layout->ranks[k] == rank) {
            *prow = k / layout->npcol;
            *pcol = k % layout->npcol;
            return 1;
        }
    return 0;
}

int
hesca_layout_local_size(const hesca_layout *layout, int rank, int64_t *locr,
                        int64_t *locc)
{
    static const char me[] = "hesca_layout_local_size";
    int prow, pcol;
    if (layout == NULL)
        return hesca_fail_null(me, 1, "layout");
    if (locr == NULL || locc == NULL)
        return hesca_fail_null(me, locr == NULL ? 3 : 4,
                               locr == NULL ? "locr" : "locc");
    *locr = *locc = 0;
    if (hesca_layout_coords(layout, rank, &prow, &pcol)) {
        *locr = hesca_axis_count(hesca_layout_row_axis(layout, pcol), prow,
                                 layout->rows->n);
        *locc = hesca_axis_count(hesca_layout_col_axis(layout, prow), pcol,
                                 layout->cols->n);
    }
    return HESCA_SUCCESS;
}

int
hesca_layout_locate(const hesca_layout *layout, int64_t i, int64_t j,
                    int *rank, int64_t *il, int64_t *jl)
{
    static const char me[] = "hesca_layout_locate";
    int prow, pcol;
    if (layout == NULL)
        return hesca_fail_null(me, 1, "layout");
    if (rank == NULL)
        return hesca_fail_null(me, 4, "rank");
    if (il == NULL || jl == NULL)
        return hesca_fail_null(me, il == NULL ? 5 : 6,
                               il == NULL ? "il" : "jl");
    if (i < 0 || i >= layout->rows->n)
        return hesca_fail_arg(me, 2, "i", i, "a row of the matrix");
    if (j < 0 || j >= layout->cols->n)
        return hesca_fail_arg(me, 3, "j", j, "a column of the matrix");
    /* First the dimension with one cut: its coordinate selects the other cut.
     */
    if (layout->ncol_cuts == 1) {
        pcol = hesca_axis_locate(layout->cols, j, jl);
        prow = hesca_axis_locate(hesca_layout_row_axis(layout, pcol), i, il);
    } else {
        prow = hesca_axis_locate(layout->rows, i, il);
        pcol = hesca_axis_locate(hesca_layout_col_axis(layout, prow), j, jl);
    }
    *rank = layout->ranks[prow * layout->npcol + pcol];
    return HESCA_SUCCESS;
}

int
hesca_layout_global(const hesca_layout *layout, int rank, int64_t il,
                    int64_t jl, int64_t *i, int64_t *j)
{
    static const char me[] = "hesca_layout_global";
    int64_t locr = 0, locc = 0;
    int prow, pcol;
    if (layout == NULL)
        return hesca_fail_null(me, 1, "layout");
    if (i == NULL || j == NULL)
        return hesca_fail_null(me, i == NULL ? 5 : 6, i == NULL ? "i" : "j");
    if (!hesca_layout_coords(layout, rank, &prow, &pcol))
        return hesca_fail_arg(me, 2, "rank", rank, "in the grid");
    hesca_layout_local_size(layout, rank, &locr, &locc);
    if (il < 0 || il >= locr)
        return hesca_fail_arg(me, 3, "il", il, "a local row of that process");
    if (jl < 0 || jl >= locc)
        return hesca_fail_arg(me, 4, "jl", jl,
                              "a local column of that process");
    *i = hesca_axis_global(hesca_layout_row_axis(layout, pcol), prow, il);
    *j = hesca_axis_global(hesca_layout_col_axis(layout, prow), pcol, jl);
    return HESCA_SUCCESS;
}

size_t
hesca_layout_memory(const hesca_layout *x)
{
    size_t sum =
        sizeof *x + (size_t)x->nprow * (size_t)x->npcol * sizeof *x->ranks;
    for (int k = 0; k < count_cuts(x); ++k)
        sum += sizeof *x->rows + hesca_axis_memory(cut_of(x, k));
    return sum;
}
