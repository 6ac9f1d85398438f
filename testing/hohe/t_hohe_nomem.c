/* SPDX-License-Identifier: BSD-3-Clause */
/* hesca_hohe_gemm(), _potrf() and _getrf(), by HoHe and on another grid, where
 * a process, in a big run one after the other, runs out of memory at every
 * allocation: the same error on all processes, nothing is written, and the
 * next call succeeds.  HESCA_NODE_SIZE=1 makes a host of each process. */
#define _POSIX_C_SOURCE 200809L /* mkstemp, setenv */
#include "hohe/hohe.h"
#include "testing/failing_all.h"
#include <string.h>
#include <unistd.h>

enum { N = 24, NB = 2, LLD = 1200, COUNT = LLD * N, BYTES = COUNT * 8 };

static int rank, size;
static double a[COUNT], b[COUNT], c[COUNT];
static double before[COUNT], after[COUNT]; /* c */
static int64_t pivots[N];

/* Any numbers; those of C are a positive definite matrix's. */
static void
fill(void)
{
    for (int k = 0; k < COUNT; ++k) {
        a[k] = (double)((k * 7 + rank) % 13) / 8;
        b[k] = (double)((k * 5 + rank) % 11) / 8;
        c[k] = 0.25;
    }
    for (int j = 0; j < N; ++j) /* on a 1 x size grid */
        if (j / NB % size == rank)
            c[(j / NB / size * NB + j % NB) * LLD + j] = N;
    memcpy(before, c, BYTES);
}

/* In a matrix that no recent call has had, so that all is decided and planned
 * again; what is computed is the same. */
static hesca_side
next_side(void)
{
    static int ncalls;
    return (hesca_side){.member = 1,
                        .nprow = 1,
                        .npcol = size,
                        .mycol = rank,
                        .m = N + 1 + ++ncalls % 1000,
                        .n = N,
                        .mb = NB,
                        .nb = NB,
                        .lld = LLD};
}

/* Stands in for ScaLAPACK's routine on another grid. */
static int
open_grid(const hesca_hohe_grid *grid, MPI_Comm comm, void **handle)
{
    (void)grid, (void)comm;
    *handle = malloc(1);
    return *handle != NULL ? HESCA_SUCCESS
                           : hesca_error_set(HESCA_ERR_NOMEM, 0, "a grid");
}

static int
run_there(void *call, void *handle, hesca_hohe_work *w)
{
    (void)call, (void)handle;
    if (w == NULL)
        return HESCA_SUCCESS;
    const hesca_hohe_operand *x = &w->matrix[HESCA_HOHE_C];
    memset(x->local, 1, (size_t)(x->lld * 8)); /* or the first column */
    w->info = 0;
    return HESCA_SUCCESS;
}

static void
close_grid(void *handle)
{
    free(handle);
}

static const hesca_hohe_original real = {
    .open = open_grid, .run = run_there, .close = close_grid};

typedef int routine(MPI_Comm comm, hesca_hohe_info *info);

static int
gemm(MPI_Comm comm, hesca_hohe_info *info)
{
    const double one = 1;
    const hesca_side s = next_side();
    return hesca_hohe_gemm(HESCA_SUCCESS, HESCA_D, 'N', 'T', N, N, N, &one, &s,
                           a, &s, b, &one, &s, c, comm, &real, info);
}

static int
potrf(MPI_Comm comm, hesca_hohe_info *info)
{
    const hesca_side s = next_side();
    int64_t result;
    return hesca_hohe_potrf(HESCA_SUCCESS, HESCA_D, 'L', N, &s, c, comm, &real,
                            &result, info);
}

static int
getrf(MPI_Comm comm, hesca_hohe_info *info)
{
    const hesca_side s = next_side();
    int64_t result;
    return hesca_hohe_getrf(HESCA_SUCCESS, HESCA_D, N, N, &s, c, pivots, comm,
                            &real, &result, info);
}

static const struct {
    const char *name;
    routine *call;
} routines[] = {{"hesca_hohe_gemm", gemm},
                {"hesca_hohe_potrf", potrf},
                {"hesca_hohe_getrf", getrf}};
enum { NROUTINES = sizeof routines / sizeof *routines };

/* A call that is being tried, on a communicator that HESCA knows or, fresh, on
 * one that it does not. */
typedef struct {
    int routine, fresh;
    MPI_Comm comm;
} attempt;

static int
try_call(void *data)
{
    const attempt *t = data;
    MPI_Comm comm = t->comm;
    hesca_hohe_info info;
    fill();
    if (t->fresh)
        MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    const int err = routines[t->routine].call(comm, &info);
    CHECK((info.way != HESCA_WAY_ORIGINAL) == (err == HESCA_SUCCESS),
          "%s: %d, way %d, %s", routines[t->routine].name, err, (int)info.way,
          info.why);
    CHECK(memcmp(c, err < 0 ? before : after, BYTES) == 0,
          "%s: %d, and C is %s", routines[t->routine].name, err,
          err < 0 ? "written" : "another one");
    if (t->fresh) {
        nomem_left = nomem_left < 0 ? nomem_left : 1000000;
        MPI_Comm_free(&comm);
    }
    return err;
}

static long
try_all(const char *way)
{
    long failures = 0;
    MPI_Comm comm;
    setenv("HESCA_GEMM", way, 1);
    setenv("HESCA_POTRF", way, 1);
    setenv("HESCA_GETRF", way, 1);
    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    for (int r = 0; r < NROUTINES; ++r) {
        hesca_hohe_info info;
        const int big = check_big();
        fill();
        CHECK(routines[r].call(comm, &info) == HESCA_SUCCESS &&
                  info.way != HESCA_WAY_ORIGINAL,
              "%s, %s: %s %s", routines[r].name, way, hesca_error_text(),
              info.why);
        memcpy(after, c, BYTES);
        for (int k = 0; k < (big ? size : 1); ++k)
            failures += fail_each(routines[r].name, (k + r) % size, try_call,
                                  &(attempt){r, 0, comm});
        if (r == 0 || big)
            failures += fail_each("a new communicator", size - 1, try_call,
                                  &(attempt){r, 1, comm});
    }
    MPI_Comm_free(&comm);
    return failures;
}

int
main(int argc, char **argv)
{
    char machine[] = "/tmp/hesca-nomem-XXXXXX";
    const char text[] = "hesca-machine 1\nhost node0\nhost node1 speed 0.05\n"
                        "host node2 speed 0.7\nhost node3 speed 2\n"
                        "others startup 1ms rate 1Gbit/s\n";
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    if (rank == 0) {
        const int fd = mkstemp(machine);
        if (fd < 0 || write(fd, text, sizeof text - 1) < 0)
            abort();
        close(fd);
    }
    MPI_Bcast(machine, sizeof machine, MPI_CHAR, 0, MPI_COMM_WORLD);
    setenv("HESCA_MACHINE", machine, 1);
    const long failures = try_all("hohe") + try_all("grid");
    CHECK(failures > 100, "only %ld calls lack memory", failures);
    if (rank == 0)
        printf("%ld calls lack memory\n", failures);
    const int failed = check_done("t_hohe_nomem");
    if (rank == 0)
        unlink(machine);
    MPI_Finalize();
    return failed;
}
