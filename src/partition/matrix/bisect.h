/* SPDX-License-Identifier: BSD-3-Clause */
/** \file partition/matrix/bisect.h
 * Recursive bisection. */
#ifndef HESCA_PARTITION_MATRIX_BISECT_H
#define HESCA_PARTITION_MATRIX_BISECT_H

#include "base/private.h"
#include "partition/matrix/tiling.h"

/** Halve a p x q grid recursively along its longer side (columns, if it is
 * square), and the matrix in proportion.  The tiling is measured. */
int hesca_bisect_grid(const hesca_tiling_task *x, int p, int q,
                      hesca_tiling **tiling);

/** Divide the processors recursively into the faster and the slower ones, and
 * the matrix across its longer side.  The tiling is measured. */
HESCA_PRIVATE int hesca_bisect_array(const hesca_tiling_task *x,
                                     hesca_tiling **tiling);

#endif
