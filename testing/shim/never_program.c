/* SPDX-License-Identifier: BSD-3-Clause */
/* A program of 2 processes that calls each intercepted routine twice and
 * checks what comes out.  t_never_fatal.sh preloads HESCA into it and sets
 * variables that are wrong.
 *
 *   never_program ROUTINE...    gridinit comes first in any case
 *
 * Exit status: 0 if all is right. */
#include <math.h>
#include <stdio.h>
#include <string.h>

void Cblacs_pinfo(int *, int *);
void Cblacs_get(int, int, int *);
void Cblacs_gridinit(int *, const char *, int, int);
void Cblacs_gridinfo(int, int *, int *, int *, int *);
void Cblacs_gridexit(int);
void Cblacs_exit(int);
void Cpdgemr2d(int, int, const double *, int, int, const int *, double *, int,
               int, const int *, int);
void pdgemm_(const char *, const char *, const int *, const int *, const int *,
             const double *, const double *, const int *, const int *,
             const int *, const double *, const int *, const int *,
             const int *, const double *, double *, const int *, const int *,
             const int *);
void pdpotrf_(const char *, const int *, double *, const int *, const int *,
              const int *, int *);
void pdgesv_(const int *, const int *, double *, const int *, const int *,
             const int *, int *, double *, const int *, const int *,
             const int *, int *);

enum { N = 12, NB = 3, NPROCS = 2 };
static const int n = N, one = 1;
static int rank, failed;

/* Column j of this process, and how many it has: blocks of nb columns go to
 * the 2 processes of a row in turn. */
static int
column(int j, int nb)
{
    return (j / nb * NPROCS + rank) * nb + j % nb;
}

static int
columns(int nb)
{
    return N / nb / NPROCS * nb;
}

static double
least(int i, int j)
{
    return 1 + (i < j ? i : j);
}

static void
fill(double *a)
{
    for (int j = 0; j < columns(NB); ++j)
        for (int i = 0; i < N; ++i)
            a[j * N + i] = least(i, column(j, NB));
}

static void
expect(const char *what, double got, double want)
{
    if (!(fabs(got - want) <= 1e-9 * N * N)) {
        if (!failed)
            printf("%s, process %d: %g, not %g\n", what, rank, got, want);
        failed = 1;
    }
}

/* From blocks of NB columns to blocks of 2. */
static void
gemr2d(int ictxt, const int *desc)
{
    const int to[] = {1, ictxt, N, N, 2, 2, 0, 0, N};
    double a[N * N], b[N * N] = {0};
    fill(a);
    Cpdgemr2d(N, N, a, 1, 1, desc, b, 1, 1, to, ictxt);
    for (int j = 0; j < columns(2); ++j)
        for (int i = 0; i < N; ++i)
            expect("gemr2d", b[j * N + i], least(i, column(j, 2)));
}

static void
gemm(int ictxt, const int *desc)
{
    const double two = 2, zero = 0;
    double a[N * N], b[N * N] = {0}, c[N * N];
    (void)ictxt;
    fill(a);
    for (int j = 0; j < columns(NB); ++j)
        b[j * N + column(j, NB)] = 1;
    pdgemm_("N", "N", &n, &n, &n, &two, a, &one, &one, desc, b, &one, &one,
            desc, &zero, c, &one, &one, desc);
    for (int j = 0; j < columns(NB); ++j)
        for (int i = 0; i < N; ++i)
            expect("gemm", c[j * N + i], 2 * least(i, column(j, NB)));
}

/* The factor of this matrix is all ones. */
static void
potrf(int ictxt, const int *desc)
{
    double a[N * N];
    int info = 77;
    (void)ictxt;
    fill(a);
    pdpotrf_("L", &n, a, &one, &one, desc, &info);
    expect("potrf: INFO", info, 0);
    for (int j = 0; j < columns(NB); ++j)
        for (int i = column(j, NB); i < N; ++i)
            expect("potrf", a[j * N + i], 1);
}

/* All rows are summed: the solution is all ones. */
static void
gesv(int ictxt, const int *desc)
{
    double a[N * N], b[N] = {0};
    int info = 77, ipiv[N + NB];
    const int there[] = {1, ictxt, N, 1, NB, NB, 0, 0, N};
    fill(a);
    for (int i = 0; i < N; ++i)
        for (int j = 0; j < N; ++j)
            b[i] += least(i, j);
    pdgesv_(&n, &one, a, &one, &one, desc, ipiv, b, &one, &one, there, &info);
    expect("gesv: INFO", info, 0);
    for (int i = 0; i < N && rank == 0; ++i)
        expect("gesv", b[i], 1);
}

static const struct {
    const char *name;
    void (*call)(int, const int *);
} routines[] = {
    {"gemr2d", gemr2d}, {"gemm", gemm}, {"potrf", potrf}, {"gesv", gesv}};

int
main(int argc, char **argv)
{
    int nprocs, ictxt, nprow, npcol, myrow, mycol;
    Cblacs_pinfo(&rank, &nprocs);
    for (int again = 0; again < 2; ++again) {
        Cblacs_get(-1, 0, &ictxt);
        Cblacs_gridinit(&ictxt, "R", 1, NPROCS);
        Cblacs_gridinfo(ictxt, &nprow, &npcol, &myrow, &mycol);
        expect("gridinit", npcol, NPROCS);
        expect("gridinit", mycol, rank);
        const int desc[] = {1, ictxt, N, N, NB, NB, 0, 0, N};
        for (int k = 1; k < argc; ++k)
            for (int r = 0; r < 4; ++r)
                if (strcmp(argv[k], routines[r].name) == 0) {
                    routines[r].call(ictxt, desc);
                    routines[r].call(ictxt, desc);
                }
        Cblacs_gridexit(ictxt);
    }
    if (!failed)
        printf("process %d is right\n", rank);
    fflush(stdout);
    Cblacs_exit(0);
    return failed;
}
