/* SPDX-License-Identifier: BSD-3-Clause */
/* HMPI: C := A B on the best p x q grid, each process with a rectangle in
 * proportion to its speed (Figures 3.18 to 3.21 of the thesis).
 *
 *     mpiexec -n 4 21_hmpi_axb [blocks [rows columns]]
 *
 * Matrices have blocks x blocks blocks of R x R elements, which are one
 * generalized block. */
#include "axb_cartesian.c" /* made by hmpicc from models/axb_cartesian.mpc */
#include "hdpi.h"
#include "hmpi.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { R = 128 };
static int wanted; /* rows of the grid; 0: the best grid */
static int wanted_cols;

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

/* C += A B, R columns of A: the unit of the model where m and n are R.  Not
 * inlined, so that the benchmark runs the same instructions. */
__attribute__((noinline)) static void
update(int m, int n, const double *restrict x, const double *restrict y,
       double *restrict z)
{
    for (int i = 0; i < m; ++i)
        for (int k = 0; k < R; ++k)
            for (int j = 0; j < n; ++j)
                z[i * n + j] += x[i * R + k] * y[k * n + j];
}

static void
benchmark(const void *input, int count, void *output)
{
    double *work = output;
    (void)input, (void)count;
    update(R, R, work, work + R * R, work + 2 * R * R);
}

/* First rows or columns of n shares, in blocks. */
static void
sum_up(int n, const int *share, int *first)
{
    first[0] = 0;
    for (int k = 0; k < n; ++k)
        first[k + 1] = first[k] + share[k];
}

static int
owner(const int *first, int k)
{
    int i = 0;
    while (k >= first[i + 1])
        ++i;
    return i;
}

/* What the user has asked for. */
static int
is_wanted(int np, int *dp, void *modelp, int paramc)
{
    (void)np, (void)modelp, (void)paramc;
    return wanted == 0 || (dp[0] == wanted && dp[1] == wanted_cols);
}

static int
run(const HMPI_Group *gid, int n, double *seconds)
{
    const MPI_Comm comm = *HMPI_Get_comm(gid);
    int numc, *dims, *me, wrong = 0;
    HMPI_Group_topology(gid, &numc, &dims);
    HMPI_Group_coordof(gid, &numc, &me);
    const int p = dims[0], q = dims[1], size = p * q;
    const size_t many = (size_t)size;
    double *speeds = malloc(many * sizeof *speeds);
    int *w = malloc(many * sizeof *w), *h = malloc(many * many * sizeof *h);
    int *trow = malloc(many * sizeof *trow);
    int *tcol = malloc(many * sizeof *tcol);
    int *rows = malloc((many + 1) * sizeof *rows);
    int *cols = malloc((many + 1) * sizeof *cols);
    int *share = malloc(many * sizeof *share);
    HMPI_Group_performances(gid, speeds);
    MPI_Bcast(speeds, size, MPI_DOUBLE, 0, comm);
    Partition_matrix_2d(p, q, 1, speeds, NULL, NULL, n, n, CARTESIAN, w, h,
                        trow, tcol, NULL, NULL);
    for (int i = 0; i < p; ++i)
        share[i] = h[(i * q) * (size + 1)];
    sum_up(p, share, rows);
    for (int j = 0; j < q; ++j)
        share[j] = w[j];
    sum_up(q, share, cols);

    const int m0 = rows[me[0]] * R, m = rows[me[0] + 1] * R - m0;
    const int n0 = cols[me[1]] * R, nn = cols[me[1] + 1] * R - n0;
    MPI_Comm row, col;
    MPI_Comm_split(comm, me[0], me[1], &row);
    MPI_Comm_split(comm, me[1], me[0], &col);
    double *x = malloc((size_t)(m + 1) * R * sizeof *x);
    double *y = malloc((size_t)(nn + 1) * R * sizeof *y);
    double *c = calloc((size_t)(m + 1) * (size_t)(nn + 1), sizeof *c);
    HMPI_Barrier(gid);
    const double begin = MPI_Wtime();
    for (int k = 0; k < n; ++k) { /* a block column of A, a block row of B */
        const int root_col = owner(cols, k), root_row = owner(rows, k);
        for (int i = 0; root_col == me[1] && i < m * R; ++i)
            x[i] = a(m0 + i / R, k * R + i % R);
        for (int j = 0; root_row == me[0] && j < nn * R; ++j)
            y[j] = b(k * R + j / nn, n0 + j % nn);
        MPI_Bcast(x, m * R, MPI_DOUBLE, root_col, row);
        MPI_Bcast(y, nn * R, MPI_DOUBLE, root_row, col);
        update(m, nn, x, y, c);
    }
    HMPI_Barrier(gid);
    *seconds = MPI_Wtime() - begin;
    for (int i = 0; i < m; i += 1 + m / 16)
        for (int j = 0; j < nn; ++j) {
            double sum = 0;
            for (int k = 0; k < n * R; ++k)
                sum += a(m0 + i, k) * b(k, n0 + j);
            wrong += c[i * nn + j] != sum;
        }
    MPI_Allreduce(MPI_IN_PLACE, &wrong, 1, MPI_INT, MPI_SUM, comm);
    MPI_Comm_free(&row);
    MPI_Comm_free(&col);
    if (HMPI_Is_parent(gid))
        HMPI_Printf("%d x %d blocks on %d x %d processes in %.4g s: %d wrong "
                    "elements\n",
                    n, n, p, q, *seconds, wrong);
    void *const all[] = {dims, me,   speeds, w, h, trow, tcol,
                         rows, cols, share,  x, y, c};
    for (size_t k = 0; k < sizeof all / sizeof *all; ++k)
        free(all[k]);
    return wrong;
}

int
main(int argc, char **argv)
{
    static double work[3 * R * R];
    HMPI_Group gid;
    int wrong = 0;
    if (HMPI_Init(argc, argv) != HMPI_SUCCESS)
        return 1;
    const int n = argc > 1 ? atoi(argv[1]) : 4;
    wanted = argc > 3 ? atoi(argv[2]) : 0;
    wanted_cols = argc > 3 ? atoi(argv[3]) : 0;
    const int params[] = {n, R, n, n}; /* n, r, l_p, l_q */
    for (int k = 0; k < 2 * R * R; ++k)
        work[k] = a(0, k);
    if (HMPI_Is_member(HMPI_PROC_WORLD_GROUP))
        HMPI_Recon(benchmark, NULL, 0, work);
    if (HMPI_Is_host() &&
        HMPI_Group_heuristic_auto_create(&gid, &HMPI_Model_ParallelAxB,
                                         is_wanted, params, 4) != 0)
        HMPI_Printf("%s\n", hesca_error_text());
    if (HMPI_Is_free())
        HMPI_Group_heuristic_auto_create(&gid, &HMPI_Model_ParallelAxB, NULL,
                                         NULL, 0);
    if (HMPI_Is_member(&gid)) {
        double seconds;
        wrong = run(&gid, n, &seconds);
        HMPI_Group_free(&gid);
    }
    HMPI_Finalize(wrong != 0);
    return 0;
}
