/* SPDX-License-Identifier: BSD-3-Clause */
/* hesca_getrf() and hesca_getrs() against LAPACK on the whole matrix: the same
 * info and, where rounding does not decide them, pivots, residuals as
 * ScaLAPACK's testers have them, in all layouts and types; singular and graded
 * matrices, ties, NaNs; nothing else touched. */
#define _POSIX_C_SOURCE 200809L /* nanosleep */
#include "dense/factor.h"
#include "dense/kernels.h"
#include "testing/dense/matrices.h"
#include <time.h>

static int size, rank;
static const double THRESHOLD = 15; /* of residuals */

typedef enum { RANDOM, GRADED, SINGULAR, TIES, NOT_FINITE } content;

static number *
make_whole(content kind, hesca_type type, int64_t m, int64_t n)
{
    number *a = malloc((size_t)(m * n + 1) * sizeof *a);
    const int64_t zero = n > 0 ? check_uniform(0, (int)n - 1) : 0;
    for (int64_t j = 0; j < n; ++j)
        for (int64_t i = 0; i < m; ++i) {
            number z = some_number(type, check_random(), 0, 0);
            if (kind == GRADED)
                z = ldexp(1, (int)((i + j) % 40) - 20) * z;
            if (kind == SINGULAR && j == zero)
                z = 0;
            if (kind == TIES)
                z = creal(z) < 0 ? -1 : 1;
            if (kind == NOT_FINITE && check_uniform(0, 200) == 0)
                z = check_uniform(0, 1) ? (double)NAN : (double)INFINITY;
            a[i + j * m] = z;
        }
    return a;
}

/* LAPACK's pivots, from 0. */
static int
reference(hesca_type type, int64_t m, int64_t n, const number *a,
          int64_t *pivots)
{
    const size_t esize = size_of(type);
    char *x = malloc((size_t)(m * n + 1) * esize);
    int *ipiv = malloc((size_t)(m + n + 1) * sizeof *ipiv);
    for (int64_t k = 0; k < m * n; ++k)
        put_number(type, x + (size_t)k * esize, a[k]);
    const int info =
        m > 0 && n > 0 ? hesca_kernel_getrf(type, m, n, x, m, ipiv) : 0;
    for (int64_t k = 0; k < (m < n ? m : n); ++k)
        pivots[k] = ipiv[k] - 1;
    free(x);
    free(ipiv);
    return info;
}

/* ||P A - L U|| / (||A|| max(m,n) eps); a is interchanged. */
static double
residual(hesca_type type, int64_t m, int64_t n, number *a, const number *lu,
         const int64_t *pivots)
{
    const int64_t k = m < n ? m : n;
    const double norm = norm_of(m, n, a);
    for (int64_t c = 0; c < k; ++c)
        for (int64_t j = 0; j < n; ++j) {
            const number z = a[c + j * m];
            a[c + j * m] = a[pivots[c] + j * m];
            a[pivots[c] + j * m] = z;
        }
    for (int64_t j = 0; j < n; ++j)
        for (int64_t c = 0; c < k && c <= j; ++c) {
            const number u = lu[c + j * m];
            a[c + j * m] -= u;
            for (int64_t i = c + 1; i < m; ++i)
                a[i + j * m] -= lu[i + c * m] * u;
        }
    const double rest = norm_of(m, n, a);
    return norm == 0
               ? rest
               : rest / (norm * (double)(m > n ? m : n) * precision(type));
}

/* ||op(A) X - B|| / ((||A|| ||X|| + ||B||) n eps) */
static double
error_of(hesca_type type, char trans, int64_t n, int64_t nrhs, const number *a,
         const number *x, number *b)
{
    const double scale =
        norm_of(n, n, a) * norm_of(n, nrhs, x) + norm_of(n, nrhs, b);
    for (int64_t j = 0; j < nrhs; ++j)
        for (int64_t k = 0; k < n; ++k)
            for (int64_t i = 0; i < n; ++i) {
                const number z = trans == 'N' ? a[i + k * n] : a[k + i * n];
                b[i + j * n] -= (trans == 'C' ? conj(z) : z) * x[k + j * n];
            }
    const double rest = norm_of(n, nrhs, b);
    return scale == 0 ? rest : rest / (scale * (double)n * precision(type));
}

static const char *
text_of(content kind, const matrix *a)
{
    static char text[200];
    snprintf(text, sizeof text,
             "kind %d, type %d, %lld x %lld at (%lld,%lld), seed of elements "
             "%#llx",
             (int)kind, (int)a->type, (long long)a->m, (long long)a->n,
             (long long)a->a.i, (long long)a->a.j,
             (unsigned long long)a->seed);
    return text;
}

static void
solve(const matrix *a, const number *whole, const int64_t *pivots)
{
    static const char letter[] = "NTC";
    static const int some[] = {0, 1, 1, 2, 5, 40, 150};
    const int64_t n = a->m, nrhs = some[check_uniform(0, 6)];
    const char trans = letter[check_uniform(0, 2)];
    matrix b = draw_matrix(a->type, size, n, nrhs);
    number *x = malloc((size_t)(n * nrhs + 1) * sizeof *x);
    number *rhs = make_whole(RANDOM, a->type, n, nrhs);
    put_whole(&b, rhs);
    const int err = hesca_getrs(a->type, trans, n, nrhs, &a->a, pivots, &b.a,
                                MPI_COMM_WORLD);
    CHECK(err == HESCA_SUCCESS, "%s: %s", text_of(RANDOM, a),
          hesca_error_text());
    get_whole(&b, x);
    CHECK(is_untouched(&b, 1), "around B, %s", text_of(RANDOM, a));
    const double error = error_of(a->type, trans, n, nrhs, whole, x, rhs);
    CHECK(error < THRESHOLD, "trans %c nrhs %d error %g, %s", trans, (int)nrhs,
          error, text_of(RANDOM, a));
    free(x);
    free(rhs);
    free_matrix(&b);
}

/* The first pivot that LAPACK itself chooses otherwise if elements change by a
 * rounding error: from there on rounding decides. */
static int64_t
first_undecided(hesca_type type, int64_t m, int64_t n, const number *a,
                const int64_t *pivots)
{
    const int64_t k = m < n ? m : n;
    number *x = malloc((size_t)(m * n + 1) * sizeof *x);
    int64_t *other = malloc((size_t)(k + 1) * sizeof *other), first = k;
    for (int trial = 0; trial < 50; ++trial) {
        for (int64_t e = 0; e < m * n; ++e)
            x[e] = a[e] * (1 + precision(type) * check_uniform(-1, 1));
        reference(type, m, n, x, other);
        for (int64_t c = 0; c < first; ++c)
            if (other[c] != pivots[c])
                first = c;
    }
    free(x);
    free(other);
    return first;
}

static void
compare_pivots(content kind, const matrix *a, const number *whole,
               const int64_t *pivots, const int64_t *expected)
{
    const int64_t k = a->m < a->n ? a->m : a->n;
    int64_t c = 0;
    while (c < k && pivots[c] == expected[c])
        ++c;
    /* Ties are exact, and go to the first. */
    CHECK(c == k || (kind != TIES && c >= first_undecided(a->type, a->m, a->n,
                                                          whole, expected)),
          "pivot %d: %d, not %d, %s", (int)c, (int)pivots[c], (int)expected[c],
          text_of(kind, a));
}

/* The same bits, whenever messages arrive. */
static void
repeat(matrix *a, const number *whole, const number *lu, int64_t *pivots)
{
    const size_t count = (size_t)(a->m * a->n);
    const struct timespec late = {.tv_nsec = rank % 2 * 300000L};
    number *again = malloc((count + 1) * sizeof *again);
    int64_t info = -1;
    put_whole(a, whole);
    nanosleep(&late, NULL);
    const int err =
        hesca_getrf(a->type, a->m, a->n, &a->a, pivots, MPI_COMM_WORLD, &info);
    get_whole(a, again);
    CHECK(err == HESCA_SUCCESS &&
              memcmp(again, lu, count * sizeof *again) == 0,
          "not the same: %s", text_of(RANDOM, a));
    free(again);
}

/* The same bits of a matrix that is copied from another layout, and back,
 * while it is factored. */
static void
copied(matrix *a, const number *whole, const number *lu,
       const int64_t *expected)
{
    const size_t count = (size_t)(a->m * a->n);
    const size_t npivots = (size_t)(a->m < a->n ? a->m : a->n);
    const struct timespec late = {.tv_nsec = rank % 2 * 300000L};
    matrix home = draw_matrix(a->type, size, a->m, a->n);
    number *back = malloc((count + 1) * sizeof *back);
    int64_t *pivots = malloc((npivots + 1) * sizeof *pivots);
    int64_t info = -1;
    hesca_background *copies;
    hesca_comm *c;
    put_whole(&home, whole);
    fill(a);
    CHECK(hesca_comm_get(MPI_COMM_WORLD, &c) == HESCA_SUCCESS &&
              hesca_background_make(HESCA_ALL, a->m, a->n, &home.a, &a->a,
                                    size_of(a->type), c,
                                    &copies) == HESCA_SUCCESS,
          "%s", hesca_error_text());
    if (copies == NULL) /* another schedule is better */
        goto end;
    nanosleep(&late, NULL);
    CHECK(hesca_background_begin(copies, home.a.local, home.a.lld, a->a.local,
                                 a->a.lld) == HESCA_SUCCESS &&
              hesca_getrf_and_copy(a->type, a->m, a->n, &a->a, pivots, copies,
                                   MPI_COMM_WORLD, &info) == HESCA_SUCCESS,
          "%s", hesca_error_text());
    hesca_background_release(copies);
    hesca_background_free(copies);
    get_whole(&home, back);
    CHECK(memcmp(back, lu, count * sizeof *back) == 0 &&
              memcmp(pivots, expected, npivots * sizeof *pivots) == 0,
          "not the same when copied: %s", text_of(RANDOM, a));
    CHECK(is_untouched(&home, 1), "around the copied one, %s",
          text_of(RANDOM, a));
end:
    free(back);
    free(pivots);
    free_matrix(&home);
}

static void
test_matrix(content kind, matrix a)
{
    const hesca_type type = a.type;
    const int64_t m = a.m, n = a.n, k = m < n ? m : n;
    number *whole = make_whole(kind, type, m, n);
    number *lu = malloc((size_t)(m * n + 1) * sizeof *lu);
    int64_t *pivots = malloc((size_t)(2 * k + 1) * sizeof *pivots);
    int64_t *expected = pivots + k, info = -1;
    put_whole(&a, whole);
    const int reference_info = reference(type, m, n, whole, expected);
    const int err =
        hesca_getrf(type, m, n, &a.a, pivots, MPI_COMM_WORLD, &info);
    CHECK(err == HESCA_SUCCESS, "%s: %s", text_of(kind, &a),
          hesca_error_text());
    get_whole(&a, lu);
    CHECK(is_untouched(&a, 1), "around A, %s", text_of(kind, &a));
    if (kind != NOT_FINITE) {
        compare_pivots(kind, &a, whole, pivots, expected);
        CHECK(info == reference_info, "info %d, not %d: %s", (int)info,
              reference_info, text_of(kind, &a));
        number *copy = malloc((size_t)(m * n + 1) * sizeof *copy);
        memcpy(copy, whole, (size_t)(m * n) * sizeof *copy);
        const double r = residual(type, m, n, copy, lu, pivots);
        CHECK(r < THRESHOLD, "residual %g, %s", r, text_of(kind, &a));
        free(copy);
    }
    if (m == n && info == 0 && kind == RANDOM)
        solve(&a, whole, pivots);
    if (kind == RANDOM) {
        repeat(&a, whole, lu, pivots);
        if (m > 0 && n > 0)
            copied(&a, whole, lu, pivots);
    }
    free(whole);
    free(lu);
    free(pivots);
    free_matrix(&a);
}

static void
test(content kind, hesca_type type, int64_t m, int64_t n)
{
    test_matrix(kind, draw_matrix(type, size, m, n));
}

/* Many panels on one process row, in equal and unequal shares: groups of
 * panels. */
static void
test_rows(void)
{
    const int cases = check_cases(size == 1 ? 4 : 16);
    for (int t = 0; t < cases; ++t) {
        const hesca_type type = (hesca_type)check_uniform(0, 3);
        const int64_t m = check_uniform(50, 160), n = check_uniform(50, 160);
        const int64_t i = check_uniform(0, 5), j = check_uniform(0, 5);
        const int64_t height = i + m;
        int64_t widths[64];
        hesca_layout *layout;
        for (int k = 0; k < size; ++k)
            widths[k] = check_uniform(1, 4);
        const int err =
            t % 2 ? hesca_layout_create_generalized(
                        i + m, j + n, 1, size, &height, widths, NULL, &layout)
                  : hesca_layout_create_cyclic(
                        i + m, j + n, check_uniform(1, 9), check_uniform(1, 4),
                        0, check_uniform(0, size - 1), 1, size, NULL, &layout);
        CHECK(err == HESCA_SUCCESS, "%s", hesca_error_text());
        test_matrix(check_uniform(0, 3) ? RANDOM : GRADED,
                    make_matrix(type, layout, m, n, i, j));
    }
}

static void
test_random(void)
{
    const int cases = check_cases(size == 1 ? 30 : 40);
    for (int t = 0; t < cases; ++t) {
        const hesca_type type = (hesca_type)check_uniform(0, 3);
        const int most = check_uniform(0, 4) == 0 ? 300 : 90;
        const int64_t m = check_uniform(0, most), n = check_uniform(0, most);
        const int square = check_uniform(0, 1);
        test(check_uniform(0, 3) ? RANDOM : GRADED, type, m, square ? m : n);
    }
}

static void
test_small(void)
{
    static const int some[] = {0, 1, 2, 3, 7};
    for (int i = 0; i < 5; ++i)
        for (int j = 0; j < 5; ++j)
            test(RANDOM, (hesca_type)((i + j) % 4), some[i], some[j]);
}

static void
test_special(void)
{
    const int cases = check_cases(6);
    for (int t = 0; t < cases; ++t) {
        const hesca_type type = (hesca_type)check_uniform(0, 3);
        const int64_t n = check_uniform(1, 150);
        test(SINGULAR, type, n, check_uniform(1, 150));
        test(NOT_FINITE, type, n, check_uniform(1, 150));
        test(TIES, type, n, check_uniform(1, 3));
    }
}

int
main(int argc, char **argv)
{
    const uint64_t seed = check_seed(8);
    MPI_Init(&argc, &argv);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    check_state = seed;
    if (rank == 0)
        printf("t_getrf: seed %llu\n", (unsigned long long)seed);
    test_small();
    test_random();
    test_rows();
    test_special();
    const int failed = check_done("t_getrf");
    MPI_Finalize();
    return failed;
}
