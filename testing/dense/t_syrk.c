/* SPDX-License-Identifier: BSD-3-Clause */
/* hesca_syrk() and hesca_herk() against BLAS on whole matrices: all types and
 * options, random layouts and submatrices, NaN; narrow panels; whichever
 * matrix stays in place.  Nothing but the named triangle is written, and the
 * bits of two runs are the same. */
#define _POSIX_C_SOURCE 200809L /* nanosleep */
#include "dense/kernels.h"
#include "dense/product.h"
#include "testing/dense/matrices.h"
#include <time.h>

static int rank, size;

typedef struct {
    hesca_type type;
    int hermitian;
    char uplo, trans;
    int64_t n, k;
    number alpha, beta;
    matrix a, c;
    hesca_stays stays;
} test;

static int
call(const test *x)
{
    unsigned char alpha[16], beta[16];
    put_number(x->type, alpha, x->alpha);
    put_number(x->type, beta, x->beta);
    const hesca_product p = {x->type, x->uplo, x->trans, x->trans,
                             x->n,    x->n,    x->k,     alpha,
                             beta,    &x->a.a, &x->a.a,  &x->c.a};
    if (x->stays != HESCA_STAYS_ANY)
        return hesca_product_syrk(&p, x->hermitian, x->stays, MPI_COMM_WORLD);
    return (x->hermitian ? hesca_herk : hesca_syrk)(
        x->type, x->uplo, x->trans, x->n, x->k, alpha, &x->a.a, beta, &x->c.a,
        MPI_COMM_WORLD);
}

static unsigned char *
blas(const test *x)
{
    unsigned char alpha[16], beta[16];
    unsigned char *a = whole_of(&x->a), *c = whole_of(&x->c);
    put_number(x->type, alpha, x->alpha);
    put_number(x->type, beta, x->beta);
    hesca_kernel_syrk(x->type, x->hermitian, x->uplo, x->trans, x->n, x->k,
                      alpha, a, x->a.m, beta, c, x->n);
    free(a);
    return c;
}

static void
check_element(const test *x, int64_t i, int64_t j, const unsigned char *at,
              const void *must_be)
{
    const size_t esize = size_of(x->type);
    const number is = get_number(x->type, at);
    const number must = get_number(x->type, must_be);
    const double bound =
        4 * precision(x->type) * ((double)x->k + 4) *
        (2 * size_of_number(x->alpha) + size_of_number(x->beta));
    if (x->uplo == 'L' ? i < j : i > j) {
        const unsigned char *before =
            x->c.before + (at - (unsigned char *)x->c.a.local);
        CHECK(memcmp(at, before, esize) == 0, "(%lld,%lld) was written",
              (long long)i, (long long)j);
        return;
    }
    CHECK(are_close(x->type, is, must, bound),
          "%d type %d %c%c n %lld k %lld (%lld,%lld): %g + %gi, not %g + %gi",
          x->hermitian, (int)x->type, x->uplo, x->trans, (long long)x->n,
          (long long)x->k, (long long)i, (long long)j, creal(is), cimag(is),
          creal(must), cimag(must));
    if (x->hermitian && i == j && !isnan(cimag(must)))
        CHECK(cimag(is) == cimag(must), "(%lld,%lld): imaginary part %g",
              (long long)i, (long long)j, cimag(is));
}

static void
check_result(const test *x)
{
    unsigned char *must = blas(x);
    for (int64_t j = 0; j < x->n; ++j)
        for (int64_t i = 0; i < x->n; ++i) {
            const unsigned char *at = own_element(&x->c, i, j);
            if (at != NULL)
                check_element(x, i, j, at,
                              must +
                                  (size_t)(i + j * x->n) * size_of(x->type));
        }
    CHECK(is_untouched(&x->c, 1), "something outside of sub(C) was written");
    CHECK(is_untouched(&x->a, 0), "A was written");
    free(must);
}

/* The same bits, whenever messages arrive. */
static void
repeat(const test *x)
{
    const struct timespec late = {.tv_nsec = rank % 2 * 300000L};
    unsigned char *first = malloc(x->c.bytes + 1);
    memcpy(first, x->c.a.local, x->c.bytes);
    memcpy(x->c.a.local, x->c.before, x->c.bytes);
    nanosleep(&late, NULL);
    const int err = call(x);
    CHECK(err == HESCA_SUCCESS && memcmp(first, x->c.a.local, x->c.bytes) == 0,
          "%d: not the same bits", err);
    free(first);
}

static number
draw_scalar(hesca_type type)
{
    const int kind = check_uniform(0, 5);
    return kind < 3 ? kind - 1 : some_number(type, check_random(), 0, 0);
}

static int64_t
draw_size(void)
{
    const int kind = check_uniform(0, 9);
    return kind < 2 ? kind : check_uniform(2, kind < 7 ? 60 : 300);
}

/* Now and then NaN, which beta = 0 must hide, or a diagonal that is not real.
 */
static void
make_odd(test *x)
{
    const int at = x->n > 0 ? check_uniform(0, (int)x->n - 1) : 0;
    if (check_uniform(0, 3) != 0 || x->n == 0)
        return;
    x->c.odd_i = at;
    x->c.odd_j = check_uniform(0, 1) ? at : check_uniform(0, (int)x->n - 1);
    x->c.odd = is_complex(x->type) && at == x->c.odd_j ? CMPLX(0.5, NAN) : NAN;
    if (!x->hermitian)
        x->c.odd = NAN;
    fill(&x->c);
}

static void
draw(test *x)
{
    *x = (test){.type = (hesca_type)check_uniform(0, 3),
                .hermitian = check_uniform(0, 1),
                .uplo = check_uniform(0, 1) ? 'L' : 'U'};
    const char other = x->hermitian ? 'C' : 'T';
    x->trans = check_uniform(0, 1) ? 'N' : other;
    if (!is_complex(x->type) && x->trans != 'N')
        x->trans = check_uniform(0, 1) ? 'T' : 'C';
    x->n = draw_size();
    x->k = draw_size();
    x->alpha = draw_scalar(x->hermitian ? hesca_type_real(x->type) : x->type);
    x->beta = draw_scalar(x->hermitian ? hesca_type_real(x->type) : x->type);
    x->a = x->trans == 'N' ? draw_matrix(x->type, size, x->n, x->k)
                           : draw_matrix(x->type, size, x->k, x->n);
    x->c = draw_matrix(x->type, size, x->n, x->n);
    make_odd(x);
    x->stays = (hesca_stays)check_uniform(HESCA_STAYS_A, HESCA_STAYS_ANY);
}

int
main(int argc, char **argv)
{
    const uint64_t seed = check_seed(20270);
    const int cases = check_cases(160);
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    if (rank == 0)
        printf("HESCA_TEST_SEED=%llu\n", (unsigned long long)seed);
    for (int k = 0; k < cases; ++k) {
        const long failures = check_failures;
        test x;
        check_state = seed + (uint64_t)k;
        draw(&x);
        const int err = call(&x);
        CHECK(err == HESCA_SUCCESS, "%s", hesca_error_text());
        check_result(&x);
        repeat(&x);
        free_matrix(&x.a);
        free_matrix(&x.c);
        if (check_failures > failures)
            fprintf(stderr, "that was HESCA_TEST_SEED=%llu\n",
                    (unsigned long long)(seed + (uint64_t)k));
    }
    const int failed = check_done("t_syrk");
    MPI_Finalize();
    return failed;
}
