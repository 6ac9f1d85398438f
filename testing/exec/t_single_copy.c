/* SPDX-License-Identifier: BSD-3-Clause */
/* Messages that are read straight from the sender's matrix: the right bytes
 * with every shape of columns, and the way back to packing when the kernel
 * refuses, at once or in the middle of a message.  process_vm_readv() is
 * replaced by one that counts and, on request, fails. */
#define _GNU_SOURCE
#include "hesca/experimental/param.h"
#include "hesca/redist.h"
#include "testing/check.h"
#include <errno.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

static long calls;    /* of MPI's, too, which does not need any here */
static int by_window; /* the last plan's messages went through the window */
static long refuse_from = -1; /* the first call that fails; -1: none */

ssize_t
process_vm_readv(pid_t pid, const struct iovec *to, unsigned long nto,
                 const struct iovec *from, unsigned long nfrom,
                 unsigned long flags)
{
    if (refuse_from >= 0 && calls >= refuse_from) {
        ++calls;
        errno = EPERM;
        return -1;
    }
    ++calls;
    return syscall(SYS_process_vm_readv, pid, to, nto, from, nfrom, flags);
}

static double
value(int64_t i, int64_t j)
{
    return (double)(i * 100003 + j) + 0.25;
}

typedef struct {
    int64_t m, n;
    int nba, nbb;   /* columns of a block in A, in B */
    int more;       /* rows of the local arrays beyond the matrix */
    int64_t ia, ib; /* first row of sub(A), sub(B) */
} shape;

/* Copy once, 1 x P to 1 x P, and look at every element of B. */
static void
copy(const shape *s, hesca_plan *plan, const hesca_layout *a,
     const hesca_layout *b, int rank, const char *what)
{
    int64_t ma, na, mb, nb;
    hesca_layout_local_size(a, rank, &ma, &na);
    hesca_layout_local_size(b, rank, &mb, &nb);
    const int64_t lda = ma + s->more, ldb = mb + s->more;
    double *x = malloc((size_t)(lda * na + 1) * sizeof *x);
    double *y = malloc((size_t)(ldb * nb + 1) * sizeof *y);
    int size;
    int64_t wrong = 0;
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    for (int64_t j = 0; j < na; ++j) {
        const int64_t gj = (j / s->nba * size + rank) * s->nba + j % s->nba;
        for (int64_t i = 0; i < lda; ++i)
            x[i + j * lda] = value(i, gj);
    }
    for (int64_t k = 0; k < ldb * nb; ++k)
        y[k] = -1;
    const int err = hesca_plan_execute(plan, x, lda, y, ldb);
    CHECK(err == HESCA_SUCCESS, "%s: %s", what, hesca_error_text());
    for (int64_t j = 0; j < nb; ++j) {
        const int64_t gj = (j / s->nbb * size + rank) * s->nbb + j % s->nbb;
        for (int64_t i = 0; i < ldb; ++i) {
            const int inside = i >= s->ib && i < s->ib + s->m;
            const double must = inside ? value(i - s->ib + s->ia, gj) : -1;
            wrong += y[i + j * ldb] != must;
        }
    }
    CHECK(wrong == 0,
          "%s: rank %d, %lld x %lld, blocks %d to %d, lld + %d: "
          "%lld wrong elements",
          what, rank, (long long)s->m, (long long)s->n, s->nba, s->nbb,
          s->more, (long long)wrong);
    free(x);
    free(y);
}

/* Some copies; returns the system calls of this process. */
static long
redistribute(const shape *s, int times, const char *what)
{
    int rank, size, ranks[64];
    hesca_layout *a, *b;
    hesca_plan *plan;
    hesca_plan_info info;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    for (int k = 0; k < size; ++k)
        ranks[k] = k;
    hesca_layout_create_cyclic(s->ia + s->m, s->n, 32, s->nba, 0, 0, 1, size,
                               ranks, &a);
    hesca_layout_create_cyclic(s->ib + s->m, s->n, 50, s->nbb, 0, 0, 1, size,
                               ranks, &b);
    const int err = hesca_plan_create(HESCA_ALL, s->m, s->n,
                                      &(hesca_matrix){.layout = a, .i = s->ia},
                                      &(hesca_matrix){.layout = b, .i = s->ib},
                                      sizeof(double), MPI_COMM_WORLD, &plan);
    CHECK(err == HESCA_SUCCESS, "%s: %s", what, hesca_error_text());
    const long before = calls;
    for (int k = 0; k < times; ++k)
        copy(s, plan, a, b, rank, what);
    hesca_plan_get_info(plan, &info);
    by_window = strcmp(info.transport, "shm") == 0;
    hesca_plan_free(plan);
    hesca_layout_free(a);
    hesca_layout_free(b);
    return calls - before;
}

/* All processes may read, or the test cannot run. */
static int
may_read(void)
{
    const shape s = {.m = 1000, .n = 800, .nba = 100, .nbb = 50};
    int all;
    const int mine = redistribute(&s, 1, "is it allowed?") > 0 && by_window;
    MPI_Allreduce(&mine, &all, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
    return all;
}

static void
shapes(void)
{
    static const int block[][2] = {{100, 50}, {50, 100}, {7, 300},
                                   {300, 1},  {1, 1000}, {64, 65}};
    for (size_t k = 0; k < sizeof block / sizeof *block; ++k)
        for (int more = 0; more < 4; more += 3) {
            const shape s = {.m = 640 + (int64_t)k,
                             .n = 1511,
                             .nba = block[k][0],
                             .nbb = block[k][1],
                             .more = more,
                             .ia = more,
                             .ib = 5 * (int64_t)(k % 2)};
            redistribute(&s, 2, "shapes");
        }
}

/* Short columns and short messages are packed. */
static void
short_ones(void)
{
    const shape columns = {.m = 500, .n = 2000, .nba = 100, .nbb = 50};
    const shape message = {.m = 600, .n = 80, .nba = 10, .nbb = 20};
    CHECK(redistribute(&columns, 2, "short columns") == 0, "they are read");
    CHECK(redistribute(&message, 2, "short messages") == 0, "they are read");
}

/* Refused from the third call on: by then a message is under way. */
static void
refusal(void)
{
    const shape s = {.m = 4000, .n = 1600, .nba = 400, .nbb = 200};
    refuse_from = calls + 2;
    const long tried = redistribute(&s, 1, "refused in the middle");
    CHECK(tried >= 3, "only %ld calls", tried);
    CHECK(redistribute(&s, 3, "after a refusal") == 0, "read nevertheless");
}

int
main(int argc, char **argv)
{
    int rank, size;
    setenv("HESCA_TRANSPORT", "lend", 1);
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    if (!may_read()) {
        if (rank == 0)
            printf("process_vm_readv is not allowed here, or MPI has no "
                   "shared windows\n");
        MPI_Finalize();
        return 77;
    }
    shapes();
    short_ones();
    refusal();
    const int status = check_done("t_lend");
    MPI_Finalize();
    return status;
}
