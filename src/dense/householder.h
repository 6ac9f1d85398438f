/* SPDX-License-Identifier: BSD-3-Clause */
/** \file dense/householder.h
 * Products of Householder reflectors, Q = H(0) ... H(k-1) = I - V T V^H, on
 * local arrays: V is unit lower trapezoidal, T upper triangular with tau on
 * its diagonal, as in LAPACK's ?LARFT. */
#ifndef HESCA_DENSE_HOUSEHOLDER_H
#define HESCA_DENSE_HOUSEHOLDER_H

#include "dense/kernels.h"

/** QR factorization of an m x n array, m >= n: R and the reflectors as
 * ?GEQRF stores them.
 * \param [out] t     [n x n] T; its lower triangle is not written.
 * \param       work  [n x n] */
void hesca_householder_factor(hesca_type type, int64_t m, int64_t n, void *a,
                              int64_t lda, void *t, int64_t ldt, void *work);

/** T from the products of the reflectors.
 * \param [in,out] gram  [k x k] V^H V, of which the part above the diagonal
 *                    is read, and destroyed.
 * \param [in]  tau   [k]
 * \param [out] t     [k x k] Its lower triangle becomes 0. */
void hesca_householder_t(hesca_type type, int64_t k, void *gram,
                         const void *tau, void *t);

/** y := op(x), of k x k arrays: 'N', 'T', 'C', or 'R', the conjugate. */
void hesca_householder_op(hesca_type type, char op, int64_t k, const void *x,
                          void *y);

#endif
