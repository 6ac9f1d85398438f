/** \file dense/dense_fortran.h
 * The functions of hesca/dense.h for Fortran's communicators. */
#ifndef HESCA_DENSE_DENSE_FORTRAN_H
#define HESCA_DENSE_DENSE_FORTRAN_H

#include "hesca/dense.h"

/** hesca_gemm() */
HESCA_API int hesca_gemm_f(int type, char transa, char transb, int64_t m,
                           int64_t n, int64_t k, const void *alpha,
                           const hesca_matrix *a, const hesca_matrix *b,
                           const void *beta, const hesca_matrix *c,
                           MPI_Fint comm);

#endif
