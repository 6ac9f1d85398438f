/** \file hdpi_blas.h
 * BLAS and LAPACK, which ship no header for C. */
#ifndef HESCA_BENCH_HDPI_BLAS_H
#define HESCA_BENCH_HDPI_BLAS_H

void dgemm_(const char *transa, const char *transb, const int *m, const int *n,
            const int *k, const double *alpha, const double *a, const int *lda,
            const double *b, const int *ldb, const double *beta, double *c,
            const int *ldc);
void dtrsm_(const char *side, const char *uplo, const char *trans,
            const char *diag, const int *m, const int *n, const double *alpha,
            const double *a, const int *lda, double *b, const int *ldb);
void dtrmm_(const char *side, const char *uplo, const char *trans,
            const char *diag, const int *m, const int *n, const double *alpha,
            const double *a, const int *lda, double *b, const int *ldb);
void dgetrf_(const int *m, const int *n, double *a, const int *lda, int *ipiv,
             int *info);
void dlaswp_(const int *n, double *a, const int *lda, const int *k1,
             const int *k2, const int *ipiv, const int *incx);

#endif
