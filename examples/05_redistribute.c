/* SPDX-License-Identifier: BSD-3-Clause */
/* 5. Disjoint groups: half of the processes own A, the others B, and each
 * knows only its own side.  hesca_redistribute() finds the rest, and keeps the
 * plan for the next call.
 *
 *   mpicc 05_redistribute.c -o 05_redistribute \
 *       $(pkg-config --cflags --libs hesca)
 *   mpiexec -n 4 ./05_redistribute */
#include <hesca.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

enum { N = 400, MB = 32 };

int
main(int argc, char **argv)
{
    int rank, nprocs, err = 0;
    long wrong = 0, all_wrong;
    hesca_side a = {.member = 0}, b = {.member = 0};
    hesca_plan_info info;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &nprocs);
    const int half = nprocs / 2; /* processes of A; with one, it owns both */

    /* Rows of A on the first processes, columns of B on the others; each has
     * room for all rows or columns, to keep this short. */
    double *x = calloc(N * N, sizeof *x), *y = calloc(N * N, sizeof *y);
    if (rank < half || nprocs == 1)
        a = (hesca_side){.member = 1,
                         .nprow = half > 0 ? half : 1,
                         .npcol = 1,
                         .myrow = rank,
                         .m = N,
                         .n = N,
                         .mb = MB,
                         .nb = N,
                         .lld = N};
    if (rank >= half)
        b = (hesca_side){.member = 1,
                         .nprow = 1,
                         .npcol = nprocs - half,
                         .mycol = rank - half,
                         .m = N,
                         .n = N,
                         .mb = N,
                         .nb = MB,
                         .lld = N};
    for (int i = 0; a.member && i < N; ++i)
        for (int j = 0; i / MB % a.nprow == a.myrow && j < N; ++j)
            x[i / (MB * a.nprow) * MB + i % MB + j * N] = 1000.0 * i + j;

    for (int k = 0; k < 2 && err == 0; ++k)
        err = hesca_redistribute(HESCA_SUCCESS, HESCA_ALL, N, N, &a, x, &b, y,
                                 sizeof *x, MPI_COMM_WORLD, &info);
    if (err < 0)
        fprintf(stderr, "%s\n", hesca_error_text());

    for (int j = 0; b.member && j < N; ++j)
        for (int i = 0; j / MB % b.npcol == b.mycol && i < N; ++i)
            wrong += y[(j / (MB * b.npcol) * MB + j % MB) * N + i] !=
                     1000.0 * i + j;
    MPI_Allreduce(&wrong, &all_wrong, 1, MPI_LONG, MPI_SUM, MPI_COMM_WORLD);
    if (rank == 0 && err == 0)
        printf("%dx%d -> %dx%d processes, second call with a %s plan: %ld "
               "wrong elements\n",
               info.a.nprow, info.a.npcol, info.b.nprow, info.b.npcol,
               info.cached ? "cached" : "new", all_wrong);
    free(x);
    free(y);
    MPI_Finalize();
    return err < 0 || all_wrong != 0;
}
