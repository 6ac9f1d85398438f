/* SPDX-License-Identifier: BSD-3-Clause */
/* How good the choice of auto is: every schedule on real processes, over a
 * grid of cases.
 *
 * Usage: mpiexec -n P time_schedules [option]...
 *
 * A case is the redistribution from cyclic(x) to cyclic(Kx) of a row of
 * doubles on a line of all processes.  All cases and all schedules take turns,
 * so that what the machine does besides hits all of them; a time is the median
 * of batches of executions, the mean over the processes. */
#include "harness.h"
#include "hesca/status.h"
#include "tools/probe/redist_trial.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LIST = 16, CASES = LIST * LIST };

typedef struct {
    int64_t k[LIST], bytes[LIST];
    int nk, nbytes;
    double seconds;
    char schedules[200];
} options;

static int
set_schedules(const cmdline_row *r, const char *value, void *to)
{
    options *o = to;
    return snprintf(o->schedules, sizeof o->schedules - 5, "%s", value) <
                   (int)sizeof o->schedules - 5
               ? 1
               : cmdline_bad(r, value);
}

static const cmdline_row table[] = {
    OPT_LIST("k", "K,...", "factors of the block size (2, P/2, P-1, P)", k, nk,
             1, 1 << 30),
    OPT_LIST("bytes", "B,...",
             "bytes of a process, about (64,1024,16384,262144)", bytes, nbytes,
             1, 1 << 30),
    OPT_SET("schedules", "A|...", "which ones (direct|direct-async|indirect|",
            set_schedules),
    OPT_MORE("hybrid:1|hybrid:2|hybrid:3|bruck)"),
    OPT_POSITIVE("seconds", "S", "time to spend (30)", seconds),
};

static int
list_cases(const options *o, int nprocs, trial_case *cases)
{
    static const int64_t usual[] = {64, 1024, 16384, 262144};
    const int64_t k[4] = {2, nprocs / 2, nprocs - 1, nprocs};
    const int64_t *ks = o->nk > 0 ? o->k : k;
    const int64_t *sizes = o->nbytes > 0 ? o->bytes : usual;
    int n = 0;
    for (int i = 0; i < (o->nk > 0 ? o->nk : 4); ++i)
        for (int j = 0; j < (o->nbytes > 0 ? o->nbytes : 4); ++j)
            if (ks[i] > 1 && (i == 0 || ks[i] > ks[i - 1] || o->nk > 0))
                cases[n++] = (trial_case){ks[i], sizes[j]};
    return n;
}

/* ------------------------------------------------ results */

/* What auto executes is the plan of the schedule that it chose, so where that
 * one was timed, too, there are two samples of the same: both get the mean. */
static void
pool(const trial *t, trial_time *x)
{
    trial_time *chosen = &x[t->n - 1];
    for (int i = 0; i + 1 < t->n; ++i)
        if (x[i].served && strcmp(t->name[i], chosen->info.schedule) == 0)
            x[i].median = chosen->median = (x[i].median + chosen->median) / 2;
}

/* The single schedule that was fastest; auto is the last. */
static int
best_of(const trial *t, const trial_time *x)
{
    int best = -1;
    for (int i = 0; i + 1 < t->n; ++i)
        if (x[i].served && (best < 0 || x[i].median < x[best].median))
            best = i;
    return best;
}

static void
print_case(FILE *f, const trial *t, const trial_case *c, const trial_time *x)
{
    const int best = best_of(t, x), last = t->n - 1;
    fprintf(f, "%5lld %9lld", (long long)c->k, (long long)c->bytes);
    for (int i = 0; i < last; ++i)
        if (x[i].served)
            fprintf(f, " %11.1f%c", 1e6 * x[i].median, i == best ? '*' : ' ');
        else
            fprintf(f, " %11s ", "-");
    fprintf(f, " %11.1f  %5.2f  %s\n", 1e6 * x[last].median,
            x[last].median / x[best].median, x[last].info.schedule);
}

static void
print_table(FILE *f, const trial *t, int n, const trial_case *cases,
            const trial_time *time)
{
    const int last = t->n - 1;
    int near = 0;
    double worst = 0;
    fprintf(f,
            "%d processes; medians in us; * is the best single schedule\n"
            "    K     bytes",
            t->nprocs);
    for (int i = 0; i < last; ++i)
        fprintf(f, " %11s ", t->name[i]);
    fprintf(f, " %11s  %5s  %s\n", "auto", "/best", "it chose");
    for (int c = 0; c < n; ++c) {
        const trial_time *x = &time[c * t->n];
        const double ratio = x[last].median / x[best_of(t, x)].median;
        print_case(f, t, &cases[c], x);
        near += ratio <= 1.1;
        worst = ratio > worst ? ratio : worst;
    }
    fprintf(f,
            "auto is within 10 %% of the best in %d of %d cases (%.0f %%), at "
            "worst %.2f times as slow\n",
            near, n, 100.0 * near / n, worst);
}

typedef struct {
    const trial *t;
    const trial_case *c;
    const char *name;
    const trial_time *time;
} row;

static void
put(fields *s, const void *from)
{
    const row *x = from;
    fields_int(s, "processes", x->t->nprocs);
    fields_count(s, "k", x->c->k);
    fields_count(s, "bytes", x->c->bytes);
    fields_text(s, "schedule", x->name);
    fields_text(s, "chosen", x->time->info.schedule);
    fields_text(s, "transport", x->time->info.transport);
    fields_int(s, "steps", x->time->info.nsteps);
    fields_real(s, "median_s", x->time->median);
    fields_real(s, "predicted_s", x->time->info.predicted_seconds);
}

static int
run(const void *from, fields_files *out)
{
    static trial_case cases[CASES];
    static trial_time time[CASES * TRIAL_SCHEDULES];
    static options o;
    trial t;
    o = *(const options *)from;
    strcat(o.schedules, "|auto");
    int err = trial_begin(&t, o.schedules);
    const int n = list_cases(&o, t.nprocs, cases);
    if (err == HESCA_SUCCESS)
        err = trial_run(&t, n, cases, o.seconds, time);
    if (err < 0 && t.rank == 0)
        cmdline_fail("%s", hesca_error_text());
    if (err == HESCA_SUCCESS && t.rank == 0) {
        for (int c = 0; c < n; ++c)
            pool(&t, &time[c * t.n]);
        print_table(out->table, &t, n, cases, time);
        for (int k = 0; k < n * t.n; ++k) {
            const row x = {&t, &cases[k / t.n], t.name[k % t.n], &time[k]};
            if (time[k].served)
                bench_row(out, &x);
        }
    }
    trial_end(&t);
    return err < 0;
}

int
main(int argc, char **argv)
{
    static options o = {.seconds = 30,
                        .schedules = "direct|direct-async|indirect|hybrid:1|"
                                     "hybrid:2|hybrid:3|bruck"};
    static const bench_program b = {
        .name = "time_schedules",
        .about =
            "Usage: mpiexec -n P time_schedules [option]...\n"
            "Time every schedule over a grid of cases, and report how far "
            "the one that auto\nchooses is from the best.\n\n",
        .notes = "\nExit status: 0, 1 if HESCA fails, 2 for wrong usage.\n",
        BENCH_TABLE(table),
        BENCH_OPTIONS(o),
        .put = put,
        .run = run};
    return bench_main_mpi(&b, argc, argv);
}
