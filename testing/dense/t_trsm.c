/* SPDX-License-Identifier: BSD-3-Clause */
/* hesca_trsm() by its residuals: all types and options, random layouts and
 * submatrices, few and many right-hand sides; NaN that alpha = 0 or the other
 * triangle must hide; narrow panels.  Nothing but sub(B) is written, and the
 * bits of two runs are the same. */
#define _POSIX_C_SOURCE 200809L /* nanosleep */
#include "dense/kernels.h"
#include "testing/dense/matrices.h"
#include <time.h>

static int rank, size;

typedef struct {
    hesca_type type;
    char side, uplo, trans, diag;
    int64_t m, n, order;
    number alpha;
    number *t; /* order x order: op(sub(A)) */
    matrix a, b;
} test;

static int
call(const test *x)
{
    unsigned char alpha[16];
    put_number(x->type, alpha, x->alpha);
    return hesca_trsm(x->type, x->side, x->uplo, x->trans, x->diag, x->m, x->n,
                      alpha, &x->a.a, &x->b.a, MPI_COMM_WORLD);
}

/* ------------------------------------------------ operands */

/* A triangle with a dominant diagonal; what is not to be read is NaN. */
static void
make_triangle(test *x)
{
    const int64_t n = x->order;
    number *whole = malloc((size_t)(n * n + 1) * sizeof *whole);
    for (int64_t j = 0; j < n; ++j)
        for (int64_t i = 0; i < n; ++i) {
            const int inside = x->uplo == 'L' ? i > j : i < j;
            number a = element(&x->a, i, j), t = 0;
            if (inside)
                t = a = a / 16;
            else if (i == j && x->diag == 'N')
                t = a = a + CMPLX(2 * (creal(a) > 0) - 1, 0);
            else
                a = CMPLX(NAN, is_complex(x->type) ? NAN : 0);
            if (i == j && x->diag == 'U')
                t = 1;
            if (is_single(x->type))
                t = CMPLX((float)creal(t), (float)cimag(t));
            whole[i + j * n] = a;
            if (x->trans == 'C')
                t = conj(t);
            x->t[x->trans == 'N' ? i + j * n : j + i * n] = t;
        }
    put_whole(&x->a, whole);
    free(whole);
}

static number
draw_alpha(hesca_type type)
{
    const int kind = check_uniform(0, 5);
    return kind < 3 ? kind - 1 : some_number(type, check_random(), 0, 0);
}

static int64_t
draw_size(int most)
{
    const int kind = check_uniform(0, 9);
    return kind < 2 ? kind : check_uniform(2, kind < 7 ? 50 : most);
}

/* Both on one grid in the same blocks, so that panels may be shared. */
static void
draw_aligned(test *x)
{
    const int nb = check_uniform(1, 24), nprow = check_uniform(1, size);
    const int npcol = size / nprow;
    hesca_layout *layout[2];
    for (int k = 0; k < 2; ++k)
        CHECK(hesca_layout_create_cyclic(
                  k ? x->m : x->order, k ? x->n : x->order, nb, nb, 0, 0,
                  nprow, npcol, NULL, &layout[k]) == HESCA_SUCCESS,
              "%s", hesca_error_text());
    x->a = make_matrix(x->type, layout[0], x->order, x->order, 0, 0);
    x->b = make_matrix(x->type, layout[1], x->m, x->n, 0, 0);
}

static void
draw(test *x)
{
    static const char letter[] = "NTC";
    *x = (test){.type = (hesca_type)check_uniform(0, 3),
                .side = check_uniform(0, 1) ? 'L' : 'R',
                .uplo = check_uniform(0, 1) ? 'L' : 'U',
                .trans = letter[check_uniform(0, 2)],
                .diag = check_uniform(0, 1) ? 'N' : 'U'};
    x->order = draw_size(160);
    const int64_t nrhs = draw_size(check_uniform(0, 1) ? 160 : 4);
    x->m = x->side == 'L' ? x->order : nrhs;
    x->n = x->side == 'L' ? nrhs : x->order;
    x->alpha = draw_alpha(x->type);
    if (check_uniform(0, 2)) {
        x->a = draw_matrix(x->type, size, x->order, x->order);
        x->b = draw_matrix(x->type, size, x->m, x->n);
    } else {
        draw_aligned(x);
    }
    x->t = malloc((size_t)(x->order * x->order + 1) * sizeof *x->t);
    make_triangle(x);
    if (x->alpha == 0 && x->m > 0 && x->n > 0) {
        x->b.odd_i = check_uniform(0, (int)x->m - 1);
        x->b.odd_j = check_uniform(0, (int)x->n - 1);
        x->b.odd = NAN;
        fill(&x->b);
    }
}

static void
clear(test *x)
{
    free_matrix(&x->a);
    free_matrix(&x->b);
    free(x->t);
}

/* ------------------------------------------------ checks */

/* ||op(A) X - alpha B|| / (||op(A)|| ||X|| + ||alpha B||), element by element,
 * in eps. */
static void
check_solution(const test *x)
{
    const int64_t m = x->m, n = x->n, order = x->order;
    number *y = malloc((size_t)(m * n + 1) * sizeof *y);
    get_whole(&x->b, y);
    for (int64_t k = 0; k < m * n; ++k) {
        const int64_t i = k % m, j = k / m;
        number r = x->alpha == 0 ? 0 : -x->alpha * element(&x->b, i, j);
        double gauge = cabs(r);
        for (int64_t l = 0; l < order; ++l) {
            const number t =
                x->side == 'L' ? x->t[i + l * order] : x->t[l + j * order];
            const number v = x->side == 'L' ? y[l + j * m] : y[i + l * m];
            r += t * v;
            gauge += cabs(t) * cabs(v);
        }
        const double bound =
            4 * precision(x->type) * ((double)order + 4) * gauge;
        CHECK(cabs(r) <= bound,
              "type %d %c%c%c%c %lld x %lld alpha %g (%lld,%lld): residual %g "
              "above %g",
              (int)x->type, x->side, x->uplo, x->trans, x->diag, (long long)m,
              (long long)n, creal(x->alpha), (long long)i, (long long)j,
              cabs(r), bound);
    }
    free(y);
    CHECK(is_untouched(&x->b, 1), "something outside of sub(B) was written");
    CHECK(is_untouched(&x->a, 0), "A was written");
}

/* The same bits, whenever messages arrive. */
static void
repeat(const test *x)
{
    const struct timespec late = {.tv_nsec = rank % 2 * 300000L};
    unsigned char *first = malloc(x->b.bytes + 1);
    memcpy(first, x->b.a.local, x->b.bytes);
    memcpy(x->b.a.local, x->b.before, x->b.bytes);
    nanosleep(&late, NULL);
    const int err = call(x);
    CHECK(err == HESCA_SUCCESS && memcmp(first, x->b.a.local, x->b.bytes) == 0,
          "%d: not the same bits", err);
    free(first);
}

int
main(int argc, char **argv)
{
    const uint64_t seed = check_seed(20280);
    const int cases = check_cases(240);
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
        check_solution(&x);
        repeat(&x);
        clear(&x);
        if (check_failures > failures)
            fprintf(stderr, "that was HESCA_TEST_SEED=%llu\n",
                    (unsigned long long)(seed + (uint64_t)k));
    }
    const int failed = check_done("t_trsm");
    MPI_Finalize();
    return failed;
}
