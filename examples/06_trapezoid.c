/* SPDX-License-Identifier: BSD-3-Clause */
/* 6. Only the upper triangle, without its diagonal: what lies below in B stays
 * as it is.
 *
 *   mpicc 06_trapezoid.c -o 06_trapezoid $(pkg-config --cflags --libs hesca)
 *   mpiexec -n 4 ./06_trapezoid */
#include <hesca.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

enum { N = 300 };

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
    int64_t lda, ldb, locc, il, jl;
    hesca_layout *a, *b;
    hesca_plan *plan;
    hesca_plan_info info;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &nprocs);
    check(hesca_layout_create_cyclic(N, N, 7, 9, 0, 0, 1, nprocs, NULL, &a));
    check(hesca_layout_create_cyclic(N, N, 16, 16, 0, 0, nprocs, 1, NULL, &b));
    check(hesca_layout_local_size(a, rank, &lda, &locc));
    float *x = malloc((size_t)(lda * locc + 1) * sizeof *x);
    for (int64_t k = 0; k < lda * locc; ++k)
        x[k] = 1;
    check(hesca_layout_local_size(b, rank, &ldb, &locc));
    float *y = calloc((size_t)(ldb * locc + 1), sizeof *y);

    check(hesca_plan_create(
        HESCA_UPPER_STRICT, N, N, &(hesca_matrix){.layout = a},
        &(hesca_matrix){.layout = b}, sizeof *x, MPI_COMM_WORLD, &plan));
    check(hesca_plan_execute(plan, x, lda, y, ldb));

    check(hesca_plan_get_info(plan, &info));
    for (int64_t j = 0; j < N; ++j)
        for (int64_t i = 0; i < N; ++i) {
            check(hesca_layout_locate(b, i, j, &owner, &il, &jl));
            if (owner == rank)
                wrong += y[il + jl * ldb] != (i < j ? 1.0F : 0.0F);
        }
    MPI_Allreduce(&wrong, &all_wrong, 1, MPI_LONG, MPI_SUM, MPI_COMM_WORLD);
    if (rank == 0)
        printf("%lld bytes for %d elements above the diagonal; %ld wrong "
               "elements\n",
               (long long)info.bytes_total, N * (N - 1) / 2, all_wrong);
    hesca_plan_free(plan);
    hesca_layout_free(a);
    hesca_layout_free(b);
    free(x);
    free(y);
    MPI_Finalize();
    return all_wrong != 0;
}
