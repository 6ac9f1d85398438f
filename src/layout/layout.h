/* SPDX-License-Identifier: BSD-3-Clause */
/** \file layout/layout.h
 * A layout: cuts of the rows, cuts of the columns, and a grid of ranks.  A cut
 * is an axis, that is, a distribution of one dimension. */
#ifndef HESCA_LAYOUT_LAYOUT_H
#define HESCA_LAYOUT_LAYOUT_H

#include "hesca/layout.h"
#include "layout/axis.h"

/** One cut of the columns assigns columns to process columns, and every
 * process column may have its own cut of the rows; or rows and columns are
 * exchanged.  So at most one dimension has several cuts, and a process owns
 * the full rectangle of its rows and its columns. */
struct hesca_layout {
    int nrow_cuts;    /* 1, or one for every process column */
    int ncol_cuts;    /* 1, or one for every process row */
    hesca_axis *rows; /* [nrow_cuts], all of the same extent */
    hesca_axis *cols; /* [ncol_cuts] */
    int nprow, npcol;
    int mb, nb; /* block sizes as given, for messages; 0: blocks differ */
    int *ranks; /* [nprow * npcol], row-major */
};

/** Index of the cut of the rows of process column pcol, and of the cut of the
 * columns of process row prow. */
static inline int
hesca_layout_row_cut(const hesca_layout *layout, int pcol)
{
    return layout->nrow_cuts == 1 ? 0 : pcol;
}

static inline int
hesca_layout_col_cut(const hesca_layout *layout, int prow)
{
    return layout->ncol_cuts == 1 ? 0 : prow;
}

/** The cut of the rows of process column pcol, and the cut of the columns of
 * process row prow. */
static inline const hesca_axis *
hesca_layout_row_axis(const hesca_layout *layout, int pcol)
{
    return &layout->rows[hesca_layout_row_cut(layout, pcol)];
}

static inline const hesca_axis *
hesca_layout_col_axis(const hesca_layout *layout, int prow)
{
    return &layout->cols[hesca_layout_col_cut(layout, prow)];
}

/** Whether all process columns have the same cut of the rows, and all process
 * rows the same cut of the columns: then the layout is a product of two axes.
 */
static inline int
hesca_layout_is_product(const hesca_layout *layout)
{
    return layout->nrow_cuts == 1 && layout->ncol_cuts == 1;
}

/** Rows and columns of the matrix. */
static inline int64_t
hesca_layout_m(const hesca_layout *layout)
{
    return layout->rows->n;
}

static inline int64_t
hesca_layout_n(const hesca_layout *layout)
{
    return layout->cols->n;
}

/** A layout whose cuts are zero, to be initialized by the caller.
 * \param [in] ranks  [nprow * npcol], row-major; NULL: 0, 1, 2, ...
 * \return NULL, with the failure recorded, if there is no memory. */
hesca_layout *hesca_layout_allocate(int nprow, int npcol, const int *ranks,
                                    int nrow_cuts, int ncol_cuts);

/** An independent copy; NULL if there is no memory. */
hesca_layout *hesca_layout_copy(const hesca_layout *from);

/** Whether extents, cuts, ranks, mb and nb are equal.  mb and nb are compared
 * although they change nothing where a single owner has all indices, so that
 * the messages of a cached plan name the block sizes of the call. */
int hesca_layout_equal(const hesca_layout *x, const hesca_layout *y);

/** A hash of ranks, periods and owners, >= 0: base/hash.h. */
int64_t hesca_layout_fingerprint(const hesca_layout *layout);

/** Coordinates of a rank in the grid: 1 and (*prow, *pcol), or 0 if outside.
 */
int hesca_layout_coords(const hesca_layout *layout, int rank, int *prow,
                        int *pcol);

/** Bytes of memory of a layout. */
size_t hesca_layout_memory(const hesca_layout *layout);

#endif
