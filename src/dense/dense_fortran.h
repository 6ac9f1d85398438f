/** \file dense/dense_fortran.h
 * The functions of hesca/experimental/dense.h for Fortran's communicators. */
#ifndef HESCA_DENSE_DENSE_FORTRAN_H
#define HESCA_DENSE_DENSE_FORTRAN_H

#include "hesca/experimental/dense.h"

/** hesca_gemm() */
HESCA_API int hesca_gemm_f(int type, char transa, char transb, int64_t m,
                           int64_t n, int64_t k, const void *alpha,
                           const hesca_matrix *a, const hesca_matrix *b,
                           const void *beta, const hesca_matrix *c,
                           MPI_Fint comm);

/** hesca_getrf() */
HESCA_API int hesca_getrf_f(int type, int64_t m, int64_t n,
                            const hesca_matrix *a, int64_t *ipiv,
                            MPI_Fint comm, int64_t *info);

/** hesca_getrs() */
HESCA_API int hesca_getrs_f(int type, char trans, int64_t n, int64_t nrhs,
                            const hesca_matrix *a, const int64_t *ipiv,
                            const hesca_matrix *b, MPI_Fint comm);

/** hesca_potrf() */
HESCA_API int hesca_potrf_f(int type, char uplo, int64_t n,
                            const hesca_matrix *a, MPI_Fint comm,
                            int64_t *info);

/** hesca_potrs() */
HESCA_API int hesca_potrs_f(int type, char uplo, int64_t n, int64_t nrhs,
                            const hesca_matrix *a, const hesca_matrix *b,
                            MPI_Fint comm);

#endif
