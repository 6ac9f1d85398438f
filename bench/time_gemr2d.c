/* SPDX-License-Identifier: BSD-3-Clause */
/* Time a redistribution by ScaLAPACK, by HESCA, and against a plain copy.
 *
 * Usage: mpiexec -n P time_gemr2d [option]...
 *
 *   mpiexec -n 4 time_gemr2d --demo
 *   mpiexec -n 4 time_gemr2d --size 3200 --from 4x1:64x64 --to 2x2:128x128
 *   mpiexec -n 4 time_gemr2d --input GEMR2D.dat --csv time.csv
 *   mpiexec -n 4 time_gemr2d --sweep --csv sweep.csv
 *   mpiexec -n 2 time_gemr2d --random 1000 --seed 1
 *   mpiexec -n 4 time_gemr2d --help
 *
 * A repetition of a case calls, one after the other,
 *   ScaLAPACK  its own p?gemr2d or p?trmr2d, also if HESCA is preloaded,
 *              with MPI's own waiting unless HESCA_WAIT says otherwise,
 *   HESCA      the same under its name hesca_Cp?gemr2d,
 *   memcpy     every process copies as many bytes as its share of sub(A) or of
 *              sub(B), whichever is larger, all at the same time: the floor.
 * They take turns, so that what the machine does besides hits all of them, and
 * the first two change places every time, so that both find the same caches.
 * A time lasts until the slowest process is done.  A case ends when its time
 * is used up, but not before the third repetition: a slow routine makes fewer
 * repetitions for all, never for itself alone.
 *
 * With --random, cases in which HESCA was slower are timed five times more,
 * and the median of their ratios counts: one that was disturbed is not slower.
 *
 * Before the repetitions and after them every process compares every element
 * that it has of A and B, in sub(B) and around it, with what it must be. */
#include "base/sort.h"
#include "gemr2d.h"
#include "grids.h"
#include "hesca/experimental/param.h"
#include "hesca/scalapack.h"
#include "hesca/status.h"
#include "local.h"
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { REPEAT_LEAST = 3, REPEAT_MOST = 10000, AGAIN = 5, DESC = 9 };

/* BLACS, which ships no header. */
void Cblacs_gridinfo(hesca_int ictxt, hesca_int *nprow, hesca_int *npcol,
                     hesca_int *myrow, hesca_int *mycol);
void Cblacs_exit(hesca_int go_on);

typedef void gemr2d(hesca_int m, hesca_int n, const void *a, hesca_int ia,
                    hesca_int ja, const hesca_int *desca, void *b,
                    hesca_int ib, hesca_int jb, const hesca_int *descb,
                    hesca_int ictxt);
typedef void trmr2d(const char *uplo, const char *diag, hesca_int m,
                    hesca_int n, const void *a, hesca_int ia, hesca_int ja,
                    const hesca_int *desca, void *b, hesca_int ib,
                    hesca_int jb, const hesca_int *descb, hesca_int ictxt);

/* The element types in the order of CASE_TYPES. */
static const struct {
    size_t esize;
    hesca_function gemr2d, trmr2d; /* HESCA's */
} types[] = {
    {4, (hesca_function)hesca_Cpigemr2d, (hesca_function)hesca_Cpitrmr2d},
    {4, (hesca_function)hesca_Cpsgemr2d, (hesca_function)hesca_Cpstrmr2d},
    {8, (hesca_function)hesca_Cpdgemr2d, (hesca_function)hesca_Cpdtrmr2d},
    {8, (hesca_function)hesca_Cpcgemr2d, (hesca_function)hesca_Cpctrmr2d},
    {16, (hesca_function)hesca_Cpzgemr2d, (hesca_function)hesca_Cpztrmr2d},
};

static int iam, nprocs;
static case_list cases;

/* ----- one case ----- */

typedef struct {
    const timing_case *c;
    const options *o;
    int number, of; /* of this case, for messages */
    int nnodes;
    hesca_int ctxt_a, ctxt_b, ctxt;
    hesca_int desca[DESC], descb[DESC];
    local_matrix a, b;
    region all_a, sub_a, sub_b;
    unsigned char *copy;          /* as large as the larger array: a result to
                                     compare with, where the floor copies to */
    size_t floor_bytes;           /* of the larger share */
    hesca_function fn[NROUTINES]; /* of the case; the floor has none */
    double *start[NROUTINES], *stop[NROUTINES]; /* s, [REPEAT_MOST] */
} run;

static const char *const labels[NROUTINES] = {"ScaLAPACK", "HESCA", "memcpy"};

/* One matrix: its grid, its local part and its descriptor.  Outside its grid a
 * process gets an invalid descriptor, as ScaLAPACK allows. */
static int
make_matrix(const timing_case *c, int use, const distribution *d, size_t esize,
            hesca_int *ctxt, hesca_int desc[DESC], local_matrix *x)
{
    const int64_t m = extent(c->m, d->i), n = extent(c->n, d->j);
    hesca_int nprow, npcol, myrow = -1, mycol = -1;
    *ctxt = grids_get(use, d->first, d->nprow, d->npcol);
    if (*ctxt >= 0)
        Cblacs_gridinfo(*ctxt, &nprow, &npcol, &myrow, &mycol);
    if (!local_create(x, m, n, d, myrow, mycol, esize))
        return 0;
    const hesca_int inside[DESC] = {
        1,     *ctxt,   (hesca_int)m, (hesca_int)n,     d->mb,
        d->nb, d->rsrc, d->csrc,      (hesca_int)x->lld};
    for (int k = 0; k < DESC; ++k)
        desc[k] = *ctxt >= 0 ? inside[k] : -1;
    return 1;
}

static void
describe_regions(run *r)
{
    const timing_case *c = r->c;
    const int64_t rows = extent(c->m, c->a.i), cols = extent(c->n, c->a.j);
    const region all = {.m = rows, .n = cols, .rows = rows};
    const region sub = {.i = c->a.i - 1,
                        .j = c->a.j - 1,
                        .m = c->m,
                        .n = c->n,
                        .uplo = c->triangular ? c->uplo : '\0',
                        .diag = c->diag,
                        .di = c->a.i - 1,
                        .dj = c->a.j - 1,
                        .rows = rows};
    r->all_a = all;
    r->sub_a = r->sub_b = sub;
    r->sub_b.i = c->b.i - 1;
    r->sub_b.j = c->b.j - 1;
}

static void
run_close(run *r)
{
    local_free(&r->a);
    local_free(&r->b);
    free(r->copy);
    for (int what = 0; what < NROUTINES; ++what) {
        free(r->start[what]);
        free(r->stop[what]);
    }
}

/* Make the matrices of a case; line is the context of all processes. */
static int
run_open(run *r, hesca_int line)
{
    const timing_case *c = r->c;
    const int type = (int)(strchr(CASE_TYPES, c->type) - CASE_TYPES);
    const size_t esize = types[type].esize;
    char name[17] = "C";
    routine_name(c, name + 1);
    r->fn[REAL] = hesca_scalapack_original(name);
    r->fn[HESCA] = c->triangular ? types[type].trmr2d : types[type].gemr2d;
    describe_regions(r);
    int ok = make_matrix(c, GRID_A, &c->a, esize, &r->ctxt_a, r->desca, &r->a);
    ok = make_matrix(c, GRID_B, &c->b, esize, &r->ctxt_b, r->descb, &r->b) &&
         ok;
    if (ok) {
        const size_t a = (size_t)local_count(&r->a, &r->sub_a) * esize;
        const size_t b = (size_t)local_count(&r->b, &r->sub_b) * esize;
        r->floor_bytes = a > b ? a : b;
        r->copy =
            calloc((r->a.bytes > r->b.bytes ? r->a.bytes : r->b.bytes) + 1, 1);
        ok = r->copy != NULL;
    }
    for (int what = 0; what < NROUTINES; ++what) {
        r->start[what] = calloc(REPEAT_MOST, sizeof *r->start[what]);
        r->stop[what] = calloc(REPEAT_MOST, sizeof *r->stop[what]);
        ok = ok && r->start[what] != NULL && r->stop[what] != NULL;
    }
    r->ctxt =
        c->context_a && c->a.nprow * c->a.npcol == nprocs ? r->ctxt_a : line;
    return ok;
}

/* Do once what is to be timed. */
static void
call(run *r, int what)
{
    const timing_case *c = r->c;
    if (what == FLOOR) {
        const local_matrix *x = r->a.bytes > r->b.bytes ? &r->a : &r->b;
        memcpy(r->copy, x->data, r->floor_bytes);
    } else if (c->triangular) {
        ((trmr2d *)r->fn[what])(&c->uplo, &c->diag, c->m, c->n, r->a.data,
                                c->a.i, c->a.j, r->desca, r->b.data, c->b.i,
                                c->b.j, r->descb, r->ctxt);
    } else {
        ((gemr2d *)r->fn[what])(c->m, c->n, r->a.data, c->a.i, c->a.j,
                                r->desca, r->b.data, c->b.i, c->b.j, r->descb,
                                r->ctxt);
    }
}

static void
hex(const unsigned char *bytes, size_t n, char text[33])
{
    for (size_t k = 0; k < n; ++k)
        sprintf(text + 2 * k, "%02x", bytes[k]);
}

/* Check one array after a call; every process prints what it finds. */
static int
inspect(const run *r, int what, const char *which, const local_matrix *x,
        const region *must)
{
    local_errors e;
    local_check(x, must, &e);
    if (e.count > 0) {
        char is[33], was[33];
        hex(e.is, x->esize, is);
        hex(e.must, x->esize, was);
        fprintf(
            stderr,
            "time_gemr2d: case %d: %s: process %d has %lld wrong element%s "
            "of %s, the first is %s(%lld,%lld): bytes %s instead of %s\n",
            r->number, labels[what], iam, (long long)e.count,
            e.count == 1 ? "" : "s", which, which, (long long)e.i + 1,
            (long long)e.j + 1, is, was);
    }
    if (e.guards)
        fprintf(stderr,
                "time_gemr2d: case %d: %s: process %d wrote outside its part "
                "of %s\n",
                r->number, labels[what], iam, which);
    return e.count == 0 && !e.guards;
}

/* Let ScaLAPACK and HESCA write into a blank B, and look at every bit.  The
 * second result is also compared with the first as a whole. */
static void
verify(run *r, result *x)
{
    for (int what = REAL; what <= HESCA; ++what) {
        if (!r->o->run[what])
            continue;
        local_fill(&r->b, NULL);
        yield_barrier();
        call(r, what);
        const int a = inspect(r, what, "A", &r->a, &r->all_a);
        const int b = inspect(r, what, "B", &r->b, &r->sub_b);
        if (what == HESCA && r->o->run[REAL] &&
            memcmp(r->copy, r->b.data, r->b.bytes) != 0)
            x->identical = 0;
        memcpy(r->copy, r->b.data, r->b.bytes);
        x->identical = x->identical && a && b;
        if (!a)
            local_fill(&r->a, &r->all_a);
    }
    x->identical = yield_all(x->identical);
}

/* Time everything once, ScaLAPACK and HESCA in changing order. */
static void
repetition(run *r, int k)
{
    for (int turn = 0; turn < NROUTINES; ++turn) {
        const int what = turn == FLOOR || k % 2 == 0 ? turn : HESCA - turn;
        if (!r->o->run[what])
            continue;
        yield_barrier();
        r->start[what][k] = yield_clock();
        call(r, what);
        r->stop[what][k] = yield_clock();
    }
}

/* Repeat as often as was asked for, or as time allows. */
static int
repeat(run *r)
{
    const double start = yield_clock();
    int k = 0, more = 1;
    while (more) {
        if (iam == 0)
            bench_progress("case %d of %d, repetition %d ", r->number, r->of,
                           k + 1);
        repetition(r, k++);
        more = r->o->repeat > 0
                   ? k < r->o->repeat
                   : k < REPEAT_LEAST || yield_clock() - start < r->o->seconds;
        more = more && k < REPEAT_MOST;
        yield_broadcast(&more, sizeof more);
    }
    return k;
}

/* Turn the times of the processes into those of the repetitions, in seconds.
 * On one node all clocks are the same, and a repetition lasts from the first
 * process that starts to the last that ends: with more processes than cores
 * they cannot all start at once, and each for itself looks faster than it is.
 * On several nodes it is the longest time of a process. */
static void
agree(const run *r, int what, int n)
{
    double *start = r->start[what], *stop = r->stop[what];
    if (r->nnodes == 1)
        yield_allreduce(start, n, MPI_DOUBLE, MPI_MIN);
    else
        for (int k = 0; k < n; ++k)
            stop[k] -= start[k];
    yield_allreduce(stop, n, MPI_DOUBLE, MPI_MAX);
    for (int k = 0; r->nnodes == 1 && k < n; ++k)
        stop[k] -= start[k];
}

static void
evaluate(run *r, result *x)
{
    const int n = x->repeats;
    for (int what = 0; what < NROUTINES; ++what) {
        double *t = r->stop[what], ends[2];
        x->ran[what] = r->o->run[what];
        if (!x->ran[what])
            continue;
        agree(r, what, n);
        x->median[what] = hesca_median(t, n, ends);
        x->min[what] = t[0];
    }
}

/* Returns 1, or 0 if memory is short. */
static int
time_case(run *r, hesca_int line, result *x)
{
    const int ok = yield_all(run_open(r, line));
    if (ok) {
        local_fill(&r->a, &r->all_a);
        x->c = r->c;
        x->context_a = r->ctxt != line;
        x->bytes = (double)local_count(&r->a, &r->sub_a) * (double)r->a.esize;
        yield_allreduce(&x->bytes, 1, MPI_DOUBLE, MPI_SUM);
        x->identical = 1;
        verify(r, x);
        repetition(r, 0);
        x->repeats = repeat(r);
        verify(r, x);
        evaluate(r, x);
    } else if (iam == 0) {
        fprintf(stderr, "time_gemr2d: case %d: no memory for its matrices\n",
                r->number);
    }
    run_close(r);
    return ok;
}

/* ----- all of them ----- */

/* What must hold before anything is timed, as process 0 sees it. */
static int
ready(facts *f, const case_list *list, int run_hesca)
{
    hesca_params p;
    if (hesca_params_read(&p) != HESCA_SUCCESS) {
        fprintf(stderr, "time_gemr2d: %s\n", hesca_error_text());
        return 0;
    }
    static const char *const transport[] = {"auto", "mpi", "shm", "lend"};
    snprintf(f->schedule, sizeof f->schedule, "%s", p.schedule);
    f->transport = transport[p.transport];
    for (int k = 0; k < list->n; ++k) {
        char name[17] = "C";
        routine_name(list->item + k, name + 1);
        if (hesca_scalapack_original(name) == NULL) {
            fprintf(stderr, "time_gemr2d: no library defines %s\n", name);
            return 0;
        }
        if (run_hesca && hesca_params_disabled(&p, name + 1)) {
            fprintf(
                stderr,
                "time_gemr2d: HESCA_DISABLE=%s makes HESCA's %s the one of "
                "ScaLAPACK\n",
                p.disable, name + 1);
            return 0;
        }
    }
    return 1;
}

/* Why a case cannot be run, or NULL. */
static const char *
obstacle(const timing_case *c, const options *o, const facts *f, char why[96])
{
    const double share = (double)c->memory * f->here / nprocs * 1e-9;
    const double limit = (o->memory > 0 ? o->memory : f->memory / 2) * 1e-9;
    if (c->needs > nprocs)
        snprintf(why, 96, "needs %d processes", c->needs);
    else if (share > limit)
        snprintf(why, 96, "needs %.3g GB of a node, the limit is %.3g GB",
                 share, limit);
    else
        return NULL;
    return why;
}

static double
faster(const result *x)
{
    return x->median[HESCA] > 0 ? x->median[REAL] / x->median[HESCA] : 1;
}

/* Whether a case is to be timed again; all processes know. */
static int
is_slower(const result *x)
{
    int slower = faster(x) < RATIO_SLOWER;
    yield_broadcast(&slower, sizeof slower);
    return slower;
}

/* Time a case of --random and add its ratio.  Returns 1, or 0 if memory is
 * short. */
static int
time_drawn(run *r, hesca_int line, result *x, ratio_list *ratios)
{
    double ratio[AGAIN + 1], ends[2];
    int n = 0, ok = 1;
    do {
        ok = time_case(r, line, x);
        ratio[n++] = faster(x);
    } while (ok && n <= AGAIN && (n > 1 || is_slower(x)));
    return ok && yield_all(iam != 0 || ratios_add(ratios, r->c,
                                                  hesca_median(ratio, n, ends),
                                                  x->median[REAL]));
}

/* The cases, one by one.  Returns the exit status. */
static int
time_all(const options *o, const case_list *list, report *out)
{
    int identical = 1, status = 0;
    ratio_list ratios = {NULL, 0};
    const hesca_int line = grids_get(GRID_LINE, 0, 1, nprocs);
    for (int k = 0; k < list->n && status != 2; ++k) {
        run r = {.c = list->item + k,
                 .o = o,
                 .number = k + 1,
                 .of = list->n,
                 .nnodes = out->f->nnodes,
                 .ctxt_a = -1,
                 .ctxt_b = -1};
        result x = {.c = r.c, .f = out->f};
        char text[96];
        const char *why = obstacle(r.c, o, out->f, text);
        if (why != NULL) {
            if (iam == 0)
                report_skipped(out, r.c, why);
            continue;
        }
        if (o->drawn ? !time_drawn(&r, line, &x, &ratios)
                     : !time_case(&r, line, &x)) {
            status = 2;
            break;
        }
        identical = identical && x.identical;
        if (iam == 0)
            bench_progress(NULL);
        if (iam == 0)
            report_result(out, &x);
    }
    grids_close();
    if (status == 0 && !identical)
        status = 1;
    if (iam == 0 && status != 2 && (o->run[REAL] || o->run[HESCA]))
        fprintf(out->out->table, "\nidentical: %s\n",
                identical ? "yes" : "no");
    if (iam == 0 && status != 2)
        ratios_print(out->out->table, &ratios);
    ratios_clear(&ratios);
    return status;
}

/* Give all processes the cases that process 0 has read. */
static int
share_cases(void)
{
    yield_broadcast(&cases.n, sizeof cases.n);
    const size_t bytes = (size_t)cases.n * sizeof *cases.item;
    if (iam != 0)
        cases.item = malloc(bytes);
    if (!yield_all(cases.item != NULL))
        return 0;
    yield_broadcast(cases.item, bytes);
    return 1;
}

static int
check(void *o)
{
    MPI_Comm_size(MPI_COMM_WORLD, &nprocs);
    return gemr2d_cases(o, nprocs, &cases);
}

static int
run_cases(const void *from, fields_files *files)
{
    const options *o = from;
    facts f = {0};
    report out = {.out = files, .f = &f};
    int status = 2;
    MPI_Comm_rank(MPI_COMM_WORLD, &iam);
    MPI_Comm_size(MPI_COMM_WORLD, &nprocs);
    facts_find(&f);
    yield_begin(f.crowded);
    if (share_cases() &&
        yield_all(iam != 0 || ready(&f, &cases, o->run[HESCA]))) {
        if (iam == 0)
            report_head(&out, &cases);
        status = time_all(o, &cases, &out);
    }
    yield_broadcast(&status, sizeof status);
    free(cases.item);
    Cblacs_exit(1);
    return status;
}

int
main(int argc, char **argv)
{
    static options o = {.run = {1, 1, 1},
                        .context = -1,
                        .seed = 1,
                        .c = {.type = 'd',
                              .uplo = 'U',
                              .diag = 'N',
                              .m = 2000,
                              .n = 2000,
                              .a = {.mb = 64, .nb = 64, .i = 1, .j = 1},
                              .b = {.mb = 128, .nb = 128, .i = 1, .j = 1}}};
    const bench_program b = {
        .name = "time_gemr2d",
        .about =
            "Usage: mpiexec -n P time_gemr2d [option]...\n"
            "Time p?gemr2d or p?trmr2d of ScaLAPACK and of HESCA, and a plain "
            "copy, side by\nside; verify what they deliver.\n\n",
        .notes = gemr2d_notes,
        .option = gemr2d_options,
        .noptions = gemr2d_noptions,
        BENCH_OPTIONS(o),
        .check = check,
        .put = report_put,
        .run = run_cases};
    yield_mpi_spins();
    return bench_main_mpi(&b, argc, argv);
}
