/* SPDX-License-Identifier: BSD-3-Clause */
/* Routines of ScaLAPACK that HESCA calls on another grid, or has a kernel for:
 * as called, on the grid that is predicted best, by the kernel, and by HESCA's
 * choice.
 *
 * Usage: mpiexec -n P time_regrid [option]...
 *
 *   time_regrid --routines syevd,gesvd --n 1000,2000 --runs 5
 *   time_regrid --help */
#define _POSIX_C_SOURCE 200809L /* setenv */
#include "base/sort.h"
#include "config.h"
#include "harness.h"
#include "hesca/scalapack.h"
#include <math.h>
#include <mpi.h>
#include <stdlib.h>
#include <string.h>

#define INT const hesca_int *
#define OUT hesca_int *
#define MATRIX double *, INT, INT, INT
void Cblacs_get(hesca_int ictxt, hesca_int what, hesca_int *value);
void Cblacs_gridinit(hesca_int *ictxt, const char *order, hesca_int nprow,
                     hesca_int npcol);
void Cblacs_gridinfo(hesca_int ictxt, hesca_int *nprow, hesca_int *npcol,
                     hesca_int *myrow, hesca_int *mycol);
void Cblacs_gridexit(hesca_int ictxt);
hesca_int FC_FUNC(numroc, NUMROC)(INT, INT, INT, INT, INT);
void FC_FUNC(pdsyev, PDSYEV)(const char *, const char *, INT, MATRIX, double *,
                             MATRIX, double *, INT, OUT, size_t, size_t);
void FC_FUNC(pdsyevd, PDSYEVD)(const char *, const char *, INT, MATRIX,
                               double *, MATRIX, double *, INT, OUT, INT, OUT,
                               size_t, size_t);
void FC_FUNC(pdsyevr, PDSYEVR)(const char *, const char *, const char *, INT,
                               MATRIX, const double *, const double *, INT,
                               INT, OUT, OUT, double *, MATRIX, double *, INT,
                               OUT, INT, OUT, size_t, size_t, size_t);
void FC_FUNC(pdsyevx, PDSYEVX)(const char *, const char *, const char *, INT,
                               MATRIX, const double *, const double *, INT,
                               INT, const double *, OUT, OUT, double *,
                               const double *, MATRIX, double *, INT, OUT, INT,
                               OUT, OUT, double *, OUT, size_t, size_t,
                               size_t);
void FC_FUNC(pdgesvd, PDGESVD)(const char *, const char *, INT, INT, MATRIX,
                               double *, MATRIX, MATRIX, double *, INT, OUT,
                               size_t, size_t);
void FC_FUNC(pdgels, PDGELS)(const char *, INT, INT, INT, MATRIX, MATRIX,
                             double *, INT, OUT, size_t);
void FC_FUNC(pdgeqrf, PDGEQRF)(INT, INT, MATRIX, double *, double *, INT, OUT);
void FC_FUNC(pdormqr, PDORMQR)(const char *, const char *, INT, INT, INT,
                               MATRIX, double *, MATRIX, double *, INT, OUT,
                               size_t, size_t);
void FC_FUNC(pdpotri, PDPOTRI)(const char *, INT, MATRIX, OUT, size_t);
void FC_FUNC(pdgetri, PDGETRI)(INT, MATRIX, INT, double *, INT, OUT, INT, OUT);
void FC_FUNC(pdsyrk, PDSYRK)(const char *, const char *, INT, INT,
                             const double *, MATRIX, const double *, MATRIX,
                             size_t, size_t);
void FC_FUNC(pdtrsm, PDTRSM)(const char *, const char *, const char *,
                             const char *, INT, INT, const double *, MATRIX,
                             MATRIX, size_t, size_t, size_t, size_t);

enum { LIST = 64, NAMES = 16, NAME_MAX = 16, RUNS_MAX = 101 };
typedef struct {
    char routine[NAMES][NAME_MAX];
    int64_t n[LIST], nb[LIST];
    int nroutines, nn, nnb, runs, nprow;
} options;

/* ----- one call ---------------------------------------------------------- */

/* A, B or Z, and V, n x n, on one grid. */
typedef struct {
    hesca_int n, nb, ictxt, desc[9], nprow, npcol, myrow, mycol;
    int64_t rows, cols;
    double *a, *b, *v, *w, *work;
    hesca_int *fail, *cluster; /* of pdsyevx */
    hesca_int *pivot;          /* of pdgetri */
    hesca_int *iwork, lwork, liwork, info, found, nz;
} task;

static const hesca_int zero = 0, one = 1;

/* A symmetric matrix, positive definite by its diagonal. */
static void
fill(const task *t, double *x, uint64_t salt)
{
    for (int64_t j = 0; j < t->cols; ++j)
        for (int64_t i = 0; i < t->rows; ++i) {
            const int64_t r =
                (i / t->nb * t->nprow + t->myrow) * t->nb + i % t->nb;
            const int64_t c =
                (j / t->nb * t->npcol + t->mycol) * t->nb + j % t->nb;
            x[j * t->rows + i] =
                bench_element(salt, r > c ? r : c, r > c ? c : r) +
                (r == c ? t->n : 0);
        }
}

#define HERE(x) x, &one, &one, t->desc

static void
run_syev(task *t)
{
    FC_FUNC(pdsyev, PDSYEV)
    ("V", "L", &t->n, HERE(t->a), t->w, HERE(t->b), t->work, &t->lwork,
     &t->info, 1, 1);
}

static void
run_syevd(task *t)
{
    FC_FUNC(pdsyevd, PDSYEVD)
    ("V", "L", &t->n, HERE(t->a), t->w, HERE(t->b), t->work, &t->lwork,
     t->iwork, &t->liwork, &t->info, 1, 1);
}

static void
run_syevr(task *t)
{
    const double none = 0;
    FC_FUNC(pdsyevr, PDSYEVR)
    ("V", "A", "L", &t->n, HERE(t->a), &none, &none, &one, &t->n, &t->found,
     &t->nz, t->w, HERE(t->b), t->work, &t->lwork, t->iwork, &t->liwork,
     &t->info, 1, 1, 1);
}

static void
run_syevx(task *t)
{
    const double none = 0;
    FC_FUNC(pdsyevx, PDSYEVX)
    ("V", "A", "L", &t->n, HERE(t->a), &none, &none, &one, &t->n, &none,
     &t->found, &t->nz, t->w, &none, HERE(t->b), t->work, &t->lwork, t->iwork,
     &t->liwork, t->fail, t->cluster, t->v, &t->info, 1, 1, 1);
}

static void
run_gesvd(task *t)
{
    FC_FUNC(pdgesvd, PDGESVD)
    ("V", "V", &t->n, &t->n, HERE(t->a), t->w, HERE(t->b), HERE(t->v), t->work,
     &t->lwork, &t->info, 1, 1);
}

static void
run_gels(task *t)
{
    FC_FUNC(pdgels, PDGELS)
    ("N", &t->n, &t->n, &one, HERE(t->a), HERE(t->b), t->work, &t->lwork,
     &t->info, 1);
}

static void
run_geqrf(task *t)
{
    FC_FUNC(pdgeqrf, PDGEQRF)
    (&t->n, &t->n, HERE(t->a), t->w, t->work, &t->lwork, &t->info);
}

/* With reflectors that are not unitary, but reduce: any will do. */
static void
run_ormqr(task *t)
{
    for (hesca_int k = 0; k < t->n; ++k)
        t->w[k] = 1.0 / t->n;
    FC_FUNC(pdormqr, PDORMQR)
    ("L", "T", &t->n, &t->n, &t->n, HERE(t->b), t->w, HERE(t->a), t->work,
     &t->lwork, &t->info, 1, 1);
}

static void
run_potri(task *t)
{
    FC_FUNC(pdpotri, PDPOTRI)("L", &t->n, HERE(t->a), &t->info, 1);
}

static void
run_getri(task *t)
{
    FC_FUNC(pdgetri, PDGETRI)
    (&t->n, HERE(t->a), t->pivot, t->work, &t->lwork, t->iwork, &t->liwork,
     &t->info);
}

static void
run_syrk(task *t)
{
    const double scale = 1.0 / t->n, beta = 1;
    FC_FUNC(pdsyrk, PDSYRK)
    ("L", "N", &t->n, &t->n, &scale, HERE(t->b), &beta, HERE(t->a), 1, 1);
}

static void
run_trsm(task *t)
{
    const double scale = t->n;
    FC_FUNC(pdtrsm, PDTRSM)
    ("L", "L", "N", "N", &t->n, &t->n, &scale, HERE(t->b), HERE(t->a), 1, 1, 1,
     1);
}

static const struct {
    const char *name;
    void (*run)(task *);
    int has_spaces;
} routines[] = {
    {"syev", run_syev, 1},   {"syevd", run_syevd, 1}, {"syevr", run_syevr, 1},
    {"syevx", run_syevx, 1}, {"gesvd", run_gesvd, 1}, {"gels", run_gels, 1},
    {"geqrf", run_geqrf, 1}, {"ormqr", run_ormqr, 1}, {"potri", run_potri, 0},
    {"getri", run_getri, 1}, {"syrk", run_syrk, 0},   {"trsm", run_trsm, 0}};
enum { NROUTINES = sizeof routines / sizeof *routines };

static int
find(const char *name)
{
    int k = NROUTINES - 1;
    while (k >= 0 && strcmp(routines[k].name, name) != 0)
        --k;
    return k;
}

static int
is_known(const char *name)
{
    return find(name) >= 0;
}

static const cmdline_row table[] = {
    OPT_NAMES("routines", "NAME,...",
              "syev, syevd, syevr, syevx, gesvd, gels, geqrf,", routine,
              nroutines, is_known),
    OPT_MORE("ormqr, potri, getri, syrk, trsm; all of type double (syevd)"),
    OPT_LIST("n", "N,...", "order of the matrices (1000)", n, nn, 2, 100000),
    OPT_LIST("nb", "N,...", "rows and columns of a block (64)", nb, nnb, 1,
             10000),
    OPT_INT("nprow", "P", "process rows (the most square grid)", nprow, 1,
            4096),
    OPT_INT("runs", "N", "of each way, in turn; medians (3)", runs, 1,
            RUNS_MAX),
};

/* ----- ways -------------------------------------------------------------- */

static const char *const ways[] = {"real", "grid", "hohe", "auto"};
enum { NWAYS = sizeof ways / sizeof *ways };

/* A grid with a communicator of its own, so that its calls keep the way of the
 * first one. */
static hesca_int
open_grid(int nprow, int npcol)
{
    hesca_int ictxt;
    Cblacs_get(-1, 0, &ictxt);
    Cblacs_gridinit(&ictxt, "R", nprow, npcol);
    return ictxt;
}

static void
free_task(task *t)
{
    free(t->a);
    free(t->b);
    free(t->v);
    free(t->w);
    free(t->work);
    free(t->iwork);
    free(t->fail);
    free(t->pivot);
}

static double *
numbers(int64_t n)
{
    double *x = calloc((size_t)n + 1, sizeof *x);
    if (x == NULL)
        abort();
    return x;
}

static task
make_task(hesca_int ictxt, int n, int nb, int routine)
{
    task t = {.n = n, .nb = nb, .ictxt = ictxt};
    double size[3] = {0}; /* pdsyevx uses all */
    hesca_int isize = 0;
    Cblacs_gridinfo(ictxt, &t.nprow, &t.npcol, &t.myrow, &t.mycol);
    t.rows = FC_FUNC(numroc, NUMROC)(&t.n, &t.nb, &t.myrow, &zero, &t.nprow);
    t.cols = FC_FUNC(numroc, NUMROC)(&t.n, &t.nb, &t.mycol, &zero, &t.npcol);
    const hesca_int lld = t.rows > 0 ? (hesca_int)t.rows : 1;
    const hesca_int desc[9] = {1, ictxt, n, n, nb, nb, 0, 0, lld};
    memcpy(t.desc, desc, sizeof desc);
    t.a = numbers(t.rows * t.cols);
    t.b = numbers(t.rows * t.cols);
    t.v = numbers(t.rows * t.cols + t.nprow * t.npcol);
    t.w = numbers(n + nb);
    t.fail =
        calloc((size_t)n + 2 * (size_t)(t.nprow * t.npcol), sizeof *t.fail);
    t.pivot = calloc((size_t)(t.rows + nb), sizeof *t.pivot);
    if (t.fail == NULL || t.pivot == NULL)
        abort();
    for (int64_t i = 0; i < t.rows; ++i) {
        const int64_t r = (i / nb * t.nprow + t.myrow) * nb + i % nb;
        t.pivot[i] = (hesca_int)(r + 1 + r * 7919 % (n - r));
    }
    t.cluster = t.fail + n;
    t.lwork = t.liwork = -1;
    t.work = size;
    t.iwork = &isize;
    if (routines[routine].has_spaces)
        routines[routine].run(&t);
    t.lwork = (hesca_int)size[0] + 1;
    t.liwork = isize + 1;
    t.work = numbers(t.lwork);
    t.iwork = calloc((size_t)t.liwork, sizeof *t.iwork);
    if (t.iwork == NULL)
        abort();
    return t;
}

/* Seconds of the slowest process. */
static double
call(task *t, int routine)
{
    fill(t, t->a, 1);
    fill(t, t->b, 2);
    MPI_Barrier(MPI_COMM_WORLD);
    const double start = MPI_Wtime();
    routines[routine].run(t);
    double seconds = MPI_Wtime() - start;
    MPI_Allreduce(MPI_IN_PLACE, &seconds, 1, MPI_DOUBLE, MPI_MAX,
                  MPI_COMM_WORLD);
    return seconds;
}

/* ----- results ----------------------------------------------------------- */

typedef struct {
    const char *routine, *way;
    int n, nb, nprow, npcol, runs;
    double seconds, gain, difference;
} result;

static void
put(fields *s, const void *row)
{
    const result *x = row;
    fields_text(s, "routine", x->routine);
    fields_int(s, "n", x->n);
    fields_int(s, "nb", x->nb);
    fields_int(s, "nprow", x->nprow);
    fields_int(s, "npcol", x->npcol);
    fields_text(s, "way", x->way);
    fields_int(s, "runs", x->runs);
    fields_real(s, "seconds", x->seconds);
    fields_real(s, "gain", x->gain);
    fields_real(s, "difference", x->difference);
}

/* The largest difference of what both have made of the program's A and W,
 * relative to the largest value; eigenvectors differ in sign. */
static double
difference(const task *x, const task *y)
{
    double most[2] = {1e-300, 0};
    for (int64_t k = 0; k < x->n; ++k) {
        most[0] = fmax(most[0], fabs(y->w[k]));
        most[1] = fmax(most[1], fabs(x->w[k] - y->w[k]));
    }
    MPI_Allreduce(MPI_IN_PLACE, most, 2, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
    return most[1] / most[0];
}

static void
run_case(const options *o, fields_files *out, int routine, int n, int nb)
{
    double seconds[NWAYS][RUNS_MAX], ends[2];
    task t[NWAYS];
    int size, rank;
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int nprow = o->nprow;
    for (int p = 1; o->nprow == 0 && p * p <= size; ++p)
        nprow = size % p == 0 ? p : nprow;
    const int npcol = size / nprow;
    for (int k = 0; k < NWAYS; ++k) {
        setenv("HESCA_REGRID", ways[k], 1);
        t[k] = make_task(open_grid(nprow, npcol), n, nb, routine);
    }
    for (int r = -1; r < o->runs; ++r)
        for (int k = 0; k < NWAYS; ++k) {
            bench_progress("%s n %d, run %d, %s", routines[routine].name, n, r,
                           ways[k]);
            setenv("HESCA_REGRID", ways[k], 1); /* read in the first call */
            const double s = call(&t[k], routine);
            if (r >= 0)
                seconds[k][r] = s;
        }
    bench_progress(NULL);
    double real = 0;
    for (int k = 0; k < NWAYS; ++k) {
        result x = {.routine = routines[routine].name,
                    .way = ways[k],
                    .n = n,
                    .nb = nb,
                    .nprow = nprow,
                    .npcol = npcol,
                    .runs = o->runs,
                    .seconds = hesca_median(seconds[k], o->runs, ends),
                    .difference = difference(&t[k], &t[0])};
        real = k == 0 ? x.seconds : real;
        x.gain = real / x.seconds;
        if (rank == 0)
            fprintf(out->table,
                    "%-8s %6d %4d %3dx%-3d %-5s %10.4f %6.2f %9.1e\n",
                    x.routine, n, nb, nprow, npcol, x.way, x.seconds, x.gain,
                    x.difference);
        if (rank == 0)
            bench_row(out, &x);
    }
    for (int k = 0; k < NWAYS; ++k) {
        free_task(&t[k]);
        Cblacs_gridexit(t[k].ictxt);
    }
}

static int
run(const void *from, fields_files *out)
{
    const options *o = from;
    int rank, size;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    if (o->nprow > 0 && size % o->nprow != 0) {
        if (rank == 0)
            cmdline_fail("--nprow '%d': does not divide %d processes",
                         o->nprow, size);
        return 2;
    }
    if (rank == 0)
        fputs(
            "routine       n   nb  grid   way    seconds   gain difference\n",
            out->table);
    for (int r = 0; r < o->nroutines; ++r)
        for (int i = 0; i < o->nn; ++i)
            for (int j = 0; j < o->nnb; ++j)
                run_case(o, out, find(o->routine[r]), (int)o->n[i],
                         (int)o->nb[j]);
    return 0;
}

int
main(int argc, char **argv)
{
    static options o = {.routine = {"syevd"},
                        .nroutines = 1,
                        .n = {1000},
                        .nn = 1,
                        .nb = {64},
                        .nnb = 1,
                        .runs = 3};
    static const bench_program b = {
        .name = "time_regrid",
        .about =
            "Usage: mpiexec -n P time_regrid [option]...\n"
            "Time routines of ScaLAPACK that HESCA calls on another grid: "
            "as called (real), on\nthe grid that is predicted best (grid), "
            "by choice (auto).\n\n",
        .notes = "\nHESCA_MACHINE names the hosts; HESCA_VERBOSE=1 prints "
                 "what was predicted.\ndifference is that of eigenvalues, "
                 "singular values or TAU, relative to the largest.\n\nExit "
                 "status: 0, or 2 for wrong usage.\n",
        BENCH_TABLE(table),
        BENCH_OPTIONS(o),
        .put = put,
        .run = run};
    return bench_main_mpi(&b, argc, argv);
}
