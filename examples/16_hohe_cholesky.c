/* SPDX-License-Identifier: BSD-3-Clause */
/* 16. The heterogeneous Cholesky factorization: A = L L' in generalized blocks
 * cut by the speeds of the processes, so large that the least time is
 * predicted; then A x = b, with b where a ScaLAPACK program has it.
 *
 *   mpicc 16_hohe_cholesky.c -o 16_hohe_cholesky \
 *       $(pkg-config --cflags --libs hesca)
 *   mpiexec -n 4 ./16_hohe_cholesky 1000 5 1 2 1
 *
 * Arguments: the order, and a speed for each process (all equal). */
#include <float.h>
#include <hesca.h>
#include <hesca/experimental.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { R = 32 }; /* elements of a block */

/* The diagonal outweighs the rest. */
static double
element_of_a(int64_t i, int64_t j, int64_t n)
{
    return i == j ? (double)n : 1 / (1 + fabs((double)(i - j)));
}

static double
element_of_b(int64_t i, int64_t j, int64_t n)
{
    (void)j;
    return (double)(n - i);
}

/* This process's part of a matrix of so many columns. */
static hesca_matrix
make(const hesca_layout *layout, int rank, int64_t n,
     double (*element)(int64_t i, int64_t j, int64_t n))
{
    hesca_matrix a = {.layout = layout};
    int64_t rows, cols, i, j;
    hesca_layout_local_size(layout, rank, &rows, &cols);
    a.lld = rows > 0 ? rows : 1;
    double *local = malloc((size_t)(a.lld * cols + 1) * sizeof *local);
    for (int64_t jl = 0; jl < cols; ++jl)
        for (int64_t il = 0; il < rows; ++il) {
            hesca_layout_global(layout, rank, il, jl, &i, &j);
            local[il + jl * a.lld] = element(i, j, n);
        }
    a.local = local;
    return a;
}

/* A host for each process, of its speed times 1e10 operations per second. */
static int
describe(int nprocs, const double *speed, hesca_machine *machine)
{
    char(*text)[24] = malloc((size_t)nprocs * sizeof *text);
    const char **name = malloc((size_t)nprocs * sizeof *name);
    *machine = hesca_machine_default();
    for (int k = 0; k < nprocs; ++k) {
        snprintf(text[k], sizeof text[k], "process%d", k);
        name[k] = text[k];
    }
    const int err = hesca_machine_set_hosts(machine, nprocs, name);
    for (int k = 0; err >= 0 && k < nprocs; ++k)
        machine->host[k].speed = speed[k];
    free(text);
    free(name);
    return err;
}

/* Processes in the order of ranks, row by row. */
static int
cut(int64_t n, int p, int q, const double *speed, hesca_gblock **blocks)
{
    const hesca_job job = {HESCA_ROUTINE_POTRF, n, R};
    int *host = malloc((size_t)p * (size_t)q * sizeof *host);
    hesca_machine machine;
    int err = describe(p * q, speed, &machine);
    for (int k = 0; k < p * q; ++k)
        host[k] = k;
    if (err >= 0)
        err = hesca_gblock_tune(&job, &machine, p, q, host, 0, NULL, blocks,
                                NULL);
    hesca_machine_clear(&machine);
    free(host);
    return err;
}

/* ||A x - b|| / (n eps ||A|| ||x||) in the maximum norm. */
static double
residual(const hesca_matrix *x, int rank, int64_t n)
{
    double *all = calloc((size_t)n, sizeof *all);
    double worst = 0, a = 0, longest = 0;
    int64_t rows, cols, i, j;
    hesca_layout_local_size(x->layout, rank, &rows, &cols);
    for (int64_t il = 0; cols > 0 && il < rows; ++il) {
        hesca_layout_global(x->layout, rank, il, 0, &i, &j);
        all[i] = ((double *)x->local)[il];
    }
    MPI_Allreduce(MPI_IN_PLACE, all, (int)n, MPI_DOUBLE, MPI_SUM,
                  MPI_COMM_WORLD);
    for (i = 0; i < n; ++i) {
        double sum = -element_of_b(i, 0, n), norm = 0;
        for (j = 0; j < n; ++j) {
            sum += element_of_a(i, j, n) * all[j];
            norm += fabs(element_of_a(i, j, n));
        }
        worst = fmax(worst, fabs(sum));
        a = fmax(a, norm);
        longest = fmax(longest, fabs(all[i]));
    }
    free(all);
    return worst / ((double)n * DBL_EPSILON * a * longest);
}

static int
solve(int64_t n, const hesca_matrix *a, const hesca_matrix *b)
{
    int64_t info;
    int err = hesca_potrf(HESCA_D, 'L', n, a, MPI_COMM_WORLD, &info);
    if (err >= 0 && info > 0)
        fprintf(stderr, "the leading minor %lld is not positive definite\n",
                (long long)info);
    if (err >= 0 && info == 0)
        err = hesca_potrs(HESCA_D, 'L', n, 1, a, b, MPI_COMM_WORLD);
    return err;
}

int
main(int argc, char **argv)
{
    int rank, nprocs, shape[2] = {0, 0}, err;
    double r = 0;
    hesca_layout *cyclic = NULL;
    hesca_gblock *blocks = NULL;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &nprocs);
    MPI_Dims_create(nprocs, 2, shape);
    const int64_t n = argc > 1 ? atoll(argv[1]) : 500;
    double *speed = malloc((size_t)nprocs * sizeof *speed);
    for (int k = 0; k < nprocs; ++k)
        speed[k] = argc > 2 + k ? atof(argv[2 + k]) : 1;
    err = hesca_layout_create_cyclic(n, 1, 64, 64, 0, 0, nprocs, 1, NULL,
                                     &cyclic);
    if (err >= 0)
        err = cut(n, shape[0], shape[1], speed, &blocks);
    if (err >= 0) {
        const hesca_gblock_info info = hesca_gblock_get_info(blocks);
        hesca_matrix a =
            make(hesca_gblock_layout(blocks), rank, n, element_of_a);
        hesca_matrix b = make(cyclic, rank, n, element_of_b);
        const double begin = MPI_Wtime();
        err = solve(n, &a, &b);
        const double seconds = MPI_Wtime() - begin;
        r = residual(&b, rank, n);
        if (rank == 0)
            printf("order %lld on %dx%d processes, %dx%d blocks of %d, in "
                   "%.0f ms: residual %s\n",
                   (long long)n, shape[0], shape[1], info.lp, info.lq, R,
                   1e3 * seconds, r < 1 ? "small" : "too large");
        free(a.local);
        free(b.local);
    }
    if (err < 0)
        fprintf(stderr, "%s\n", hesca_error_text());
    hesca_layout_free(cyclic);
    hesca_gblock_free(blocks);
    free(speed);
    MPI_Finalize();
    return err < 0 || !(r < 1);
}
