/* SPDX-License-Identifier: BSD-3-Clause */
/* hesca_gemm() against sums of products, element by element, whichever matrix
 * stays in place: all types and transpositions, random layouts and submatrices
 * of all three matrices, sizes 0 and 1, grids larger than the matrices, NaN
 * and infinity; narrow panels; nothing else is written.  Bad arguments are
 * refused on all processes. */
#define _POSIX_C_SOURCE 200809L /* setenv */
#include "dense/product.h"
#include "hesca/experimental/param.h"
#include "testing/dense/matrices.h"

static int rank, size;

typedef struct {
    uint64_t seed;
    hesca_type type;
    char transa, transb;
    int64_t m, n, k;
    number alpha, beta;
    matrix a, b, c;
    hesca_stays stays;
} test;

static number
operand(const matrix *x, char trans, int64_t i, int64_t j)
{
    const number y = trans == 'N' ? element(x, i, j) : element(x, j, i);
    return trans == 'C' ? conj(y) : y;
}

static int
is_zero(number x)
{
    return x == 0;
}

/* What element (i,j) must be, and how large what was added up for it is. */
static number
result(const test *x, int64_t i, int64_t j, double *gauge)
{
    number sum = 0;
    *gauge = 0;
    for (int64_t l = 0; l < x->k && !is_zero(x->alpha); ++l) {
        const number a = operand(&x->a, x->transa, i, l);
        const number b = operand(&x->b, x->transb, l, j);
        sum += times(a, b);
        *gauge += size_of_number(a) * size_of_number(b);
    }
    sum = times(x->alpha, sum);
    *gauge *= size_of_number(x->alpha);
    if (is_zero(x->beta))
        return sum;
    const number c = element(&x->c, i, j);
    *gauge += size_of_number(x->beta) * size_of_number(c);
    return sum + times(x->beta, c);
}

static void
check_element(const test *x, int64_t i, int64_t j, const void *at)
{
    double gauge;
    const number must = result(x, i, j, &gauge);
    const number is = get_number(x->type, at);
    const double bound =
        2 * precision(x->type) * ((double)x->k + 4) * gauge + 1e-300;
    CHECK(are_close(x->type, is, must, bound),
          "seed %#llx, type %d, %d stays, %c%c, %lld x %lld x %lld, "
          "(%lld,%lld): %g + "
          "%gi, not %g + %gi",
          (unsigned long long)x->seed, (int)x->type, (int)x->stays, x->transa,
          x->transb, (long long)x->m, (long long)x->n, (long long)x->k,
          (long long)i, (long long)j, creal(is), cimag(is), creal(must),
          cimag(must));
}

static void
check_result(const test *x)
{
    for (int64_t j = 0; j < x->n; ++j)
        for (int64_t i = 0; i < x->m; ++i) {
            int owner;
            int64_t il, jl;
            hesca_layout_locate(x->c.a.layout, x->c.a.i + i, x->c.a.j + j,
                                &owner, &il, &jl);
            if (owner == rank)
                check_element(x, i, j,
                              (unsigned char *)x->c.a.local +
                                  (size_t)(il + jl * x->c.a.lld) *
                                      size_of(x->type));
        }
    CHECK(is_untouched(&x->c, 1), "seed %#llx: something outside sub(C)",
          (unsigned long long)x->seed);
    CHECK(is_untouched(&x->a, 0) && is_untouched(&x->b, 0),
          "seed %#llx: A or B was written", (unsigned long long)x->seed);
}

static int64_t
draw_size(void)
{
    const int kind = check_uniform(0, 9);
    return kind < 2 ? kind : check_uniform(2, 45);
}

static number
draw_scalar(hesca_type type)
{
    const int kind = check_uniform(0, 5);
    if (kind < 3)
        return kind - 1;
    return some_number(type, check_random(), 0, 0);
}

/* NaN or infinity; BLAS does not promise how a complex infinity multiplies. */
static number
draw_odd(hesca_type type)
{
    const int kind = is_complex(type) ? 0 : check_uniform(0, 2);
    return kind == 0 ? NAN : kind == 1 ? INFINITY : -INFINITY;
}

static void
make_odd(matrix *x)
{
    if (check_uniform(0, 4) != 0 || x->m == 0 || x->n == 0)
        return;
    x->odd_i = check_uniform(0, (int)x->m - 1);
    x->odd_j = check_uniform(0, (int)x->n - 1);
    x->odd = draw_odd(x->type);
    fill(x);
}

static void
draw(test *x, hesca_type type)
{
    static const char letter[] = "NTC";
    memset(x, 0, sizeof *x);
    x->seed = check_state;
    x->type = type;
    x->transa = letter[check_uniform(0, 2)];
    x->transb = letter[check_uniform(0, 2)];
    x->m = draw_size();
    x->n = draw_size();
    x->k = draw_size();
    x->alpha = draw_scalar(type);
    x->beta = draw_scalar(type);
    x->a = x->transa == 'N' ? draw_matrix(type, size, x->m, x->k)
                            : draw_matrix(type, size, x->k, x->m);
    x->b = x->transb == 'N' ? draw_matrix(type, size, x->k, x->n)
                            : draw_matrix(type, size, x->n, x->k);
    x->c = draw_matrix(type, size, x->m, x->n);
    make_odd(&x->a);
    make_odd(&x->b);
    make_odd(&x->c);
    x->stays = HESCA_STAYS_ANY;
}

/* A row, or a column, of processes: factors that need not travel. */
static matrix
line_matrix(hesca_type type, int is_row, int nb, int64_t m, int64_t n,
            const int64_t *at)
{
    hesca_layout *l;
    hesca_layout_create_cyclic(m + at[0], n + at[1], nb, nb, 0, 0,
                               is_row ? 1 : size, is_row ? size : 1, NULL, &l);
    return make_matrix(type, l, m, n, at[0], at[1]);
}

static void
draw_line(test *x, hesca_type type)
{
    const int is_row = check_uniform(0, 1), nb = check_uniform(1, 8);
    const int64_t common = check_uniform(0, 9), at[] = {common, common};
    draw(x, type);
    free_matrix(&x->a);
    free_matrix(&x->b);
    free_matrix(&x->c);
    x->transa = x->transb = 'N';
    x->a = line_matrix(type, is_row, nb, x->m, x->k, at);
    x->b = line_matrix(type, is_row, nb, x->k, x->n, at);
    x->c = line_matrix(type, is_row, nb, x->m, x->n, at);
}

static void
clear(test *x)
{
    free_matrix(&x->a);
    free_matrix(&x->b);
    free_matrix(&x->c);
}

static int
call(const test *x, MPI_Comm comm)
{
    unsigned char alpha[16], beta[16];
    put_number(x->type, alpha, x->alpha);
    put_number(x->type, beta, x->beta);
    const int small = (int)(x->seed % 2) * ('a' - 'A');
    const hesca_product p = {.type = x->type,
                             .transa = (char)(x->transa + small),
                             .transb = (char)(x->transb + small),
                             .m = x->m,
                             .n = x->n,
                             .k = x->k,
                             .alpha = alpha,
                             .beta = beta,
                             .a = &x->a.a,
                             .b = &x->b.a,
                             .c = &x->c.a};
    if (x->stays != HESCA_STAYS_ANY)
        return hesca_product_gemm(&p, x->stays, comm);
    return hesca_gemm(x->type, (char)(x->transa + small),
                      (char)(x->transb + small), x->m, x->n, x->k, alpha,
                      &x->a.a, &x->b.a, beta, &x->c.a, comm);
}

static void
one_case(hesca_type type, MPI_Comm comm)
{
    test x;
    if (check_uniform(0, 3) == 0)
        draw_line(&x, type);
    else
        draw(&x, type);
    x.stays = (hesca_stays)check_uniform(HESCA_STAYS_A, HESCA_STAYS_ANY);
    CHECK(call(&x, comm) == HESCA_SUCCESS, "seed %#llx: %s",
          (unsigned long long)x.seed, hesca_error_text());
    check_result(&x);
    clear(&x);
}

/* ------------------------------------------------ errors */

/* Refused with the same error on all processes, and nothing written. */
static void
check_refused(const test *x, int err, int want, int info, const char *word)
{
    char first[400], mine[400];
    snprintf(mine, sizeof mine, "%d %d %s", err, hesca_error_info(),
             hesca_error_text());
    memcpy(first, mine, sizeof first);
    MPI_Bcast(first, sizeof first, MPI_CHAR, 0, MPI_COMM_WORLD);
    CHECK(err == want && hesca_error_info() == info &&
              strstr(mine, word) != NULL,
          "rank %d: not %d, %d, '%s': %s", rank, want, info, word, mine);
    CHECK(strcmp(first, mine) == 0, "rank %d: '%s', rank 0: '%s'", rank, mine,
          first);
    CHECK(is_untouched(&x->c, 0), "rank %d: C was written", rank);
}

/* 6 x 7 x 8 in one layout, which gives each process some elements. */
static void
make_plain(test *x)
{
    hesca_layout *l[3];
    memset(x, 0, sizeof *x);
    *x = (test){.type = HESCA_D,
                .transa = 'N',
                .transb = 'N',
                .m = 6,
                .n = 7,
                .k = 8,
                .alpha = 1,
                .beta = 2,
                .stays = HESCA_STAYS_ANY};
    for (int k = 0; k < 3; ++k)
        hesca_layout_create_cyclic(20, 20, 1, 1, 0, 0, size, 1, NULL, &l[k]);
    x->a = make_matrix(HESCA_D, l[0], 6, 8, 1, 2);
    x->b = make_matrix(HESCA_D, l[1], 8, 7, 3, 4);
    x->c = make_matrix(HESCA_D, l[2], 6, 7, 5, 6);
}

static void
errors_of_one(test *x, MPI_Comm comm)
{
    const int last = rank == size - 1;
    const double one = 1;
    test y = *x;
    y.m = last ? -2 : 6;
    check_refused(x, call(&y, comm), HESCA_ERR_ARG, 4, "m, is -2");
    y = *x;
    y.type = last ? (hesca_type)7 : HESCA_D;
    check_refused(x,
                  hesca_gemm(y.type, 'N', 'N', 6, 7, 8, &one, &x->a.a, &x->b.a,
                             &one, &x->c.a, comm),
                  HESCA_ERR_ARG, 1, "type, is 7");
    check_refused(x,
                  hesca_gemm(HESCA_D, 'N', last ? '\0' : 'N', 6, 7, 8, &one,
                             &x->a.a, &x->b.a, &one, &x->c.a, comm),
                  HESCA_ERR_ARG, 3, "one of NTC");
    check_refused(x,
                  hesca_gemm(HESCA_D, 'N', 'N', 6, 7, 8, last ? NULL : &one,
                             &x->a.a, &x->b.a, &one, &x->c.a, comm),
                  HESCA_ERR_ARG, 7, "alpha, is NULL");
    check_refused(x,
                  hesca_gemm(HESCA_D, 'N', 'N', 6, 7, 8, &one, &x->a.a,
                             last ? NULL : &x->b.a, &one, &x->c.a, comm),
                  HESCA_ERR_ARG, 9, "b, is NULL");
    y = *x;
    y.a.a.i = 15;
    check_refused(x, call(&y, comm), HESCA_ERR_ARG, 802, "inside the matrix");
    y = *x;
    y.c.a.j = last ? -1 : 6;
    check_refused(x, call(&y, comm), HESCA_ERR_ARG, 1103, "j of c, is -1");
    y = *x;
    y.b.a.layout = last ? NULL : x->b.a.layout;
    check_refused(x, call(&y, comm), HESCA_ERR_ARG, 901, "layout");
    y = *x;
    y.a.a.local = last ? NULL : x->a.a.local;
    check_refused(x, call(&y, comm), HESCA_ERR_ARG, 804, "local of a");
    y = *x;
    y.c.a.lld = last ? 0 : x->c.a.lld;
    check_refused(x, call(&y, comm), HESCA_ERR_ARG, 1105, "lld of c, is 0");
    y = *x;
    y.b.a.lld = last ? (int64_t)1 << 31 : x->b.a.lld;
    check_refused(x, call(&y, comm), HESCA_ERR_UNSUPPORTED, 905, "2^31");
}

/* A layout with a rank that the communicator does not have. */
static void
strange_rank(test *x, MPI_Comm comm)
{
    const int ranks[1] = {size};
    test y = *x;
    hesca_layout *l;
    hesca_layout_create_cyclic(20, 20, 1, 1, 0, 0, 1, 1, ranks, &l);
    y.a.a.layout = l;
    check_refused(x, call(&y, comm), HESCA_ERR_ARG, 801, "a rank of the");
    hesca_layout_free(l);
}

static void
differing(test *x, MPI_Comm comm)
{
    const int last = rank == size - 1;
    test y = *x;
    if (size == 1)
        return;
    y.k = last ? 7 : 8;
    check_refused(x, call(&y, comm), HESCA_ERR_MISMATCH, 6, "k, differs");
    y = *x;
    y.beta = last ? 3 : 2;
    check_refused(x, call(&y, comm), HESCA_ERR_MISMATCH, 10, "beta, differs");
    y = *x;
    y.b.a.j = last ? 3 : 4;
    check_refused(x, call(&y, comm), HESCA_ERR_MISMATCH, 903,
                  "j of b, differs");
    y = *x;
    hesca_layout *l;
    hesca_layout_create_cyclic(20, 20, last ? 3 : 2, 1, 0, 0, size, 1, NULL,
                               &l);
    y.c.a.layout = l;
    y.c.a.lld = 20;
    check_refused(x, call(&y, comm), HESCA_ERR_MISMATCH, 1101,
                  "layout (fingerprint) of c, differs");
    hesca_layout_free(l);
}

static void
errors(MPI_Comm comm)
{
    test x;
    make_plain(&x);
    errors_of_one(&x, comm);
    strange_rank(&x, comm);
    differing(&x, comm);
    CHECK(call(&x, comm) == HESCA_SUCCESS, "%s", hesca_error_text());
    check_result(&x); /* it works after all that */
    clear(&x);
}

/* ------------------------------------------------ all of it */

/* A communicator that reads these parameters. */
static MPI_Comm
with_buffer(const char *buffer)
{
    MPI_Comm comm;
    hesca_params params;
    if (buffer != NULL)
        setenv("HESCA_BUFFER", buffer, 1);
    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    CHECK(hesca_params_agreed(comm, &params) == HESCA_SUCCESS, "%s",
          hesca_error_text());
    unsetenv("HESCA_BUFFER");
    return comm;
}

int
main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    check_state = check_seed(8);
    if (rank == 0)
        printf("HESCA_TEST_SEED=%llu\n", (unsigned long long)check_state);
    MPI_Comm wide = with_buffer(NULL), narrow = with_buffer("64K");
    for (int n = 0; n < check_cases(160); ++n)
        one_case((hesca_type)(n % 4), n / 4 % 2 ? narrow : wide);
    errors(wide);
    MPI_Comm_free(&wide);
    MPI_Comm_free(&narrow);
    const int failed = check_done("t_gemm");
    MPI_Finalize();
    return failed;
}
