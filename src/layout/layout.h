/** \file layout/layout.h
 * Two axes, one that cuts the rows and one that cuts the columns, and a grid
 * of ranks. */
#ifndef HESCA_LAYOUT_LAYOUT_H
#define HESCA_LAYOUT_LAYOUT_H

#include "hesca/layout.h"
#include "layout/axis.h"

struct hesca_layout {
    hesca_axis rows, cols;
    int nprow, npcol;
    int mb, nb; /* as given, to speak of the layout; 0: blocks differ */
    int *ranks; /* [nprow * npcol], row-major */
};

/** The cut of the rows in process column pcol, of the columns in process row
 * prow. */
static inline const hesca_axis *
hesca_layout_row_axis(const hesca_layout *layout, int pcol)
{
    (void)pcol;
    return &layout->rows;
}

static inline const hesca_axis *
hesca_layout_col_axis(const hesca_layout *layout, int prow)
{
    (void)prow;
    return &layout->cols;
}

/** An independent copy; NULL if there is no memory. */
hesca_layout *hesca_layout_copy(const hesca_layout *from);

/** Same matrix, same cuts, same ranks; and told alike, so that a plan which is
 * kept does not speak of other blocks where one owner has everything. */
int hesca_layout_equal(const hesca_layout *x, const hesca_layout *y);

/** Place of a rank in the grid: 1 and (*prow, *pcol), or 0 if outside. */
int hesca_layout_coords(const hesca_layout *layout, int rank, int *prow,
                        int *pcol);

/** Bytes of memory of a layout. */
size_t hesca_layout_memory(const hesca_layout *layout);

#endif
