/* SPDX-License-Identifier: BSD-3-Clause */
/* hesca_potrf() and hesca_potrs() against LAPACK: random matrices in random
 * layouts, submatrices at any origin, both triangles, all types, indefinite
 * and non-finite matrices.  Nothing but the named triangle is written. */
#define _POSIX_C_SOURCE 200809L /* nanosleep */
#include "base/arith.h"
#include "dense/factor.h"
#include "dense/kernels.h"
#include "testing/dense/numbers.h"
#include "testing/dense/slow.h"
#include "testing/layouts.h"
#include <time.h>

static int rank, size;

static double
uniform(void)
{
    return (double)(check_random() >> 11) / 4503599627370496.0 - 1;
}

/* ------------------------------------------------ distributed matrices */

/* A matrix that all processes know, and this one's part of it. */
typedef struct {
    hesca_type type;
    hesca_layout *layout;
    int64_t m, n, locr, locc;
    hesca_matrix sub;
    unsigned char *all;   /* m x n */
    unsigned char *local; /* as it was given away */
} matrix;

static unsigned char *
at(const matrix *a, int64_t i, int64_t j)
{
    return a->all + (size_t)(i + j * a->m) * hesca_type_size(a->type);
}

/* Now and then block-cyclic with square blocks, for wide panels. */
static hesca_layout *
distribute(int64_t m, int64_t n)
{
    const int nb = check_uniform(1, 40), nprow = check_uniform(1, size);
    const int npcol = check_uniform(1, size / nprow);
    int ranks[LAYOUTS_MOST];
    hesca_layout *x;
    if (check_uniform(0, 3))
        return draw_layout(size, m, n, 40);
    draw_ranks(size, ranks, nprow * npcol);
    CHECK(hesca_layout_create_cyclic(m, n, nb, nb, check_uniform(0, nprow - 1),
                                     check_uniform(0, npcol - 1), nprow, npcol,
                                     ranks, &x) == HESCA_SUCCESS,
          "%s", hesca_error_text());
    return x;
}

/* A matrix around sub(A) of m x n elements, all of them bits without meaning,
 * among them NaN. */
static matrix
make(hesca_type type, int64_t m, int64_t n)
{
    matrix a = {.type = type};
    a.sub.i = check_uniform(0, 2) == 0 ? check_uniform(0, 50) : 0;
    a.sub.j = check_uniform(0, 2) == 0 ? check_uniform(0, 50) : a.sub.i;
    a.m = a.sub.i + m + check_uniform(0, 9);
    a.n = a.sub.j + n + check_uniform(0, 9);
    a.layout = distribute(a.m, a.n);
    a.sub.layout = a.layout;
    const size_t bytes = (size_t)(a.m * a.n) * hesca_type_size(type);
    a.all = malloc(bytes + 1);
    for (size_t k = 0; k < bytes; ++k)
        a.all[k] = (unsigned char)check_random();
    return a;
}

/* Whether sub(A) has element (i,j) of the matrix, and which. */
static int
inside(const matrix *a, int64_t m, int64_t n, int64_t i, int64_t j)
{
    return i >= a->sub.i && j >= a->sub.j && i < a->sub.i + m &&
           j < a->sub.j + n;
}

static void
fill_local(matrix *a)
{
    const size_t esize = hesca_type_size(a->type);
    hesca_layout_local_size(a->layout, rank, &a->locr, &a->locc);
    a->sub.lld = a->locr + check_uniform(1, 3);
    const size_t bytes = (size_t)(a->sub.lld * a->locc + 1) * esize;
    a->sub.local = malloc(bytes);
    a->local = malloc(bytes);
    memset(a->sub.local, 0x5b, bytes);
    for (int64_t j = 0; j < a->n; ++j)
        for (int64_t i = 0; i < a->m; ++i) {
            int owner;
            int64_t il, jl;
            hesca_layout_locate(a->layout, i, j, &owner, &il, &jl);
            if (owner == rank)
                memcpy((char *)a->sub.local +
                           (size_t)(il + jl * a->sub.lld) * esize,
                       at(a, i, j), esize);
        }
    memcpy(a->local, a->sub.local, bytes);
}

/* The parts of all processes, gathered; gaps of local arrays are checked. */
static void
gather(matrix *a)
{
    const size_t esize = hesca_type_size(a->type);
    const size_t bytes = (size_t)(a->m * a->n) * esize;
    memset(a->all, 0, bytes);
    for (int64_t j = 0; j < a->n; ++j)
        for (int64_t i = 0; i < a->m; ++i) {
            int owner;
            int64_t il, jl;
            hesca_layout_locate(a->layout, i, j, &owner, &il, &jl);
            if (owner == rank)
                memcpy(at(a, i, j),
                       (char *)a->sub.local +
                           (size_t)(il + jl * a->sub.lld) * esize,
                       esize);
        }
    MPI_Allreduce(MPI_IN_PLACE, a->all, (int)bytes, MPI_BYTE, MPI_BOR,
                  MPI_COMM_WORLD);
    for (int64_t j = 0; j < a->locc; ++j) {
        const size_t from = (size_t)(a->locr + j * a->sub.lld) * esize;
        const size_t n = (size_t)(a->sub.lld - a->locr) * esize;
        CHECK(memcmp((char *)a->sub.local + from, a->local + from, n) == 0,
              "gap behind local column %lld", (long long)j);
    }
}

static void
drop(matrix *a)
{
    hesca_layout_free(a->layout);
    free(a->all);
    free(a->sub.local);
    free(a->local);
}

/* ------------------------------------------------ one case */

typedef enum { DEFINITE, INDEFINITE, WITH_NAN, OVERFLOWS, SPECIES } species;

typedef struct {
    hesca_type type;
    char uplo;
    int64_t n, nrhs;
    species species;
    int64_t bad; /* row of what is wrong */
} task;

static int
named(const task *t, int64_t i, int64_t j)
{
    return t->uplo == 'L' ? i >= j : i <= j;
}

static number
element(const matrix *a, const unsigned char *from, int64_t i, int64_t j)
{
    return get_number(a->type,
                      from + (size_t)(a->sub.i + i + (a->sub.j + j) * a->m) *
                                 hesca_type_size(a->type));
}

/* A Hermitian matrix, well conditioned; full[i + j * n], and its triangle in
 * sub(A).  Of one that overflows the minors before row bad are positive; in
 * this row the factor is infinite, then NaN. */
static void
fill(const task *t, matrix *a, number *full)
{
    const int64_t n = t->n;
    const double large =
        t->type == HESCA_S || t->type == HESCA_C ? 1e30 : 1e300;
    for (int64_t j = 0; j < n; ++j)
        for (int64_t i = j; i < n; ++i) {
            number x = i == j ? (double)n + 1 : uniform();
            if (hesca_type_is_complex(t->type) && i != j)
                x += uniform() * I;
            if (t->species == INDEFINITE && i == j && i == t->bad)
                x = -x;
            if (t->species == WITH_NAN && i == t->bad && j == t->bad / 2)
                x = NAN;
            if (t->species == OVERFLOWS && j == 0)
                x = i == 0 ? 1 / large : i == t->bad ? large : 0;
            full[i + j * n] = x;
            full[j + i * n] = conj(x);
        }
    for (int64_t j = 0; j < n; ++j)
        for (int64_t i = 0; i < n; ++i) {
            unsigned char *p = at(a, a->sub.i + i, a->sub.j + j);
            if (!named(t, i, j))
                continue;
            put_number(t->type, p, full[i + j * n]);
            full[i + j * n] = get_number(t->type, p); /* as it was rounded */
            full[j + i * n] = conj(full[i + j * n]);
        }
}

/* Everything but the named triangle is as it was. */
static void
check_outside(const task *t, const matrix *a, const unsigned char *before)
{
    const size_t esize = hesca_type_size(t->type);
    for (int64_t j = 0; j < a->n; ++j)
        for (int64_t i = 0; i < a->m; ++i) {
            const unsigned char *p = at(a, i, j);
            if (!inside(a, t->n, t->n, i, j) ||
                !named(t, i - a->sub.i, j - a->sub.j))
                CHECK(memcmp(p, before + (p - a->all), esize) == 0,
                      "type %d %c n %lld: (%lld,%lld) was written", t->type,
                      t->uplo, (long long)t->n, (long long)i, (long long)j);
        }
}

/* ||A - L L'|| / (||A|| n eps), of the leading k x k part, in the norm of the
 * largest column sum; and that L is LAPACK's. */
static void
check_factor(const task *t, const matrix *a, const number *full,
             const unsigned char *reference, int64_t k)
{
    double norm = 0, residual = 0, differ = 0;
    for (int64_t j = 0; j < k; ++j) {
        double column = 0, sum = 0;
        for (int64_t i = 0; i < k; ++i) {
            number x = full[i + j * t->n];
            column += cabs(x);
            for (int64_t l = 0; l <= (i < j ? i : j); ++l)
                x -= t->uplo == 'L' ? element(a, a->all, i, l) *
                                          conj(element(a, a->all, j, l))
                                    : conj(element(a, a->all, l, i)) *
                                          element(a, a->all, l, j);
            sum += cabs(x);
            if (named(t, i, j))
                differ = fmax(differ, cabs(element(a, a->all, i, j) -
                                           element(a, reference, i, j)));
        }
        norm = fmax(norm, column);
        residual = fmax(residual, sum);
    }
    if (k == 0)
        return;
    residual /= norm * (double)t->n * precision(t->type);
    differ /= sqrt(norm) * (double)t->n * precision(t->type);
    CHECK(residual < 30, "type %d %c n %lld k %lld: residual %g", t->type,
          t->uplo, (long long)t->n, (long long)k, residual);
    CHECK(differ < 30, "type %d %c n %lld k %lld: %g from LAPACK", t->type,
          t->uplo, (long long)t->n, (long long)k, differ);
}

/* ||A X - B|| / ((||A|| ||X|| + ||B||) n eps), and what is around sub(B). */
static void
check_solution(const task *t, const number *full, const matrix *b,
               const unsigned char *before)
{
    const size_t esize = hesca_type_size(t->type);
    double worst = 0, norm = 0;
    for (int64_t j = 0; j < b->n; ++j)
        for (int64_t i = 0; i < b->m; ++i) {
            const unsigned char *p = at(b, i, j);
            if (!inside(b, t->n, t->nrhs, i, j))
                CHECK(memcmp(p, before + (p - b->all), esize) == 0,
                      "(%lld,%lld) of B was written", (long long)i,
                      (long long)j);
        }
    for (int64_t j = 0; j < t->n; ++j) {
        double sum = 0;
        for (int64_t i = 0; i < t->n; ++i)
            sum += cabs(full[i + j * t->n]);
        norm = fmax(norm, sum);
    }
    for (int64_t j = 0; j < t->nrhs; ++j) {
        double sum = 0, x_sum = 0, b_sum = 0;
        for (int64_t i = 0; i < t->n; ++i) {
            number r = element(b, before, i, j);
            b_sum += cabs(r);
            x_sum += cabs(element(b, b->all, i, j));
            for (int64_t l = 0; l < t->n; ++l)
                r -= full[i + l * t->n] * element(b, b->all, l, j);
            sum += cabs(r);
        }
        worst = fmax(worst, sum / ((norm * x_sum + b_sum) * (double)t->n *
                                   precision(t->type)));
    }
    CHECK(worst < 30 || t->n == 0, "type %d %c n %lld nrhs %lld: residual %g",
          t->type, t->uplo, (long long)t->n, (long long)t->nrhs, worst);
}

static void
solve(const task *t, const matrix *a, const number *full)
{
    matrix b = make(t->type, t->n, t->nrhs);
    for (int64_t j = 0; j < t->nrhs; ++j)
        for (int64_t i = 0; i < t->n; ++i)
            put_number(t->type, at(&b, b.sub.i + i, b.sub.j + j),
                       uniform() + uniform() * I);
    fill_local(&b);
    const size_t bytes = (size_t)(b.m * b.n) * hesca_type_size(t->type);
    unsigned char *before = malloc(bytes + 1);
    memcpy(before, b.all, bytes);
    const int err = hesca_potrs(t->type, t->uplo, t->n, t->nrhs, &a->sub,
                                &b.sub, MPI_COMM_WORLD);
    CHECK(err == HESCA_SUCCESS, "%s", hesca_error_text());
    gather(&b);
    check_solution(t, full, &b, before);
    free(before);
    drop(&b);
}

/* The same bits, whenever messages arrive. */
static void
repeat(const task *t, const matrix *a)
{
    const size_t esize = hesca_type_size(t->type);
    const size_t bytes = (size_t)(a->sub.lld * a->locc) * esize;
    const struct timespec late = {.tv_nsec = rank % 2 * 300000L};
    unsigned char *first = malloc(bytes + 1);
    int64_t info = -1;
    memcpy(first, a->sub.local, bytes);
    memcpy(a->sub.local, a->local, bytes);
    nanosleep(&late, NULL);
    const int err =
        hesca_potrf(t->type, t->uplo, t->n, &a->sub, MPI_COMM_WORLD, &info);
    CHECK(err == HESCA_SUCCESS && memcmp(first, a->sub.local, bytes) == 0,
          "type %d %c n %lld: not the same", t->type, t->uplo,
          (long long)t->n);
    free(first);
}

/* Of a matrix that is copied from another layout, and back, while it is
 * factored: the same info, LAPACK's factor.
 * \param [in] from  A's, as it was. */
static void
copied(const task *t, matrix *a, const unsigned char *from, int64_t must,
       const number *full, const unsigned char *reference)
{
    const size_t esize = hesca_type_size(t->type);
    const size_t bytes = (size_t)(a->m * a->n) * esize;
    const struct timespec late = {.tv_nsec = rank % 2 * 300000L};
    matrix home = *a;
    unsigned char *before = malloc(bytes + 1);
    int64_t info = -1;
    hesca_background *copies;
    hesca_comm *c;
    home.layout = distribute(a->m, a->n);
    home.sub.layout = home.layout;
    home.all = malloc(bytes + 1);
    memcpy(home.all, from, bytes);
    memcpy(before, from, bytes);
    fill_local(&home);
    memset(a->sub.local, 0x5b, (size_t)(a->sub.lld * a->locc) * esize);
    CHECK(hesca_comm_get(MPI_COMM_WORLD, &c) == HESCA_SUCCESS &&
              hesca_background_make(t->uplo == 'L' ? HESCA_LOWER : HESCA_UPPER,
                                    t->n, t->n, &home.sub, &a->sub, esize, c,
                                    &copies) == HESCA_SUCCESS,
          "%s", hesca_error_text());
    if (copies == NULL) { /* another schedule is better */
        free(before);
        drop(&home);
        return;
    }
    nanosleep(&late, NULL);
    CHECK(hesca_background_begin(copies, home.sub.local, home.sub.lld,
                                 a->sub.local, a->sub.lld) == HESCA_SUCCESS &&
              hesca_potrf_and_copy(t->type, t->uplo, t->n, &a->sub, copies,
                                   MPI_COMM_WORLD, &info) == HESCA_SUCCESS,
          "%s", hesca_error_text());
    hesca_background_release(copies);
    hesca_background_free(copies);
    gather(&home);
    check_outside(t, &home, before);
    CHECK(info == must, "type %d %c n %lld, copied: info is %lld, not %lld",
          t->type, t->uplo, (long long)t->n, (long long)info, (long long)must);
    check_factor(t, &home, full, reference, info > 0 ? info - 1 : t->n);
    free(before);
    drop(&home);
}

static void
run(const task *t)
{
    matrix a = make(t->type, t->n, t->n);
    const size_t esize = hesca_type_size(t->type);
    const size_t bytes = (size_t)(a.m * a.n) * esize;
    number *full = malloc(((size_t)(t->n * t->n) + 1) * sizeof *full);
    unsigned char *before = malloc(bytes + 1), *reference = malloc(bytes + 1);
    int64_t info = -1, least;
    fill(t, &a, full);
    fill_local(&a);
    memcpy(before, a.all, bytes);
    memcpy(reference, a.all, bytes);
    const int64_t must = hesca_kernel_potrf(
        t->type, t->uplo, t->n,
        reference + (size_t)(a.sub.i + a.sub.j * a.m) * esize, a.m);
    const int err =
        hesca_potrf(t->type, t->uplo, t->n, &a.sub, MPI_COMM_WORLD, &info);
    CHECK(err == HESCA_SUCCESS, "%s", hesca_error_text());
    MPI_Allreduce(&info, &least, 1, MPI_INT64_T, MPI_MIN, MPI_COMM_WORLD);
    CHECK(info == least, "info is %lld, and %lld elsewhere", (long long)info,
          (long long)least);
    gather(&a);
    check_outside(t, &a, before);
    if (t->species == WITH_NAN || t->species == OVERFLOWS)
        CHECK(info == t->bad + 1,
              "type %d %c n %lld, %s: info is %lld, not %lld", t->type,
              t->uplo, (long long)t->n,
              t->species == WITH_NAN ? "NaN" : "overflow", (long long)info,
              (long long)t->bad + 1);
    else {
        CHECK(info == must, "type %d %c n %lld: info is %lld, not %lld",
              t->type, t->uplo, (long long)t->n, (long long)info,
              (long long)must);
        check_factor(t, &a, full, reference, info > 0 ? info - 1 : t->n);
    }
    if (t->species == DEFINITE && info == 0)
        solve(t, &a, full);
    if (t->species == DEFINITE)
        repeat(t, &a);
    if (t->n > 0 && (t->species == DEFINITE || t->species == INDEFINITE))
        copied(t, &a, before, must, full, reference);
    free(full);
    free(before);
    free(reference);
    drop(&a);
}

int
main(int argc, char **argv)
{
    static const int64_t small[] = {0, 1, 2, 3, 65};
    const uint64_t seed = check_seed(20260);
    const int cases = check_cases(32);
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    if (rank == 0) {
        begin_slow(size);
        printf("HESCA_TEST_SEED=%llu\n", (unsigned long long)seed);
    }
    for (int k = 0; k < cases; ++k) {
        check_state = seed + (uint64_t)k;
        task t = {.type = (hesca_type)check_uniform(0, 3),
                  .uplo = check_uniform(0, 1) ? 'L' : 'U'};
        t.n = check_uniform(0, 3) == 0 ? small[check_uniform(0, 4)]
                                       : check_uniform(4, 150);
        if (k % 16 == 5) { /* panels in chunks */
            t.type = HESCA_Z;
            t.n = check_uniform(260, 400);
        }
        t.nrhs = check_uniform(0, 1) > 0 ? 1 : check_uniform(0, 120);
        t.species = check_uniform(0, 3) > 0 || t.n == 0
                        ? DEFINITE
                        : (species)check_uniform(0, SPECIES - 1);
        t.bad = t.n == 0 ? 0 : check_uniform(0, (int)t.n - 1);
        if (t.species == OVERFLOWS && t.bad == 0)
            t.species = DEFINITE;
        const long failures = check_failures;
        run(&t);
        if (check_failures > failures && rank == 0)
            fprintf(stderr, "that was HESCA_TEST_SEED=%llu\n",
                    (unsigned long long)(seed + (uint64_t)k));
    }
    const int failed = check_done("t_potrf");
    MPI_Finalize();
    return failed;
}
