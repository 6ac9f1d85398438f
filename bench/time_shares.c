/* SPDX-License-Identifier: BSD-3-Clause */
/* How long it takes to share a set of equal elements by speed functions.
 *
 * Usage: time_shares [option]...
 *
 *   time_shares --procs 10,100,1000,10000 --csv procs.csv
 *   time_shares --procs 1000 --powers 3:15 --methods root,basic,modified
 *   time_shares --procs 1000 --limits --methods root,rounds
 *   time_shares --help */
#include "harness.h"
#include "hesca/experimental/shares.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { LIST = 256, NAMES = 16, NAME_MAX = 32 };

typedef struct {
    int shape, limits, knots, runs, seed;
    int64_t procs[LIST], powers[LIST];
    int nprocs, npowers, nmethods;
    char method[NAMES][NAME_MAX];
    double limit;
} options;

/* ----- the command line -------------------------------------------------- */

static const struct {
    const char *name;
    hesca_shares_options how;
} methods[] = {
    {"root", {.method = HESCA_SHARES_ROOT}},
    {"basic", {.method = HESCA_SHARES_BASIC}},
    {"basic-log", {.method = HESCA_SHARES_BASIC, .by_log = 1}},
    {"modified", {.method = HESCA_SHARES_MODIFIED}},
    {"combined", {.method = HESCA_SHARES_COMBINED}},
    {"rounds", {.method = HESCA_SHARES_ROOT, .rounds = 1}},
    {"greedy", {.method = HESCA_SHARES_GREEDY}},
};
enum { NMETHODS = sizeof methods / sizeof *methods };

static const char *const shape_names[] = {"paging", "flat", "falling"};
enum { PAGING, FLAT, FALLING };

static int
find(const char *name)
{
    int k = NMETHODS - 1;
    while (k >= 0 && strcmp(methods[k].name, name) != 0)
        --k;
    return k;
}

static int
is_known(const char *name)
{
    return find(name) >= 0;
}

static const cmdline_row table[] = {
    OPT_CHOICE("shape", "paging|flat|falling",
               "speeds rise a little and fall from a size on where", shape),
    OPT_MORE("memory ends (paging), hardly change, or fall"),
    OPT_MORE("exponentially"),
    OPT_LIST("procs", "P,...",
             "processors; also FIRST:LAST or FIRST:LAST:STEP", procs, nprocs,
             1, 1000000),
    OPT_MORE("(1,10,100,1000,10000)"),
    OPT_LIST("powers", "K,...", "elements: 10^K (12)", powers, npowers, 0, 15),
    OPT_INT("knots", "N", "of each speed function (20)", knots, 1, 1000),
    OPT_FLAG("limits", "two thirds of the processors have one", limits),
    OPT_NAMES("methods", "NAME,...",
              "root, basic, basic-log, modified, combined,", method, nmethods,
              is_known),
    OPT_MORE("rounds (limits in rounds), greedy (all)"),
    OPT_INT("runs", "N", "sets of processors (3)", runs, 1, 1000),
    OPT_INT("seed", "N", "of the random numbers (1)", seed, 0, 1 << 30),
    OPT_REAL("limit", "S", "leave out greedy where it would take longer (1)",
             limit),
};

/* ----- processors -------------------------------------------------------- */

/* Speed at x times the even share, of a processor whose memory ends at knee
 * times that. */
static double
relative_speed(int shape, double x, double knee)
{
    if (shape == FLAT)
        return 1 + 0.01 * x / (1 + x);
    if (shape == FALLING)
        return exp(-4 * x / knee);
    return (0.6 + 0.4 * fmin(x / knee, 1)) / (1 + pow(x / (1.2 * knee), 3));
}

/* A speed function of knots from a thousandth of the even share to ten times
 * it. */
static hesca_speed *
make_model(const options *o, double even, int limited, uint64_t *state)
{
    hesca_knot knot[1000];
    hesca_speed *model = NULL;
    const double peak = bench_random(state, 1, 10),
                 knee = bench_random(state, 0.3, 4);
    const double limit = bench_random(state, 0.3, 3);
    for (int j = 0; j < o->knots; ++j) {
        const double x =
            1e-3 * pow(1e4, o->knots > 1 ? j / (o->knots - 1.) : 1);
        const double s = peak * relative_speed(o->shape, x, knee);
        knot[j] = (hesca_knot){x * even, s, s, s};
    }
    if (hesca_speed_create(o->knots, knot,
                           limited ? floor(limit * even) : INFINITY,
                           &model) < 0)
        cmdline_fail("%s", hesca_error_text());
    return model;
}

typedef struct {
    int p;
    int64_t n;
    hesca_speed **model;
} machine;

static void
clear_machine(machine *g)
{
    for (int i = 0; g->model != NULL && i < g->p; ++i)
        hesca_speed_free(g->model[i]);
    free(g->model);
}

static int
make_machine(machine *g, const options *o, int p, int64_t n, uint64_t *state)
{
    *g = (machine){p, n, calloc((size_t)p, sizeof *g->model)};
    if (g->model == NULL)
        abort();
    for (int i = 0; i < p; ++i) {
        g->model[i] =
            make_model(o, (double)n / p, o->limits && i % 3 > 0, state);
        if (g->model[i] == NULL)
            return 0;
    }
    return 1;
}

/* ----- one measurement --------------------------------------------------- */

typedef struct {
    const options *o;
    int procs;
    double elements;
    const char *name;
    double seconds, steps, rounds; /* means; 0: not known */
    double excess;                 /* largest time over the ideal, mean */
} result;

static int
is_same(const hesca_shares *a, const hesca_shares *b)
{
    int i = hesca_shares_parts(a) - 1;
    while (i >= 0 && hesca_shares_count(a, i) == hesca_shares_count(b, i))
        --i;
    return i < 0;
}

/* Again and again, at least three times or for a tenth of a second.  *right is
 * the partition that others found, or NULL: this one is. */
static int
measure(const machine *g, result *x, hesca_shares **right)
{
    double least = INFINITY, all = 0;
    for (int k = 0; all < 0.1 && (k < 3 || all < 0.01); ++k) {
        hesca_shares *s;
        const double start = bench_cpu();
        if (hesca_shares_create_by(g->p, (const hesca_speed *const *)g->model,
                                   g->n, &methods[find(x->name)].how, &s) < 0)
            return cmdline_fail("%s", hesca_error_text());
        const double seconds = bench_cpu() - start;
        least = fmin(least, seconds);
        all += seconds;
        if (k == 0) {
            x->steps += (double)hesca_shares_steps(s) / x->o->runs;
            x->rounds += (double)hesca_shares_rounds(s) / x->o->runs;
            x->excess += (hesca_shares_time(s) / hesca_shares_ideal(s) - 1) /
                         x->o->runs;
        }
        if (*right != NULL && !is_same(s, *right)) {
            hesca_shares_free(s);
            return cmdline_fail("%s disagrees with %s: P = %d, n = %.0f",
                                x->name, x->o->method[0], g->p, x->elements);
        }
        if (*right == NULL)
            *right = s;
        else
            hesca_shares_free(s);
    }
    x->seconds += least / x->o->runs;
    return 1;
}

/* ----- results ----------------------------------------------------------- */

static void
put(fields *s, const void *row)
{
    const result *x = row;
    fields_text(s, "shape", shape_names[x->o->shape]);
    fields_text(s, "limits", x->o->limits ? "yes" : "no");
    fields_int(s, "processes", x->procs);
    fields_real(s, "elements", x->elements);
    fields_int(s, "knots", x->o->knots);
    fields_text(s, "method", x->name);
    fields_int(s, "runs", x->o->runs);
    fields_real(s, "seconds", x->seconds);
    fields_real(s, "steps", x->steps);
    fields_real(s, "rounds", x->rounds);
    fields_real(s, "excess", x->excess);
}

static int
is_too_long(const result *x)
{
    return strcmp(x->name, "greedy") == 0 &&
           1e-8 * x->elements * log2(x->procs + 1.) > x->o->limit;
}

static void
print_result(FILE *f, const result *x)
{
    fprintf(f, "%-8s %7d %8.0e  %-10s ", shape_names[x->o->shape], x->procs,
            x->elements, x->name);
    if (is_too_long(x))
        fputs("left out\n", f);
    else
        fprintf(f, "%10.4f %9.1f %6.1f %7.1f %9.2e\n", 1e3 * x->seconds,
                1e9 * x->seconds / x->procs, x->steps, x->rounds, x->excess);
}

/* All methods with the same processors, as many times as there are runs. */
static int
run_case(const options *o, fields_files *out, int procs, int64_t n)
{
    result x[NAMES];
    uint64_t state = (uint64_t)o->seed;
    int ok = 1;
    for (int k = 0; k < o->nmethods; ++k)
        x[k] = (result){.o = o,
                        .procs = procs,
                        .elements = (double)n,
                        .name = o->method[k]};
    for (int r = 0; ok && r < o->runs; ++r) {
        machine g;
        hesca_shares *right = NULL;
        ok = make_machine(&g, o, procs, n, &state);
        for (int k = 0; ok && k < o->nmethods; ++k)
            ok = is_too_long(&x[k]) || measure(&g, &x[k], &right);
        hesca_shares_free(right);
        clear_machine(&g);
    }
    for (int k = 0; ok && k < o->nmethods; ++k) {
        print_result(out->table, &x[k]);
        if (!is_too_long(&x[k]))
            bench_row(out, &x[k]);
    }
    return ok;
}

static int
run(const void *from, fields_files *out)
{
    const options *o = from;
    int ok = 1;
    fputs("shape          P        n  method             ms      ns/P  steps  "
          "rounds    excess\n",
          out->table);
    for (int i = 0; ok && i < o->nprocs; ++i)
        for (int j = 0; ok && j < o->npowers; ++j) {
            int64_t n = 1;
            for (int64_t k = 0; k < o->powers[j]; ++k)
                n *= 10;
            ok = run_case(o, out, (int)o->procs[i], n);
        }
    return ok ? 0 : 2;
}

int
main(int argc, char **argv)
{
    static options o = {.procs = {1, 10, 100, 1000, 10000},
                        .nprocs = 5,
                        .powers = {12},
                        .npowers = 1,
                        .knots = 20,
                        .runs = 3,
                        .seed = 1,
                        .limit = 1};
    static const bench_program b = {
        .name = "time_shares",
        .about =
            "Usage: time_shares [option]...\n"
            "Time the methods that share a set of equal elements by speed "
            "functions, fine\ntuning to whole elements and the real-valued "
            "optimum included.\n\n",
        .notes =
            "\nTimes are CPU times, the mean over the sets of processors of "
            "the "
            "least of several\nrepetitions.  All methods must find the same "
            "partition.\n\nExit status: 0, or 2 if it cannot be done, or "
            "methods disagree.\n",
        BENCH_TABLE(table),
        BENCH_OPTIONS(o),
        .put = put,
        .run = run};
    for (; o.nmethods < NMETHODS; ++o.nmethods)
        snprintf(o.method[o.nmethods], NAME_MAX, "%s",
                 methods[o.nmethods].name);
    return bench_main(&b, argc, argv);
}
