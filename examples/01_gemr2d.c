/* SPDX-License-Identifier: BSD-3-Clause */
/* 1. A plain ScaLAPACK program: a matrix in columns of blocks on a 1 x P grid
 * is copied onto a nearly square grid.  It knows nothing of HESCA.
 *
 *   mpicc 01_gemr2d.c -o 01_gemr2d -lscalapack
 *   mpiexec -n 4 ./01_gemr2d
 *
 * Let HESCA serve the call, without touching the program:
 *
 *   mpiexec -n 4 -env LD_PRELOAD libhesca_scalapack.so -env HESCA_VERBOSE 1 \
 *       ./01_gemr2d */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

void Cblacs_pinfo(int *rank, int *nprocs);
void Cblacs_get(int ictxt, int what, int *val);
void Cblacs_gridinit(int *ictxt, const char *order, int nprow, int npcol);
void Cblacs_gridinfo(int ictxt, int *nprow, int *npcol, int *myrow,
                     int *mycol);
void Cblacs_gridexit(int ictxt);
void Cpdgemr2d(int m, int n, const double *a, int ia, int ja, const int *desca,
               double *b, int ib, int jb, const int *descb, int ictxt);
int numroc_(const int *n, const int *nb, const int *iproc, const int *isrcproc,
            const int *nprocs);

enum { N = 500 };

static int
grid(int nprow, int npcol)
{
    int ictxt;
    Cblacs_get(-1, 0, &ictxt);
    Cblacs_gridinit(&ictxt, "R", nprow, npcol);
    return ictxt;
}

/* Describe an N x N matrix in nb x nb blocks; a process outside of the grid
 * has only CTXT = -1.  Returns the local array, all zero. */
static double *
matrix(int ictxt, int nb, int *desc, int *myrow, int *mycol)
{
    const int zero = 0, n = N;
    int nprow, npcol, locr = 1, locc = 1;
    Cblacs_gridinfo(ictxt, &nprow, &npcol, myrow, mycol);
    desc[1] = -1;
    if (*myrow >= 0) {
        locr = numroc_(&n, &nb, myrow, &zero, &nprow);
        locc = numroc_(&n, &nb, mycol, &zero, &npcol);
        const int all[9] = {1, ictxt, N, N, nb, nb, 0, 0, locr > 1 ? locr : 1};
        for (int k = 0; k < 9; ++k)
            desc[k] = all[k];
    }
    return calloc((size_t)(locr + 1) * (size_t)(locc + 1), sizeof(double));
}

int
main(int argc, char **argv)
{
    int rank, nprocs, desca[9], descb[9], row, col, wrong = 0, all_wrong;
    MPI_Init(&argc, &argv);
    Cblacs_pinfo(&rank, &nprocs);
    const int p = nprocs > 1 ? nprocs / 2 : 1, q = nprocs > 1 ? 2 : 1;
    const int line = grid(1, nprocs), square = grid(p, q);
    double *a = matrix(line, 16, desca, &row, &col);
    for (int j = 0; j < N; ++j)
        for (int i = 0; i < N && j / 16 % nprocs == col; ++i)
            a[i + (j / (16 * nprocs) * 16 + j % 16) * N] = 1000.0 * i + j;
    double *b = matrix(square, 64, descb, &row, &col);

    Cpdgemr2d(N, N, a, 1, 1, desca, b, 1, 1, descb, line);

    for (int j = 0; j < N; ++j)
        for (int i = 0; i < N; ++i)
            if (i / 64 % p == row && j / 64 % q == col)
                wrong += b[i / (64 * p) * 64 + i % 64 +
                           (j / (64 * q) * 64 + j % 64) * descb[8]] !=
                         1000.0 * i + j;
    MPI_Allreduce(&wrong, &all_wrong, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    if (rank == 0)
        printf("%d x %d from 1x%d to %dx%d processes: %d wrong elements\n", N,
               N, nprocs, p, q, all_wrong);
    free(a);
    free(b);
    if (row >= 0)
        Cblacs_gridexit(square);
    Cblacs_gridexit(line);
    MPI_Finalize();
    return all_wrong != 0;
}
