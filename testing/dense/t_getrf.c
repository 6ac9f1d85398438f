/* hesca_getrf() and hesca_getrs() against LAPACK on the whole matrix: the same
 * pivots and info, residuals as ScaLAPACK's testers have them, in all layouts
 * and types; singular and graded matrices, ties, NaNs; nothing else touched.
 */
#include "testing/dense/dealt.h"

static int size, rank;
static const double THRESHOLD = 30; /* of residuals, as ScaLAPACK's */

typedef enum { RANDOM, GRADED, SINGULAR, TIES, NOT_FINITE } content;

static number *
make_whole(content kind, hesca_type type, int64_t m, int64_t n)
{
    number *a = malloc((size_t)(m * n + 1) * sizeof *a);
    const int64_t zero = n > 0 ? check_uniform(0, (int)n - 1) : 0;
    for (int64_t j = 0; j < n; ++j)
        for (int64_t i = 0; i < m; ++i) {
            number z = dealt_random(type);
            if (kind == GRADED)
                z = ldexp(1, (int)((i + j) % 40) - 20) * z;
            if (kind == SINGULAR && j == zero)
                z = 0;
            if (kind == TIES)
                z = creal(z) < 0 ? -1 : 1;
            if (kind == NOT_FINITE && check_uniform(0, 200) == 0)
                z = check_uniform(0, 1) ? (double)NAN : (double)INFINITY;
            if (type == HESCA_S || type == HESCA_C)
                z = CMPLX((float)creal(z), (float)cimag(z));
            a[i + j * m] = z;
        }
    return a;
}

/* LAPACK's pivots, from 0. */
static int
reference(hesca_type type, int64_t m, int64_t n, const number *a,
          int64_t *pivots)
{
    const size_t esize = dealt_size(type);
    char *x = malloc((size_t)(m * n + 1) * esize);
    int *ipiv = malloc((size_t)(m + n + 1) * sizeof *ipiv);
    for (int64_t k = 0; k < m * n; ++k)
        dealt_store(type, x + (size_t)k * esize, a[k]);
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
    const double norm = dealt_norm(m, n, a);
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
    const double rest = dealt_norm(m, n, a);
    return norm == 0
               ? rest
               : rest / (norm * (double)(m > n ? m : n) * dealt_eps(type));
}

/* ||op(A) X - B|| / ((||A|| ||X|| + ||B||) n eps) */
static double
error_of(hesca_type type, char trans, int64_t n, int64_t nrhs, const number *a,
         const number *x, number *b)
{
    const double scale =
        dealt_norm(n, n, a) * dealt_norm(n, nrhs, x) + dealt_norm(n, nrhs, b);
    for (int64_t j = 0; j < nrhs; ++j)
        for (int64_t k = 0; k < n; ++k)
            for (int64_t i = 0; i < n; ++i) {
                const number z = trans == 'N' ? a[i + k * n] : a[k + i * n];
                b[i + j * n] -= (trans == 'C' ? conj(z) : z) * x[k + j * n];
            }
    const double rest = dealt_norm(n, nrhs, b);
    return scale == 0 ? rest : rest / (scale * (double)n * dealt_eps(type));
}

static void
solve(const dealt *a, const number *whole, const int64_t *pivots)
{
    static const char letter[] = "NTC";
    static const int some[] = {0, 1, 1, 2, 5, 40, 150};
    const int64_t n = a->rows, nrhs = some[check_uniform(0, 6)];
    const char trans = letter[check_uniform(0, 2)];
    dealt b;
    dealt_make(&b, a->type, n, nrhs, size);
    number *x = malloc((size_t)(n * nrhs + 1) * sizeof *x);
    number *rhs = make_whole(RANDOM, a->type, n, nrhs);
    dealt_put(&b, rhs);
    const int err = hesca_getrs(a->type, trans, n, nrhs, &a->a, pivots, &b.a,
                                MPI_COMM_WORLD);
    CHECK(err == HESCA_SUCCESS, "%s: %s", a->text, hesca_error_text());
    const int64_t changed = dealt_get(&b, x);
    CHECK(changed == 0, "B: %s", b.text);
    const double error = error_of(a->type, trans, n, nrhs, whole, x, rhs);
    CHECK(error < THRESHOLD, "trans %c nrhs %d error %g, A: %s, B: %s", trans,
          (int)nrhs, error, a->text, b.text);
    free(x);
    free(rhs);
    dealt_free(&b);
}

static void
test(content kind, hesca_type type, int64_t m, int64_t n)
{
    const int64_t k = m < n ? m : n;
    dealt a;
    dealt_make(&a, type, m, n, size);
    number *whole = make_whole(kind, type, m, n);
    number *lu = malloc((size_t)(m * n + 1) * sizeof *lu);
    int64_t *pivots = malloc((size_t)(2 * k + 1) * sizeof *pivots);
    int64_t *expected = pivots + k, info = -1;
    dealt_put(&a, whole);
    const int reference_info = reference(type, m, n, whole, expected);
    const int err =
        hesca_getrf(type, m, n, &a.a, pivots, MPI_COMM_WORLD, &info);
    CHECK(err == HESCA_SUCCESS, "%s: %s", a.text, hesca_error_text());
    const int64_t changed = dealt_get(&a, lu);
    CHECK(changed == 0, "kind %d: %s", (int)kind, a.text);
    for (int64_t c = 0; kind != NOT_FINITE && c < k; ++c)
        CHECK(pivots[c] == expected[c],
              "pivot %d: %d, not %d, kind %d type %d: %s", (int)c,
              (int)pivots[c], (int)expected[c], (int)kind, (int)type, a.text);
    if (kind != NOT_FINITE) {
        CHECK(info == reference_info, "info %d, not %d: %s", (int)info,
              reference_info, a.text);
        number *copy = malloc((size_t)(m * n + 1) * sizeof *copy);
        memcpy(copy, whole, (size_t)(m * n) * sizeof *copy);
        const double r = residual(type, m, n, copy, lu, pivots);
        CHECK(r < THRESHOLD, "residual %g, kind %d type %d: %s", r, (int)kind,
              (int)type, a.text);
        free(copy);
    }
    if (m == n && info == 0 && kind == RANDOM)
        solve(&a, whole, pivots);
    free(whole);
    free(lu);
    free(pivots);
    dealt_free(&a);
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
    test_special();
    const int failed = check_done("t_getrf");
    MPI_Finalize();
    return failed;
}
