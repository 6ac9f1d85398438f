/* SPDX-License-Identifier: BSD-3-Clause */
/* 7. ScaLAPACK and HESCA side by side: every routine that HESCA intercepts has
 * a twin with the prefix hesca_, and the real one can be asked for by name.
 *
 *   mpicc 07_twins.c -o 07_twins \
 *       $(pkg-config --cflags --libs hesca-scalapack) -lscalapack
 *   mpiexec -n 4 ./07_twins */
#include <hesca/scalapack.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void Cblacs_pinfo(int *rank, int *nprocs);
void Cblacs_get(int ictxt, int what, int *val);
void Cblacs_gridinit(int *ictxt, const char *order, int nprow, int npcol);
void Cblacs_gridinfo(int ictxt, int *nprow, int *npcol, int *myrow,
                     int *mycol);
void Cblacs_gridexit(int ictxt);

typedef void gemr2d(int m, int n, const double *a, int ia, int ja,
                    const int *desca, double *b, int ib, int jb,
                    const int *descb, int ictxt);

enum { N = 600 };

int
main(int argc, char **argv)
{
    int rank, nprocs, ictxt, nprow, npcol, myrow, mycol, equal, all_equal;
    double t[3];
    MPI_Init(&argc, &argv);
    Cblacs_pinfo(&rank, &nprocs);
    Cblacs_get(-1, 0, &ictxt);
    Cblacs_gridinit(&ictxt, "R", 1, nprocs);
    Cblacs_gridinfo(ictxt, &nprow, &npcol, &myrow, &mycol);
    const int desca[9] = {1, ictxt, N, N, 8, 8, 0, 0, N};
    const int descb[9] = {1, ictxt, N, N, 64, 64, 0, 0, N};
    double *a = malloc(N * N * sizeof *a);
    double *x = calloc(N * N, sizeof *x), *y = calloc(N * N, sizeof *y);
    for (int k = 0; k < N * N; ++k)
        a[k] = rank + 1.0 / (k + 1);

    gemr2d *real = (gemr2d *)hesca_scalapack_original("Cpdgemr2d");
    t[0] = MPI_Wtime();
    real(N, N, a, 1, 1, desca, x, 1, 1, descb, ictxt);
    t[1] = MPI_Wtime();
    hesca_Cpdgemr2d(N, N, a, 1, 1, desca, y, 1, 1, descb, ictxt);
    t[2] = MPI_Wtime();

    equal = memcmp(x, y, N * N * sizeof *x) == 0;
    MPI_Allreduce(&equal, &all_equal, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
    if (rank == 0)
        printf("ScaLAPACK %.3f ms, HESCA %.3f ms (first calls), identical: "
               "%s\n",
               1e3 * (t[1] - t[0]), 1e3 * (t[2] - t[1]),
               all_equal ? "yes" : "no");
    free(a);
    free(x);
    free(y);
    Cblacs_gridexit(ictxt);
    MPI_Finalize();
    return !all_equal;
}
