/* SPDX-License-Identifier: BSD-3-Clause */
/* How good the tilings of a matrix are, and how long they take to find.
 *
 * Usage: time_tiling [option]...
 *
 *   time_tiling --procs 4:100:8 --csv tilings.csv
 *   time_tiling --order 100000 --spread 100
 *   time_tiling --help */
#include "harness.h"
#include "hesca/experimental/tiling.h"
#include <math.h>
#include <stdlib.h>

enum { LIST = 512 };

typedef struct {
    int64_t procs[LIST];
    int nprocs, order, runs, seed, functions;
    double spread;
} options;

/* ----- the command line -------------------------------------------------- */

static const cmdline_row table[] = {
    OPT_LIST("procs", "P,...",
             "processors; also FIRST:LAST or FIRST:LAST:STEP", procs, nprocs,
             1, 100000),
    OPT_MORE("(4,9,16,25,36,49,64,81,100)"),
    OPT_INT("order", "N", "rows and columns of the matrix (1024)", order, 1,
            90000000),
    OPT_RANGE("spread", "X", "the fastest may be X times the slowest (10)",
              spread, 1, 1e6),
    OPT_FLAG("functions",
             "speed functions that fall to a third, not constants", functions),
    OPT_INT("runs", "N", "sets of speeds for each number of processors (10)",
            runs, 1, 1000),
    OPT_INT("seed", "N", "of the random numbers (1)", seed, 0, 1 << 30),
};

/* ----- the ways ---------------------------------------------------------- */

/* Models, and a matrix for them. */
typedef struct {
    int p;
    int64_t n;
    hesca_speed **speed;
} problem;

typedef int maker(const problem *x, int kind, int how, hesca_tiling **t);

static const hesca_speed *const *
models(const problem *x)
{
    return (const hesca_speed *const *)x->speed;
}

/* The shape next to a square, processors as they come. */
static int
by_grid(const problem *x, int kind, int how, hesca_tiling **t)
{
    int q = (int)sqrt(x->p);
    while (x->p % q != 0)
        --q;
    return hesca_tiling_create_grid(x->p / q, q, models(x), x->n, x->n,
                                    (hesca_tiling_kind)kind,
                                    (hesca_tiling_cut)how, t);
}

static int
by_slices(const problem *x, int kind, int how, hesca_tiling **t)
{
    return hesca_tiling_create_grid(1, x->p, models(x), x->n, x->n,
                                    (hesca_tiling_kind)kind,
                                    (hesca_tiling_cut)how, t);
}

static int
by_free(const problem *x, int kind, int how, hesca_tiling **t)
{
    return hesca_tiling_create_free(x->p, models(x), x->n, x->n,
                                    (hesca_tiling_kind)kind, (hesca_goal)how,
                                    t);
}

static int
by_strips(const problem *x, int kind, int how, hesca_tiling **t)
{
    return hesca_tiling_create_strips(x->p, models(x), x->n, x->n,
                                      (hesca_tiling_kind)kind, (hesca_goal)how,
                                      t);
}

static int
by_bisection(const problem *x, int kind, int how, hesca_tiling **t)
{
    (void)kind, (void)how;
    return hesca_tiling_create_recursive(x->p, models(x), x->n, x->n, t);
}

static const struct {
    const char *name;
    maker *make;
    int kind, how;
} ways[] = {
    {"slices", by_slices, HESCA_TILING_COLUMNS, HESCA_TILING_PROPORTIONAL},
    {"grid-columns", by_grid, HESCA_TILING_COLUMNS, HESCA_TILING_PROPORTIONAL},
    {"grid-columns-least", by_grid, HESCA_TILING_COLUMNS,
     HESCA_TILING_LEAST_TIME},
    {"grid-cartesian", by_grid, HESCA_TILING_CARTESIAN,
     HESCA_TILING_PROPORTIONAL},
    {"grid-cartesian-least", by_grid, HESCA_TILING_CARTESIAN,
     HESCA_TILING_LEAST_TIME},
    {"free-columns", by_free, HESCA_TILING_COLUMNS, HESCA_GOAL_SUM},
    {"free-columns-both", by_free, HESCA_TILING_COLUMNS, HESCA_GOAL_BOTH},
    {"free-cartesian", by_free, HESCA_TILING_CARTESIAN, HESCA_GOAL_SUM},
    {"strips-sum", by_strips, HESCA_TILING_COLUMNS, HESCA_GOAL_SUM},
    {"strips-max", by_strips, HESCA_TILING_COLUMNS, HESCA_GOAL_MAX},
    {"recursive", by_bisection, 0, 0},
};

enum { WAYS = sizeof ways / sizeof *ways };

/* ----- one measurement --------------------------------------------------- */

typedef struct {
    const options *o;
    int p, way;
    double imbalance, sum, max, worst_sum, seconds;
} result;

/* A number between low and high with a logarithm of even distribution. */
static double
random_between(uint64_t *state, double low, double high)
{
    return low * pow(high / low, bench_random(state, 0, 1));
}

/* A speed; a function falls from one share of the matrix to twice that. */
static int
make_model(const options *o, const problem *x, uint64_t *state,
           hesca_speed **model)
{
    const double share = (double)x->n * (double)x->n / x->p;
    const double s = random_between(state, 1, o->spread);
    const double size = share * random_between(state, 0.5, 2);
    const hesca_knot knot[] = {{size, s, s, s},
                               {2 * size, s / 3, s / 3, s / 3}};
    return hesca_speed_create(o->functions ? 2 : 1, knot, INFINITY, model);
}

/* The first run, or more of them in at least a millisecond. */
static int
measure(const problem *x, result *r)
{
    const double start = bench_cpu();
    hesca_tiling *t = NULL;
    int repeats = 0, err = HESCA_SUCCESS;
    double seconds = 0;
    for (; err == HESCA_SUCCESS && seconds < 1e-3; ++repeats) {
        hesca_tiling_free(t);
        err = ways[r->way].make(x, ways[r->way].kind, ways[r->way].how, &t);
        seconds = bench_cpu() - start;
    }
    if (err < 0)
        return cmdline_fail("%s", hesca_error_text());
    const double sum = (double)hesca_tiling_sum(t) / hesca_tiling_sum_bound(t);
    r->seconds += seconds / repeats / r->o->runs;
    r->imbalance += hesca_tiling_imbalance(t) / r->o->runs;
    r->sum += sum / r->o->runs;
    r->worst_sum = fmax(r->worst_sum, sum);
    r->max +=
        (double)hesca_tiling_max(t) / hesca_tiling_max_bound(t) / r->o->runs;
    hesca_tiling_free(t);
    return 1;
}

/* ----- results ----------------------------------------------------------- */

static void
put(fields *s, const void *row)
{
    const result *x = row;
    fields_int(s, "processors", x->p);
    fields_int(s, "order", x->o->order);
    fields_real(s, "spread", x->o->spread);
    fields_text(s, "speeds", x->o->functions ? "functions" : "constant");
    fields_int(s, "runs", x->o->runs);
    fields_text(s, "tiling", ways[x->way].name);
    fields_real(s, "imbalance", x->imbalance);
    fields_real(s, "sum_over_bound", x->sum);
    fields_real(s, "worst_sum_over_bound", x->worst_sum);
    fields_real(s, "max_over_bound", x->max);
    fields_real(s, "seconds", x->seconds);
}

/* All ways for one number of processors; 0 after a complaint. */
static int
run_one(const options *o, fields_files *out, int p)
{
    problem x = {p, o->order, calloc((size_t)p, sizeof *x.speed)};
    result r[WAYS];
    uint64_t state = (uint64_t)o->seed;
    int ok = x.speed != NULL || cmdline_fail("no memory for %d models", p);
    for (int w = 0; w < WAYS; ++w)
        r[w] = (result){.o = o, .p = p, .way = w};
    for (int run = 0; ok && run < o->runs; ++run) {
        for (int i = 0; ok && i < p; ++i)
            ok = make_model(o, &x, &state, &x.speed[i]) == HESCA_SUCCESS ||
                 cmdline_fail("%s", hesca_error_text());
        for (int w = 0; ok && w < WAYS; ++w)
            ok = measure(&x, &r[w]);
        for (int i = 0; x.speed != NULL && i < p; ++i) {
            hesca_speed_free(x.speed[i]);
            x.speed[i] = NULL;
        }
    }
    for (int w = 0; ok && w < WAYS; ++w) {
        fprintf(out->table, "%6d  %-21s %9.2f %8.3f %8.3f %8.3f %10.3f\n", p,
                ways[w].name, 100 * (r[w].imbalance - 1), r[w].sum,
                r[w].worst_sum, r[w].max, 1e3 * r[w].seconds);
        bench_row(out, &r[w]);
    }
    free(x.speed);
    return ok;
}

static int
run(const void *from, fields_files *out)
{
    const options *o = from;
    int ok = 1;
    fprintf(out->table, "     P  tiling                 %% beyond      sum"
                        "    worst      max         ms\n");
    for (int i = 0; ok && i < o->nprocs; ++i)
        ok = run_one(o, out, (int)o->procs[i]);
    return ok ? 0 : 2;
}

int
main(int argc, char **argv)
{
    static options o = {.procs = {4, 9, 16, 25, 36, 49, 64, 81, 100},
                        .nprocs = 9,
                        .order = 1024,
                        .runs = 10,
                        .seed = 1,
                        .spread = 10};
    static const bench_program b = {
        .name = "time_tiling",
        .about = "Usage: time_tiling [option]...\n"
                 "Tile a square matrix for processors of random speeds in "
                 "every way "
                 "there is.\n\n",
        .notes =
            "\nPrinted are means over the runs of: the largest time beyond "
            "that "
            "of a divided set,\nthe sum of half perimeters and the largest "
            "one "
            "over their lower bounds, and the CPU\ntime of one tiling.\n\n"
            "Exit status: 0, or 2 if it cannot be done.\n",
        BENCH_TABLE(table),
        BENCH_OPTIONS(o),
        .put = put,
        .run = run};
    return bench_main(&b, argc, argv);
}
