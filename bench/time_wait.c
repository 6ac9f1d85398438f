/* What a yielding wait costs where it is not needed, and gains where it is:
 * each call by its MPI name, which libhesca_scalapack intercepts, and by its
 * PMPI name, which reaches MPI directly.
 *
 * Usage: mpiexec -n P time_wait [SECONDS]
 *
 * On one process only collective calls are timed, which then do next to
 * nothing but what the interception costs.  The two take turns, batch by
 * batch; a time is the median over the batches, the ratio the median of those
 * of neighbours.  SECONDS (1) are for each case. With a core per process, or
 * HESCA_WAIT=spin, MPI's name may cost one test and one jump more; with more
 * processes than cores PMPI's shows what spinning costs.  pdgemm has no such
 * twin: run it with and without HESCA_WAIT=spin. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

enum { BATCHES = 2000, LEAST = 5, BYTES = 65536 };

static int rank, size;
static char data[BYTES], other[BYTES];

typedef void call(int bytes);

#define PING(name, P)                                                         \
    static void name(int bytes)                                               \
    {                                                                         \
        if (rank == 0) {                                                      \
            P##MPI_Send(data, bytes, MPI_BYTE, 1, 0, MPI_COMM_WORLD);         \
            P##MPI_Recv(data, bytes, MPI_BYTE, 1, 0, MPI_COMM_WORLD,          \
                        MPI_STATUS_IGNORE);                                   \
        } else if (rank == 1) {                                               \
            P##MPI_Recv(data, bytes, MPI_BYTE, 0, 0, MPI_COMM_WORLD,          \
                        MPI_STATUS_IGNORE);                                   \
            P##MPI_Send(data, bytes, MPI_BYTE, 0, 0, MPI_COMM_WORLD);         \
        }                                                                     \
    }
#define BCAST(name, P)                                                        \
    static void name(int bytes)                                               \
    {                                                                         \
        P##MPI_Bcast(data, bytes, MPI_BYTE, 0, MPI_COMM_WORLD);               \
    }
#define SUM(name, P)                                                          \
    static void name(int bytes)                                               \
    {                                                                         \
        P##MPI_Allreduce(data, other, bytes / 8, MPI_DOUBLE, MPI_SUM,         \
                         MPI_COMM_WORLD);                                     \
    }
PING(ping, )
PING(plain_ping, P)
BCAST(bcast, )
BCAST(plain_bcast, P)
SUM(sum, )
SUM(plain_sum, P)

static const struct {
    const char *name;
    call *shim, *plain;
    int bytes;
} cases[] = {
    {"ping-pong", ping, plain_ping, 8},
    {"ping-pong", ping, plain_ping, BYTES},
    {"broadcast", bcast, plain_bcast, 8},
    {"broadcast", bcast, plain_bcast, BYTES},
    {"sum", sum, plain_sum, 8},
    {"sum", sum, plain_sum, BYTES},
};

/* Seconds per call of the slowest process. */
static double
batch(call *f, int bytes, int n)
{
    double worst = 0;
    PMPI_Barrier(MPI_COMM_WORLD);
    const double start = MPI_Wtime();
    for (int k = 0; k < n; ++k)
        f(bytes);
    const double mine = (MPI_Wtime() - start) / n;
    PMPI_Allreduce(&mine, &worst, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
    return worst;
}

static int
ascending(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static double
median(double *x, int n)
{
    qsort(x, (size_t)n, sizeof *x, ascending);
    return (x[(n - 1) / 2] + x[n / 2]) / 2;
}

static void
compare(size_t c, double seconds)
{
    static double shim[BATCHES], plain[BATCHES], ratio[BATCHES];
    const int bytes = cases[c].bytes;
    double once = batch(cases[c].plain, bytes, 10), total = 0;
    const int n = once < 2e-4 ? (int)(2e-3 / (once + 1e-7)) + 1 : 10;
    int k = 0;
    for (; k < BATCHES && (k < LEAST || total < seconds); ++k) {
        for (int turn = 0; turn < 2; ++turn)
            if (turn == k % 2)
                shim[k] = batch(cases[c].shim, bytes, n);
            else
                plain[k] = batch(cases[c].plain, bytes, n);
        ratio[k] = shim[k] / plain[k];
        total += n * (shim[k] + plain[k]);
    }
    if (rank == 0)
        printf("%-10s %8d %9d %12.3f %12.3f %8.3f\n", cases[c].name, bytes, k,
               1e6 * median(plain, k), 1e6 * median(shim, k),
               median(ratio, k));
    fflush(stdout);
}

int
main(int argc, char **argv)
{
    const double seconds = argc > 1 ? atof(argv[1]) : 1;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    if (argc > 2 || !(seconds > 0)) {
        if (rank == 0)
            fprintf(stderr, "usage: mpiexec -n P time_wait [SECONDS]\n");
        MPI_Finalize();
        return 2;
    }
    if (rank == 0)
        printf("%-10s %8s %9s %12s %12s %8s\n", "call", "bytes", "batches",
               "PMPI us", "MPI us", "ratio");
    for (size_t c = 0; c < sizeof cases / sizeof *cases; ++c)
        if (size > 1 || cases[c].shim != ping)
            compare(c, seconds);
    MPI_Finalize();
    return 0;
}
