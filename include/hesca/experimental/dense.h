/* SPDX-License-Identifier: BSD-3-Clause */
/** \file hesca/experimental/dense.h
 * Dense linear algebra on matrices in any layouts, above all in generalized
 * blocks, where faster processes have more.
 *
 * Every matrix has its own layout and grid, and is not redistributed: panels
 * of the parts of other processes are received during the computation.
 * Collective over comm; the processes of the layouts are ranks of comm, and a
 * process may be in any, all or none of the grids.  Errors are found before
 * anything is written, and are the same on all processes. */
#ifndef HESCA_EXPERIMENTAL_DENSE_H
#define HESCA_EXPERIMENTAL_DENSE_H

#include "hesca/layout.h"
#include <mpi.h>

#ifdef __cplusplus
extern "C" {
#endif

/** Type of the elements, as in the names of BLAS and LAPACK: real and complex,
 * single and double. */
typedef enum { HESCA_S, HESCA_D, HESCA_C, HESCA_Z } hesca_type;

/** sub(C) := alpha op(sub(A)) op(sub(B)) + beta sub(C).  Panels of A and B
 * move to C, or, if that takes less time by the layouts, one of them to the
 * other, and the products are summed up.
 *
 * Collective over comm.
 * \param [in] type    (global) Type of the elements.
 * \param [in] transa, transb  (global) op(X): 'N' X, 'T' its transpose, 'C'
 *                     its conjugate transpose; lower case is allowed.
 * \param [in] m, n    (global) Rows and columns of sub(C), >= 0.
 * \param [in] k       (global) Columns of op(sub(A)), rows of op(sub(B)); >=
 *                     0.
 * \param [in] alpha, beta  (global) One element each.  If beta is 0, sub(C) is
 *                     not read; if alpha or k is 0, sub(A) and sub(B) are not.
 * \param [in] a, b    sub(A) is m x k, sub(B) k x n, or transposed.
 * \param [in] c       sub(C); its local array is written.  It may not overlap
 *                     sub(A) or sub(B).
 * \param [in] comm  Contains the processes of all layouts.
 * \return HESCA_SUCCESS, HESCA_ERR_ARG, HESCA_ERR_MISMATCH (a global argument
 *         differs among the processes), HESCA_ERR_NOMEM, HESCA_ERR_MPI;
 *         HESCA_ERR_UNSUPPORTED (a local part that BLAS cannot count).
 *         hesca_error_info() is 100 i + j for field j of argument i.
 * Source: HMPI thesis 3.5.1 and 5.2; van de Geijn and Watts, SUMMA, 1997; here
 * the layouts of A and B may differ from that of C. */
HESCA_API int hesca_gemm(hesca_type type, char transa, char transb, int64_t m,
                         int64_t n, int64_t k, const void *alpha,
                         const hesca_matrix *a, const hesca_matrix *b,
                         const void *beta, const hesca_matrix *c,
                         MPI_Comm comm);

/** sub(C) := alpha op(sub(A)) op(sub(A))^T + beta sub(C), symmetric, of which
 * one triangle is computed, by half of the operations of hesca_gemm().
 *
 * Collective over comm.
 * \param [in] type  (global) Type of the elements.
 * \param [in] uplo  (global) 'L': the lower triangle of sub(C), 'U': the upper
 *                   one; the other one is neither read nor written.
 * \param [in] trans (global) op: 'N' sub(A) is n x k, 'T' sub(A) is k x n and
 *                   transposed; of real types 'C' is 'T'.
 * \param [in] n     (global) Order of sub(C), >= 0.
 * \param [in] k     (global) Columns of op(sub(A)), >= 0.
 * \param [in] alpha, beta  (global) One element each, as in hesca_gemm().
 * \param [in] a     sub(A), in any layout.
 * \param [in] c     sub(C), in any layout; its local array is written.  It may
 *                   not overlap sub(A).
 * \param [in] comm  Contains the processes of all layouts.
 * \return As hesca_gemm(). */
HESCA_API int hesca_syrk(hesca_type type, char uplo, char trans, int64_t n,
                         int64_t k, const void *alpha, const hesca_matrix *a,
                         const void *beta, const hesca_matrix *c,
                         MPI_Comm comm);

/** sub(C) := alpha op(sub(A)) op(sub(A))^H + beta sub(C), Hermitian; of real
 * types the same as hesca_syrk().
 *
 * Imaginary parts of the diagonal of sub(C) are not read, and become 0, unless
 * sub(C) is not changed because beta is 1 and alpha or k is 0.
 * \param [in] trans (global) op: 'N' sub(A) is n x k, 'C' sub(A) is k x n and
 *                   conjugated and transposed; of real types 'T' is 'C'.
 * \param [in] alpha, beta  (global) One real number each: float for HESCA_S
 *                   and HESCA_C, double for HESCA_D and HESCA_Z.
 * Otherwise as hesca_syrk(). */
HESCA_API int hesca_herk(hesca_type type, char uplo, char trans, int64_t n,
                         int64_t k, const void *alpha, const hesca_matrix *a,
                         const void *beta, const hesca_matrix *c,
                         MPI_Comm comm);

/** Solve op(sub(A)) X = alpha sub(B) or X op(sub(A)) = alpha sub(B), sub(A) a
 * triangle, which stays where it is.
 *
 * Collective over comm.  Which layout determines the work of each process is
 * said at hesca_potrs(); with side = 'R' the right-hand sides are rows.
 * \param [in] type  (global) Type of the elements.
 * \param [in] side  (global) 'L': op(sub(A)) is on the left of X, 'R': on the
 *                   right.
 * \param [in] uplo  (global) 'L': sub(A) is the lower triangle, 'U': the upper
 *                   one; the values of the other one are not used.
 * \param [in] trans (global) op: 'N', 'T' or 'C', see hesca_gemm().
 * \param [in] diag  (global) 'U': the diagonal is 1 and its values are not
 *                   used, 'N': they are.
 * \param [in] m, n  (global) Rows and columns of sub(B), >= 0.
 * \param [in] alpha (global) One element.  If it is 0, X is 0, and neither
 *                   sub(A) nor sub(B) is read.
 * \param [in] a     sub(A), of order m (side = 'L') or n; not singular, which
 *                   is not tested.
 * \param [in] b     sub(B), in any layout of any grid; X replaces it.  It may
 *                   not overlap sub(A).
 * \param [in] comm  Contains the processes of all layouts.
 * \return As hesca_potrs(), of rows if side = 'R'. */
HESCA_API int hesca_trsm(hesca_type type, char side, char uplo, char trans,
                         char diag, int64_t m, int64_t n, const void *alpha,
                         const hesca_matrix *a, const hesca_matrix *b,
                         MPI_Comm comm);

/** Factor a Hermitian (real: symmetric) positive definite sub(A) = L L' or
 * U' U, in place.
 *
 * Collective over comm.  Panels of at most 64 columns, or rows, are as wide as
 * possible within one process column, with the diagonal block on one process:
 * blocks of less than about 32, and rows and columns that are not cut at the
 * same indices, reduce performance.
 * \param [in] type  (global) Type of the elements.
 * \param [in] uplo  (global) 'L': the lower triangle is given, and L replaces
 *                   it; 'U': the upper one and U.  The other triangle is
 *                   neither read nor written.
 * \param [in] n     (global) Order of sub(A), >= 0.
 * \param [in] a     sub(A); its local array is written.
 * \param [out] info (global) 0, or k > 0: the leading minor of order k, from
 *                   1, is not positive definite, or its last diagonal element
 *                   is NaN.  Then the part before column (row) k is factored;
 *                   the part after its panel has been updated by the panels
 *                   before it only.
 * \param [in] comm  Contains the processes of all layouts.
 * \return HESCA_SUCCESS, also if info > 0; HESCA_ERR_ARG, HESCA_ERR_MISMATCH,
 *         HESCA_ERR_NOMEM, HESCA_ERR_MPI, HESCA_ERR_UNSUPPORTED as
 *         hesca_gemm().
 * Source: HMPI thesis, chapter 5, after Kalinov and Lastovetsky (2001). */
HESCA_API int hesca_potrf(hesca_type type, char uplo, int64_t n,
                          const hesca_matrix *a, MPI_Comm comm, int64_t *info);

/** Solve sub(A) X = sub(B) with the factor of sub(A) from hesca_potrf().
 *
 * Collective over comm.  For few right-hand sides the layout of A determines
 * the work of each process; B is sent, in chunks of at most 512 columns, to
 * the processes that have the diagonal blocks of A, and back.  For nrhs >= n/8
 * the layout of B determines it, as that of C does in hesca_gemm(), unless the
 * processes that have parts of sub(B) are less than a quarter of A's grid.
 * \param [in] type, uplo, n  (global) As in hesca_potrf().
 * \param [in] nrhs  (global) Columns of sub(B), >= 0.
 * \param [in] a     sub(A).
 * \param [in] b     sub(B), n x nrhs, in any layout of any grid; X replaces
 *                   it.
 * \param [in] comm  Contains the processes of all layouts.
 * \return As hesca_gemm(); with HESCA_ERR_NOMEM the first columns, in chunks
 *         of at most 512, may be solved, and the others unchanged. */
HESCA_API int hesca_potrs(hesca_type type, char uplo, int64_t n, int64_t nrhs,
                          const hesca_matrix *a, const hesca_matrix *b,
                          MPI_Comm comm);

/** LU factorization with partial pivoting: sub(A) = P L U, L unit lower
 * triangular (trapezoidal if m > n), U upper, in place.
 *
 * Collective over comm.  Pivots are those of LAPACK's ?GETRF, except for
 * differences due to rounding.
 * \param [in]  type  (global) Type of the elements.
 * \param [in]  m, n  (global) Rows and columns of sub(A), >= 0.
 * \param [in]  a     sub(A); its local array is written.
 * \param [out] ipiv  (global) [min(m,n)] Row i of sub(A) was interchanged with
 *                    row ipiv[i], from 0.  All processes get the whole array.
 * \param [out] info  (global) 0, or i > 0: U(i,i), counted from 1, is the
 *                    first that is exactly zero; the factorization is
 *                    complete, but U is singular.
 * \param [in] comm  Contains the processes of all layouts.
 * \return As hesca_gemm().
 * Source: ScaLAPACK's PDGETRF, on the distributions of HMPI thesis chapter 5.
 */
HESCA_API int hesca_getrf(hesca_type type, int64_t m, int64_t n,
                          const hesca_matrix *a, int64_t *ipiv, MPI_Comm comm,
                          int64_t *info);

/** Solve op(sub(A)) X = sub(B) with the factors of sub(A) from hesca_getrf().
 *
 * Collective over comm.  sub(B) may be in any layout and grid.
 * \param [in] type   (global) Type of the elements.
 * \param [in] trans  (global) op: 'N', 'T' or 'C', see hesca_gemm().
 * \param [in] n      (global) Order of sub(A), >= 0.
 * \param [in] nrhs   (global) Columns of sub(B), >= 0.
 * \param [in] a      sub(A), factored.
 * \param [in] ipiv   (global) [n] from hesca_getrf().
 * \param [in] b      sub(B), n x nrhs; its local array becomes X.
 * \param [in] comm  Contains the processes of all layouts.
 * \return As hesca_potrs(). */
HESCA_API int hesca_getrs(hesca_type type, char trans, int64_t n, int64_t nrhs,
                          const hesca_matrix *a, const int64_t *ipiv,
                          const hesca_matrix *b, MPI_Comm comm);

/** The inverse of sub(A) = L L' or U' U, from the factor of hesca_potrf(), in
 * place.
 *
 * Collective over comm.  What is said there of blocks holds.
 * \param [in] type, uplo, n  (global) As in hesca_potrf().
 * \param [in] a     sub(A), factored; this triangle of the inverse replaces
 *                   the factor.  The other triangle is neither read nor
 *                   written.
 * \param [out] info (global) 0, or i > 0: element (i,i) of the factor, from 1,
 *                   is the first that is exactly zero, and nothing is written.
 * \param [in] comm  Contains the processes of all layouts.
 * \return As hesca_potrf(). */
HESCA_API int hesca_potri(hesca_type type, char uplo, int64_t n,
                          const hesca_matrix *a, MPI_Comm comm, int64_t *info);

/** The inverse of sub(A), from the factors of hesca_getrf(), in place.
 *
 * Collective over comm.  It is the product of the inverses of U and L: its
 * residuals are those of LAPACK's ?GETRI unless L is ill-conditioned, which
 * pivoting makes unusual.
 * \param [in] type  (global) Type of the elements.
 * \param [in] n     (global) Order of sub(A), >= 0.
 * \param [in] a     sub(A), factored; the inverse replaces the factors.
 * \param [in] ipiv  (global) [n] From hesca_getrf().
 * \param [in] comm  Contains the processes of all layouts.
 * \param [out] info (global) 0, or i > 0: U(i,i), from 1, is the first that is
 *                   exactly zero, and nothing is written.
 * \return As hesca_potrf(). */
HESCA_API int hesca_getri(hesca_type type, int64_t n, const hesca_matrix *a,
                          const int64_t *ipiv, MPI_Comm comm, int64_t *info);

/** QR factorization sub(A) = Q R, in place.
 *
 * Collective over comm.  R replaces the upper triangle (trapezoid if m < n),
 * and reflectors with Q = H(0) ... H(k-1), k = min(m,n), the part below the
 * diagonal, as LAPACK's ?GEQRF stores them; differences are due to rounding.
 * Panels of at most 64 columns are as wide as possible within one process
 * column, and factored by one process of it: blocks of less than about 32
 * columns, and matrices with far more rows than columns on several process
 * rows, reduce performance. The same call gives the same bits.
 * \param [in]  type  (global) Type of the elements.
 * \param [in]  m, n  (global) Rows and columns of sub(A), >= 0.
 * \param [in]  a     sub(A); its local array is written.
 * \param [out] tau   (global) [min(m,n)] elements, the scalars of the
 *                    reflectors: H(i) = I - tau(i) v v'.  All processes get
 *                    the whole array.
 * \param [in] comm  Contains the processes of all layouts.
 * \return As hesca_gemm().
 * Source: LAPACK's ?GEQRF, on the distributions of HMPI thesis chapter 5. */
HESCA_API int hesca_geqrf(hesca_type type, int64_t m, int64_t n,
                          const hesca_matrix *a, void *tau, MPI_Comm comm);

/** sub(C) := op(Q) sub(C) or sub(C) op(Q), Q from hesca_geqrf().
 *
 * Collective over comm.  The layout of C determines the work of each process.
 * \param [in] type  (global) Type of the elements.
 * \param [in] side  (global) 'L': op(Q) is on the left of sub(C), 'R': on the
 *                   right.
 * \param [in] trans (global) op: 'N' Q, 'C' its conjugate transpose; of real
 *                   types 'T' is 'C'.
 * \param [in] m, n  (global) Rows and columns of sub(C), >= 0.
 * \param [in] k     (global) Reflectors, >= 0, at most the order of Q, which is
 *                   m (side = 'L') or n.
 * \param [in] a     sub(A), as many rows as the order of Q and k columns, from
 *                   hesca_geqrf(); the values on and above its diagonal are
 *                   not used.
 * \param [in] tau   (global) [k] elements, from hesca_geqrf().
 * \param [in] c     sub(C), in any layout of any grid; its local array is
 *                   written.  It may not overlap sub(A).
 * \param [in] comm  Contains the processes of all layouts.
 * \return As hesca_gemm(). */
HESCA_API int hesca_ormqr(hesca_type type, char side, char trans, int64_t m,
                          int64_t n, int64_t k, const hesca_matrix *a,
                          const void *tau, const hesca_matrix *c,
                          MPI_Comm comm);

#ifdef __cplusplus
}
#endif

#endif
