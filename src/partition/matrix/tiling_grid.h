/* SPDX-License-Identifier: BSD-3-Clause */
/** \file partition/matrix/tiling_grid.h
 * Tilings for a grid with given places of processors. */
#ifndef HESCA_PARTITION_MATRIX_TILING_GRID_H
#define HESCA_PARTITION_MATRIX_TILING_GRID_H

#include "partition/matrix/tiling.h"

/** Create a measured tiling; kind is not HESCA_TILING_RECURSIVE.
 * \param [in] at  [p q] The processor at (i,j) is at[i q + j]. */
int hesca_grid_tiling(const hesca_tiling_task *x, int p, int q, const int *at,
                      hesca_tiling_kind kind, hesca_tiling_cut cut,
                      hesca_tiling **tiling);

#endif
