/* SPDX-License-Identifier: BSD-3-Clause */
/** \file partition/matrix/cartesian.h
 * Cartesian cuts of a grid: one width for each of its columns, one height for
 * each of its rows. */
#ifndef HESCA_PARTITION_MATRIX_CARTESIAN_H
#define HESCA_PARTITION_MATRIX_CARTESIAN_H

#include "partition/matrix/tiling.h"

/** \param [in]  at      [p q] The processor at (i,j) is at[i q + j].
 *  \param [out] width   [q]
 *  \param [out] height  [p]
 *  \return HESCA_SUCCESS, HESCA_ERR_UNSUPPORTED if no cut was found that keeps
 *          the limits, or HESCA_ERR_NOMEM. */
int hesca_cartesian_cut(const hesca_tiling_task *x, int p, int q,
                        const int *at, hesca_tiling_cut cut, int64_t *width,
                        int64_t *height);

#endif
