/* SPDX-License-Identifier: BSD-3-Clause */
/* HMPI: sub-bodies of different sizes in a line, each with its neighbours'
 * values in every iteration, as in EM3D (section 5.1 of the thesis).
 *
 *     mpiexec -n 4 25_hmpi_em3d [iterations [size]]
 *
 * The largest sub-bodies go to the fastest processes, unless the links make
 * that worse. */
#include "em3d_line.c" /* made by hmpicc from models/em3d_line.mpc */
#include "hmpi.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { UNIT = 2000, HALO = 100, REACH = 4 };

/* A value is the mean of those around it; x[-REACH] ... x[n + REACH - 1].  Not
 * inlined, so that the benchmark runs the same instructions. */
__attribute__((noinline)) static void
iterate(int n, const double *restrict x, double *restrict y)
{
    for (int i = 0; i < n; ++i) {
        double sum = 0;
        for (int k = -REACH; k <= REACH; ++k)
            sum += x[i + k];
        y[i] = sum / (2 * REACH + 1);
    }
}

/* An iteration of so many nodes as a sub-body has: memory, not the first-level
 * cache, limits the speed of large ones. */
static void
benchmark(const void *input, int count, void *output)
{
    const int k = *(const int *)input;
    double *x = output;
    (void)count;
    iterate(k, x + HALO, x + k + 3 * HALO);
}

static double
start(int i)
{
    return (i * 7) % 13;
}

/* n values between two halos, which are 0 outside of the line. */
static double *
make(int n)
{
    return calloc((size_t)n + 2 * HALO, sizeof(double));
}

/* \return The sub-body after all iterations. */
static double *
run(const HMPI_Group *gid, const int *d, int iterations, double *seconds)
{
    const MPI_Comm comm = *HMPI_Get_comm(gid);
    const int p = HMPI_Group_size(gid), me = HMPI_Group_rank(gid), n = d[me];
    const int left = me > 0 ? me - 1 : MPI_PROC_NULL;
    const int right = me + 1 < p ? me + 1 : MPI_PROC_NULL;
    double *x = make(n), *y = make(n);
    int first = 0;
    for (int k = 0; k < me; ++k)
        first += d[k];
    for (int i = 0; i < n; ++i)
        x[HALO + i] = start(first + i);
    iterate(n, x + HALO, y + HALO); /* touches memory before the clock runs */
    HMPI_Barrier(gid);
    const double begin = MPI_Wtime();
    for (int k = 0; k < iterations; ++k) {
        MPI_Sendrecv(x + HALO, HALO, MPI_DOUBLE, left, 0, x + HALO + n, HALO,
                     MPI_DOUBLE, right, 0, comm, MPI_STATUS_IGNORE);
        MPI_Sendrecv(x + n, HALO, MPI_DOUBLE, right, 0, x, HALO, MPI_DOUBLE,
                     left, 0, comm, MPI_STATUS_IGNORE);
        iterate(n, x + HALO, y + HALO);
        double *swap = x;
        x = y;
        y = swap;
    }
    HMPI_Barrier(gid);
    *seconds = MPI_Wtime() - begin;
    free(y);
    return x;
}

/* How many values of this sub-body differ from those of the line as a whole.
 */
static int
check(int p, const int *d, int me, int iterations, const double *mine)
{
    int n = 0, first = 0, wrong = 0;
    for (int k = 0; k < p; ++k) {
        first += k < me ? d[k] : 0;
        n += d[k];
    }
    double *x = make(n), *y = make(n);
    for (int i = 0; i < n; ++i)
        x[HALO + i] = start(i);
    for (int k = 0; k < iterations; ++k) {
        iterate(n, x + HALO, y + HALO);
        double *swap = x;
        x = y;
        y = swap;
    }
    for (int i = 0; i < d[me]; ++i)
        wrong += x[HALO + first + i] != mine[HALO + i];
    free(x);
    free(y);
    return wrong;
}

int
main(int argc, char **argv)
{
    HMPI_Group gid;
    int wrong = 0, d[64], paramc;
    if (HMPI_Init(argc, argv) != HMPI_SUCCESS)
        return 1;
    const int iterations = argc > 1 ? atoi(argv[1]) : 20;
    const int size = argc > 2 ? atoi(argv[2]) : 10;
    const int k = 2 * size * UNIT; /* nodes of the benchmark */
    double *work = make(2 * k + 2 * HALO);
    for (int i = 0; i < k; ++i) /* or all reads were of one page of zeros */
        work[HALO + i] = start(i);
    int p = HMPI_Group_size(HMPI_COMM_WORLD_GROUP);
    p = p < 64 ? p : 64;
    for (int i = 0; i < p; ++i) /* every process knows the sizes */
        d[i] = size * UNIT * (1 + i % 3);
    if (HMPI_Is_member(HMPI_PROC_WORLD_GROUP))
        HMPI_Recon(benchmark, &k, 1, work);
    if (HMPI_Is_host()) {
        int *params = HMPI_Pack_model_parameters(&HMPI_Model_Em3dLine, &paramc,
                                                 p, k, HALO, iterations, d);
        if (HMPI_Group_create(&gid, &HMPI_Model_Em3dLine, params, paramc) != 0)
            HMPI_Printf("%s\n", hesca_error_text());
        free(params);
    }
    if (HMPI_Is_free())
        HMPI_Group_create(&gid, &HMPI_Model_Em3dLine, NULL, 0);
    if (HMPI_Is_member(&gid)) {
        double seconds;
        double *mine = run(&gid, d, iterations, &seconds);
        wrong = check(p, d, HMPI_Group_rank(&gid), iterations, mine);
        MPI_Allreduce(MPI_IN_PLACE, &wrong, 1, MPI_INT, MPI_SUM,
                      *HMPI_Get_comm(&gid));
        if (HMPI_Is_parent(&gid))
            HMPI_Printf("%d sub-bodies, %d iterations in %.4g s: %d wrong\n",
                        p, iterations, seconds, wrong);
        free(mine);
        HMPI_Group_free(&gid);
    }
    free(work);
    HMPI_Finalize(wrong != 0);
    return 0;
}
