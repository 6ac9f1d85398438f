/* SPDX-License-Identifier: BSD-3-Clause */
#include "dense/kernels.h"
#include "config.h"
#include <assert.h>
#include <math.h>
#include <stdint.h>

/* --- the table ---
 * One row per hesca_type, in its order. */

/* The routines of one type. They are declared with void * for elements, so
 * that one table serves all types; the lengths of character arguments come
 * last, as Fortran compilers pass them. */
typedef void gemm_t(const char *, const char *, const int *, const int *,
                    const int *, const void *, const void *, const int *,
                    const void *, const int *, const void *, void *,
                    const int *, size_t, size_t);
typedef void trsm_t(const char *, const char *, const char *, const char *,
                    const int *, const int *, const void *, const void *,
                    const int *, void *, const int *, size_t, size_t, size_t,
                    size_t);
typedef trsm_t trmm_t;
typedef void syrk_t(const char *, const char *, const int *, const int *,
                    const void *, const void *, const int *, const void *,
                    void *, const int *, size_t, size_t);
typedef void potrf_t(const char *, const int *, void *, const int *, int *,
                     size_t);
typedef void getrf_t(const int *, const int *, void *, const int *, int *,
                     int *);
typedef void geqr2_t(const int *, const int *, void *, const int *, void *,
                     void *, int *);
typedef void larft_t(const char *, const char *, const int *, const int *,
                     const void *, const int *, const void *, void *,
                     const int *, size_t, size_t);
typedef void laswp_t(const int *, void *, const int *, const int *,
                     const int *, const int *, const int *);
typedef int iamax_t(const int *, const void *, const int *);
typedef void swap_t(const int *, void *, const int *, void *, const int *);
typedef void scal_t(const int *, const void *, void *, const int *);
typedef void geru_t(const int *, const int *, const void *, const void *,
                    const int *, const void *, const int *, void *,
                    const int *);

typedef struct {
    size_t size;
    int is_complex;
    const void *zero, *one, *minus_one;
    gemm_t *gemm;
    trsm_t *trsm;
    trmm_t *trmm;
    syrk_t *syrk, *herk;
    potrf_t *potrf;
    getrf_t *getrf;
    geqr2_t *geqr2;
    larft_t *larft;
    laswp_t *laswp;
    iamax_t *iamax;
    swap_t *swap;
    scal_t *scal;
    geru_t *geru;
} kernels;

#define DECLARE(x, X, geru, GERU)                                             \
    gemm_t FC_FUNC(x##gemm, X##GEMM);                                         \
    trsm_t FC_FUNC(x##trsm, X##TRSM);                                         \
    trmm_t FC_FUNC(x##trmm, X##TRMM);                                         \
    syrk_t FC_FUNC(x##syrk, X##SYRK);                                         \
    potrf_t FC_FUNC(x##potrf, X##POTRF);                                      \
    getrf_t FC_FUNC(x##getrf, X##GETRF);                                      \
    geqr2_t FC_FUNC(x##geqr2, X##GEQR2);                                      \
    larft_t FC_FUNC(x##larft, X##LARFT);                                      \
    laswp_t FC_FUNC(x##laswp, X##LASWP);                                      \
    iamax_t FC_FUNC(i##x##amax, I##X##AMAX);                                  \
    swap_t FC_FUNC(x##swap, X##SWAP);                                         \
    scal_t FC_FUNC(x##scal, X##SCAL);                                         \
    geru_t FC_FUNC(x##geru, X##GERU);

DECLARE(s, S, ger, GER)
DECLARE(d, D, ger, GER)
DECLARE(c, C, geru, GERU)
DECLARE(z, Z, geru, GERU)
syrk_t FC_FUNC(cherk, CHERK), FC_FUNC(zherk, ZHERK);

static const float s_number[3] = {0, 1, -1};
static const double d_number[3] = {0, 1, -1};
static const float c_number[3][2] = {{0, 0}, {1, 0}, {-1, 0}};
static const double z_number[3][2] = {{0, 0}, {1, 0}, {-1, 0}};

#define ROW(x, X, herk_, HERK_, geru_, GERU_, bytes, complex_)                \
    {                                                                         \
        .size = bytes, .is_complex = complex_, .zero = &x##_number[0],        \
        .one = &x##_number[1], .minus_one = &x##_number[2],                   \
        .gemm = FC_FUNC(x##gemm, X##GEMM), .trsm = FC_FUNC(x##trsm, X##TRSM), \
        .trmm = FC_FUNC(x##trmm, X##TRMM), .syrk = FC_FUNC(x##syrk, X##SYRK), \
        .herk = FC_FUNC(x##herk_, X##HERK_),                                  \
        .potrf = FC_FUNC(x##potrf, X##POTRF),                                 \
        .getrf = FC_FUNC(x##getrf, X##GETRF),                                 \
        .geqr2 = FC_FUNC(x##geqr2, X##GEQR2),                                 \
        .larft = FC_FUNC(x##larft, X##LARFT),                                 \
        .laswp = FC_FUNC(x##laswp, X##LASWP),                                 \
        .iamax = FC_FUNC(i##x##amax, I##X##AMAX),                             \
        .swap = FC_FUNC(x##swap, X##SWAP), .scal = FC_FUNC(x##scal, X##SCAL), \
        .geru = FC_FUNC(x##geru_, X##GERU_)                                   \
    }

static const kernels table[] = {
    [HESCA_S] = ROW(s, S, syrk, SYRK, ger, GER, 4, 0),
    [HESCA_D] = ROW(d, D, syrk, SYRK, ger, GER, 8, 0),
    [HESCA_C] = ROW(c, C, herk, HERK, geru, GERU, 8, 1),
    [HESCA_Z] = ROW(z, Z, herk, HERK, geru, GERU, 16, 1)};

/* --- types ---
 * Constants are elements of the type, also for complex types. */

size_t
hesca_type_size(hesca_type type)
{
    return table[type].size;
}

int
hesca_type_is_complex(hesca_type type)
{
    return table[type].is_complex;
}

hesca_type
hesca_type_real(hesca_type type)
{
    return type == HESCA_S || type == HESCA_C ? HESCA_S : HESCA_D;
}

const void *
hesca_zero(hesca_type type)
{
    return table[type].zero;
}

const void *
hesca_one(hesca_type type)
{
    return table[type].one;
}

const void *
hesca_minus_one(hesca_type type)
{
    return table[type].minus_one;
}

/* Whether an element equals the real number x. */
static int
is_number(hesca_type type, const void *element, int x)
{
    const float *s = element;
    const double *d = element;
    switch (type) {
    case HESCA_S:
        return s[0] == (float)x;
    case HESCA_D:
        return d[0] == x;
    case HESCA_C:
        return s[0] == (float)x && s[1] == 0;
    default:
        return d[0] == x && d[1] == 0;
    }
}

int
hesca_is_zero(hesca_type type, const void *x)
{
    return is_number(type, x, 0);
}

int
hesca_is_one(hesca_type type, const void *x)
{
    return is_number(type, x, 1);
}

/* --- calls ---
 * Extents fit into int: narrow() asserts what hesca_args_matrix() has
 * checked. */

/* The test passes n as two 32-bit words. A BLAS with 32-bit INTEGERs reads the
 * first one, a vector of one element; one with 64-bit INTEGERs reads both, a
 * negative length. */
int
hesca_kernels_fit(void)
{
    static const int n[2] = {1, INT32_MIN}, incx[2] = {1, 0}, order = 1;
    static const double x[2] = {1, 1};
    const int is_little = *(const char *)&order == 1;
    return !is_little || table[HESCA_D].iamax(n, x, incx) == 1;
}

static int
narrow(int64_t x)
{
    assert(INT32_MIN <= x && x <= INT32_MAX);
    return (int)x;
}

/* BLAS requires a leading dimension of at least 1. */
static int
leading(int64_t x)
{
    return x > 1 ? narrow(x) : 1;
}

void
hesca_kernel_gemm(hesca_type type, char transa, char transb, int64_t m,
                  int64_t n, int64_t k, const void *alpha, const void *a,
                  int64_t lda, const void *b, int64_t ldb, const void *beta,
                  void *c, int64_t ldc)
{
    const int m_ = narrow(m), n_ = narrow(n), k_ = narrow(k);
    const int lda_ = leading(lda), ldb_ = leading(ldb), ldc_ = leading(ldc);
    if (m > 0 && n > 0)
        table[type].gemm(&transa, &transb, &m_, &n_, &k_, alpha, a, &lda_, b,
                         &ldb_, beta, c, &ldc_, 1, 1);
}

void
hesca_kernel_scale(hesca_type type, int64_t m, int64_t n, const void *alpha,
                   void *a, int64_t lda)
{
    hesca_kernel_gemm(type, 'N', 'N', m, n, 0, hesca_zero(type), a, m, a, 1,
                      alpha, a, lda);
}

void
hesca_kernel_trsm(hesca_type type, char side, char uplo, char transa,
                  char diag, int64_t m, int64_t n, const void *alpha,
                  const void *a, int64_t lda, void *b, int64_t ldb)
{
    const int m_ = narrow(m), n_ = narrow(n);
    const int lda_ = leading(lda), ldb_ = leading(ldb);
    if (m > 0 && n > 0)
        table[type].trsm(&side, &uplo, &transa, &diag, &m_, &n_, alpha, a,
                         &lda_, b, &ldb_, 1, 1, 1, 1);
}

void
hesca_kernel_trmm(hesca_type type, char side, char uplo, char transa,
                  char diag, int64_t m, int64_t n, const void *alpha,
                  const void *a, int64_t lda, void *b, int64_t ldb)
{
    const int m_ = narrow(m), n_ = narrow(n);
    const int lda_ = leading(lda), ldb_ = leading(ldb);
    if (m > 0 && n > 0)
        table[type].trmm(&side, &uplo, &transa, &diag, &m_, &n_, alpha, a,
                         &lda_, b, &ldb_, 1, 1, 1, 1);
}

/* A complex number begins with its real part. */
void
hesca_kernel_syrk(hesca_type type, int hermitian, char uplo, char trans,
                  int64_t n, int64_t k, const void *alpha, const void *a,
                  int64_t lda, const void *beta, void *c, int64_t ldc)
{
    syrk_t *syrk = hermitian ? table[type].herk : table[type].syrk;
    const int n_ = narrow(n), k_ = narrow(k);
    const int lda_ = leading(lda), ldc_ = leading(ldc);
    if (n > 0)
        syrk(&uplo, &trans, &n_, &k_, alpha, a, &lda_, beta, c, &ldc_, 1, 1);
}

/* Whether a complex number's real part, or a real number, is NaN. */
static int
is_nan(hesca_type type, const void *x)
{
    return type == HESCA_S || type == HESCA_C ? isnan(*(const float *)x)
                                              : isnan(*(const double *)x);
}

/* Some optimized BLAS go on with a NaN on the diagonal and return 0. */
int
hesca_kernel_potrf(hesca_type type, char uplo, int64_t n, void *a, int64_t lda)
{
    const int n_ = narrow(n), lda_ = leading(lda);
    const size_t step = ((size_t)lda + 1) * hesca_type_size(type);
    int info = 0;
    if (n > 0)
        table[type].potrf(&uplo, &n_, a, &lda_, &info, 1);
    const int factored = info > 0 ? info - 1 : n_;
    for (int k = 0; k < factored; ++k)
        if (is_nan(type, (const char *)a + (size_t)k * step))
            return k + 1;
    return info;
}

int
hesca_kernel_getrf(hesca_type type, int64_t m, int64_t n, void *a, int64_t lda,
                   int *ipiv)
{
    const int m_ = narrow(m), n_ = narrow(n), lda_ = leading(lda);
    int info = 0;
    if (m > 0 && n > 0)
        table[type].getrf(&m_, &n_, a, &lda_, ipiv, &info);
    return info;
}

void
hesca_kernel_geqr2(hesca_type type, int64_t m, int64_t n, void *a, int64_t lda,
                   void *tau, void *work)
{
    const int m_ = narrow(m), n_ = narrow(n), lda_ = leading(lda);
    int info = 0;
    if (m > 0 && n > 0)
        table[type].geqr2(&m_, &n_, a, &lda_, tau, work, &info);
}

void
hesca_kernel_larft(hesca_type type, int64_t n, int64_t k, const void *v,
                   int64_t ldv, const void *tau, void *t, int64_t ldt)
{
    const int n_ = narrow(n), k_ = narrow(k);
    const int ldv_ = leading(ldv), ldt_ = leading(ldt);
    if (n > 0 && k > 0)
        table[type].larft("F", "C", &n_, &k_, v, &ldv_, tau, t, &ldt_, 1, 1);
}

void
hesca_kernel_laswp(hesca_type type, int64_t n, void *a, int64_t lda,
                   int64_t k1, int64_t k2, const int *ipiv)
{
    const int n_ = narrow(n), lda_ = leading(lda), one = 1;
    const int first = narrow(k1 + 1), last = narrow(k2);
    if (n > 0 && k1 < k2)
        table[type].laswp(&n_, a, &lda_, &first, &last, ipiv, &one);
}

int64_t
hesca_kernel_iamax(hesca_type type, int64_t n, const void *x, int64_t incx)
{
    const int n_ = narrow(n), incx_ = narrow(incx);
    assert(n >= 1);
    return table[type].iamax(&n_, x, &incx_) - 1;
}

void
hesca_kernel_swap(hesca_type type, int64_t n, void *x, int64_t incx, void *y,
                  int64_t incy)
{
    const int n_ = narrow(n), incx_ = narrow(incx), incy_ = narrow(incy);
    if (n > 0)
        table[type].swap(&n_, x, &incx_, y, &incy_);
}

void
hesca_kernel_scal(hesca_type type, int64_t n, const void *alpha, void *x,
                  int64_t incx)
{
    const int n_ = narrow(n), incx_ = narrow(incx);
    if (n > 0)
        table[type].scal(&n_, alpha, x, &incx_);
}

void
hesca_kernel_geru(hesca_type type, int64_t m, int64_t n, const void *alpha,
                  const void *x, int64_t incx, const void *y, int64_t incy,
                  void *a, int64_t lda)
{
    const int m_ = narrow(m), n_ = narrow(n), lda_ = leading(lda);
    const int incx_ = narrow(incx), incy_ = narrow(incy);
    if (m > 0 && n > 0)
        table[type].geru(&m_, &n_, alpha, x, &incx_, y, &incy_, a, &lda_);
}
