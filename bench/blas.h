/* SPDX-License-Identifier: BSD-3-Clause */
/** \file blas.h
 * BLAS and LAPACK, which ship no header for C; and what blas_calls.c does in
 * programs that it is linked with: they define some of these routines
 * themselves, pass the calls on, and so know how long each took. */
#ifndef HESCA_BENCH_BLAS_H
#define HESCA_BENCH_BLAS_H

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
void dswap_(const int *n, double *x, const int *incx, double *y,
            const int *incy);
void dcopy_(const int *n, const double *x, const int *incx, double *y,
            const int *incy);
void dlacpy_(const char *uplo, const int *m, const int *n, const double *a,
             const int *lda, double *b, const int *ldb);
void dsyrk_(const char *uplo, const char *trans, const int *n, const int *k,
            const double *alpha, const double *a, const int *lda,
            const double *beta, double *c, const int *ldc);
void dgemv_(const char *trans, const int *m, const int *n, const double *alpha,
            const double *a, const int *lda, const double *x, const int *incx,
            const double *beta, double *y, const int *incy);
void dger_(const int *m, const int *n, const double *alpha, const double *x,
           const int *incx, const double *y, const int *incy, double *a,
           const int *lda);
void dpotrf_(const char *uplo, const int *n, double *a, const int *lda,
             int *info);

/** CPU seconds of this process inside BLAS, levels 2 and 3, and LAPACK, since
 * it started. */
double blas_seconds(void);

/** From now on BLAS takes as long as a processor of so many operations per
 * second needs; 0: as long as it takes here. */
void blas_pace(double operations);

/** The same for what is not BLAS: it has been at so many operations since a
 * time of yield_clock(). */
void blas_pace_pay(double from, double operations);

#endif
