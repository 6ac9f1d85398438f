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
 * of them.  Who is slow makes fewer executions, then fewer repetitions.
 *
 * After the repetitions of a K each schedule redistributes once more, into a
 * blank B, and every process compares every element that it has of A and B
 * with what it must be.
 *
 * Exit status: 0 if all results are right, 1 if not, 2 if the timing cannot be
 * done. */
#define _POSIX_C_SOURCE 200809L /* isatty, setenv */
#include "contest.h"
#include "grids.h"
#include "hesca/status.h"
#include "lim_options.h"
#include "lim_results.h"
#include "polite.h"
#include "tools/lib/cmdline.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { REPEAT_LEAST = 3, WARM_UP = 3 };

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
    fields_files out;
    MPI_Comm team; /* of those who take part */
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
    polite_line_up();
    if (x->me >= 0) {
        const double start = polite_clock();
        for (int k = 0; k < n2; ++k)
            execute(e, x);
        node_time = (polite_clock() - start) / n2;
    }
    polite_combine(&node_time, 1, MPI_DOUBLE, MPI_SUM);
    polite_share(&node_time, sizeof node_time); /* the same for all, exactly */
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

static void
progress(const race *r, const lim_case *x, int repetition)
{
    static double last;
    const double now = polite_clock();
    if (iam != 0 || !isatty(STDERR_FILENO) ||
        (repetition >= 0 && now - last < 0.2))
        return;
    last = now;
    if (repetition >= 0)
        fprintf(stderr, "\rK = %d, repetition %d of %d ", x->k, repetition + 1,
                r->o->n1);
    else
        fprintf(stderr, "\r%40s\r", "");
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
        progress(r, x, k);
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
    progress(r, x, -1);
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
    polite_line_up();
    execute(e, x);
    if (x->me >= 0) {
        right = inspect(e, "A", &x->a, &x->all);
        right = inspect(e, "B", &x->b, &x->all) && right;
    }
    return polite_all(right);
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
    polite_combine(t, CONTEST_PLANS, MPI_DOUBLE, MPI_SUM);
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
        e->is_in = polite_all(x->me < 0 || e->c.how->open(&e->c, x));
        evaluate_planning(e, x->nprocs);
        if (e->is_in)
            warm_up(r, e, x);
        else if (iam == 0)
            lim_results_skipped(&r->out, x, e->c.name, e->c.why);
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
                lim_results_row(&r->out, &e->result);
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
    if (polite_all(ok)) {
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
    return polite_all(ok);
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
run(race *r)
{
    const lim_options *o = r->o;
    const lim_case none = {.k = 0};
    const lim_result empty = {
        .c = &none, .f = &r->f, .name = "", .checked = 0};
    int status = 2;
    split(r);
    if (enter(r)) {
        status = 0;
        if (iam == 0) {
            lim_results_head(&r->out, &r->f, o->procs);
            fields_head(&r->out, &empty);
        }
        for (int i = 0; i < o->nk && status != 2; ++i) {
            const int one = race_once(r, (int)o->k[i]);
            status = one > status ? one : status;
        }
    }
    leave(r);
    return status;
}

/* Process 0 reads what is to be done, and tells the others. */
static int
prepare(int argc, char **argv, lim_options *o, race *r)
{
    int what = CMDLINE_BAD;
    if (iam == 0)
        what = lim_options_read(argc, argv, nprocs, o);
    polite_share(&what, sizeof what);
    if (what != CMDLINE_GO)
        return what;
    polite_share(o, sizeof *o);
    r->o = o;
    if (iam == 0) {
        const char *transport = getenv("HESCA_TRANSPORT");
        if (o->transport != NULL)
            setenv("HESCA_TRANSPORT", transport = o->transport, 1);
        r->f.transport = transport == NULL ? "auto" : transport;
        if (!fields_open(&r->out, o->csv, o->json, lim_results_put))
            what = CMDLINE_BAD;
    }
    polite_share(&what, sizeof what);
    return what;
}

int
main(int argc, char **argv)
{
    static race r;
    static lim_options o;
    int status = 2;
    polite_not_for_mpi();
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &iam);
    MPI_Comm_size(MPI_COMM_WORLD, &nprocs);
    facts_find(&r.f);
    polite_begin(r.f.crowded);
    const int what = prepare(argc, argv, &o, &r);
    if (what == CMDLINE_HELP)
        status = 0;
    if (what == CMDLINE_GO) {
        status = run(&r);
        if (iam == 0 && !fields_close(&r.out))
            status = 2;
    }
    polite_share(&status, sizeof status);
    Cblacs_exit(1);
    MPI_Finalize();
    return status;
}
