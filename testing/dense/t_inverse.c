/* SPDX-License-Identifier: BSD-3-Clause */
/* hesca_potri() and hesca_getri() against LAPACK, and by their residuals: all
 * types, random layouts and submatrices, NaN in the other triangle, singular
 * factors, narrow panels.  Nothing else is written, and the bits of two runs
 * are the same. */
#define _POSIX_C_SOURCE 200809L /* nanosleep */
#include "config.h"
#include "dense/kernels.h"
#include "testing/dense/matrices.h"
#include "testing/dense/slow.h"
#include <time.h>

#define zpotri FC_FUNC(zpotri, ZPOTRI)
#define zgetri FC_FUNC(zgetri, ZGETRI)
void zpotri(const char *uplo, const int *n, void *a, const int *lda, int *info,
            size_t length);
void zgetri(const int *n, void *a, const int *lda, const int *ipiv, void *work,
            const int *lwork, int *info);

static int rank, size;

typedef struct {
    hesca_type type;
    char kind;       /* 'L', 'U': hesca_potri(); 'P': hesca_getri() */
    int64_t n, zero; /* U(zero,zero) is; -1: none */
    number *factors; /* n x n, what is not read is NaN */
    int64_t *ipiv;
    matrix a;
} test;

static int
call(const test *x, int64_t *info)
{
    return x->kind == 'P' ? hesca_getri(x->type, x->n, &x->a.a, x->ipiv,
                                        MPI_COMM_WORLD, info)
                          : hesca_potri(x->type, x->kind, x->n, &x->a.a,
                                        MPI_COMM_WORLD, info);
}

/* ------------------------------------------------ operands */

static int
is_inside(const test *x, int64_t i, int64_t j)
{
    return x->kind == 'P' || (x->kind == 'L' ? i >= j : i <= j);
}

static number
rounded(const test *x, number a)
{
    return is_single(x->type) ? CMPLX((float)creal(a), (float)cimag(a)) : a;
}

/* Triangles with dominant diagonals. */
static void
make_factors(test *x)
{
    const int64_t n = x->n;
    for (int64_t j = 0; j < n; ++j)
        for (int64_t i = 0; i < n; ++i) {
            number a = element(&x->a, i, j) / 16;
            if (i == j && x->kind == 'P')
                a = 16 * a + CMPLX(2 * (creal(a) > 0) - 1, 0);
            else if (i == j)
                a = fabs(creal(a)) + 1;
            if (i == j && x->zero >= 0 && (i == x->zero || i == x->zero + 3))
                a = 0;
            if (!is_inside(x, i, j))
                a = CMPLX(NAN, is_complex(x->type) ? NAN : 0);
            x->factors[i + j * n] = rounded(x, a);
        }
    put_whole(&x->a, x->factors);
}

static void
draw(test *x)
{
    *x = (test){.type = (hesca_type)check_uniform(0, 3),
                .kind = "LUP"[check_uniform(0, 2)],
                .zero = -1};
    const int kind = check_uniform(0, 9);
    x->n = kind < 1 ? 0 : check_uniform(1, kind < 4 ? 40 : 230);
    if (x->n > 0 && check_uniform(0, 9) == 0)
        x->zero = check_uniform(0, (int)x->n - 1);
    const int64_t i = check_uniform(0, 2) ? 0 : check_uniform(1, 30);
    const int64_t j = check_uniform(0, 2) ? i : check_uniform(0, 30);
    x->a = make_matrix(x->type,
                       draw_layout(size, i + x->n + check_uniform(0, 9),
                                   j + x->n + check_uniform(0, 9),
                                   check_uniform(0, 1) ? 12 : 80),
                       x->n, x->n, i, j);
    x->factors = malloc((size_t)(x->n * x->n + 1) * sizeof *x->factors);
    x->ipiv = malloc((size_t)(x->n + 1) * sizeof *x->ipiv);
    for (int64_t k = 0; k < x->n; ++k)
        x->ipiv[k] =
            check_uniform(0, 3) ? check_uniform((int)k, (int)x->n - 1) : k;
    make_factors(x);
}

static void
clear(test *x)
{
    free_matrix(&x->a);
    free(x->factors);
    free(x->ipiv);
}

/* ------------------------------------------------ checks */

/* The factor's element; those of L if lower. */
static number
factor(const test *x, int lower, int64_t i, int64_t j)
{
    const number a = x->factors[i + j * x->n];
    if (x->kind == 'P' && lower)
        return i > j ? a : i == j;
    if (x->kind == 'P')
        return i <= j ? a : 0;
    if ((x->kind == 'L') == lower)
        return is_inside(x, i, j) ? a : 0;
    return is_inside(x, j, i) ? conj(x->factors[j + i * x->n]) : 0;
}

/* What was factored: L U, without its interchanges, or for U' U, too. */
static void
multiply(const test *x, number *a)
{
    const int64_t n = x->n;
    memset(a, 0, (size_t)(n * n) * sizeof *a);
    for (int64_t j = 0; j < n; ++j)
        for (int64_t k = 0; k < n; ++k) {
            const number u = factor(x, 0, k, j);
            for (int64_t i = 0; u != 0 && i < n; ++i)
                a[i + j * n] += factor(x, 1, i, k) * u;
        }
    for (int64_t k = n - 1; k >= 0 && x->kind == 'P'; --k)
        for (int64_t j = 0; j < n; ++j) {
            const number with = a[k + j * n];
            a[k + j * n] = a[x->ipiv[k] + j * n];
            a[x->ipiv[k] + j * n] = with;
        }
}

/* By LAPACK, in double precision. */
static void
invert(const test *x, number *a)
{
    const int n = (int)x->n, lda = n > 0 ? n : 1, lwork = 64 * n + 1;
    int info = 0, *ipiv = malloc((size_t)(n + 1) * sizeof *ipiv);
    number *work = malloc((size_t)lwork * sizeof *work);
    memcpy(a, x->factors, (size_t)(x->n * x->n) * sizeof *a);
    for (int k = 0; k < n; ++k)
        ipiv[k] = (int)x->ipiv[k] + 1;
    if (x->kind == 'P')
        zgetri(&n, a, &lda, ipiv, work, &lwork, &info);
    else
        zpotri(&x->kind, &n, a, &lda, &info, 1);
    CHECK(info == 0, "LAPACK's INFO is %d", info);
    free(work);
    free(ipiv);
}

/* A symmetric matrix from its triangle. */
static void
complete(const test *x, number *a)
{
    for (int64_t j = 0; j < x->n; ++j)
        for (int64_t i = 0; i < x->n; ++i)
            if (!is_inside(x, i, j))
                a[i + j * x->n] = conj(a[j + i * x->n]);
}

static void
check_inverse(const test *x)
{
    const int64_t n = x->n;
    const size_t bytes = (size_t)(n * n + 1) * sizeof(number);
    number *a = malloc(bytes), *y = malloc(bytes), *by_lapack = malloc(bytes);
    double worst = 0, difference = 0;
    multiply(x, a);
    get_whole(&x->a, y);
    for (int64_t k = 0; k < n && x->kind != 'P' && is_complex(x->type); ++k)
        CHECK(cimag(y[k + k * n]) == 0, "the diagonal is not real");
    invert(x, by_lapack);
    complete(x, y);
    complete(x, by_lapack);
    const double gauge = norm_of(n, n, a) * norm_of(n, n, by_lapack);
    for (int64_t j = 0; j < n; ++j)
        for (int64_t i = 0; i < n; ++i) {
            number r = i == j ? -1 : 0;
            for (int64_t k = 0; k < n; ++k)
                r += a[i + k * n] * y[k + j * n];
            worst = fmax(worst, isnan(cabs(r)) ? INFINITY : cabs(r));
            difference =
                fmax(difference, cabs(y[i + j * n] - by_lapack[i + j * n]));
        }
    const double bound = precision(x->type) * (double)(n + 8) * gauge;
    CHECK(worst <= bound, "type %d %c %lld: residual %g above %g",
          (int)x->type, x->kind, (long long)n, worst, bound);
    const double near = bound * norm_of(n, n, by_lapack);
    CHECK(difference <= near, "type %d %c %lld: %g from LAPACK's, above %g",
          (int)x->type, x->kind, (long long)n, difference, near);
    free(a);
    free(y);
    free(by_lapack);
}

/* Elements outside of sub(A) or in the other triangle. */
static void
check_others(const test *x)
{
    CHECK(is_untouched(&x->a, 1), "something outside of sub(A) was written");
    for (int64_t j = 0; j < x->n; ++j)
        for (int64_t i = 0; i < x->n; ++i) {
            const unsigned char *at =
                is_inside(x, i, j) ? NULL : own_element(&x->a, i, j);
            if (at != NULL)
                CHECK(
                    memcmp(at,
                           x->a.before + (at - (unsigned char *)x->a.a.local),
                           size_of(x->type)) == 0,
                    "(%lld,%lld) was written", (long long)i, (long long)j);
        }
}

/* The same bits, whenever messages arrive. */
static void
repeat(const test *x)
{
    const struct timespec late = {.tv_nsec = rank % 2 * 300000L};
    unsigned char *first = malloc(x->a.bytes + 1);
    int64_t info;
    memcpy(first, x->a.a.local, x->a.bytes);
    memcpy(x->a.a.local, x->a.before, x->a.bytes);
    nanosleep(&late, NULL);
    const int err = call(x, &info);
    CHECK(err == HESCA_SUCCESS && memcmp(first, x->a.a.local, x->a.bytes) == 0,
          "%d: not the same bits", err);
    free(first);
}

int
main(int argc, char **argv)
{
    const uint64_t seed = check_seed(20900);
    const int cases = check_cases(200);
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    if (rank == 0) {
        begin_slow(size);
        printf("HESCA_TEST_SEED=%llu\n", (unsigned long long)seed);
    }
    for (int k = 0; k < cases; ++k) {
        const long failures = check_failures;
        int64_t info = -1;
        test x;
        check_state = seed + (uint64_t)k;
        draw(&x);
        const int err = call(&x, &info);
        CHECK(err == HESCA_SUCCESS, "%s", hesca_error_text());
        CHECK(info == x.zero + 1, "info is %lld, not %lld", (long long)info,
              (long long)x.zero + 1);
        if (x.zero >= 0)
            CHECK(is_untouched(&x.a, 0), "a singular matrix was written");
        else
            check_inverse(&x);
        check_others(&x);
        repeat(&x);
        clear(&x);
        if (check_failures > failures)
            fprintf(stderr, "that was HESCA_TEST_SEED=%llu\n",
                    (unsigned long long)(seed + (uint64_t)k));
    }
    const int failed = check_done("t_inverse");
    MPI_Finalize();
    return failed;
}
