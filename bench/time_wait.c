/* SPDX-License-Identifier: BSD-3-Clause */
/* What a yielding wait costs where it is not needed, and gains where it is:
 * each call by its MPI name, which libhesca_scalapack intercepts, and by its
 * PMPI name, which reaches MPI directly.
 *
 * On one process only collective calls are timed, which then do next to
 * nothing but what the interception costs.  The two take turns, batch by
 * batch; a time is the median over the batches, the ratio the median of those
 * of neighbours.  With a core per process, or
 * HESCA_WAIT=spin, MPI's name may cost one test and one jump more; with more
 * processes than cores PMPI's shows what spinning costs.  pdgemm has no such
 * twin: run it with and without HESCA_WAIT=spin. */
#include "base/sort.h"
#include "harness.h"
#include <mpi.h>
#include <stdio.h>

enum { BATCHES = 2000, LEAST = 5, BYTES = 65536 };

typedef struct {
    double seconds;
} options;

typedef struct {
    const char *call;
    int bytes, batches;
    double plain, shim, ratio;
} row;

static int rank;
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

static row
compare(size_t c, double seconds)
{
    static double shim[BATCHES], plain[BATCHES], ratio[BATCHES];
    const int bytes = cases[c].bytes;
    double once = batch(cases[c].plain, bytes, 10), total = 0, ends[2];
    const int n = once < 2e-4 ? (int)(2e-3 / (once + 1e-7)) + 1 : 10;
    int k = 0;
    for (; k < BATCHES && (k < LEAST || total < seconds); ++k) {
        for (int second = 0; second < 2; ++second)
            if (second == k % 2)
                shim[k] = batch(cases[c].shim, bytes, n);
            else
                plain[k] = batch(cases[c].plain, bytes, n);
        ratio[k] = shim[k] / plain[k];
        total += n * (shim[k] + plain[k]);
    }
    return (row){cases[c].name,
                 bytes,
                 k,
                 hesca_median(plain, k, ends),
                 hesca_median(shim, k, ends),
                 hesca_median(ratio, k, ends)};
}

static const cmdline_row table[] = {
    OPT_POSITIVE("seconds", "S", "for each case (1)", seconds),
};

static void
put(fields *s, const void *from)
{
    const row *r = from;
    fields_text(s, "call", r->call);
    fields_int(s, "bytes", r->bytes);
    fields_int(s, "batches", r->batches);
    fields_real(s, "pmpi_s", r->plain);
    fields_real(s, "mpi_s", r->shim);
    fields_real(s, "ratio", r->ratio);
}

static int
run(const void *from, fields_files *out)
{
    const options *o = from;
    int size;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    if (rank == 0)
        fprintf(out->table, "%-10s %8s %9s %12s %12s %8s\n", "call", "bytes",
                "batches", "PMPI us", "MPI us", "ratio");
    for (size_t c = 0; c < sizeof cases / sizeof *cases; ++c) {
        if (size == 1 && cases[c].shim == ping)
            continue;
        const row r = compare(c, o->seconds);
        if (rank != 0)
            continue;
        bench_row(out, &r);
        fprintf(out->table, "%-10s %8d %9d %12.3f %12.3f %8.3f\n", r.call,
                r.bytes, r.batches, 1e6 * r.plain, 1e6 * r.shim, r.ratio);
        fflush(out->table);
    }
    return 0;
}

int
main(int argc, char **argv)
{
    static options o = {.seconds = 1};
    static const bench_program b = {
        .name = "time_wait",
        .about =
            "Usage: mpiexec -n P time_wait [option]...\n"
            "Time calls by their MPI names, which libhesca_scalapack "
            "intercepts, and by their\nPMPI names.  On one process: what the "
            "interception costs.\n\n",
        .notes = "\nExit status: 0, 2 for wrong usage.\n",
        BENCH_TABLE(table),
        BENCH_OPTIONS(o),
        .put = put,
        .run = run};
    return bench_main_mpi(&b, argc, argv);
}
