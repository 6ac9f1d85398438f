/* SPDX-License-Identifier: BSD-3-Clause */
/* BLAS of the programs that time it: calls arrive here first and are passed
 * on.
 *
 * What is measured is the CPU time inside BLAS.
 *
 * What is emulated is a processor that is slower than this one: the rest of
 * the time that it would need for a call is slept.  So processes that share
 * few cores behave as that many processors, as long as the cores keep up;
 * messages take what they take here.  (HMPI thesis experiments are ratios of
 * times: only the ratios of the processors matter.) */
#define _GNU_SOURCE 1 /* RTLD_NEXT */
#include "base/activity.h"
#include "blas.h"
#include "yield.h"
#include <dlfcn.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static double inside; /* s of CPU time */
static double pace;   /* operations per second; 0: any */
static double owed;   /* s that calls so far were too fast */
static int depth;     /* of calls */

double
blas_seconds(void)
{
    return inside;
}

void
blas_pace(double operations)
{
    pace = operations;
    owed = 0;
}

/* A nap is at least as long as its cost, and what it is too long, up to a
 * millisecond, counts for the next one. */
void
blas_pace_pay(double from, double operations)
{
    if (pace <= 0)
        return;
    owed += operations / pace - (yield_clock() - from);
    if (owed > 2e-4) {
        const double start = yield_clock();
        const struct timespec nap = {(time_t)owed,
                                     (long)(1e9 * (owed - floor(owed)))};
        nanosleep(&nap, NULL);
        owed -= yield_clock() - start;
    }
    owed = fmax(owed, -1e-3);
}

/* The routine of a name in the library behind the program. */
static void
find(const char *name, void *routine)
{
    void *found = dlsym(RTLD_NEXT, name);
    if (found == NULL) {
        fprintf(stderr, "no library behind this program defines %s\n", name);
        abort();
    }
    memcpy(routine, &found, sizeof found);
}

static double
cpu_clock(void)
{
    struct timespec t;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* --- the routines ---
 * Only the outermost call counts, as LAPACK calls BLAS, and is slowed down; 0
 * operations: it is not. */

#define PASS_ON(name, activity, operations, arguments)                        \
    static __typeof__(&name) original;                                        \
    if (original == NULL)                                                     \
        find(#name, &original);                                               \
    if (depth > 0) {                                                          \
        original arguments;                                                   \
        return;                                                               \
    }                                                                         \
    const int counts = HESCA_ACTIVITY_##activity != HESCA_ACTIVITY_COPIES;    \
    const double from = yield_clock(), began = counts ? cpu_clock() : 0;      \
    const hesca_activity before =                                             \
        hesca_activity_enter(HESCA_ACTIVITY_##activity);                      \
    ++depth;                                                                  \
    original arguments;                                                       \
    --depth;                                                                  \
    inside += counts ? cpu_clock() - began : 0;                               \
    if (operations > 0)                                                       \
        blas_pace_pay(from, operations);                                      \
    hesca_activity_leave(before);

void
dgemm_(const char *transa, const char *transb, const int *m, const int *n,
       const int *k, const double *alpha, const double *a, const int *lda,
       const double *b, const int *ldb, const double *beta, double *c,
       const int *ldc)
{
    PASS_ON(dgemm_, UPDATE, 2.0 * *m * *n * *k,
            (transa, transb, m, n, k, alpha, a, lda, b, ldb, beta, c, ldc))
}

void
dsyrk_(const char *uplo, const char *trans, const int *n, const int *k,
       const double *alpha, const double *a, const int *lda,
       const double *beta, double *c, const int *ldc)
{
    PASS_ON(dsyrk_, UPDATE, 1.0 * *n * *n * *k,
            (uplo, trans, n, k, alpha, a, lda, beta, c, ldc))
}

void
dtrsm_(const char *side, const char *uplo, const char *trans, const char *diag,
       const int *m, const int *n, const double *alpha, const double *a,
       const int *lda, double *b, const int *ldb)
{
    const int order = *side == 'L' || *side == 'l' ? *m : *n;
    PASS_ON(dtrsm_, PANEL, 1.0 * *m * *n * order,
            (side, uplo, trans, diag, m, n, alpha, a, lda, b, ldb))
}

void
dgemv_(const char *trans, const int *m, const int *n, const double *alpha,
       const double *a, const int *lda, const double *x, const int *incx,
       const double *beta, double *y, const int *incy)
{
    PASS_ON(dgemv_, PANEL, 0,
            (trans, m, n, alpha, a, lda, x, incx, beta, y, incy))
}

void
dger_(const int *m, const int *n, const double *alpha, const double *x,
      const int *incx, const double *y, const int *incy, double *a,
      const int *lda)
{
    PASS_ON(dger_, PANEL, 0, (m, n, alpha, x, incx, y, incy, a, lda))
}

void
dpotrf_(const char *uplo, const int *n, double *a, const int *lda, int *info)
{
    PASS_ON(dpotrf_, PANEL, 1.0 * *n * *n * *n / 3, (uplo, n, a, lda, info))
}

void
dgetrf_(const int *m, const int *n, double *a, const int *lda, int *ipiv,
        int *info)
{
    PASS_ON(dgetrf_, PANEL, 0, (m, n, a, lda, ipiv, info))
}

void
dlaswp_(const int *n, double *a, const int *lda, const int *k1, const int *k2,
        const int *ipiv, const int *incx)
{
    PASS_ON(dlaswp_, COPIES, 0, (n, a, lda, k1, k2, ipiv, incx))
}

void
dswap_(const int *n, double *x, const int *incx, double *y, const int *incy)
{
    PASS_ON(dswap_, COPIES, 0, (n, x, incx, y, incy))
}

void
dcopy_(const int *n, const double *x, const int *incx, double *y,
       const int *incy)
{
    PASS_ON(dcopy_, COPIES, 0, (n, x, incx, y, incy))
}

void
dlacpy_(const char *uplo, const int *m, const int *n, const double *a,
        const int *lda, double *b, const int *ldb)
{
    PASS_ON(dlacpy_, COPIES, 0, (uplo, m, n, a, lda, b, ldb))
}
