/** \file hesca/dense.h
 * Dense linear algebra on matrices in any layouts, above all in generalized
 * blocks, where faster processes have more.
 *
 * Every matrix has a layout and a grid of its own, and stays where it is: what
 * a process needs of others' parts comes to it in panels while it computes.
 * Collective over comm; the processes of the layouts are ranks of comm, and a
 * process may be in any, all or none of the grids.  Errors are found before
 * anything is written, and are the same on all processes. */
#ifndef HESCA_DENSE_H
#define HESCA_DENSE_H

#include "hesca/layout.h"
#include <mpi.h>

#ifdef __cplusplus
extern "C" {
#endif

/** Type of the elements, as in the names of BLAS and LAPACK: real and complex,
 * single and double. */
typedef enum { HESCA_S, HESCA_D, HESCA_C, HESCA_Z } hesca_type;

/** sub(A), which begins at A(i,j) of a distributed matrix A; its extents are
 * arguments. */
typedef struct {
    const hesca_layout *layout; /**< (global) */
    int64_t i, j;               /**< (global) from 0 */
    void *local; /**< (local) this process's part, column-major */
    int64_t lld; /**< (local) its leading dimension, >= max(1, local rows);
                    both are not looked at where nothing is owned */
} hesca_matrix;

/** sub(C) := alpha op(sub(A)) op(sub(B)) + beta sub(C).
 *
 * Collective over comm.
 * \param [in] type    (global)
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
 * \return HESCA_SUCCESS, HESCA_ERR_ARG, HESCA_ERR_MISMATCH (a global argument
 *         differs among the processes), HESCA_ERR_NOMEM, HESCA_ERR_MPI;
 *         HESCA_ERR_UNSUPPORTED (a local part that BLAS cannot count).
 * The argument that hesca_error_info() tells is 100 i + j for field j of
 * argument i.
 * Source: HMPI thesis 3.5.1 and 5.2; here A and B need not be cut as C is. */
HESCA_API int hesca_gemm(hesca_type type, char transa, char transb, int64_t m,
                         int64_t n, int64_t k, const void *alpha,
                         const hesca_matrix *a, const hesca_matrix *b,
                         const void *beta, const hesca_matrix *c,
                         MPI_Comm comm);

#ifdef __cplusplus
}
#endif

#endif
