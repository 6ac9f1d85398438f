/* SPDX-License-Identifier: BSD-3-Clause */
/** \file partition/matrix/sorted_by_share.h
 * Processors sorted by ascending share. */
#ifndef HESCA_PARTITION_MATRIX_SORTED_BY_SHARE_H
#define HESCA_PARTITION_MATRIX_SORTED_BY_SHARE_H

#include "base/private.h"
#include "partition/matrix/tiling.h"

/** Processors by ascending weight; those of equal weight by number.
 * \param [out] order   [p] To be freed.
 * \param [out] before  [p + 1] Sums of the weights of the preceding ones, to
 *                      be freed.  NULL: not wanted.
 * \return HESCA_SUCCESS or HESCA_ERR_NOMEM. */
HESCA_PRIVATE int hesca_sorted_by_share(const hesca_tiling_task *x,
                                        int **order, double **before);

#endif
