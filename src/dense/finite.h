/* SPDX-License-Identifier: BSD-3-Clause */
/** \file dense/finite.h
 * Whether a matrix holds NaN or infinite elements. */
#ifndef HESCA_DENSE_FINITE_H
#define HESCA_DENSE_FINITE_H

#include "hesca/experimental/dense.h"
#include "hesca/redist.h"

/** Whether all elements of this process are finite in a part of sub(A), m x n:
 * HESCA_ALL, or a triangle with its diagonal.
 *
 * Local; reads each element once.
 * \param [in] rank  This process, one of a->layout's. */
int hesca_is_finite(hesca_type type, hesca_part part, int64_t m, int64_t n,
                    const hesca_matrix *a, int rank);

#endif
