/* SPDX-License-Identifier: BSD-3-Clause */
/* 3. Plans: no ScaLAPACK, no contexts, only MPI and two layouts.  A plan is
 * made once and executed often.
 *
 *   mpicc 03_plan.c -o 03_plan $(pkg-config --cflags --libs hesca)
 *   mpiexec -n 4 ./03_plan */
#include <hesca.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

enum { M = 1000, N = 600 };

/* Every HESCA function returns 0 or a negative code, and keeps a text. */
static void
check(int err)
{
    if (err < 0) {
        fprintf(stderr, "%s: %s\n", hesca_strerror(err), hesca_error_text());
        MPI_Abort(MPI_COMM_WORLD, 1);
    }
}

int
main(int argc, char **argv)
{
    int rank, nprocs, owner;
    long wrong = 0, all_wrong;
    int64_t locr, locc, lda, ldb, il, jl;
    hesca_layout *a, *b;
    hesca_plan *plan;
    hesca_plan_info info;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &nprocs);

    /* Blocks of 8 x 8 on one column of processes; one block column each. */
    check(hesca_layout_create_cyclic(M, N, 8, 8, 0, 0, nprocs, 1, NULL, &a));
    check(hesca_layout_create_cyclic(M, N, M, N / nprocs + 1, 0, 0, 1, nprocs,
                                     NULL, &b));
    check(hesca_layout_local_size(a, rank, &lda, &locc));
    double *x = malloc((size_t)(lda * locc + 1) * sizeof *x);
    check(hesca_layout_local_size(b, rank, &locr, &locc));
    ldb = locr > 1 ? locr : 1;
    double *y = calloc((size_t)(ldb * locc + 1), sizeof *y);
    for (int64_t j = 0; j < N; ++j)
        for (int64_t i = 0; i < M; ++i) {
            check(hesca_layout_locate(a, i, j, &owner, &il, &jl));
            if (owner == rank)
                x[il + jl * lda] = 1000.0 * (double)i + (double)j;
        }

    check(hesca_plan_create(HESCA_ALL, M, N, &(hesca_matrix){.layout = a},
                            &(hesca_matrix){.layout = b}, sizeof *x,
                            MPI_COMM_WORLD, &plan));
    for (int k = 0; k < 10; ++k)
        check(hesca_plan_execute(plan, x, lda, y, ldb));

    check(hesca_plan_get_info(plan, &info));
    for (int64_t j = 0; j < N; ++j)
        for (int64_t i = 0; i < M; ++i) {
            check(hesca_layout_locate(b, i, j, &owner, &il, &jl));
            if (owner == rank)
                wrong += y[il + jl * ldb] != 1000.0 * (double)i + (double)j;
        }
    MPI_Allreduce(&wrong, &all_wrong, 1, MPI_LONG, MPI_SUM, MPI_COMM_WORLD);
    if (rank == 0)
        printf("schedule %s, %d steps; %lld of %lld bytes change their "
               "process; %ld wrong elements\n",
               info.schedule, info.nsteps, (long long)info.bytes_moved,
               (long long)info.bytes_total, all_wrong);
    hesca_plan_free(plan);
    hesca_layout_free(a);
    hesca_layout_free(b);
    free(x);
    free(y);
    MPI_Finalize();
    return all_wrong != 0;
}
