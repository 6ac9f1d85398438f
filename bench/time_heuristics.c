/* SPDX-License-Identifier: BSD-3-Clause */
/* How long it takes to order the events of an exchange over unequal links, and
 * how good the order is.
 *
 * Usage: time_heuristics [option]...
 *
 *   time_heuristics --pattern redist --procs 64 --k 9:63:6
 *   time_heuristics --procs 16,32,64,128,256,512,1024 --csv heuristics.csv
 *   time_heuristics --help */
#include "harness.h"
#include "hesca/experimental/heuristics.h"
#include "hesca/experimental/timetable.h"
#include "order/refine.h"
#include "testing/exchanges.h"
#include <hesca/status.h>
#include <math.h>
#include <string.h>

enum { LIST = 512, NAMES = 16, NAME_MAX = 32 };

typedef struct {
    int pattern;
    int64_t procs[LIST], k[LIST];
    int nprocs, nk, runs, seed;
    char name[NAMES][NAME_MAX];
    int nnames;
    double limit;
} options;

/* ----- the command line -------------------------------------------------- */

static const char *const pattern_names[] = {"small", "large", "mixed",
                                            "servers", "redist"};
enum { REDIST = 4 };

static int
is_known(const char *name)
{
    return hesca_heuristic_find(name) != NULL || strcmp(name, "run") == 0 ||
           strcmp(name, "refine") == 0;
}

static const cmdline_row table[] = {
    OPT_CHOICE("pattern", "small|large|mixed|servers|redist",
               "what is exchanged (large): everything as in", pattern),
    OPT_MORE("BHAT-EXC 5, or R_x(K,P) as in BHAT-HET 5"),
    OPT_LIST("procs", "P,...", "processes; also FIRST:LAST or FIRST:LAST:STEP",
             procs, nprocs, 2, 16384),
    OPT_MORE("(16,32,64,128,256)"),
    OPT_LIST("k", "K,...", "factors by which blocks grow (P - 1)", k, nk, 1,
             16384),
    OPT_NAMES("schedules", "NAME,...",
              "heuristics (all), run (times of given orders),", name, nnames,
              is_known),
    OPT_MORE("refine (after costs have changed by up to half)"),
    OPT_INT("runs", "N", "exchanges of each kind (5)", runs, 1, 1000),
    OPT_INT("seed", "N", "of the random numbers (1)", seed, 0, 1 << 30),
    OPT_REAL("limit", "S", "leave out what may take longer, in seconds (10),",
             limit),
    OPT_MORE("by what it took with fewer processes"),
};

/* ----- one measurement --------------------------------------------------- */

/* An exchange, and a timetable to begin with. */
typedef struct {
    hesca_events x;
    hesca_timetable old;
    double bound;
} exchange;

/* For refine: open shop's timetable before the costs changed. */
static int
make_old(exchange *g, uint64_t *state)
{
    hesca_events before;
    double *seconds = malloc(((size_t)g->x.n + 1) * sizeof *seconds);
    if (seconds == NULL)
        abort();
    for (int64_t e = 0; e < g->x.n; ++e)
        seconds[e] = g->x.seconds[e] * exchange_number(state, 0.5, 1.5);
    int err = hesca_events_retime(&before, &g->x, seconds);
    if (err == HESCA_SUCCESS)
        err = hesca_heuristic_find("openshop")->make(&before, NULL, &g->old);
    hesca_events_clear(&before);
    free(seconds);
    return err;
}

static int
make_exchange(exchange *g, int pattern, int nproc, int k, uint64_t *state)
{
    *g = (exchange){0};
    int err = pattern == REDIST
                  ? exchange_redist(&g->x, nproc, k, 10, 200, state)
                  : exchange_total(&g->x, nproc, pattern, state);
    if (err == HESCA_SUCCESS)
        err = hesca_events_bound(&g->x, NULL, &g->bound);
    if (err == HESCA_SUCCESS)
        err = make_old(g, state);
    return err;
}

static void
clear_exchange(exchange *g)
{
    hesca_events_clear(&g->x);
    hesca_timetable_clear(&g->old);
}

/* Once; its finish, and how long it took. */
static int
order(exchange *g, const char *name, double *finish, double *seconds)
{
    hesca_timetable t = {0};
    const double start = bench_cpu();
    int err;
    if (strcmp(name, "run") == 0)
        err = hesca_timetable_run(&g->old, &g->x, NULL, NULL);
    else if (strcmp(name, "refine") == 0)
        err = hesca_refine(&g->x, &g->old, NULL, 0, &t);
    else
        err = hesca_heuristic_find(name)->make(&g->x, NULL, &t);
    *seconds = bench_cpu() - start;
    *finish = strcmp(name, "run") == 0 ? g->old.finish : t.finish;
    hesca_timetable_clear(&t);
    return err;
}

/* Order every exchange in turn, again and again, at least three times or for
 * half a second: in turn, since a processor that sees the same exchange twice
 * in a row knows which way its branches go.  least[k]: least seconds. */
static int
measure(exchange *g, int n, const char *name, double *finish, double *least)
{
    double all = 0;
    for (int k = 0; k < n; ++k)
        least[k] = INFINITY;
    for (int round = 0; all < 0.5 && (round < 3 || all < 0.05); ++round)
        for (int k = 0; k < n; ++k) {
            double seconds = 0;
            if (order(&g[k], name, &finish[k], &seconds) < 0)
                return 0;
            least[k] = fmin(least[k], seconds);
            all += seconds;
        }
    return 1;
}

/* ----- results ----------------------------------------------------------- */

typedef struct {
    const options *o;
    int procs, k;
    const char *name;
    double events;
    double seconds, growth; /* growth 0: not known */
    double ratio;           /* finish / bound, mean */
} result;

static void
put(fields *s, const void *row)
{
    const result *x = row;
    fields_text(s, "pattern", pattern_names[x->o->pattern]);
    fields_int(s, "processes", x->procs);
    fields_int(s, "k", x->k);
    fields_real(s, "events", x->events);
    fields_text(s, "schedule", x->name);
    fields_int(s, "runs", x->o->runs);
    fields_real(s, "seconds", x->seconds);
    fields_real(s, "growth", x->growth);
    fields_real(s, "finish_over_bound", x->ratio);
}

static void
print_result(FILE *f, const result *x)
{
    fprintf(f, "%-8s %5d %5d %8.0f  %-12s %12.3f %7.1f",
            pattern_names[x->o->pattern], x->procs, x->k, x->events, x->name,
            1e3 * x->seconds, 1e9 * x->seconds / x->events);
    bench_print_ratio(f, 6, 2, x->growth);
    fprintf(f, " %9.2f\n", 100 * (x->ratio - 1));
}

/* All exchanges with one heuristic; 0 after a complaint. */
static int
run_one(result *x)
{
    uint64_t state = (uint64_t)x->o->seed;
    const size_t runs = (size_t)x->o->runs;
    exchange *g = calloc(runs, sizeof *g);
    double *finish = calloc(2 * runs, sizeof *finish);
    if (g == NULL || finish == NULL)
        abort();
    int ok = 1;
    for (size_t k = 0; ok && k < runs; ++k)
        ok = make_exchange(&g[k], x->o->pattern, x->procs, x->k, &state) ==
             HESCA_SUCCESS;
    ok = ok && measure(g, x->o->runs, x->name, finish, finish + runs);
    x->seconds = x->ratio = 0;
    x->events = (double)g[0].x.n;
    for (size_t k = 0; ok && k < runs; ++k) {
        x->seconds += finish[runs + k] / x->o->runs;
        x->ratio += finish[k] / g[k].bound / x->o->runs;
    }
    for (size_t k = 0; k < runs; ++k)
        clear_exchange(&g[k]);
    free(g);
    free(finish);
    return ok || cmdline_fail("%s", hesca_error_text());
}

/* What a heuristic took last, for growth and limit. */
typedef struct {
    int procs;
    double seconds, growth;
} past;

/* Whether it may take longer than the limit. */
static int
is_too_long(const past *before, int procs, double limit)
{
    const double ratio = procs / (double)before->procs;
    const double growth = before->growth > 0 ? before->growth : 3;
    return before->procs > 0 && procs > before->procs &&
           before->seconds * pow(ratio, growth) > limit;
}

static int
run_all(const options *o, fields_files *out, int procs, int k, past *before)
{
    for (int i = 0; i < o->nnames; ++i) {
        result x = {.o = o, .procs = procs, .k = k, .name = o->name[i]};
        if (is_too_long(&before[i], procs, o->limit)) {
            fprintf(out->table, "%-8s %5d %5d %8s  %-12s left out\n",
                    pattern_names[o->pattern], procs, k, "", x.name);
            continue;
        }
        if (!run_one(&x))
            return 0;
        if (before[i].procs > 0 && procs > before[i].procs)
            x.growth = log(x.seconds / before[i].seconds) /
                       log(procs / (double)before[i].procs);
        before[i] = (past){procs, x.seconds, x.growth};
        print_result(out->table, &x);
        bench_row(out, &x);
    }
    return 1;
}

static int
run(const void *from, fields_files *out)
{
    const options *o = from;
    past before[NAMES] = {{0, 0, 0}};
    int ok = 1;
    fprintf(out->table, "pattern      P     K   events  schedule      "
                        "        ms  ns/evt growth  %% beyond\n");
    for (int i = 0; ok && i < o->nprocs; ++i)
        for (int j = 0; ok && (j < o->nk || j == 0); ++j) {
            const int procs = (int)o->procs[i];
            const int k = o->nk > 0 ? (int)o->k[j] : procs - 1;
            ok = k <= procs ? run_all(o, out, procs, k, before)
                            : cmdline_complain("--k '%d': must not exceed P = "
                                               "%d",
                                               k, procs);
        }
    return ok ? 0 : 2;
}

int
main(int argc, char **argv)
{
    static options o = {.pattern = EXCHANGE_LARGE,
                        .procs = {16, 32, 64, 128, 256},
                        .nprocs = 5,
                        .runs = 5,
                        .seed = 1,
                        .limit = 10};
    static const bench_program b = {
        .name = "time_heuristics",
        .about =
            "Usage: time_heuristics [option]...\n"
            "Time the heuristics that order the events of an exchange over "
            "unequal links, and\nprint how far they finish beyond the lower "
            "bound.\n\n",
        .notes =
            "\nTimes are CPU times, the mean over the exchanges of the least "
            "of several repetitions;\ngrowth is the exponent x of P^x since "
            "the "
            "number of processes before.\n\nExit status: 0, or 2 if it cannot "
            "be done.\n",
        BENCH_TABLE(table),
        BENCH_OPTIONS(o),
        .put = put,
        .run = run};
    for (; hesca_heuristics[o.nnames] != NULL; ++o.nnames)
        snprintf(o.name[o.nnames], NAME_MAX, "%s",
                 hesca_heuristics[o.nnames]->name);
    return bench_main(&b, argc, argv);
}
