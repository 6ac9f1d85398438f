/* SPDX-License-Identifier: BSD-3-Clause */
/* A program of any number of processes that calls some of the intercepted
 * routines; t_report_page.sh preloads HESCA into it.
 *
 *   report_program MODE N RUNS
 *
 * MODE  all      a grid of all processes
 *       idle     of all but the last one, which calls nothing of ScaLAPACK
 *       halves   two grids of disjoint processes
 *       none     nothing of ScaLAPACK is called
 *       late     as idle, and the last process comes later to MPI_Finalize
 *       early    as idle, and the first process comes later
 *       gone     as idle, and the last process ends without MPI_Finalize
 *       abort    as idle, and the last process calls MPI_Abort
 *       pass     RUNS calls that are left, and their mean time
 * N     order of the matrices */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int Csys2blacs_handle(MPI_Comm);
void Cblacs_gridinit(int *, const char *, int, int);
void Cblacs_gridinfo(int, int *, int *, int *, int *);
void Cblacs_gridexit(int);
int numroc_(const int *, const int *, const int *, const int *, const int *);
void Cpdgemr2d(int, int, const double *, int, int, const int *, double *, int,
               int, const int *, int);
void pdgemm_(const char *, const char *, const int *, const int *, const int *,
             const double *, const double *, const int *, const int *,
             const int *, const double *, const int *, const int *,
             const int *, const double *, double *, const int *, const int *,
             const int *);
void pdgesv_(const int *, const int *, double *, const int *, const int *,
             const int *, int *, double *, const int *, const int *,
             const int *, int *);

enum { NB = 32, SECONDS = 12 };
static const int one = 1, zero = 0;

typedef struct {
    int ictxt, np, me, n, cols;
    int desc[9], other[9];
    double *a, *b, *c;
    int *ipiv;
} job;

/* All processes of comm, in one row. */
static void
begin(job *x, MPI_Comm comm, int n)
{
    int np, nprow, npcol, myrow;
    MPI_Comm_size(comm, &np);
    x->ictxt = Csys2blacs_handle(comm);
    Cblacs_gridinit(&x->ictxt, "R", 1, np);
    Cblacs_gridinfo(x->ictxt, &nprow, &npcol, &myrow, &x->me);
    const int nb = NB, wide = 2 * NB;
    x->np = np;
    x->n = n;
    x->cols = numroc_(&n, &nb, &x->me, &zero, &np);
    const int more = numroc_(&n, &wide, &x->me, &zero, &np);
    const int desc[9] = {1, x->ictxt, n, n, NB, NB, 0, 0, n};
    const int other[9] = {1, x->ictxt, n, n, wide, wide, 0, 0, n};
    memcpy(x->desc, desc, sizeof desc);
    memcpy(x->other, other, sizeof other);
    const size_t size =
        (size_t)n * (size_t)(1 + (x->cols > more ? x->cols : more));
    x->a = calloc(size, sizeof *x->a);
    x->b = calloc(size, sizeof *x->b);
    x->c = calloc(size, sizeof *x->c);
    x->ipiv = calloc((size_t)(n + NB), sizeof *x->ipiv);
    for (int j = 0; j < x->cols; ++j) {
        const int col = (j / NB * np + x->me) * NB + j % NB;
        for (int i = 0; i < n; ++i)
            x->a[(size_t)j * (size_t)n + (size_t)i] =
                i == col ? n : 1.0 / (1 + i + col);
        x->b[(size_t)j * (size_t)n] = 1;
    }
}

static void
end(job *x)
{
    free(x->a);
    free(x->b);
    free(x->c);
    free(x->ipiv);
    Cblacs_gridexit(x->ictxt);
}

static void
multiply(const job *x, int n)
{
    const double alpha = 1, beta = 0;
    pdgemm_("N", "N", &n, &n, &n, &alpha, x->a, &one, &one, x->desc, x->b,
            &one, &one, x->desc, &beta, x->c, &one, &one, x->desc);
}

/* As many calls as the test of t_report_page.sh wants. */
static void
work(job *x, int runs)
{
    int info = 0;
    for (int k = 0; k < runs; ++k) {
        multiply(x, x->n);
        multiply(x, 8);
        Cpdgemr2d(x->n, x->n, x->a, 1, 1, x->desc, x->c, 1, 1, x->other,
                  x->ictxt);
    }
    pdgesv_(&x->n, &one, x->a, &one, &one, x->desc, x->ipiv, x->b, &one, &one,
            x->desc, &info);
    if (info != 0)
        printf("INFO is %d\n", info);
}

int
main(int argc, char **argv)
{
    int rank, size;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    if (argc != 4)
        MPI_Abort(MPI_COMM_WORLD, 2);
    const char *mode = argv[1];
    const int n = atoi(argv[2]), runs = atoi(argv[3]);
    const int whole = strcmp(mode, "all") == 0 || strcmp(mode, "pass") == 0;
    const int halves = strcmp(mode, "halves") == 0;
    const int used = whole || halves ? size : size - 1;
    const int calls = strcmp(mode, "none") != 0 && rank < used;
    MPI_Comm comm;
    job x;
    /* The BLACS make their contexts by calls of all processes of a
     * communicator. */
    MPI_Comm_split(MPI_COMM_WORLD, halves ? rank < size / 2 : calls, rank,
                   &comm);
    if (calls)
        begin(&x, comm, n);
    if (calls && strcmp(mode, "pass") == 0) {
        multiply(&x, 1);
        const double start = MPI_Wtime();
        for (int k = 0; k < runs; ++k)
            multiply(&x, 0); /* nothing to compute */
        printf("%.3f us\n", 1e6 * (MPI_Wtime() - start) / runs);
    } else if (calls) {
        work(&x, runs);
    }
    if (calls)
        end(&x);
    if ((strcmp(mode, "late") == 0 && rank == size - 1) ||
        (strcmp(mode, "early") == 0 && rank == 0))
        sleep(SECONDS);
    if (strcmp(mode, "gone") == 0 && rank == size - 1)
        _exit(0);
    if (strcmp(mode, "abort") == 0 && rank == size - 1)
        MPI_Abort(MPI_COMM_WORLD, 3);
    MPI_Finalize();
    return 0;
}
