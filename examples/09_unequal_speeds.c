/* SPDX-License-Identifier: BSD-3-Clause */
/* 9. Processes of unequal speed: a block-cyclic matrix goes to a layout where
 * each process has rows in proportion to its speed, is worked on there, and
 * comes back.
 *
 *   mpicc 09_unequal_speeds.c -o 09_unequal_speeds \
 *       $(pkg-config --cflags --libs hesca)
 *   mpiexec -n 4 ./09_unequal_speeds 1 2 4 1 */
#include <hesca.h>
#include <hesca/experimental.h>
#include <math.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

enum { M = 1000, N = 600, BLOCK = 64 };

static void
check(int err)
{
    if (err < 0) {
        fprintf(stderr, "%s: %s\n", hesca_strerror(err), hesca_error_text());
        MPI_Abort(MPI_COMM_WORLD, 1);
    }
}

/* Rows of each process in a generalized block of BLOCK rows; speeds are those
 * of the command line, 1 where there is none. */
static void
share_out(int nprocs, int argc, char **argv, int64_t *heights)
{
    hesca_speed **speed = calloc((size_t)nprocs, sizeof *speed);
    hesca_shares *shares;
    for (int p = 0; p < nprocs; ++p)
        check(hesca_speed_create_constant(p + 1 < argc ? atof(argv[p + 1]) : 1,
                                          INFINITY, &speed[p]));
    check(hesca_shares_create(nprocs, (const hesca_speed *const *)speed, BLOCK,
                              &shares));
    for (int p = 0; p < nprocs; ++p) {
        heights[p] = hesca_shares_count(shares, p);
        hesca_speed_free(speed[p]);
    }
    hesca_shares_free(shares);
    free(speed);
}

static void
copy(const hesca_layout *a, const double *x, int64_t lda,
     const hesca_layout *b, double *y, int64_t ldb)
{
    hesca_plan *plan;
    check(hesca_plan_create(HESCA_ALL, M, N, &(hesca_matrix){.layout = a},
                            &(hesca_matrix){.layout = b}, sizeof *x,
                            MPI_COMM_WORLD, &plan));
    check(hesca_plan_execute(plan, x, lda, y, ldb));
    hesca_plan_free(plan);
}

int
main(int argc, char **argv)
{
    int rank, nprocs;
    long wrong = 0, all_wrong, rows, most;
    int64_t lda, ldb, locc;
    const int64_t widths[] = {N}; /* one process column has all of them */
    hesca_layout *a, *b;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &nprocs);
    int64_t *heights = malloc((size_t)nprocs * sizeof *heights);
    share_out(nprocs, argc, argv, heights);

    check(hesca_layout_create_cyclic(M, N, 8, 8, 0, 0, nprocs, 1, NULL, &a));
    check(hesca_layout_create_generalized(M, N, nprocs, 1, heights, widths,
                                          NULL, &b));
    check(hesca_layout_local_size(a, rank, &lda, &locc));
    double *x = malloc((size_t)(lda * locc + 1) * sizeof *x);
    for (int64_t k = 0; k < lda * locc; ++k)
        x[k] = (double)(rank + nprocs * k);
    check(hesca_layout_local_size(b, rank, &ldb, &locc));
    rows = (long)ldb;
    double *y = malloc((size_t)(ldb * locc + 1) * sizeof *y);

    copy(a, x, lda, b, y, ldb > 1 ? ldb : 1);
    for (int64_t k = 0; k < ldb * locc; ++k) /* in proportion to speeds */
        y[k] = 2 * y[k] + 1;
    copy(b, y, ldb > 1 ? ldb : 1, a, x, lda);

    check(hesca_layout_local_size(a, rank, &lda, &locc));
    for (int64_t k = 0; k < lda * locc; ++k)
        wrong += x[k] != 2 * (double)(rank + nprocs * k) + 1;
    MPI_Allreduce(&wrong, &all_wrong, 1, MPI_LONG, MPI_SUM, MPI_COMM_WORLD);
    MPI_Reduce(&rows, &most, 1, MPI_LONG, MPI_MAX, 0, MPI_COMM_WORLD);
    if (rank == 0)
        printf("%ld rows here, %ld on the fastest; %ld wrong elements\n", rows,
               most, all_wrong);
    hesca_layout_free(a);
    hesca_layout_free(b);
    free(heights);
    free(x);
    free(y);
    MPI_Finalize();
    return all_wrong != 0;
}
