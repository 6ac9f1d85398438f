/* SPDX-License-Identifier: BSD-3-Clause */
/* HMPI: C := A B^T in slices of rows, by as many processes as are best
 * (Figures 3.15, 3.16 and 3.24 of the thesis).
 *
 *     mpiexec -n 4 20_hmpi_axbt [n [processes]]
 *
 * The function that creates the group chooses how many processes there are;
 * each then has rows in proportion to its speed. */
#include "axbt_par.c" /* made by hmpicc from models/axbt_par.mpc */
#include "hdpi.h"
#include "hmpi.h"
#include <stdio.h>
#include <stdlib.h>

enum { R = 64 };
static int wanted; /* processes, or rows of the grid; 0: the best number */

static double
a(int i, int j)
{
    return (i + 2 * j) % 7;
}

static double
b(int i, int j)
{
    return (3 * i + j) % 5;
}

/* r rows of C from r rows of A and t of B: the unit of the model.  Not
 * inlined, so that the benchmark runs the same instructions. */
__attribute__((noinline)) static void
multiply(int r, int t, int n, const double *x, const double *y, double *z,
         int ldz)
{
    for (int i = 0; i < r; ++i)
        for (int j = 0; j < t; ++j) {
            double sum = 0;
            for (int k = 0; k < n; ++k)
                sum += x[i * n + k] * y[j * n + k];
            z[i * ldz + j] = sum;
        }
}

static void
benchmark(const void *input, int count, void *output)
{
    const int *p = input; /* n, r, t */
    double *work = output;
    (void)count;
    multiply(p[1], p[2], p[0], work, work + p[1] * p[0],
             work + (p[1] + p[2]) * p[0], p[2]);
}

/* What the user has asked for. */
static int
is_wanted(int np, int *dp, void *modelp, int paramc)
{
    (void)np, (void)modelp, (void)paramc;
    return wanted == 0 || dp[0] == wanted;
}

/* d[k] row blocks are process k's; in step i row block i of B is broadcast. */
static int
run(const HMPI_Group *gid, int n, double *seconds)
{
    const MPI_Comm comm = *HMPI_Get_comm(gid);
    const int p = HMPI_Group_size(gid), me = HMPI_Group_rank(gid);
    double *speeds = malloc((size_t)p * sizeof *speeds);
    int *d = malloc((size_t)p * sizeof *d);
    int first = 0, wrong = 0;
    HMPI_Group_performances(gid, speeds);
    MPI_Bcast(speeds, p, MPI_DOUBLE, 0, comm);
    Partition_unordered_set(p, 1, speeds, NULL, NULL, n / R, NULL,
                            SYSTEM_DEFINED, NULL, NULL, d);
    for (int k = 0; k < me; ++k)
        first += d[k] * R;
    const int rows = d[me] * R;
    double *mine = malloc(((size_t)rows + 1) * (size_t)n * sizeof *mine);
    double *own = malloc(((size_t)rows + 1) * (size_t)n * sizeof *own);
    double *c = malloc(((size_t)rows + 1) * (size_t)n * sizeof *c);
    double *pivot = malloc((size_t)R * (size_t)n * sizeof *pivot);
    for (int i = 0; i < rows; ++i)
        for (int j = 0; j < n; ++j) {
            mine[i * n + j] = a(first + i, j);
            own[i * n + j] = b(first + i, j);
        }
    HMPI_Barrier(gid);
    const double begin = MPI_Wtime();
    for (int i = 0, root = 0, before = 0; i < n / R; ++i) {
        while (i >= before + d[root])
            before += d[root++];
        for (int k = 0; me == root && k < R * n; ++k)
            pivot[k] = own[(i - before) * R * n + k];
        MPI_Bcast(pivot, R * n, MPI_DOUBLE, root, comm);
        multiply(rows, R, n, mine, pivot, c + i * R, n);
    }
    HMPI_Barrier(gid);
    *seconds = MPI_Wtime() - begin;
    for (int i = 0; i < rows; ++i)
        for (int j = 0; j < n; j += 1 + n / 16) {
            double sum = 0;
            for (int k = 0; k < n; ++k)
                sum += a(first + i, k) * b(j, k);
            wrong += c[i * n + j] != sum;
        }
    MPI_Allreduce(MPI_IN_PLACE, &wrong, 1, MPI_INT, MPI_SUM, comm);
    free(speeds);
    free(d);
    free(mine);
    free(own);
    free(c);
    free(pivot);
    return wrong;
}

int
main(int argc, char **argv)
{
    HMPI_Group gid;
    int wrong = 0, input[3];
    if (HMPI_Init(argc, argv) != HMPI_SUCCESS)
        return 1;
    const int n = (argc > 1 ? atoi(argv[1]) : 256) / R * R;
    wanted = argc > 2 ? atoi(argv[2]) : 0;
    input[0] = n;
    input[1] = R;
    input[2] = R;
    double *work = malloc((size_t)(2 * R * n + R * R) * sizeof *work);
    for (int k = 0; k < 2 * R * n; ++k)
        work[k] = a(0, k);
    if (HMPI_Is_member(HMPI_PROC_WORLD_GROUP))
        HMPI_Recon(benchmark, input, 3, work);
    if (HMPI_Is_host() &&
        HMPI_Group_heuristic_auto_create(&gid, &HMPI_Model_AxBT, is_wanted,
                                         input, 3) != 0)
        HMPI_Printf("%s\n", hesca_error_text());
    if (HMPI_Is_free())
        HMPI_Group_heuristic_auto_create(&gid, &HMPI_Model_AxBT, NULL, NULL,
                                         0);
    if (HMPI_Is_member(&gid)) {
        double seconds;
        wrong = run(&gid, n, &seconds);
        if (HMPI_Is_parent(&gid))
            HMPI_Printf("order %d on %d processes in %.4g s: %d wrong "
                        "elements\n",
                        n, HMPI_Group_size(&gid), seconds, wrong);
        HMPI_Group_free(&gid);
    }
    free(work);
    HMPI_Finalize(wrong != 0);
    return 0;
}
