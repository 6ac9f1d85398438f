/* SPDX-License-Identifier: BSD-3-Clause */
/* 14. The heterogeneous matrix multiplication: one process for each processor,
 * and of the product a share in proportion to how fast that is.  Speeds are
 * measured by the product of small matrices; of all generalized blocks cut by
 * them that of least predicted time is taken, and hesca_gemm() multiplies: C
 * is in these blocks, A and B stay as a ScaLAPACK program has them.
 *
 *   mpicc 14_hohe_gemm.c -o 14_hohe_gemm $(pkg-config --cflags --libs hesca)
 *   mpiexec -n 4 ./14_hohe_gemm 1000 */
#include <hesca.h>
#include <hesca/experimental.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { R = 16 }; /* elements of a block */

/* This process's part of an n x n matrix, whose element (i,j) is x i + y j. */
static hesca_matrix
make(const hesca_layout *layout, int rank, int64_t n, double x, double y)
{
    hesca_matrix a = {.layout = layout};
    int64_t m, k, il, jl;
    int owner;
    hesca_layout_local_size(layout, rank, &m, &k);
    a.lld = m > 0 ? m : 1;
    double *local = malloc((size_t)(a.lld * k + 1) * sizeof *local);
    for (int64_t j = 0; j < n; ++j)
        for (int64_t i = 0; i < n; ++i) {
            hesca_layout_locate(layout, i, j, &owner, &il, &jl);
            if (owner == rank)
                local[il + jl * a.lld] = x * (double)i + y * (double)j;
        }
    a.local = local;
    return a;
}

static int
multiply(int64_t n, const hesca_matrix *a, const hesca_matrix *b,
         const hesca_matrix *c, MPI_Comm comm)
{
    const double one = 1, zero = 0;
    return hesca_gemm(HESCA_D, 'N', 'N', n, n, n, &one, a, b, &zero, c, comm);
}

/* Operations per second of small matrices, on this process alone. */
static double
measure(void)
{
    enum { SMALL = 160, TIMES = 3 };
    hesca_layout *layout;
    hesca_layout_create_cyclic(SMALL, SMALL, R, R, 0, 0, 1, 1, NULL, &layout);
    hesca_matrix a = make(layout, 0, SMALL, 1, 2);
    hesca_matrix b = make(layout, 0, SMALL, 3, 4);
    hesca_matrix c = make(layout, 0, SMALL, 0, 0);
    multiply(SMALL, &a, &b, &c, MPI_COMM_SELF);
    const double begin = MPI_Wtime();
    for (int k = 0; k < TIMES; ++k)
        multiply(SMALL, &a, &b, &c, MPI_COMM_SELF);
    const double seconds = MPI_Wtime() - begin;
    free(a.local);
    free(b.local);
    free(c.local);
    hesca_layout_free(layout);
    return TIMES * 2.0 * SMALL * SMALL * SMALL / seconds;
}

/* Every process is a host: a speed of 1 means 1e10 operations per second. */
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
        machine->host[k].speed = speed[k] / 1e10;
    free(text);
    free(name);
    return err;
}

/* Placement of processes: in the order of ranks, row by row. */
static int
cut(int64_t n, int p, int q, const double *speed, hesca_gblock **blocks)
{
    const hesca_job job = {HESCA_ROUTINE_GEMM, n, R};
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

/* sum over l of (i + 2 l) (3 l + 4 j), and how many differ from it here. */
static long
count_wrong(const hesca_matrix *c, int rank, int64_t n)
{
    const double N = (double)n, sum = N * (N - 1) / 2;
    const double squares = (N - 1) * N * (2 * N - 1) / 6;
    long wrong = 0;
    for (int64_t j = 0; j < n; ++j)
        for (int64_t i = 0; i < n; ++i) {
            int owner;
            int64_t il, jl;
            hesca_layout_locate(c->layout, i, j, &owner, &il, &jl);
            if (owner != rank)
                continue;
            const double x = (double)i, y = (double)j;
            const double must =
                6 * squares + (3 * x + 8 * y) * sum + 4 * x * y * N;
            const double is = ((double *)c->local)[il + jl * c->lld];
            wrong += fabs(is - must) > 1e-10 * must;
        }
    return wrong;
}

static void
print_shares(const hesca_gblock *blocks, const double *speed, int nprocs)
{
    const hesca_gblock_info info = hesca_gblock_get_info(blocks);
    printf("generalized blocks of %d x %d blocks\n", info.lp, info.lq);
    for (int r = 0; r < nprocs; ++r) {
        int64_t m, k;
        hesca_layout_local_size(hesca_gblock_layout(blocks), r, &m, &k);
        printf("process %d, speed %.3g, has %lld x %lld of C\n", r,
               speed[r] / speed[0], (long long)m, (long long)k);
    }
}

int
main(int argc, char **argv)
{
    int rank, nprocs, shape[2] = {0, 0}, err;
    long wrong = 0, all = 0;
    hesca_layout *cyclic = NULL;
    hesca_gblock *blocks = NULL;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &nprocs);
    MPI_Dims_create(nprocs, 2, shape);
    const int64_t n = argc > 1 ? atoll(argv[1]) : 500;
    const double mine = argc > 2 + rank ? atof(argv[2 + rank]) : measure();
    double *speed = malloc((size_t)nprocs * sizeof *speed);
    MPI_Allgather(&mine, 1, MPI_DOUBLE, speed, 1, MPI_DOUBLE, MPI_COMM_WORLD);
    err = hesca_layout_create_cyclic(n, n, 64, 64, 0, 0, shape[0], shape[1],
                                     NULL, &cyclic);
    if (err >= 0)
        err = cut(n, shape[0], shape[1], speed, &blocks);
    if (err >= 0) {
        hesca_matrix a = make(cyclic, rank, n, 1, 2);
        hesca_matrix b = make(cyclic, rank, n, 3, 4);
        hesca_matrix c = make(hesca_gblock_layout(blocks), rank, n, 0, 0);
        const double begin = MPI_Wtime();
        err = multiply(n, &a, &b, &c, MPI_COMM_WORLD);
        const double seconds = MPI_Wtime() - begin;
        wrong = count_wrong(&c, rank, n);
        MPI_Reduce(&wrong, &all, 1, MPI_LONG, MPI_SUM, 0, MPI_COMM_WORLD);
        if (rank == 0) {
            print_shares(blocks, speed, nprocs);
            printf("order %lld on %dx%d processes in %.0f ms: %ld wrong "
                   "elements\n",
                   (long long)n, shape[0], shape[1], 1e3 * seconds, all);
        }
        free(a.local);
        free(b.local);
        free(c.local);
    }
    if (err < 0)
        fprintf(stderr, "%s\n", hesca_error_text());
    hesca_layout_free(cyclic);
    hesca_gblock_free(blocks);
    free(speed);
    MPI_Finalize();
    return err < 0 || all > 0;
}
