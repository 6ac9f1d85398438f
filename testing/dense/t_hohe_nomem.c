/* hesca_hohe_gemm(), _potrf() and _getrf() where a process, in a big run one
 * after the other, runs out of memory at every allocation: the same error on
 * all processes, nothing is written, and the next call gets through.
 * HESCA_NODE_SIZE=1 makes a host of each process. */
#define _POSIX_C_SOURCE 200809L /* mkstemp, setenv */
#include "hesca/hohe.h"
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
 * anew; what is computed is the same. */
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

typedef int routine(MPI_Comm comm, hesca_hohe_info *info);

static int
gemm(MPI_Comm comm, hesca_hohe_info *info)
{
    const double one = 1;
    const hesca_side s = next_side();
    return hesca_hohe_gemm(HESCA_SUCCESS, HESCA_D, 'N', 'T', N, N, N, &one, &s,
                           a, &s, b, &one, &s, c, comm, info);
}

static int
potrf(MPI_Comm comm, hesca_hohe_info *info)
{
    const hesca_side s = next_side();
    int64_t result;
    return hesca_hohe_potrf(HESCA_SUCCESS, HESCA_D, 'L', N, &s, c, comm,
                            &result, info);
}

static int
getrf(MPI_Comm comm, hesca_hohe_info *info)
{
    const hesca_side s = next_side();
    int64_t result;
    return hesca_hohe_getrf(HESCA_SUCCESS, HESCA_D, N, N, &s, c, pivots, comm,
                            &result, info);
}

static const struct {
    const char *name;
    routine *call;
} routines[] = {{"hesca_hohe_gemm", gemm},
                {"hesca_hohe_potrf", potrf},
                {"hesca_hohe_getrf", getrf}};
enum { NROUTINES = sizeof routines / sizeof *routines };

/* A call that is being tried, on a communicator that HESCA knows or on one
 * that it does not. */
typedef struct {
    int routine, fresh;
} attempt;

static int
try_call(void *data)
{
    const attempt *t = data;
    MPI_Comm comm = MPI_COMM_WORLD;
    hesca_hohe_info info;
    fill();
    if (t->fresh)
        MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    const int err = routines[t->routine].call(comm, &info);
    CHECK(info.served == (err == HESCA_SUCCESS), "%s: %d, served: %d, %s",
          routines[t->routine].name, err, info.served, info.why);
    CHECK(memcmp(c, err < 0 ? before : after, BYTES) == 0,
          "%s: %d, and C is %s", routines[t->routine].name, err,
          err < 0 ? "written" : "another one");
    if (t->fresh) {
        nomem_left = nomem_left < 0 ? nomem_left : 1000000;
        MPI_Comm_free(&comm);
    }
    return err;
}

int
main(int argc, char **argv)
{
    char machine[] = "/tmp/hesca-nomem-XXXXXX";
    const char text[] = "hesca-machine 1\nhost node0\nhost node1 speed 0.5\n"
                        "host node2 speed 0.7\nhost node3 speed 2\n"
                        "others startup 1ms rate 1Gbit/s\n";
    long failures = 0;
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
    setenv("HESCA_GEMM", "hohe", 1);
    setenv("HESCA_POTRF", "hohe", 1);
    setenv("HESCA_GETRF", "hohe", 1);
    for (int r = 0; r < NROUTINES; ++r) {
        fill();
        CHECK(routines[r].call(MPI_COMM_WORLD, NULL) == HESCA_SUCCESS &&
                  memcmp(c, before, BYTES) != 0,
              "%s: %s", routines[r].name, hesca_error_text());
        memcpy(after, c, BYTES);
        for (int victim = 0; victim < check_cases(1) && victim < size;
             ++victim)
            failures += fail_each(routines[r].name, (victim + r) % size,
                                  try_call, &(attempt){r, 0});
        if (r == 0 || check_cases(1) > 1)
            failures += fail_each("a new communicator", size - 1, try_call,
                                  &(attempt){r, 1});
    }
    CHECK(failures > 100, "only %ld calls lack memory", failures);
    if (rank == 0)
        printf("%ld calls lack memory\n", failures);
    const int failed = check_done("t_hohe_nomem");
    if (rank == 0)
        unlink(machine);
    MPI_Finalize();
    return failed;
}
