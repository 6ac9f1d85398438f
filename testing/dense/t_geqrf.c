/* SPDX-License-Identifier: BSD-3-Clause */
/* hesca_geqrf() and hesca_ormqr() in all layouts and types: A = Q R with Q
 * from the definition of the reflectors, Q unitary, the same R, reflectors and
 * scalars as LAPACK's where the matrix is well conditioned; Q applied as by
 * its definition; the same bits in every run; nothing else read or touched. */
#define _POSIX_C_SOURCE 200809L /* nanosleep */
#include "config.h"
#include "testing/dense/matrices.h"
#include <time.h>

static int size, rank;
static const double THRESHOLD = 15; /* of residuals */

typedef enum { RANDOM, GRADED, ZEROS, UPPER } content;

typedef void lapack_t(const int *, const int *, void *, const int *, void *,
                      void *, const int *, int *);
lapack_t FC_FUNC(sgeqrf, SGEQRF), FC_FUNC(dgeqrf, DGEQRF),
    FC_FUNC(cgeqrf, CGEQRF), FC_FUNC(zgeqrf, ZGEQRF);

static number *
make_whole(content kind, hesca_type type, int64_t m, int64_t n)
{
    number *a = malloc((size_t)(m * n + 1) * sizeof *a);
    const uint64_t seed = check_random();
    for (int64_t j = 0; j < n; ++j)
        for (int64_t i = 0; i < m; ++i) {
            number z = some_number(type, seed, i, j);
            if (kind == GRADED)
                z = ldexp(1, (int)((i + j) % 30) - 15) * z;
            if ((kind == ZEROS && j % 3 == 1) || (kind == UPPER && i > j))
                z = 0;
            a[i + j * m] = z;
        }
    return a;
}

static int64_t
least(int64_t x, int64_t y)
{
    return x < y ? x : y;
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

/* --- the definition ------------------------------------------------------ */

/* C := H C or H^H C, C m x n, H = I - tau v v^H with v of column k of qr. */
static void
reflect(int64_t m, int64_t n, const number *qr, int64_t k, number tau,
        number *c)
{
    for (int64_t j = 0; j < n; ++j) {
        number sum = c[k + j * m];
        for (int64_t i = k + 1; i < m; ++i)
            sum += conj(qr[i + k * m]) * c[i + j * m];
        sum *= tau;
        c[k + j * m] -= sum;
        for (int64_t i = k + 1; i < m; ++i)
            c[i + j * m] -= qr[i + k * m] * sum;
    }
}

/* C := Q C or Q^H C, with k reflectors. */
static void
apply(int is_adjoint, int64_t m, int64_t n, int64_t k, const number *qr,
      const number *tau, number *c)
{
    for (int64_t t = 0; t < k; ++t) {
        const int64_t at = is_adjoint ? t : k - 1 - t;
        reflect(m, n, qr, at, is_adjoint ? conj(tau[at]) : tau[at], c);
    }
}

static number *
adjoint(int64_t m, int64_t n, const number *x)
{
    number *y = malloc((size_t)(m * n + 1) * sizeof *y);
    for (int64_t j = 0; j < n; ++j)
        for (int64_t i = 0; i < m; ++i)
            y[j + i * n] = conj(x[i + j * m]);
    return y;
}

/* ||x - y|| / (scale max(m,n) eps) */
static double
distance(hesca_type type, int64_t m, int64_t n, const number *x,
         const number *y, double scale)
{
    number *d = malloc((size_t)(m * n + 1) * sizeof *d);
    for (int64_t k = 0; k < m * n; ++k)
        d[k] = x[k] - y[k];
    const double norm = norm_of(m, n, d);
    free(d);
    return norm == 0
               ? 0
               : norm / (scale * (double)(m > n ? m : n) * precision(type));
}

static void
check_factors(content kind, const matrix *a, const number *whole,
              const number *qr, const number *tau)
{
    const int64_t m = a->m, n = a->n, k = least(m, n);
    number *r = calloc((size_t)(m * n + 1), sizeof *r);
    number *q = calloc((size_t)(m * m + 1), sizeof *q);
    number *unit = calloc((size_t)(m * m + 1), sizeof *unit);
    for (int64_t j = 0; j < n; ++j)
        for (int64_t i = 0; i <= j && i < m; ++i)
            r[i + j * m] = qr[i + j * m];
    for (int64_t i = 0; i < m; ++i)
        q[i + i * m] = unit[i + i * m] = 1;
    apply(0, m, n, k, qr, tau, r);
    const double residual =
        distance(a->type, m, n, r, whole, norm_of(m, n, whole));
    CHECK(residual < THRESHOLD, "residual %g, %s", residual, text_of(kind, a));
    /* From rows of Q by the reflectors, of Q^H by their adjoints. */
    apply(0, m, m, k, qr, tau, q);
    apply(1, m, m, k, qr, tau, q);
    const double loss = distance(a->type, m, m, q, unit, 1);
    CHECK(loss < THRESHOLD, "|Q'Q - I| %g, %s", loss, text_of(kind, a));
    free(r);
    free(q);
    free(unit);
}

/* LAPACK's result. */
static void
check_lapack(content kind, const matrix *a, const number *whole,
             const number *qr, const number *tau)
{
    static lapack_t *const geqrf[] = {
        FC_FUNC(sgeqrf, SGEQRF), FC_FUNC(dgeqrf, DGEQRF),
        FC_FUNC(cgeqrf, CGEQRF), FC_FUNC(zgeqrf, ZGEQRF)};
    const size_t esize = size_of(a->type);
    const int64_t count = a->m * a->n, k = least(a->m, a->n);
    const int m = (int)a->m, n = (int)a->n, lwork = 64 * (n + 1);
    char *x = malloc((size_t)count * esize + 1);
    char *scalars = malloc((size_t)k * esize + 1);
    char *work = malloc((size_t)lwork * esize);
    number *expected = malloc((size_t)(count + k + 1) * sizeof *expected);
    int info = 0;
    for (int64_t e = 0; e < count; ++e)
        put_number(a->type, x + (size_t)e * esize, whole[e]);
    geqrf[a->type](&m, &n, x, &m, scalars, work, &lwork, &info);
    for (int64_t e = 0; e < count; ++e)
        expected[e] = get_number(a->type, x + (size_t)e * esize);
    for (int64_t e = 0; e < k; ++e)
        expected[count + e] = get_number(a->type, scalars + (size_t)e * esize);
    const double off =
        distance(a->type, m, n, qr, expected, norm_of(m, n, whole));
    const double off_tau =
        distance(a->type, k, 1, tau, expected + count, (double)m);
    CHECK(off < THRESHOLD && off_tau < THRESHOLD,
          "not LAPACK's: %g, tau %g, %s", off, off_tau, text_of(kind, a));
    free(x);
    free(scalars);
    free(work);
    free(expected);
}

/* --- applying ------------------------------------------------------------ */

/* What is not to be read of sub(A) becomes NaN. */
static void
hide_upper(matrix *a)
{
    for (int64_t j = 0; j < a->n; ++j)
        for (int64_t i = 0; i <= j && i < a->m; ++i) {
            unsigned char *at = own_element(a, i, j);
            if (at != NULL)
                put_number(
                    a->type, at,
                    CMPLX((double)NAN, is_complex(a->type) ? (double)NAN : 0));
        }
    memcpy(a->before, a->a.local, a->bytes);
}

/* Apply some reflectors of A's to another matrix. */
static void
test_apply(const matrix *a, int64_t k, const number *qr, const number *tau,
           const void *scalars)
{
    static const int some[] = {0, 1, 1, 2, 5, 40, 150, 300};
    const int64_t order = a->m, lines = some[check_uniform(0, 7)];
    const int is_right = check_uniform(0, 1);
    const char trans = check_uniform(0, 1)   ? 'N'
                       : is_complex(a->type) ? 'C'
                                             : "TC"[check_uniform(0, 1)];
    const int64_t m = is_right ? lines : order, n = is_right ? order : lines;
    matrix c = draw_matrix(a->type, size, m, n);
    number *whole = make_whole(RANDOM, a->type, m, n);
    number *result = malloc((size_t)(m * n + 1) * sizeof *result), *expected;
    put_whole(&c, whole);
    const int err = hesca_ormqr(a->type, is_right ? 'R' : 'L', trans, m, n, k,
                                &a->a, scalars, &c.a, MPI_COMM_WORLD);
    CHECK(err == HESCA_SUCCESS, "%s", hesca_error_text());
    get_whole(&c, result);
    CHECK(is_untouched(&c, 1) && is_untouched(a, 0), "around C, or A, %s",
          text_of(RANDOM, &c));
    if (is_right) { /* C op(Q) = (op(Q)^H C^H)^H */
        number *turned = adjoint(m, n, whole);
        apply(trans == 'N', order, lines, k, qr, tau, turned);
        expected = adjoint(n, m, turned);
        free(turned);
    } else {
        expected = malloc((size_t)(m * n + 1) * sizeof *expected);
        memcpy(expected, whole, (size_t)(m * n) * sizeof *expected);
        apply(trans != 'N', order, lines, k, qr, tau, expected);
    }
    const double off =
        distance(a->type, m, n, result, expected, norm_of(m, n, whole) + 1);
    CHECK(off < THRESHOLD, "side %c trans %c k %d off by %g, %s",
          is_right ? 'R' : 'L', trans, (int)k, off, text_of(RANDOM, &c));
    number *again = malloc((size_t)(m * n + 1) * sizeof *again);
    put_whole(&c, whole);
    hesca_ormqr(a->type, is_right ? 'r' : 'l', trans, m, n, k, &a->a, scalars,
                &c.a, MPI_COMM_WORLD);
    get_whole(&c, again);
    CHECK(memcmp(again, result, (size_t)(m * n) * sizeof *again) == 0,
          "not the same, %s", text_of(RANDOM, &c));
    free(again);
    free(whole);
    free(result);
    free(expected);
    free_matrix(&c);
}

/* --- a matrix ------------------------------------------------------------ */

/* The same bits, whenever messages arrive. */
static void
repeat(matrix *a, const number *whole, const number *qr, const void *scalars)
{
    const size_t count = (size_t)(a->m * a->n);
    const size_t bytes = (size_t)least(a->m, a->n) * size_of(a->type);
    const struct timespec late = {.tv_nsec = rank % 2 * 300000L};
    number *again = malloc((count + 1) * sizeof *again);
    char *other = malloc(bytes + 1);
    put_whole(a, whole);
    nanosleep(&late, NULL);
    const int err =
        hesca_geqrf(a->type, a->m, a->n, &a->a, other, MPI_COMM_WORLD);
    get_whole(a, again);
    CHECK(err == HESCA_SUCCESS &&
              memcmp(again, qr, count * sizeof *again) == 0 &&
              memcmp(other, scalars, bytes) == 0,
          "not the same: %s", text_of(RANDOM, a));
    free(again);
    free(other);
}

static void
test_matrix(content kind, matrix a)
{
    const hesca_type type = a.type;
    const int64_t m = a.m, n = a.n, k = least(m, n);
    const size_t esize = size_of(type);
    number *whole = make_whole(kind, type, m, n);
    number *qr = malloc((size_t)(m * n + 1) * sizeof *qr);
    number *tau = malloc((size_t)(k + 1) * sizeof *tau);
    char *scalars = malloc((size_t)(k + 1) * esize);
    memset(scalars, 0x5b, (size_t)(k + 1) * esize);
    put_whole(&a, whole);
    const int err = hesca_geqrf(type, m, n, &a.a, scalars, MPI_COMM_WORLD);
    CHECK(err == HESCA_SUCCESS, "%s: %s", text_of(kind, &a),
          hesca_error_text());
    get_whole(&a, qr);
    CHECK(is_untouched(&a, 1), "around A, %s", text_of(kind, &a));
    for (int64_t t = 0; t < k; ++t)
        tau[t] = get_number(type, scalars + (size_t)t * esize);
    CHECK(scalars[(size_t)k * esize] == 0x5b, "behind tau, %s",
          text_of(kind, &a));
    check_factors(kind, &a, whole, qr, tau);
    if (k > 0 && (kind == UPPER || m >= 2 * n))
        check_lapack(kind, &a, whole, qr, tau);
    repeat(&a, whole, qr, scalars);
    hide_upper(&a);
    test_apply(&a, check_uniform(0, 1) ? k : check_uniform(0, (int)k), qr, tau,
               scalars);
    free(whole);
    free(qr);
    free(tau);
    free(scalars);
    free_matrix(&a);
}

static void
test(content kind, hesca_type type, int64_t m, int64_t n)
{
    test_matrix(kind, draw_matrix(type, size, m, n));
}

/* Many panels on one process row or column, in equal and unequal shares. */
static void
test_lines(void)
{
    const int cases = check_cases(size == 1 ? 4 : 16);
    for (int t = 0; t < cases; ++t) {
        const hesca_type type = (hesca_type)check_uniform(0, 3);
        const int64_t m = check_uniform(50, 160), n = check_uniform(50, 160);
        const int64_t i = check_uniform(0, 5), j = check_uniform(0, 5);
        const int64_t whole = t % 4 < 2 ? i + m : j + n;
        int64_t shares[64];
        hesca_layout *layout;
        for (int k = 0; k < size; ++k)
            shares[k] = check_uniform(1, 4);
        const int err =
            t % 4 == 0 ? hesca_layout_create_generalized(i + m, j + n, 1, size,
                                                         &whole, shares, NULL,
                                                         &layout)
            : t % 4 == 2
                ? hesca_layout_create_generalized(
                      i + m, j + n, size, 1, shares, &whole, NULL, &layout)
                : hesca_layout_create_cyclic(
                      i + m, j + n, check_uniform(1, 40), check_uniform(1, 40),
                      0, 0, t % 4 == 1 ? 1 : size, t % 4 == 1 ? size : 1, NULL,
                      &layout);
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
        const int most = check_uniform(0, 4) == 0 ? 250 : 90;
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
        test(ZEROS, type, n, check_uniform(1, 150));
        test(UPPER, type, n, check_uniform(1, 150));
        test(RANDOM, type, 2 * n, check_uniform(1, (int)n));
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
        printf("t_geqrf: seed %llu\n", (unsigned long long)seed);
    test_small();
    test_random();
    test_lines();
    test_special();
    const int failed = check_done("t_geqrf");
    MPI_Finalize();
    return failed;
}
