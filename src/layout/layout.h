/** \file layout/layout.h
 * Axes that cut the rows, axes that cut the columns, and a grid of ranks. */
#ifndef HESCA_LAYOUT_LAYOUT_H
#define HESCA_LAYOUT_LAYOUT_H

#include "hesca/layout.h"
#include "layout/axis.h"

/** Process column q owns the columns that the cut of the columns gives it, and
 * its processes share the rows by a cut that may be their own; or the other
 * way round.  So at most one of both dimensions has several cuts, and what a
 * process owns is always a full rectangle. */
struct hesca_layout {
    int nrow_cuts;    /* 1, or one for every process column */
    int ncol_cuts;    /* 1, or one for every process row */
    hesca_axis *rows; /* [nrow_cuts], all of the same extent */
    hesca_axis *cols; /* [ncol_cuts] */
    int nprow, npcol;
    int mb, nb; /* as given, to speak of the layout; 0: blocks differ */
    int *ranks; /* [nprow * npcol], row-major */
};

/** Which of the cuts of the rows process column pcol has, of those of the
 * columns process row prow. */
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

/** The cut of the rows in process column pcol, of the columns in process row
 * prow. */
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

/** Whether all process columns cut the rows alike, and all process rows the
 * columns: then the layout is a product of two axes. */
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

/** A layout with so many cuts, which are zero: the caller makes them. */
hesca_layout *hesca_layout_allocate(int nprow, int npcol, const int *ranks,
                                    int nrow_cuts, int ncol_cuts);

/** An independent copy; NULL if there is no memory. */
hesca_layout *hesca_layout_copy(const hesca_layout *from);

/** Same matrix, same cuts, same ranks; and told alike, so that a plan which is
 * kept does not speak of other blocks where one owner has everything. */
int hesca_layout_equal(const hesca_layout *x, const hesca_layout *y);

/** A number that differs if owners do, but for bad luck: base/hash.h. */
int64_t hesca_layout_fingerprint(const hesca_layout *layout);

/** Place of a rank in the grid: 1 and (*prow, *pcol), or 0 if outside. */
int hesca_layout_coords(const hesca_layout *layout, int rank, int *prow,
                        int *pcol);

/** Bytes of memory of a layout. */
size_t hesca_layout_memory(const hesca_layout *layout);

#endif
