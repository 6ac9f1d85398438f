/* SPDX-License-Identifier: BSD-3-Clause */
/* Time R_x(K,P) by several schedules, as section 5 of LIM does.
 *
 * Usage: mpiexec -n P time_lim [option]...
 *
 *   mpiexec -n 16 time_lim --k 3:15 --schedules direct,indirect,hybrid:1
 *   mpiexec -n 16 time_lim --k 15 --real --transport mpi --csv time.csv
 *   mpiexec -n 16 time_lim --help
 *
 * lim.sh runs it for LIM's figures, one after the other.
 *
 * As in LIM's Figure 13 node_time is the mean of n2 executions on a process,
 * tavg its mean over the processes, and this is repeated n1 times.  For every
 * K the schedules take turns, so that what the machine does besides hits all
 * of them.  A slow schedule makes fewer executions, then fewer repetitions.
 *
 * After the repetitions of a K each schedule redistributes once more, into a
 * blank B, and every process compares every element that it has of A and B
 * with what it must be. */
#define _POSIX_C_SOURCE 200809L /* setenv */
#include "grids.h"
#include "hesca/experimental/param.h"
#include "hesca/status.h"
#include "lim.h"
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { REPEAT_LEAST = 3, WARM_UP = 3 };

enum { LIM_FACTORS = 512, LIM_NAMES = 24 };

typedef struct {
    int64_t k[LIM_FACTORS]; /* factors by which blocks grow */
    char name[LIM_NAMES + 1][HESCA_NAME_MAX]; /* schedules, and what else is
                                                 compared */
    int nk, nnames;
    int procs;      /* that take part */
    int has_real;   /* ScaLAPACK takes part */
    int is_row;     /* the array is a 1 x N matrix */
    int x, esize;   /* elements of a block; bytes of an element */
    int64_t bytes;  /* of the array, about */
    int n1, n2;     /* LIM Figure 13, at most */
    double seconds; /* for one schedule and one K */
    const char *transport;
} lim_options;

/* BLACS, which ships no header. */
void Cblacs_exit(hesca_int go_on);

static int iam, nprocs;

/* One schedule, and its times of one K. */
typedef struct {
    contestant c;
    int is_in;    /* it can do this K */
    int n1, n2;   /* repetitions made, executions of each */
    double *tavg; /* [n1] s */
    double spent; /* s */
    lim_result result;
} entry;

typedef struct {
    const lim_options *o;
    facts f;
    fields_files *out;
    MPI_Comm team; /* of the processes that take part */
    int me;        /* rank in it, -1 on others */
    entry entry[LIM_NAMES + 1];
} race;

/* ----- one execution, one repetition ----- */

static void
execute(entry *e, const lim_case *x)
{
    if (x->me < 0 || e->c.how->call(&e->c, x))
        return;
    fprintf(stderr, "time_lim: K = %d, %s: %s\n", x->k, e->c.name, e->c.why);
    MPI_Abort(MPI_COMM_WORLD, 2);
}

/* LIM Figure 13 (a): tavg, the mean of node_time over the processes. */
static double
measure(entry *e, const lim_case *x, int n2)
{
    double node_time = 0;
    yield_barrier();
    if (x->me >= 0) {
        const double start = yield_clock();
        for (int k = 0; k < n2; ++k)
            execute(e, x);
        node_time = (yield_clock() - start) / n2;
    }
    yield_allreduce(&node_time, 1, MPI_DOUBLE, MPI_SUM);
    yield_broadcast(&node_time,
                    sizeof node_time); /* the same for all, exactly */
    return node_time / x->nprocs;
}

/* As many executions as fit at least three times into its time.  The first one
 * may be much slower than the others. */
static void
warm_up(const race *r, entry *e, const lim_case *x)
{
    double once = 0, spent = 0;
    for (int k = 0; k < WARM_UP && spent <= r->o->seconds; ++k) {
        const double t = measure(e, x, 1);
        once = k == 0 || t < once ? t : once;
        spent += t;
    }
    const double fit = r->o->seconds / REPEAT_LEAST / once;
    e->n2 = fit < 1 ? 1 : fit < r->o->n2 ? (int)fit : r->o->n2;
}

static int
is_done(const race *r, const entry *e)
{
    return !e->is_in || e->n1 == r->o->n1 ||
           (e->n1 >= REPEAT_LEAST && e->spent > r->o->seconds);
}

static void
repeat(race *r, const lim_case *x)
{
    int more = 1;
    for (int k = 0; more; ++k) {
        if (iam == 0)
            bench_progress("K = %d, repetition %d of %d ", x->k, k + 1,
                           r->o->n1);
        more = 0;
        for (int i = 0; i < r->o->nnames; ++i) {
            entry *e = &r->entry[i];
            if (is_done(r, e))
                continue;
            const double t = measure(e, x, e->n2);
            e->tavg[e->n1++] = t;
            e->spent += t * e->n2;
            more = 1;
        }
    }
    if (iam == 0)
        bench_progress(NULL);
}

/* ----- results ----- */

static int
inspect(const entry *e, const char *which, const local_matrix *m,
        const region *must)
{
    local_errors found;
    local_check(m, must, &found);
    if (found.count > 0 || found.guards)
        fprintf(stderr,
                "time_lim: %s: process %d has %lld wrong elements of %s, the "
                "first is %lld%s\n",
                e->c.name, iam, (long long)found.count, which,
                (long long)(found.i + found.j),
                found.guards ? "; and its guards are" : "");
    return found.count == 0 && !found.guards;
}

static int
verify(entry *e, lim_case *x)
{
    int right = 1;
    if (x->me >= 0)
        local_fill(&x->b, NULL);
    yield_barrier();
    execute(e, x);
    if (x->me >= 0) {
        right = inspect(e, "A", &x->a, &x->all);
        right = inspect(e, "B", &x->b, &x->all) && right;
    }
    return yield_all(right);
}

static int
ascending(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* LIM Figure 13 (b). */
static void
evaluate(entry *e)
{
    const int n = e->n1;
    double *t = e->tavg, sum = 0;
    qsort(t, (size_t)n, sizeof *t, ascending);
    for (int k = 0; k < n; ++k)
        sum += t[k];
    e->result.n1 = n;
    e->result.n2 = e->n2;
    e->result.max = t[n - 1];
    e->result.avg = sum / n;
    e->result.med = (t[(n - 1) / 2] + t[n / 2]) / 2;
    e->result.min = t[0];
    e->result.plan = e->c.info;
}

/* The least of the means over the processes. */
static void
evaluate_planning(entry *e, int procs)
{
    double *t = e->c.planning;
    yield_allreduce(t, CONTEST_PLANS, MPI_DOUBLE, MPI_SUM);
    e->result.planning = t[0] / procs;
    for (int k = 1; k < CONTEST_PLANS; ++k)
        if (t[k] / procs < e->result.planning)
            e->result.planning = t[k] / procs;
}

/* ----- one K ----- */

/* Let those take part that can; the others say why not. */
static void
open_entries(race *r, const lim_case *x)
{
    for (int i = 0; i < r->o->nnames; ++i) {
        entry *e = &r->entry[i];
        const lim_result fresh = {.c = x, .f = &r->f, .name = e->c.name};
        e->result = fresh;
        e->n1 = 0;
        e->spent = 0;
        memset(&e->c.info, 0, sizeof e->c.info);
        memset(e->c.planning, 0, sizeof e->c.planning);
        e->is_in = yield_all(x->me < 0 || e->c.how->open(&e->c, x));
        evaluate_planning(e, x->nprocs);
        if (e->is_in)
            warm_up(r, e, x);
        else if (iam == 0)
            lim_results_skipped(r->out, x, e->c.name, e->c.why);
    }
}

/* Returns whether all was right. */
static int
close_entries(race *r, lim_case *x)
{
    int right = 1;
    for (int i = 0; i < r->o->nnames; ++i) {
        entry *e = &r->entry[i];
        if (e->is_in) {
            e->result.checked = e->c.how->delivers;
            e->result.right = !e->result.checked || verify(e, x);
            right = right && e->result.right;
            if (x->me >= 0 && e->c.plan != NULL) /* it knows its way now */
                hesca_plan_get_info(e->c.plan, &e->c.info);
            evaluate(e);
            if (iam == 0)
                lim_results_row(r->out, &e->result);
        }
        if (x->me >= 0)
            e->c.how->close(&e->c);
    }
    return right;
}

/* Returns the exit status. */
static int
race_once(race *r, int k)
{
    const lim_options *o = r->o;
    lim_case x;
    int status = 2;
    const int ok = lim_case_open(&x, o->is_row, k, o->x, (size_t)o->esize,
                                 o->bytes, o->procs, r->me);
    if (yield_all(ok)) {
        open_entries(r, &x);
        repeat(r, &x);
        status = close_entries(r, &x) ? 0 : 1;
    } else if (iam == 0) {
        fprintf(stderr, "time_lim: K = %d: no memory for the array\n", k);
    }
    lim_case_close(&x);
    return status;
}

/* ----- all of them ----- */

static int
enter(race *r)
{
    int ok = 1;
    for (int i = 0; i < r->o->nnames; ++i) {
        entry *e = &r->entry[i];
        ok = contest_enter(&e->c, r->o->name[i], r->team, r->o->procs) && ok;
        if (!ok && iam == 0 && e->c.why[0] != '\0')
            fprintf(stderr, "time_lim: %s\n", e->c.why);
        e->tavg = malloc((size_t)r->o->n1 * sizeof *e->tavg);
        ok = ok && e->tavg != NULL;
    }
    return yield_all(ok);
}

static void
leave(race *r)
{
    for (int i = 0; i < r->o->nnames; ++i) {
        contest_leave(&r->entry[i].c);
        free(r->entry[i].tavg);
    }
    if (r->team != MPI_COMM_NULL)
        MPI_Comm_free(&r->team);
    grids_close();
}

static void
split(race *r)
{
    const int in = iam < r->o->procs;
    MPI_Comm_split(MPI_COMM_WORLD, in ? 0 : MPI_UNDEFINED, iam, &r->team);
    r->me = in ? iam : -1;
}

static int
run_race(race *r)
{
    const lim_options *o = r->o;
    int status = 2;
    split(r);
    if (enter(r)) {
        status = 0;
        if (iam == 0)
            lim_results_head(r->out, &r->f, o->procs);
        for (int i = 0; i < o->nk && status != 2; ++i) {
            const int one = race_once(r, (int)o->k[i]);
            status = one > status ? one : status;
        }
    }
    leave(r);
    return status;
}

/* ----- options ----- */

enum { REPEAT_MAX = 10000, BLOCK_MAX = 1 << 20 };

typedef lim_options options;

static int
set_bytes(const cmdline_row *r, const char *value, void *to)
{
    return cmdline_bytes(r, value, 1, &((options *)to)->bytes);
}

static int
set_esize(const cmdline_row *r, const char *value, void *to)
{
    int k = 0;
    const int ok = cmdline_choice(r, value, &k);
    ((options *)to)->esize = 4 << k;
    return ok;
}

static int
set_transport(const cmdline_row *r, const char *value, void *to)
{
    int unused;
    ((options *)to)->transport = value;
    return cmdline_choice(r, value, &unused);
}

static const cmdline_row table[] = {
    OPT_LIST("k", "K,...",
             "factors by which blocks grow, at most P; also FIRST:LAST", k, nk,
             1, INT_MAX),
    OPT_MORE("or FIRST:LAST:STEP (3:P-1)"),
    OPT_NAMES("schedules", "NAME,...",
              "what is compared, see below (direct,indirect,hybrid:1)", name,
              nnames, NULL),
    OPT_FLAG("real", "ScaLAPACK's routine, too; as schedule scalapack",
             has_real),
    OPT_SET("bytes", "BYTES", "of the array (200000)", set_bytes),
    OPT_CHOICE("array", "column|row",
               "an N x 1 matrix, or a 1 x N one (column)", is_row),
    OPT_INT("x", "X", "elements of a block of A (1)", x, 1, BLOCK_MAX),
    OPT_SET("esize", "4|8|16", "bytes of an element (4)", set_esize),
    OPT_INT("procs", "P", "processes that take part (all)", procs, 1, INT_MAX),
    OPT_SET("transport", "auto|mpi|shm|lend",
            "as HESCA_TRANSPORT, which it replaces", set_transport),
    OPT_INT("n1", "N", "repetitions (40)", n1, 1, REPEAT_MAX),
    OPT_INT("n2", "N", "executions of a repetition (20)", n2, 1, REPEAT_MAX),
    OPT_REAL("seconds", "S",
             "time for a schedule and a K: it makes fewer executions",
             seconds),
    OPT_MORE("and repetitions, but at least 3, if it is slow (1)"),
};

static void
print_notes(void)
{
    printf("\nA schedule is one of HESCA_SCHEDULE (direct, direct-async, "
           "indirect, hybrid:D,\nmultiphase, two-phase, alltoall, auto, ...) "
           "or\n");
    contest_print();
    printf(
        "BYTES are rounded down to whole superblocks of K P X elements, at "
        "least one, so\nthat all messages of a step are equally long.  Times "
        "are those of LIM: an\nexecution's mean over n2 of them and all "
        "processes, of which there are n1.\nPlans are made once, and timed "
        "apart.\n\n"
        "Exit status: 0 if all results are right, 1 if not, 2 if the timing "
        "cannot be\ndone.\n");
}

/* Complete what the options leave open, and check what they say. */
static int
check(void *to)
{
    options *o = to;
    MPI_Comm_size(MPI_COMM_WORLD, &nprocs);
    if (o->nnames > LIM_NAMES)
        return cmdline_complain("--schedules: more than %d names", LIM_NAMES);
    for (int i = 0; i < o->nnames; ++i)
        if (!contest_knows(o->name[i]))
            return cmdline_complain("--schedules '%s': no such schedule",
                                    o->name[i]);
    if (o->procs == 0)
        o->procs = nprocs;
    if (o->nk == 0)
        for (int k = o->procs > 3 ? 3 : 1;
             o->nk == 0 || (k < o->procs && o->nk < LIM_FACTORS); ++k)
            o->k[o->nk++] = k;
    if (o->has_real)
        strcpy(o->name[o->nnames++], "scalapack");
    if (o->procs > nprocs)
        return cmdline_complain("--procs '%d': there are %d", o->procs,
                                nprocs);
    for (int i = 0; i < o->nk; ++i)
        if (o->k[i] > o->procs)
            return cmdline_complain("--k '%lld': must not exceed the %d "
                                    "processes",
                                    (long long)o->k[i], o->procs);
        else if (o->k[i] > INT_MAX / o->x)
            return cmdline_complain("--x '%d': blocks of B are too large",
                                    o->x);
    return 1;
}

/* ----- all of it ----- */

static int
run(const void *from, fields_files *out)
{
    static race r;
    const char *transport = getenv("HESCA_TRANSPORT");
    MPI_Comm_rank(MPI_COMM_WORLD, &iam);
    MPI_Comm_size(MPI_COMM_WORLD, &nprocs);
    facts_find(&r.f);
    yield_begin(r.f.crowded);
    r.o = from;
    r.out = out;
    if (iam == 0 && r.o->transport != NULL)
        setenv("HESCA_TRANSPORT", transport = r.o->transport, 1);
    r.f.transport = transport == NULL ? "auto" : transport;
    int status = run_race(&r);
    yield_broadcast(&status, sizeof status);
    Cblacs_exit(1);
    return status;
}

int
main(int argc, char **argv)
{
    static lim_options o = {.x = 1,
                            .esize = 4,
                            .bytes = 200000,
                            .n1 = 40,
                            .n2 = 20,
                            .name = {"direct", "indirect", "hybrid:1"},
                            .nnames = 3,
                            .seconds = 1};
    static const bench_program b = {
        .name = "time_lim",
        .about =
            "Usage: mpiexec -n P time_lim [option]...\n"
            "Time R_x(K,P), the redistribution of an array from cyclic(x) to "
            "cyclic(Kx) on P\nprocesses, by several schedules, as LIM's "
            "Figure 13 does; verify what they deliver.\n\n",
        .print_notes = print_notes,
        BENCH_TABLE(table),
        BENCH_OPTIONS(o),
        .check = check,
        .put = lim_results_put,
        .run = run};
    yield_mpi_spins();
    return bench_main_mpi(&b, argc, argv);
}
