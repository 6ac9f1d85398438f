/* Time inside BLAS.  The program defines the routines of levels 2 and 3 that
 * ScaLAPACK's factorizations and products spend their time in, and passes
 * them on: ScaLAPACK's calls arrive here first. */
#define _GNU_SOURCE 1 /* RTLD_NEXT */
#include "hdpi_blas.h"
#include "heho.h"
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static double inside, began;

static double
cpu_clock(clockid_t which)
{
    struct timespec t;
    clock_gettime(which, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

heho_used
heho_used_now(void)
{
    return (heho_used){.wall = yield_clock(),
                       .cpu = cpu_clock(CLOCK_PROCESS_CPUTIME_ID),
                       .blas_cpu = inside};
}

static void
enter(void)
{
    began = cpu_clock(CLOCK_THREAD_CPUTIME_ID);
}

static void
leave(void)
{
    inside += cpu_clock(CLOCK_THREAD_CPUTIME_ID) - began;
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

#define PASS_ON(name, arguments)                                              \
    static __typeof__(&name) real;                                            \
    if (real == NULL)                                                         \
        find(#name, &real);                                                   \
    enter();                                                                  \
    real arguments;                                                           \
    leave();

void dsyrk_(const char *uplo, const char *trans, const int *n, const int *k,
            const double *alpha, const double *a, const int *lda,
            const double *beta, double *c, const int *ldc);
void dgemv_(const char *trans, const int *m, const int *n, const double *alpha,
            const double *a, const int *lda, const double *x, const int *incx,
            const double *beta, double *y, const int *incy);
void dger_(const int *m, const int *n, const double *alpha, const double *x,
           const int *incx, const double *y, const int *incy, double *a,
           const int *lda);

void
dgemm_(const char *transa, const char *transb, const int *m, const int *n,
       const int *k, const double *alpha, const double *a, const int *lda,
       const double *b, const int *ldb, const double *beta, double *c,
       const int *ldc)
{
    PASS_ON(dgemm_,
            (transa, transb, m, n, k, alpha, a, lda, b, ldb, beta, c, ldc))
}

void
dsyrk_(const char *uplo, const char *trans, const int *n, const int *k,
       const double *alpha, const double *a, const int *lda,
       const double *beta, double *c, const int *ldc)
{
    PASS_ON(dsyrk_, (uplo, trans, n, k, alpha, a, lda, beta, c, ldc))
}

void
dtrsm_(const char *side, const char *uplo, const char *trans, const char *diag,
       const int *m, const int *n, const double *alpha, const double *a,
       const int *lda, double *b, const int *ldb)
{
    PASS_ON(dtrsm_, (side, uplo, trans, diag, m, n, alpha, a, lda, b, ldb))
}

void
dgemv_(const char *trans, const int *m, const int *n, const double *alpha,
       const double *a, const int *lda, const double *x, const int *incx,
       const double *beta, double *y, const int *incy)
{
    PASS_ON(dgemv_, (trans, m, n, alpha, a, lda, x, incx, beta, y, incy))
}

void
dger_(const int *m, const int *n, const double *alpha, const double *x,
      const int *incx, const double *y, const int *incy, double *a,
      const int *lda)
{
    PASS_ON(dger_, (m, n, alpha, x, incx, y, incy, a, lda))
}
