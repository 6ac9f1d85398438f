/* SPDX-License-Identifier: BSD-3-Clause */
/* A program that calls one routine of ScaLAPACK again and again, and knows
 * nothing of HESCA, which may be preloaded, but for --ways: seconds of each
 * call.
 *
 * Usage: mpiexec -n P time_calls [option]...
 *
 *   time_calls --routine potrf --n 2000 --grid 2x2 --calls 20
 *   time_calls --help */
#define _POSIX_C_SOURCE 200809L /* nanosleep, setenv */
#include "config.h"
#include "harness.h"
#include "hesca/scalapack.h"
#include <mpi.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define INT const hesca_int *
#define OUT hesca_int *
#define MATRIX double *, INT, INT, INT
void Cblacs_get(hesca_int ictxt, hesca_int what, hesca_int *value);
void Cblacs_gridinit(hesca_int *ictxt, const char *order, hesca_int nprow,
                     hesca_int npcol);
void Cblacs_gridmap(hesca_int *ictxt, hesca_int *usermap, hesca_int ldumap,
                    hesca_int nprow, hesca_int npcol);
void Cblacs_gridinfo(hesca_int ictxt, hesca_int *nprow, hesca_int *npcol,
                     hesca_int *myrow, hesca_int *mycol);
void Cblacs_gridexit(hesca_int ictxt);
hesca_int FC_FUNC(numroc, NUMROC)(INT, INT, INT, INT, INT);
void FC_FUNC(pdgemm, PDGEMM)(const char *, const char *, INT, INT, INT,
                             const double *, MATRIX, MATRIX, const double *,
                             MATRIX, size_t, size_t);
void FC_FUNC(pdsyrk, PDSYRK)(const char *, const char *, INT, INT,
                             const double *, MATRIX, const double *, MATRIX,
                             size_t, size_t);
void FC_FUNC(pdpotrf, PDPOTRF)(const char *, INT, MATRIX, OUT, size_t);
void FC_FUNC(pdgetrf, PDGETRF)(INT, INT, MATRIX, OUT, OUT);

enum { MOST_WAYS = 5 };

typedef struct {
    int nprow, npcol;
} shape;

typedef struct {
    const char *mark; /* on process 0 */
    int routine, m, n, k, nb, calls, at;
    char trans[3]; /* of A, of B */
    shape grid;
    double seconds;
    char ways[MOST_WAYS][8];
    int nways;
} options;

/* ------------------------------------------------ one call */

typedef struct {
    hesca_int desc[9];
    int64_t rows, cols; /* local */
    double *local;
} matrix;

typedef struct {
    char transa, transb;
    hesca_int m, n, k, nb, ictxt, nprow, npcol, myrow, mycol, info;
    matrix a, b, c; /* op(A) is m x k, op(B) k x n, C m x n */
    hesca_int *ipiv;
} task;

static const hesca_int zero = 0, one = 1;

static void
run_gemm(task *t)
{
    const double alpha = 1, beta = 0;
    FC_FUNC(pdgemm, PDGEMM)
    (&t->transa, &t->transb, &t->m, &t->n, &t->k, &alpha, t->a.local, &one,
     &one, t->a.desc, t->b.local, &one, &one, t->b.desc, &beta, t->c.local,
     &one, &one, t->c.desc, 1, 1);
}

static void
run_syrk(task *t)
{
    const double alpha = 1, beta = 0;
    FC_FUNC(pdsyrk, PDSYRK)
    ("L", &t->transa, &t->n, &t->k, &alpha, t->a.local, &one, &one, t->a.desc,
     &beta, t->c.local, &one, &one, t->c.desc, 1, 1);
}

static void
run_potrf(task *t)
{
    FC_FUNC(pdpotrf, PDPOTRF)
    ("L", &t->n, t->a.local, &one, &one, t->a.desc, &t->info, 1);
}

static void
run_getrf(task *t)
{
    FC_FUNC(pdgetrf, PDGETRF)
    (&t->n, &t->n, t->a.local, &one, &one, t->a.desc, t->ipiv, &t->info);
}

static const struct {
    const char *name, *parameter;
    void (*run)(task *);
} routines[] = {{"gemm", "HESCA_GEMM", run_gemm},
                {"syrk", "HESCA_REGRID", run_syrk},
                {"potrf", "HESCA_POTRF", run_potrf},
                {"getrf", "HESCA_GETRF", run_getrf}};
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
set_routine(const cmdline_row *r, const char *value, void *to)
{
    int *k = to;
    *k = find(value);
    return *k >= 0 || cmdline_bad(r, value);
}

static int
set_trans(const cmdline_row *r, const char *value, void *to)
{
    if (strlen(value) != 2 || strspn(value, "NT") != 2)
        return cmdline_bad(r, value);
    memcpy(to, value, sizeof "NN");
    return 1;
}

static int
is_way(const char *name)
{
    static const char *const known[] = {"plain", "real", "hohe", "grid",
                                        "auto"};
    for (size_t k = 0; k < sizeof known / sizeof *known; ++k)
        if (strcmp(name, known[k]) == 0)
            return 1;
    return 0;
}

static const cmdline_row table[] = {
    OPT_FIELD("routine", "gemm|syrk|potrf|getrf", "of type double (gemm)",
              set_routine, routine),
    OPT_INT("n", "N", "order of the matrices (2000)", n, 1, 100000),
    OPT_INT("m", "M", "rows of C of pdgemm (N)", m, 1, 1000000),
    OPT_INT("k", "K", "terms of a sum of pdgemm, pdsyrk (N)", k, 1, 1000000),
    OPT_FIELD("trans", "NN|TN|NT|TT",
              "TRANSA, TRANSB of pdgemm; the first: of pdsyrk (NN)", set_trans,
              trans),
    OPT_INT("nb", "NB", "rows and columns of a block (64)", nb, 1, 10000),
    OPT_GRID("grid", "of the processes (a row)", grid),
    OPT_INT("calls", "K", "how many, at least (10)", calls, 1, 100000),
    OPT_NAMES("ways", "NAME,...",
              "of plain, real, hohe, grid, auto, below: call in each,", ways,
              nways, is_way),
    OPT_MORE("in turns of random order, on grids of their own"),
    OPT_RANGE("seconds", "S", "call on until all calls have taken that (0)",
              seconds, 0, 1e6),
    OPT_TEXT("mark", "FILE", "create it before call --at, and wait 0.3 s",
             mark),
    OPT_INT("at", "K", "the call, from 0 (0)", at, 0, 100000),
};

/* ------------------------------------------------ matrices */

static double *
numbers(int64_t n)
{
    double *x = calloc((size_t)n + 1, sizeof *x);
    if (x == NULL)
        abort();
    return x;
}

static matrix
make_matrix(const task *t, hesca_int m, hesca_int n)
{
    matrix x = {.rows = FC_FUNC(numroc, NUMROC)(&m, &t->nb, &t->myrow, &zero,
                                                &t->nprow),
                .cols = FC_FUNC(numroc, NUMROC)(&n, &t->nb, &t->mycol, &zero,
                                                &t->npcol)};
    const hesca_int lld = x.rows > 0 ? (hesca_int)x.rows : 1;
    const hesca_int desc[9] = {1, t->ictxt, m, n, t->nb, t->nb, 0, 0, lld};
    memcpy(x.desc, desc, sizeof desc);
    x.local = numbers(x.rows * x.cols);
    return x;
}

static task
make_task(hesca_int ictxt, const options *o)
{
    task t = {.transa = o->trans[0],
              .transb = o->trans[1],
              .m = o->m,
              .n = o->n,
              .k = o->k,
              .nb = o->nb,
              .ictxt = ictxt};
    const int a_as_is = t.transa == 'N', b_as_is = t.transb == 'N';
    Cblacs_gridinfo(ictxt, &t.nprow, &t.npcol, &t.myrow, &t.mycol);
    t.a = make_matrix(&t, a_as_is ? t.m : t.k, a_as_is ? t.k : t.m);
    t.b = make_matrix(&t, b_as_is ? t.k : t.n, b_as_is ? t.n : t.k);
    t.c = make_matrix(&t, t.m, t.n);
    t.ipiv = calloc((size_t)(t.a.rows + t.nb), sizeof *t.ipiv);
    if (t.ipiv == NULL)
        abort();
    return t;
}

static void
free_task(task *t)
{
    free(t->a.local);
    free(t->b.local);
    free(t->c.local);
    free(t->ipiv);
}

/* A random matrix, with which pdgetrf interchanges rows in nearly all columns;
 * if is_definite symmetric, positive definite by its diagonal. */
static void
fill(const task *t, matrix *x, int is_definite)
{
    for (int64_t j = 0; j < x->cols; ++j)
        for (int64_t i = 0; i < x->rows; ++i) {
            const int64_t r =
                (i / t->nb * t->nprow + t->myrow) * t->nb + i % t->nb;
            const int64_t c =
                (j / t->nb * t->npcol + t->mycol) * t->nb + j % t->nb;
            const int mirrored = is_definite && r < c;
            x->local[j * x->rows + i] =
                bench_element(1, mirrored ? c : r, mirrored ? r : c) +
                (is_definite && r == c ? t->n : 0);
        }
}

/* Set a parameter of HESCA, or what it was before. */
static void
set(const char *name, const char *value)
{
    if (value != NULL)
        setenv(name, value, 1);
    else
        unsetenv(name);
}

static int
is_plain(const char *way)
{
    return strcmp(way, "plain") == 0;
}

/* Parameters of a way, for the context and the calls that follow. */
static void
select_way(const options *o, const char *way)
{
    static const char *learn;
    static int is_known;
    if (!is_known) {
        learn = getenv("HESCA_LEARN");
        is_known = 1;
    }
    set("HESCA_LEARN", strcmp(way, "auto") == 0 ? learn : "frozen");
    setenv(routines[o->routine].parameter, is_plain(way) ? "real" : way, 1);
}

/* A grid, row by row; by the program's own map it is not placed. */
static hesca_int
make_grid(shape s, int by_map)
{
    hesca_int ictxt, *map;
    Cblacs_get(-1, 0, &ictxt);
    if (!by_map) {
        Cblacs_gridinit(&ictxt, "R", s.nprow, s.npcol);
        return ictxt;
    }
    if ((map = calloc((size_t)(s.nprow * s.npcol), sizeof *map)) == NULL)
        abort();
    for (int k = 0; k < s.nprow * s.npcol; ++k)
        map[k % s.npcol * s.nprow + k / s.npcol] = k;
    Cblacs_gridmap(&ictxt, map, s.nprow, s.nprow, s.npcol);
    free(map);
    return ictxt;
}

/* Another process of the machine waits for the file. */
static void
leave_mark(const char *path)
{
    const struct timespec while_it_acts = {.tv_nsec = 300000000};
    FILE *f = fopen(path, "w");
    if (f != NULL)
        fclose(f);
    nanosleep(&while_it_acts, NULL);
}

/* ------------------------------------------------ results */

typedef struct {
    const options *o;
    const char *way;
    int call;
    double seconds;
} result;

static void
put(fields *s, const void *row)
{
    const result *x = row;
    fields_text(s, "routine", routines[x->o->routine].name);
    fields_int(s, "m", x->o->m);
    fields_int(s, "n", x->o->n);
    fields_int(s, "k", x->o->k);
    fields_text(s, "trans", x->o->trans);
    fields_int(s, "nb", x->o->nb);
    fields_int(s, "nprow", x->o->grid.nprow);
    fields_int(s, "npcol", x->o->grid.npcol);
    fields_text(s, "way", x->way);
    fields_int(s, "call", x->call);
    fields_real(s, "seconds", x->seconds);
}

/* ------------------------------------------------ the program */

/* Call k of one way. */
static double
call(const options *o, task *t, int k, int rank)
{
    double seconds;
    fill(t, &t->a, routines[o->routine].run == run_potrf);
    fill(t, &t->b, 0);
    if (o->mark != NULL && rank == 0 && k == o->at)
        leave_mark(o->mark);
    MPI_Barrier(MPI_COMM_WORLD);
    const double start = MPI_Wtime();
    routines[o->routine].run(t);
    seconds = MPI_Wtime() - start;
    MPI_Allreduce(MPI_IN_PLACE, &seconds, 1, MPI_DOUBLE, MPI_MAX,
                  MPI_COMM_WORLD);
    return seconds;
}

/* The order of n ways, the same on all processes: a call finds what is left of
 * quotas by the one before, so none always follows the same. */
static void
shuffle(uint64_t *state, int n, int *order)
{
    for (int w = 0; w < n; ++w) {
        const int at = (int)bench_random(state, 0, w + 1);
        order[w] = order[at];
        order[at] = w;
    }
}

/* All calls, the ways in turn, so that a change of the machine meets all. */
static void
call_all(const options *o, fields_files *out)
{
    task t[MOST_WAYS];
    double total = 0, made = MPI_Wtime();
    uint64_t state = 1;
    int rank, order[MOST_WAYS] = {0};
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    for (int w = 0; w == 0 || w < o->nways; ++w) {
        if (o->nways > 0)
            select_way(o, o->ways[w]);
        t[w] = make_task(
            make_grid(o->grid, o->nways > 0 && is_plain(o->ways[w])), o);
    }
    made = MPI_Wtime() - made;
    if (rank == 0)
        fprintf(out->table, "grid %.3f s; calls:", made);
    for (int k = 0; k < o->calls || total < o->seconds; ++k) {
        shuffle(&state, o->nways, order);
        for (int i = 0; i == 0 || i < o->nways; ++i) {
            const int w = order[i];
            if (o->nways > 0)
                select_way(o, o->ways[w]);
            const result x = {o, o->nways > 0 ? o->ways[w] : "", k,
                              call(o, &t[w], k, rank)};
            total += x.seconds;
            if (rank == 0) {
                fprintf(out->table, " %s%s%.3f", x.way,
                        w < o->nways ? " " : "", x.seconds);
                fflush(out->table);
                bench_row(out, &x);
            }
        }
    }
    if (rank == 0)
        fprintf(out->table, "; total %.3f s\n", total);
    for (int w = 0; w == 0 || w < o->nways; ++w) {
        const hesca_int ictxt = t[w].ictxt;
        free_task(&t[w]);
        Cblacs_gridexit(ictxt);
    }
}

static int
run(const void *from, fields_files *out)
{
    options o = *(const options *)from;
    int rank, size;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    if (o.grid.nprow == 0)
        o.grid = (shape){1, size};
    if (o.grid.nprow * o.grid.npcol != size) {
        if (rank == 0)
            cmdline_fail("--grid %dx%d is not of %d processes", o.grid.nprow,
                         o.grid.npcol, size);
        return 2;
    }
    const int is_syrk = routines[o.routine].run == run_syrk;
    if (routines[o.routine].run != run_gemm &&
        (o.m > 0 || (!is_syrk && (o.k > 0 || strcmp(o.trans, "NN") != 0)))) {
        if (rank == 0)
            cmdline_fail("--m, --k and --trans are of pdgemm, "
                         "--k and --trans of pdsyrk");
        return 2;
    }
    o.m = o.m > 0 ? o.m : o.n;
    o.k = o.k > 0 ? o.k : o.n;
    call_all(&o, out);
    return 0;
}

int
main(int argc, char **argv)
{
    static options o = {.n = 2000, .trans = "NN", .nb = 64, .calls = 10};
    static const bench_program b = {
        .name = "time_calls",
        .about = "Usage: mpiexec -n P time_calls [option]...\n"
                 "Call a routine of ScaLAPACK many times, as a program that "
                 "knows nothing of HESCA\ndoes, and print the seconds of "
                 "each call; HESCA may be preloaded.\n\n",
        .notes = "\nplain: on a grid that is not placed, left to "
                 "ScaLAPACK; real, hohe, grid:\nHESCA_GEMM, HESCA_REGRID, "
                 "HESCA_POTRF or "
                 "HESCA_GETRF\nis that, and HESCA_LEARN=frozen.\n"
                 "\nExit status: 0, or 2 for wrong usage.\n",
        BENCH_TABLE(table),
        BENCH_OPTIONS(o),
        .put = put,
        .run = run};
    return bench_main_mpi(&b, argc, argv);
}
