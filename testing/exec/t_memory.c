/* SPDX-License-Identifier: BSD-3-Clause */
/* Staging memory is bounded by HESCA_BUFFER: with 4 MiB a matrix of 0.2 GB, in
 * make bigcheck 1 GB, is redistributed, and what the process needs beyond its
 * matrices at any moment of that is measured: the peak of its private memory
 * and its part of the window.  HESCA_TRANSPORT and HESCA_NODE_SIZE are set by
 * testlist. */
#define _GNU_SOURCE
#include "exec/staging.h"
#include "hesca/redist.h"
#include "testing/check.h"
#include "testing/memory.h"
#include <string.h>

enum {
    BUFFER_KB = 4096,
    /* Plans, MPI's own buffers for messages on their way, the C library. */
    SLACK_KB = 2048
};
static int N; /* the order of the matrix */

static double
value(int64_t i, int64_t j)
{
    return (double)(i * N + j);
}

/* Global index of local index il (TOOLS/indxl2g.f, from 0). */
static int64_t
global(int64_t il, int nb, int iproc, int nprocs)
{
    return (il / nb * nprocs + iproc) * nb + il % nb;
}

/* Reset the kernel's peak value; 0 if it does not support that. */
static int
reset_peak(void)
{
    FILE *f = fopen("/proc/self/clear_refs", "w");
    if (f == NULL)
        return 0;
    const int good = fputs("5", f) >= 0;
    return fclose(f) == 0 && good;
}

static long
available_kb(void)
{
    char line[200];
    long kb = 0;
    FILE *f = fopen("/proc/meminfo", "r");
    while (f != NULL && fgets(line, sizeof line, f) != NULL)
        sscanf(line, "MemAvailable: %ld", &kb);
    if (f != NULL)
        fclose(f);
    return kb;
}

/* Rows cyclic in A, columns in B. */
static void
large(int rank, int size)
{
    hesca_side a = {.member = 1,
                    .nprow = size,
                    .npcol = 1,
                    .myrow = rank,
                    .m = N,
                    .n = N,
                    .mb = 64,
                    .nb = 64};
    hesca_side b = a;
    int64_t wrong = 0, na = 0, nb = 0;
    b.nprow = 1;
    b.npcol = size;
    b.myrow = 0;
    b.mycol = rank;
    for (int64_t k = 0; k < N; ++k) {
        na += k / 64 % size == rank;
        nb += k / 64 % size == rank;
    }
    a.lld = na;
    b.lld = N;
    double *x = malloc((size_t)na * (size_t)N * sizeof *x);
    double *y = malloc((size_t)nb * (size_t)N * sizeof *y);
    if (x == NULL || y == NULL)
        MPI_Abort(MPI_COMM_WORLD, 1);
    for (int64_t j = 0; j < N; ++j)
        for (int64_t i = 0; i < na; ++i)
            x[i + j * na] = value(global(i, 64, rank, size), j);
    memset(y, 0xff, (size_t)nb * (size_t)N * sizeof *y);
    check_barrier(MPI_COMM_WORLD);
    const int measured = reset_peak();
    const long before = memory_status("VmRSS");
    const int err = hesca_redistribute(HESCA_SUCCESS, HESCA_ALL, N, N, &a, x,
                                       &b, y, sizeof *x, MPI_COMM_WORLD, NULL);
    const long peak = memory_status("VmHWM");
    CHECK(err == HESCA_SUCCESS, "%s", hesca_error_text());
    for (int64_t j = 0; j < nb; ++j)
        for (int64_t i = 0; i < N; ++i)
            wrong += y[i + j * N] != value(i, global(j, 64, rank, size));
    CHECK(wrong == 0, "rank %d: %lld wrong elements", rank, (long long)wrong);
    /* Of a window the peak holds the own segment and what was read of the
     * others', which is theirs. */
    const long others = (long)(size - 1) * BUFFER_KB / 2;
    CHECK(!measured || peak - before < BUFFER_KB + others + SLACK_KB,
          "rank %d: peak of %ld kB, %ld kB before", rank, peak, before);
    printf("rank %d: %ld kB more than its matrices at the peak%s\n", rank,
           peak - before, measured ? "" : " (not measured)");
    free(x);
    free(y);
}

/* A block that was given back is used again, whatever its size: else blocks
 * of small sizes pile up from call to call. */
static void
check_blocks(void)
{
    static const size_t sizes[] = {0, 1, 63, 2000, 4031, 4033, 100000};
    for (size_t k = 0; k < sizeof sizes / sizeof *sizes; ++k) {
        void *block = hesca_staging_block(sizes[k]);
        memset(block, 1, sizes[k]);
        hesca_staging_unblock(block);
        void *again = hesca_staging_block(sizes[k]);
        CHECK(again == block, "a new block of %zu bytes", sizes[k]);
        hesca_staging_unblock(again);
    }
}

int
main(int argc, char **argv)
{
    int rank, size;
    setenv("HESCA_BUFFER", "4M", 1);
    N = check_big() ? 11600 : 5000;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    long enough = available_kb() > 4L * 1024 * 1024;
    MPI_Bcast(&enough, 1, MPI_LONG, 0, MPI_COMM_WORLD);
    if (!enough) {
        if (rank == 0)
            printf("needs 4 GB of memory\n");
        MPI_Finalize();
        return 77;
    }
    check_blocks();
    large(rank, size);
    const int status = check_done("t_memory");
    MPI_Finalize();
    return status;
}
