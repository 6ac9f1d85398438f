/** \file partition/matrix/tiling_grid.h
 * Tilings of a grid in which it is settled who sits where. */
#ifndef HESCA_PARTITION_MATRIX_TILING_GRID_H
#define HESCA_PARTITION_MATRIX_TILING_GRID_H

#include "partition/matrix/tiling.h"

/** Not HESCA_TILING_RECURSIVE.  Measured.
 * \param [in] seat  [p q] The processor at (i,j) is seat[i q + j]. */
int hesca_grid_tiling(const hesca_tiling_task *x, int p, int q,
                      const int *seat, hesca_tiling_kind kind,
                      hesca_tiling_cut cut, hesca_tiling **tiling);

#endif
