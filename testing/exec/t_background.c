/* SPDX-License-Identifier: BSD-3-Clause */
/* hesca_background_*() between random layouts and submatrices: what has
 * arrived is A's matrix, what comes back is what was made of it, nothing
 * around either is touched, and what is not final is not read.  Every process
 * has its columns (rows) final in steps of its own.  With HESCA_NODE_SIZE=1
 * messages go by MPI, over links on which other schedules are predicted to be
 * faster. */
#define _POSIX_C_SOURCE 200809L /* mkstemp, setenv */
#include "exec/background.h"
#include "testing/layouts.h"
#include "testing/trapezoid.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int rank, size;
static hesca_comm *comm;

enum { JUNK = 0xee, EMPTY = 0x5a };

/* Element (i,j). */
static void
write_value(unsigned char *at, size_t esize, int64_t i, int64_t j, int turn)
{
    const uint64_t z = check_mix((uint64_t)(i * 100003 + 7 * j + turn));
    for (size_t b = 0; b < esize; ++b)
        at[b] = (unsigned char)(z >> 8 * (b % 8));
}

/* There and back. */
typedef enum { IN, BACK } way;

typedef struct {
    uint64_t seed;
    hesca_part part;
    int64_t m, n;
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

/* Whether parts are rows. */
static int
by_rows(const test *x, way w)
{
    return x->part == HESCA_UPPER || (x->part == HESCA_ALL && w == BACK);
}

static int64_t
lines(const test *x, way w)
{
    return by_rows(x, w) ? x->m : x->n;
}

/* Write those of this process's elements that are in lines first ... end - 1,
 * or else compare them.
 * \return 1: they have their values. */
static int
elements(const test *x, way w, const hesca_matrix *of, int64_t first,
         int64_t end, int writes)
{
    int same = 1;
    for (int64_t j = 0; j < x->n; ++j)
        for (int64_t i = 0; i < x->m; ++i) {
            const int64_t k = by_rows(x, w) ? i : j;
            unsigned char value[32];
            int owner;
            int64_t il, jl;
            if (k < first || k >= end ||
                !trapezoid_has(x->part, x->m, x->n, i, j))
                continue;
            hesca_layout_locate(of->layout, of->i + i, of->j + j, &owner, &il,
                                &jl);
            if (owner != rank)
                continue;
            unsigned char *at = (unsigned char *)of->local +
                                (size_t)(il + jl * of->lld) * x->esize;
            write_value(writes ? at : value, x->esize, i, j, x->turn);
            same = same && (writes || memcmp(at, value, x->esize) == 0);
        }
    return same;
}

static hesca_matrix
draw_matrix(int64_t m, int64_t n, hesca_layout **layout)
{
    const int64_t rows = m + check_uniform(0, 9);
    const int64_t cols = n + check_uniform(0, 9);
    *layout = draw_layout(size, rows, cols, 12);
    return (hesca_matrix){.layout = *layout,
                          .i = check_uniform(0, (int)(rows - m)),
                          .j = check_uniform(0, (int)(cols - n))};
}

/* An array holds the matrix, and else what it was made with. */
static void
check_array(const test *x, const hesca_matrix *array, int made, size_t bytes)
{
    hesca_matrix must = *array;
    must.local = malloc(bytes + 1);
    memset(must.local, made, bytes + 1);
    elements(x, IN, &must, 0, x->n, 1);
    CHECK(memcmp(must.local, array->local, bytes + 1) == 0,
          "seed %#llx, rank %d of %d: %lld x %lld, part %d, turn %d, array of "
          "%#x",
          (unsigned long long)x->seed, rank, size, (long long)x->m,
          (long long)x->n, (int)x->part, x->turn, (unsigned)made);
    free(must.local);
}

static void
copy(test *x, hesca_background *copies)
{
    size_t a_bytes, b_bytes;
    unsigned char *a = make_array(&x->a, x->esize, JUNK, &a_bytes);
    unsigned char *b = make_array(&x->b, x->esize, EMPTY, &b_bytes);
    int64_t ready = 0, seen = 0;
    elements(x, IN, &x->a, 0, x->n, 1);
    int err = hesca_background_begin(copies, a, x->a.lld, b, x->b.lld);
    CHECK(err == HESCA_SUCCESS, "%s", hesca_error_text());
    while (ready < lines(x, BACK)) {
        const int64_t next =
            ready + check_uniform(1, (int)(lines(x, BACK) - ready));
        const int64_t arrived =
            by_rows(x, IN) == by_rows(x, BACK) ? next : x->n;
        while (hesca_background_arrived(copies) < arrived)
            CHECK(hesca_background_advance(copies, ready) == HESCA_SUCCESS,
                  "%s", hesca_error_text());
        CHECK(elements(x, IN, &x->b, seen, arrived, 0),
              "seed %#llx: %lld to %lld", (unsigned long long)x->seed,
              (long long)seen, (long long)arrived);
        seen = arrived;
        ++x->turn; /* other values go back */
        elements(x, BACK, &x->b, ready, next, 1);
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
    const hesca_part parts[] = {HESCA_LOWER, HESCA_UPPER, HESCA_ALL};
    x.n =
        check_uniform(0, 5) == 0 ? check_uniform(1, 6) : check_uniform(1, 90);
    x.part = parts[check_uniform(0, 2)];
    x.m = x.part == HESCA_ALL ? check_uniform(1, 90) : x.n;
    x.esize = (size_t)4 << check_uniform(0, 2);
    x.a = draw_matrix(x.m, x.n, &a);
    x.b = draw_matrix(x.m, x.n, &b);
    const uint64_t state = check_state;
    const int err = hesca_background_make(x.part, x.m, x.n, &x.a, &x.b,
                                          x.esize, comm, &copies);
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
    const hesca_matrix a = draw_matrix(60, 60, &x),
                       b = draw_matrix(60, 60, &y);
    hesca_background *copies;
    const int err =
        hesca_background_make(HESCA_LOWER, 60, 60, &a, &b, 8, comm, &copies);
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

/* One host for each process, with slow links. */
static void
slow_links(char *machine)
{
    if (rank == 0) {
        const int fd = mkstemp(machine);
        FILE *f = fd < 0 ? NULL : fdopen(fd, "w");
        if (f == NULL)
            abort();
        fprintf(f, "hesca-machine 1\nothers startup 1us rate 10Mbit/s\n");
        for (int k = 0; k < size; ++k)
            fprintf(f, "host node%d\n", k);
        fclose(f);
    }
    MPI_Bcast(machine, (int)strlen(machine), MPI_CHAR, 0, MPI_COMM_WORLD);
    setenv("HESCA_MACHINE", machine, 1);
}

int
main(int argc, char **argv)
{
    char machine[] = "/tmp/hesca-background-XXXXXX";
    const char *schedule = getenv("HESCA_SCHEDULE");
    const char *nodes = getenv("HESCA_NODE_SIZE");
    const int is_slow = nodes != NULL && strcmp(nodes, "1") == 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    if (is_slow)
        slow_links(machine);
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
    if (is_slow && rank == 0)
        unlink(machine);
    MPI_Finalize();
    return failed;
}
