/* BLAS at the pace of a processor that is slower than this one: what a call
 * lacks of the time that the processor would need is slept.  So processes that
 * share few cores behave like as many processors, as long as the cores keep
 * up; messages take what they take here.  (HMPI thesis experiments are ratios
 * of times: it only matters how processors compare.) */
#define _GNU_SOURCE 1 /* RTLD_NEXT */
#include "hdpi_blas.h"
#include "hohe.h"
#include <dlfcn.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static double pace; /* operations per second; 0: no matter */
static double owed; /* s that calls so far were too fast */
static int depth;   /* of calls, as LAPACK calls BLAS */

void
hohe_pace(double operations)
{
    pace = operations;
    owed = 0;
}

/* A nap is no shorter than it is worth, and what it is too long, up to a
 * millisecond, is made up for. */
void
hohe_pace_pay(double from, double operations)
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

#define PASS_ON(name, operations, arguments)                                  \
    static __typeof__(&name) real;                                            \
    if (real == NULL)                                                         \
        find(#name, &real);                                                   \
    const double from = yield_clock();                                        \
    ++depth;                                                                  \
    real arguments;                                                           \
    if (--depth == 0)                                                         \
        hohe_pace_pay(from, operations);

void dsyrk_(const char *uplo, const char *trans, const int *n, const int *k,
            const double *alpha, const double *a, const int *lda,
            const double *beta, double *c, const int *ldc);
void dpotrf_(const char *uplo, const int *n, double *a, const int *lda,
             int *info);

void
dgemm_(const char *transa, const char *transb, const int *m, const int *n,
       const int *k, const double *alpha, const double *a, const int *lda,
       const double *b, const int *ldb, const double *beta, double *c,
       const int *ldc)
{
    PASS_ON(dgemm_, 2.0 * *m * *n * *k,
            (transa, transb, m, n, k, alpha, a, lda, b, ldb, beta, c, ldc))
}

void
dsyrk_(const char *uplo, const char *trans, const int *n, const int *k,
       const double *alpha, const double *a, const int *lda,
       const double *beta, double *c, const int *ldc)
{
    PASS_ON(dsyrk_, 1.0 * *n * *n * *k,
            (uplo, trans, n, k, alpha, a, lda, beta, c, ldc))
}

void
dtrsm_(const char *side, const char *uplo, const char *trans, const char *diag,
       const int *m, const int *n, const double *alpha, const double *a,
       const int *lda, double *b, const int *ldb)
{
    const int order = *side == 'L' || *side == 'l' ? *m : *n;
    PASS_ON(dtrsm_, 1.0 * *m * *n * order,
            (side, uplo, trans, diag, m, n, alpha, a, lda, b, ldb))
}

void
dpotrf_(const char *uplo, const int *n, double *a, const int *lda, int *info)
{
    PASS_ON(dpotrf_, 1.0 * *n * *n * *n / 3, (uplo, n, a, lda, info))
}
