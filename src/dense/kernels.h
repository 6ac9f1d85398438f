/* SPDX-License-Identifier: BSD-3-Clause */
/** \file dense/kernels.h
 * BLAS and LAPACK on local arrays, of any type.
 *
 * Extents and leading dimensions must fit into Fortran's INTEGER:
 * hesca_args_matrix() rejects others. Scalars are elements of the type. Arrays
 * are column-major; empty ones are allowed. */
#ifndef HESCA_DENSE_KERNELS_H
#define HESCA_DENSE_KERNELS_H

#include "hesca/experimental/dense.h"
#include <stddef.h>

/** Bytes of an element. */
size_t hesca_type_size(hesca_type type);
int hesca_type_is_complex(hesca_type type);
/** The type of its real parts. */
hesca_type hesca_type_real(hesca_type type);
/** The elements 0, 1, -1. */
const void *hesca_zero(hesca_type type);
const void *hesca_one(hesca_type type);
const void *hesca_minus_one(hesca_type type);

/** Whether an element is 0, or 1. */
int hesca_is_zero(hesca_type type, const void *x);
int hesca_is_one(hesca_type type, const void *x);

/** Element (i,j) of an array. */
static inline void *
hesca_at(hesca_type type, void *a, int64_t lda, int64_t i, int64_t j)
{
    return (char *)a + (i + j * lda) * (int64_t)hesca_type_size(type);
}

static inline const void *
hesca_at_const(hesca_type type, const void *a, int64_t lda, int64_t i,
               int64_t j)
{
    return (const char *)a + (i + j * lda) * (int64_t)hesca_type_size(type);
}

/** Whether the BLAS that the program is bound to has INTEGERs of 32 bits,
 * which these functions require: a program may bring a BLAS of its own.
 * Local. */
int hesca_kernels_fit(void);

/** C := alpha op(A) op(B) + beta C; C is not read if beta is 0. */
void hesca_kernel_gemm(hesca_type type, char transa, char transb, int64_t m,
                       int64_t n, int64_t k, const void *alpha, const void *a,
                       int64_t lda, const void *b, int64_t ldb,
                       const void *beta, void *c, int64_t ldc);

/** A := alpha A; A is not read if alpha is 0. */
void hesca_kernel_scale(hesca_type type, int64_t m, int64_t n,
                        const void *alpha, void *a, int64_t lda);

/** B := alpha op(A)^-1 B, or B op(A)^-1. */
void hesca_kernel_trsm(hesca_type type, char side, char uplo, char transa,
                       char diag, int64_t m, int64_t n, const void *alpha,
                       const void *a, int64_t lda, void *b, int64_t ldb);

/** B := alpha op(A) B, or alpha B op(A), A a triangle. */
void hesca_kernel_trmm(hesca_type type, char side, char uplo, char transa,
                       char diag, int64_t m, int64_t n, const void *alpha,
                       const void *a, int64_t lda, void *b, int64_t ldb);

/** ?SYRK: C := alpha A A^T + beta C (trans = 'N') or alpha A^T A + beta C
 * ('T'), one triangle of it; hermitian, of complex types: ?HERK, which has 'C'
 * for 'T' and reads the real parts of alpha and beta. */
void hesca_kernel_syrk(hesca_type type, int hermitian, char uplo, char trans,
                       int64_t n, int64_t k, const void *alpha, const void *a,
                       int64_t lda, const void *beta, void *c, int64_t ldc);

/** LAPACK's Cholesky and LU factorizations.  As in ?POTRF2 a NaN on the
 * diagonal is not positive, whichever library has ?POTRF.
 * \param [out] ipiv  [min(m, n)] as in LAPACK: from 1.
 * \return INFO, from 1; 0: none. */
int hesca_kernel_potrf(hesca_type type, char uplo, int64_t n, void *a,
                       int64_t lda);
int hesca_kernel_getrf(hesca_type type, int64_t m, int64_t n, void *a,
                       int64_t lda, int *ipiv);

/** LAPACK's unblocked QR factorization.
 * \param [out] tau  [min(m, n)]
 * \param       work [n] */
void hesca_kernel_geqr2(hesca_type type, int64_t m, int64_t n, void *a,
                        int64_t lda, void *tau, void *work);

/** The upper triangle T of Q = I - V T V^H, the product of the k reflectors
 * that geqr2 leaves below the diagonal of an n x k array. */
void hesca_kernel_larft(hesca_type type, int64_t n, int64_t k, const void *v,
                        int64_t ldv, const void *tau, void *t, int64_t ldt);

/** Row interchanges k1 ... k2 - 1 (from 0), with ipiv from 1. */
void hesca_kernel_laswp(hesca_type type, int64_t n, void *a, int64_t lda,
                        int64_t k1, int64_t k2, const int *ipiv);

/** The first element of largest |re| + |im|, from 0; n >= 1. */
int64_t hesca_kernel_iamax(hesca_type type, int64_t n, const void *x,
                           int64_t incx);
void hesca_kernel_swap(hesca_type type, int64_t n, void *x, int64_t incx,
                       void *y, int64_t incy);
void hesca_kernel_scal(hesca_type type, int64_t n, const void *alpha, void *x,
                       int64_t incx);
/** A := alpha x y^T + A */
void hesca_kernel_geru(hesca_type type, int64_t m, int64_t n,
                       const void *alpha, const void *x, int64_t incx,
                       const void *y, int64_t incy, void *a, int64_t lda);

#endif
