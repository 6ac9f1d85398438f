/* SPDX-License-Identifier: BSD-3-Clause */
/* How many points the bisection of hesca/experimental/build.h takes to build
 * speed functions of known shapes, and how many equal steps come as near.
 *
 * Usage: time_build [option]...
 *
 *   time_build --eps 0.02
 *   time_build --doubling --confirm 2 --csv -
 *   time_build --help
 *
 * Nothing is measured: the time of a point is x / s(x). */
#include "harness.h"
#include "testing/machine/shapes.h"
#include <stdio.h>
#include <string.h>

typedef struct {
    double eps, minlen;
    int doubling, confirm;
} options;

/* A shape: what the bisection did, and equal steps. */
typedef struct {
    const char *name;
    int points;
    double error, seconds, naive20; /* time of 20 equal steps */
    int one_for_all; /* steps that come as near as it came on all plain
                        shapes; 0: not known */
    shape_steps own; /* as near as the bisection came */
} row;

/* ----- the command line -------------------------------------------------- */

static const cmdline_row table[] = {
    OPT_REAL("eps", "E", "accuracy, of the highest speed (0.05)", eps),
    OPT_REAL("minlen", "N", "shortest interval, elements of 6400 (50)",
             minlen),
    OPT_FLAG("doubling", "while speed rises, double the size", doubling),
    OPT_INT("confirm", "N", "confirm what is straight N times (1)", confirm, 1,
            100),
};

/* ----- building ---------------------------------------------------------- */

static int
build(const options *o, const shape *s, row *x)
{
    hesca_build_options b = shape_options();
    hesca_build_report r;
    hesca_speed *model;
    b.eps = o->eps;
    b.minlen = o->minlen;
    b.doubling = o->doubling;
    b.confirm = o->confirm;
    if (hesca_build_gbbp(&b, shape_kernel, (void *)s, &model, &r) < 0)
        return 0;
    x->name = s->name;
    x->points = r.npoints;
    x->seconds = r.total;
    x->error = shape_error(s, model);
    hesca_speed_free(model);
    hesca_build_report_clear(&r);
    if (hesca_build_naive(HESCA_BUILD_NAIVE, &b, shape_kernel, (void *)s,
                          &model, &r) < 0)
        return 0;
    x->naive20 = r.total;
    hesca_speed_free(model);
    hesca_build_report_clear(&r);
    return shape_count_steps(s, x->error, &x->own) == HESCA_SUCCESS;
}

/* How many equal steps are enough for all plain shapes; 0 if SHAPE_MOST are
 * not. */
static int
count_for_all(row x[SHAPES])
{
    double bound = 0;
    int steps = 0;
    for (int k = 0; k < SHAPES; ++k)
        if (shapes[k].is_plain)
            bound = fmax(bound, x[k].error);
    for (int k = 0; k < SHAPES; ++k) {
        shape_steps all;
        if (!shapes[k].is_plain)
            continue;
        if (shape_count_steps(&shapes[k], bound, &all) < 0)
            return 0;
        if (all.always == 0)
            return 1;
        steps = all.always > steps ? all.always : steps;
    }
    for (int k = 0; k < SHAPES; ++k)
        x[k].one_for_all = shapes[k].is_plain ? steps : 0;
    return 1;
}

/* ----- reports ----------------------------------------------------------- */

static void
print_table(FILE *f, const row x[SHAPES])
{
    fprintf(f, "%-9s %6s %8s %9s | %6s %6s %11s %8s\n", "shape", "points",
            "off", "time of20", "first", "always", "one for all", "points/");
    for (int k = 0; k < SHAPES; ++k) {
        const row *r = &x[k];
        fprintf(f, "%-9s %6d %8.4f %9.1f |", r->name, r->points, r->error,
                r->naive20 / r->seconds);
        bench_print_ratio(f, 6, 0, r->own.first);
        bench_print_ratio(f, 6, 0, r->own.always);
        bench_print_ratio(f, 11, 0, r->one_for_all);
        if (r->one_for_all > 0)
            fprintf(f, " %8.3f", (double)r->points / r->one_for_all);
        fputc('\n', f);
    }
}

static void
put(fields *f, const void *x)
{
    const row *r = x;
    fields_text(f, "shape", r->name);
    fields_int(f, "points", r->points);
    fields_real(f, "error", r->error);
    fields_real(f, "seconds", r->seconds);
    fields_real(f, "naive20_s", r->naive20);
    fields_int(f, "first", r->own.first);
    fields_int(f, "always", r->own.always);
    fields_int(f, "one_for_all", r->one_for_all);
}

static int
run(const void *o, fields_files *out)
{
    static row x[SHAPES];
    int good = 1;
    for (int k = 0; k < SHAPES && good; ++k)
        good = build(o, &shapes[k], &x[k]);
    if (!good || !count_for_all(x))
        return cmdline_fail("%s", hesca_error_text()), 2;
    for (int k = 0; k < SHAPES; ++k)
        bench_row(out, &x[k]);
    print_table(out->table, x);
    return 0;
}

int
main(int argc, char **argv)
{
    static options o = {.eps = 0.05, .minlen = 50, .confirm = 1};
    static const bench_program b = {
        .name = "time_build",
        .about =
            "Usage: time_build [option]...\n"
            "Points that bisection takes to build speed functions, beside "
            "equal steps.\n\n",
        .notes =
            "\nColumns: points, how far off they are, of the peak, and their "
            "time beside that of\n20 equal steps.  first: the least number of "
            "equal steps that comes as near;\nalways: from which on all do; "
            "one for all: as near as bisection is on line,\nparabola and "
            "polyline, the shapes that it assumes.\n",
        BENCH_TABLE(table),
        BENCH_OPTIONS(o),
        .put = put,
        .run = run};
    return bench_main(&b, argc, argv);
}
