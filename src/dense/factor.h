/* SPDX-License-Identifier: BSD-3-Clause */
/** \file dense/factor.h
 * Factorizations of a copy of a matrix that is made meanwhile. */
#ifndef HESCA_DENSE_FACTOR_H
#define HESCA_DENSE_FACTOR_H

#include "exec/background.h"
#include "hesca/experimental/dense.h"

/** hesca_potrf() of a matrix that is copied to a, and back, while it computes;
 * if info > 0, what there is of a factor.  If info is 0 and a is finite, so is
 * the factor, since the squares of a row add up to its diagonal element: a row
 * that overflows makes that infinite or NaN, which is not positive.
 * \param [in] copies  Of this triangle, to a and back, that have begun; they
 *                     have ended on success, and on error have moved nothing
 *                     back, unless MPI has failed.  NULL: none. */
int hesca_potrf_and_copy(hesca_type type, char uplo, int64_t n,
                         const hesca_matrix *a, hesca_background *copies,
                         MPI_Comm comm, int64_t *info);

/** hesca_getrf() of a matrix that is copied to a, and back, while it computes.
 * \param [in] copies  As above, of sub(A). */
int hesca_getrf_and_copy(hesca_type type, int64_t m, int64_t n,
                         const hesca_matrix *a, int64_t *ipiv,
                         hesca_background *copies, MPI_Comm comm,
                         int64_t *info);

#endif
