/* SPDX-License-Identifier: BSD-3-Clause */
/* Matrix multiplication and LU factorization with shares from speed functions
 * that are measured on the spot, beside shares from single speeds and equal
 * ones: what was predicted, and what it took.
 *
 * Usage: mpiexec -n P time_hdpi [option]...
 *
 *   mpiexec -n 2 time_hdpi --kernel mm --order 1500 --slow 1,3
 *   mpiexec -n 4 time_hdpi --kernel lu --order 1600 --csv lu.csv
 *   mpiexec -n 4 time_hdpi --help */
#include "base/sort.h"
#include "harness.h"
#include "hdpi_real.h"
#include "hesca/experimental/shares.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { LIST = 512, REPEAT_MAX = 101, RESIDUAL_MAX = 30 };
enum { COLUMNS = 256 }; /* of C, at most, that a probe computes */
typedef enum { EQUAL, SINGLE, FUNCTIONAL, BACKWARDS, WAYS } way;
static const char *const ways[WAYS] = {"equal", "single", "functional",
                                       "backwards"};

typedef struct {
    int is_lu, order, block, reference, repeat, points;
    double accuracy;
    int64_t slow[LIST], onset[LIST];
    int nslow, nonset, paging;
} options;

static int rank, procs;

/* ----- the command line ----- */

static const cmdline_row table[] = {
    OPT_CHOICE("kernel", "mm|lu", "C = A B^T in stripes; LU by columns (mm)",
               is_lu),
    OPT_INT("order", "N", "rows and columns of the matrices (1000)", order, 2,
            1 << 15),
    OPT_INT("block", "B", "columns of a block of LU (32)", block, 1, 1 << 12),
    OPT_INT("reference", "N", "single speeds are those of N^2 elements (200)",
            reference, 1, 1 << 15),
    OPT_REAL("accuracy", "X",
             "of speed functions, of the largest speed (0.05)", accuracy),
    OPT_INT("points", "N", "of a speed function, at most (20)", points, 3,
            1000),
    OPT_INT("repeat", "N", "runs, of which the medians are printed (5)",
            repeat, 1, REPEAT_MAX),
    OPT_LIST("slow", "K,...",
             "emulation: process i does its work K_i times; the last", slow,
             nslow, 1, 1000),
    OPT_MORE("one stands for those that follow (1)"),
    OPT_LIST("onset", "X,...",
             "emulation: elements from which on it does it --paging", onset,
             nonset, 0, INT64_C(1) << 40),
    OPT_MORE("times as often, as if it were short of memory (never)"),
    OPT_INT("paging", "K", "(4)", paging, 1, 1000),
};

static int
check(void *from)
{
    const options *o = from;
    return !o->is_lu || o->block <= o->order ||
           cmdline_complain("--block '%d': must not exceed the order, %d",
                            o->block, o->order);
}

/* ----- results ----- */

typedef struct {
    const options *o;
    int way, procs;
    const probed *probe;
    int64_t least, most; /* rows or columns of a process */
    double predicted, compute, total, imbalance, residual;
    double speedup_equal, speedup_single; /* in total time; 0: not known yet */
} row;

static void
put(fields *s, const void *from)
{
    const row *x = from;
    fields_text(s, "kernel", x->o->is_lu ? "lu" : "mm");
    fields_int(s, "order", x->o->order);
    fields_int(s, "processes", x->procs);
    fields_text(s, "shares", ways[x->way]);
    fields_real(s, "least", (double)x->least);
    fields_real(s, "most", (double)x->most);
    fields_real(s, "predicted_s", x->predicted);
    fields_real(s, "compute_s", x->compute);
    fields_real(s, "total_s", x->total);
    fields_real(s, "imbalance", x->imbalance);
    fields_real(s, "over_equal", x->speedup_equal);
    fields_real(s, "over_single", x->speedup_single);
    fields_real(s, "residual", x->residual);
    fields_text(s, "right", x->residual < RESIDUAL_MAX ? "yes" : "no");
    fields_int(s, "points", x->probe->points);
    fields_real(s, "probe_s", x->probe->seconds);
}

static void
print_head(FILE *f, const options *o, const probed *probe)
{
    fprintf(f,
            "%s of order %d on %d processes%s\nspeed functions: at most %d "
            "points each, measured in %.3g s\n\n%-11s %7s %7s %11s %11s %11s "
            "%10s %8s %8s  %s\n",
            o->is_lu ? "LU" : "C = A B^T", o->order, procs,
            o->nslow > 0 || o->nonset > 0 ? ", some slower by emulation" : "",
            probe->points, probe->seconds, "shares", "least", "most",
            "predicted s", "compute s", "total s", "imbalance", "/ equal",
            "/ single", "right");
}

static void
print(fields_files *out, const row *x)
{
    FILE *f = out->table;
    fprintf(f, "%-11s %7lld %7lld %11.4g %11.4g %11.4g %10.3f", ways[x->way],
            (long long)x->least, (long long)x->most, x->predicted, x->compute,
            x->total, x->imbalance);
    bench_print_ratio(f, 8, 3, x->speedup_equal);
    bench_print_ratio(f, 8, 3, x->speedup_single);
    fprintf(f, "  %s\n", x->residual < RESIDUAL_MAX ? "yes" : "no");
    bench_row(out, x);
}

/* ----- probing ----- */

/* What this process's kernel works on. */
typedef struct {
    const options *o;
    lu_task task;
    emulation e;
} job;

/* Seconds for a share of about x elements of the matrix; x becomes what it
 * really was. */
static double
measure(void *state, double least, double *x)
{
    const job *j = state;
    const int64_t n = j->task.n;
    int64_t rows = llround(*x / (double)n);
    rows = rows < 1 ? 1 : rows > n ? n : rows;
    *x = (double)rows * (double)n;
    if (j->o->is_lu)
        return lu_probe(&j->task, rows, &j->e, least);
    int64_t cols = (n + procs - 1) / procs;
    cols = cols > COLUMNS ? COLUMNS : cols;
    return mm_probe(n, rows, rows < cols ? rows : cols, &j->e, least);
}

/* ----- one way to divide ----- */

/* What is shared out: rows, or blocks by owners. */
typedef struct {
    int64_t *rows;
    int *owner;
} division;

static int
divide_rows(const options *o, const hesca_speed *const *speed, division *d)
{
    hesca_shares *shares;
    hesca_speed **model = rows_of_elements(procs, speed, o->order);
    d->rows = calloc((size_t)procs, sizeof *d->rows);
    const int ok =
        d->rows != NULL && (speed == NULL || model != NULL) &&
        hesca_shares_create(procs, (const hesca_speed *const *)model, o->order,
                            &shares) == 0;
    for (int i = 0; ok && i < procs; ++i)
        d->rows[i] = hesca_shares_count(shares, i);
    if (ok)
        hesca_shares_free(shares);
    units_free(model, procs);
    return ok;
}

/* Equal shares of LU are assigned cyclically. */
static int
divide_blocks(const lu_task *task, const hesca_speed *const *speed,
              int is_backwards, division *d)
{
    if (speed != NULL) {
        d->owner =
            is_backwards ? lu_backwards(task, speed) : lu_groups(task, speed);
        return d->owner != NULL;
    }
    d->owner = calloc((size_t)lu_blocks(task), sizeof *d->owner);
    for (int64_t k = 0; d->owner != NULL && k < lu_blocks(task); ++k)
        d->owner[k] = (int)(k % task->p);
    return d->owner != NULL;
}

static double
predict(const options *o, const lu_task *task, const division *d,
        const hesca_speed *const *speed)
{
    double most = 0;
    if (o->is_lu)
        return lu_updates_time(task, d->owner, speed);
    for (int i = 0; i < procs; ++i)
        most = fmax(most, hesca_speed_time(speed[i], (double)d->rows[i] *
                                                         (double)o->order));
    return most;
}

static void
find_extremes(const lu_task *task, const division *d, row *x)
{
    for (int i = 0; i < procs; ++i) {
        const int64_t count =
            d->owner != NULL ? lu_columns(task, d->owner, i, 0) : d->rows[i];
        x->least = i == 0 || count < x->least ? count : x->least;
        x->most = i == 0 || count > x->most ? count : x->most;
    }
}

/* Run it once without looking, then as often as was asked for. */
static int
repeat(const job *j, const division *d, row *x)
{
    double compute[REPEAT_MAX], total[REPEAT_MAX], imbalance[REPEAT_MAX];
    double ends[2];
    const int n = j->o->repeat;
    for (int k = -1; k < n; ++k) {
        taken t;
        const int ok = j->o->is_lu
                           ? lu_run(&j->task, d->owner, &j->e, k < 0, &t)
                           : mm_run(j->task.n, d->rows, &j->e, k < 0, &t);
        if (!ok)
            return 0;
        if (k < 0) {
            x->residual = t.residual;
        } else {
            compute[k] = t.compute;
            total[k] = t.total;
            imbalance[k] = t.imbalance;
        }
    }
    x->compute = hesca_median(compute, n, ends);
    x->total = hesca_median(total, n, ends);
    x->imbalance = hesca_median(imbalance, n, ends);
    return 1;
}

/* By speeds, NULL: equal; predicted by functions.  1, or 0 without memory. */
static int
run_way(const job *j, const hesca_speed *const *speed,
        const hesca_speed *const *functions, row *x)
{
    division d = {NULL, NULL};
    int ok = j->o->is_lu
                 ? divide_blocks(&j->task, speed, x->way == BACKWARDS, &d)
                 : divide_rows(j->o, speed, &d);
    ok = yield_all(ok);
    if (ok) {
        x->predicted = predict(j->o, &j->task, &d, functions);
        find_extremes(&j->task, &d, x);
        ok = repeat(j, &d, x);
    }
    free(d.rows);
    free(d.owner);
    return ok;
}

/* ----- all of them ----- */

/* Returns the exit status. */
static int
run_job(const options *o, job *j, fields_files *out)
{
    probed probe;
    row x = {.o = o, .procs = procs, .probe = &probe};
    int status = 2;
    double totals[WAYS] = {0};
    const double n = o->order;
    const probe_task task = {
        .measure = measure,
        .state = j,
        .from = o->is_lu ? n : n,
        .to = n * n,
        .reference = fmin((double)o->reference * (double)o->reference, n * n),
        .accuracy = o->accuracy,
        .points = o->points};
    if (probe_all(&task, &probe)) {
        const hesca_speed *const *functions =
            (const hesca_speed *const *)probe.function;
        const hesca_speed *const *speeds[WAYS] = {
            NULL, (const hesca_speed *const *)probe.single, functions,
            functions};
        const int nways = o->is_lu ? WAYS : BACKWARDS;
        status = 0;
        if (rank == 0)
            print_head(out->table, o, &probe);
        for (int w = 0; w < nways && status < 2; ++w) {
            x.way = w;
            if (!run_way(j, speeds[w], functions, &x)) {
                status = 2;
                continue;
            }
            totals[w] = x.total;
            x.speedup_equal = totals[EQUAL] / x.total;
            x.speedup_single = w > SINGLE ? totals[SINGLE] / x.total : 0;
            status = x.residual < RESIDUAL_MAX ? status : 1;
            if (rank == 0)
                print(out, &x);
        }
    }
    if (status == 2 && rank == 0)
        cmdline_fail("%s", probe.complaint);
    probe_clear(&probe);
    return status;
}

static void
make_job(const options *o, job *j)
{
    const int s = rank < o->nslow ? rank : o->nslow - 1;
    const int q = rank < o->nonset ? rank : o->nonset - 1;
    *j = (job){.o = o,
               .task = {procs, o->order, o->block},
               .e = {.slow = s < 0 ? 1 : (int)o->slow[s],
                     .onset = q < 0 ? INFINITY : (double)o->onset[q],
                     .paging = q < 0 ? 1 : o->paging}};
}

static int
run(const void *o, fields_files *out)
{
    job j;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &procs);
    make_job(o, &j);
    return run_job(o, &j, out);
}

int
main(int argc, char **argv)
{
    static options o = {.order = 1000,
                        .block = 32,
                        .reference = 200,
                        .repeat = 5,
                        .points = 20,
                        .accuracy = 0.05,
                        .paging = 4};
    static const bench_program b = {
        .name = "time_hdpi",
        .about =
            "Usage: mpiexec -n P time_hdpi [option]...\n"
            "Time an application with shares that are equal, in proportion to "
            "single speeds,\nor from speed functions, which processes measure "
            "before, all at the same time.\n\n",
        .notes =
            "\nLU: equal shares are cyclic, the others by the Variable "
            "Group Block\ndistribution; backwards: by speed functions, block "
            "by "
            "block from the right.\n\nPredictions are by the speed functions, "
            "of computing alone.  "
            "compute is that of\nthe process that computes longest, in LU of "
            "all steps together; total has panels\nand messages, too.\n\n"
            "Exit status: 0 if all results are right, 1 if not, 2 if it "
            "cannot "
            "be done.\n",
        BENCH_TABLE(table),
        BENCH_OPTIONS(o),
        .put = put,
        .run = run,
        .check = check};
    return bench_main_mpi(&b, argc, argv);
}
