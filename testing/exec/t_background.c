/* SPDX-License-Identifier: BSD-3-Clause */
/* hesca_background_*() between random layouts and submatrices: what has
 * arrived is A's triangle, what comes back is what was made of it, nothing
 * around either is touched, and what is not final is not read.  Every process
 * has its columns (rows) final in steps of its own.  With HESCA_NODE_SIZE=1
 * messages go by MPI. */
#include "exec/background.h"
#include "testing/layouts.h"
#include "testing/trapezoid.h"
#include <string.h>

static int rank, size;
static hesca_comm *comm;

enum { JUNK = 0xee, EMPTY = 0x5a };

/* Element (i,j) of the triangle. */
static void
write_value(unsigned char *at, size_t esize, int64_t i, int64_t j, int turn)
{
    const uint64_t z = check_mix((uint64_t)(i * 100003 + 7 * j + turn));
    for (size_t b = 0; b < esize; ++b)
        at[b] = (unsigned char)(z >> 8 * (b % 8));
}

typedef struct {
    uint64_t seed;
    hesca_part part;
    int64_t n; /* order of the triangle */
    size_t esize;
    hesca_matrix a, b;
    int turn; /* of several copies by the same plans */
} test;

/* An empty local array of this process. */
static unsigned char *
make_array(hesca_matrix *x, size_t esize, int fill, size_t *bytes)
{
    int64_t m = 0, n = 0;
    hesca_layout_local_size(x->layout, rank, &m, &n);
    x->lld = m + check_uniform(0, 2) + (m == 0);
    *bytes = (size_t)(x->lld * n) * esize;
    unsigned char *local = malloc(*bytes + 1);
    memset(local, fill, *bytes + 1);
    x->local = local;
    return local;
}

/* Write those of this process's elements of the triangle that are in columns
 * (rows) first ... end - 1. */
static void
fill(const test *x, const hesca_matrix *to, int64_t first, int64_t end)
{
    for (int64_t j = 0; j < x->n; ++j)
        for (int64_t i = 0; i < x->n; ++i) {
            const int64_t k = x->part == HESCA_LOWER ? j : i;
            int owner;
            int64_t il, jl;
            if (k < first || k >= end ||
                !trapezoid_has(x->part, x->n, x->n, i, j))
                continue;
            hesca_layout_locate(to->layout, to->i + i, to->j + j, &owner, &il,
                                &jl);
            if (owner == rank)
                write_value((unsigned char *)to->local +
                                (size_t)(il + jl * to->lld) * x->esize,
                            x->esize, i, j, x->turn);
        }
}

static hesca_matrix
draw_matrix(int64_t n, hesca_layout **layout)
{
    const int64_t rows = n + check_uniform(0, 9);
    const int64_t cols = n + check_uniform(0, 9);
    *layout = draw_layout(size, rows, cols, 12);
    return (hesca_matrix){.layout = *layout,
                          .i = check_uniform(0, (int)(rows - n)),
                          .j = check_uniform(0, (int)(cols - n))};
}

/* Whether this process's columns (rows) first ... end - 1 of the triangle are
 * in B. */
static int
has(const test *x, int64_t first, int64_t end)
{
    int same = 1;
    unsigned char value[32];
    for (int64_t j = 0; j < x->n; ++j)
        for (int64_t i = 0; i < x->n; ++i) {
            const int64_t k = x->part == HESCA_LOWER ? j : i;
            int owner;
            int64_t il, jl;
            if (k < first || k >= end ||
                !trapezoid_has(x->part, x->n, x->n, i, j))
                continue;
            hesca_layout_locate(x->b.layout, x->b.i + i, x->b.j + j, &owner,
                                &il, &jl);
            write_value(value, x->esize, i, j, x->turn);
            if (owner == rank)
                same =
                    same && memcmp((const unsigned char *)x->b.local +
                                       (size_t)(il + jl * x->b.lld) * x->esize,
                                   value, x->esize) == 0;
        }
    return same;
}

/* An array holds the triangle, and else what it was made with. */
static void
check_array(const test *x, const hesca_matrix *array, int made, size_t bytes)
{
    hesca_matrix must = *array;
    must.local = malloc(bytes + 1);
    memset(must.local, made, bytes + 1);
    fill(x, &must, 0, x->n);
    CHECK(memcmp(must.local, array->local, bytes + 1) == 0,
          "seed %#llx, rank %d of %d: order %lld, part %d, turn %d, array of "
          "%#x",
          (unsigned long long)x->seed, rank, size, (long long)x->n,
          (int)x->part, x->turn, (unsigned)made);
    free(must.local);
}

static void
copy(test *x, hesca_background *copies)
{
    size_t a_bytes, b_bytes;
    unsigned char *a = make_array(&x->a, x->esize, JUNK, &a_bytes);
    unsigned char *b = make_array(&x->b, x->esize, EMPTY, &b_bytes);
    fill(x, &x->a, 0, x->n);
    int err = hesca_background_begin(copies, a, x->a.lld, b, x->b.lld);
    CHECK(err == HESCA_SUCCESS, "%s", hesca_error_text());
    for (int64_t ready = 0; ready < x->n;) {
        const int64_t next = ready + check_uniform(1, (int)(x->n - ready));
        while (hesca_background_arrived(copies) < next)
            CHECK(hesca_background_advance(copies, ready) == HESCA_SUCCESS,
                  "%s", hesca_error_text());
        CHECK(has(x, ready, next), "seed %#llx: columns %lld to %lld",
              (unsigned long long)x->seed, (long long)ready, (long long)next);
        ++x->turn; /* other values go back */
        fill(x, &x->b, ready, next);
        --x->turn;
        ready = next;
        for (int k = check_uniform(0, 3); k > 0; --k)
            CHECK(hesca_background_advance(copies, ready) == HESCA_SUCCESS,
                  "%s", hesca_error_text());
    }
    err = hesca_background_end(copies);
    CHECK(err == HESCA_SUCCESS, "%s", hesca_error_text());
    hesca_background_release(copies);
    ++x->turn;
    check_array(x, &x->a, JUNK, a_bytes);
    check_array(x, &x->b, EMPTY, b_bytes);
    --x->turn;
    free(a);
    free(b);
}

static void
one_case(void)
{
    test x = {.seed = check_state};
    hesca_layout *a, *b;
    hesca_background *copies;
    x.n =
        check_uniform(0, 5) == 0 ? check_uniform(1, 6) : check_uniform(1, 90);
    x.part = check_uniform(0, 1) ? HESCA_LOWER : HESCA_UPPER;
    x.esize = (size_t)4 << check_uniform(0, 2);
    x.a = draw_matrix(x.n, &a);
    x.b = draw_matrix(x.n, &b);
    const uint64_t state = check_state;
    const int err =
        hesca_background_make(x.part, x.n, &x.a, &x.b, x.esize, comm, &copies);
    CHECK(err == HESCA_SUCCESS, "%s", hesca_error_text());
    CHECK(copies != NULL, "seed %#llx: no plans", (unsigned long long)x.seed);
    check_state += (uint64_t)rank; /* what follows is local */
    for (x.turn = 0; copies != NULL && x.turn < 2; ++x.turn)
        copy(&x, copies);
    hesca_background_free(copies);
    hesca_layout_free(a);
    hesca_layout_free(b);
    check_state = state;
}

/* Schedules that do not send directly. */
static void
no_background(const char *schedule)
{
    hesca_layout *x, *y;
    const hesca_matrix a = draw_matrix(60, &x), b = draw_matrix(60, &y);
    hesca_background *copies;
    const int err =
        hesca_background_make(HESCA_LOWER, 60, &a, &b, 8, comm, &copies);
    CHECK(err == HESCA_SUCCESS, "%s", hesca_error_text());
    CHECK(copies == NULL, "HESCA_SCHEDULE=%s in the background", schedule);
    CHECK(hesca_background_begin(copies, NULL, 0, NULL, 0) == HESCA_SUCCESS &&
              hesca_background_arrived(copies) >= 60 &&
              hesca_background_advance(copies, 60) == HESCA_SUCCESS &&
              hesca_background_end(copies) == HESCA_SUCCESS,
          "no copy: %s", hesca_error_text());
    hesca_background_release(copies);
    hesca_layout_free(x);
    hesca_layout_free(y);
}

int
main(int argc, char **argv)
{
    const char *schedule = getenv("HESCA_SCHEDULE");
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    check_state = check_seed(24);
    if (rank == 0)
        printf("HESCA_TEST_SEED=%llu\n", (unsigned long long)check_state);
    CHECK(hesca_comm_get(MPI_COMM_WORLD, &comm) == HESCA_SUCCESS, "%s",
          hesca_error_text());
    if (schedule != NULL)
        no_background(schedule);
    for (int n = 0; schedule == NULL && n < check_cases(200); ++n)
        one_case();
    const int failed = check_done("t_background");
    MPI_Finalize();
    return failed;
}
