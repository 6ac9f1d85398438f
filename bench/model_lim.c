/* SPDX-License-Identifier: BSD-3-Clause */
/* What R_x(K,P) costs on a machine with LIM's parameters T_d and tau_d, on
 * paper: by the predictions that HESCA chooses by, or with a clock for every
 * process.
 *
 * Usage: model_lim [option]...
 *
 *   model_lim --machine sp2 --procs 128 --elements 16384:4194304:131072
 *   model_lim --simulate --procs 64,256,1024,4096 --share 16384
 *   model_lim --help */
#include "harness.h"
#include "sched/sched.h"
#include "sim/clock.h"
#include <limits.h>
#include <stdlib.h>
#include <string.h>

enum { LIST = 512, NAMES = 16 };

/* LIM has two values of tau_d for the SP-2: 15 ns where section 5 begins, 35
 * ns at Figure 20. */
static const struct {
    const char *name;
    double startup, byte; /* T_d, tau_d: s, s per byte */
} machines[] = {
    {"sp2", 40e-6, 15e-9},
    {"sp2-35", 40e-6, 35e-9},
    {"t3d", 93e-6, 43e-9},
};

typedef struct {
    const char *machine;
    double startup, byte;
    double faster, wider; /* T_d and tau_d are divided by these */
    int64_t procs[LIST], k[LIST], elements[LIST];
    int nprocs, nk, nelements;
    int esize, simulate;
    char name[NAMES][HESCA_NAME_MAX];
    int nnames;
} options;

/* ----- the command line ----- */

static int
set_machine(const cmdline_row *r, const char *value, void *to)
{
    options *o = to;
    int k;
    if (!cmdline_choice(r, value, &k))
        return 0;
    o->machine = machines[k].name;
    o->startup = machines[k].startup;
    o->byte = machines[k].byte;
    return 1;
}

static const cmdline_row table[] = {
    OPT_SET("machine", "sp2|sp2-35|t3d", "T_d and tau_d as in LIM (sp2)",
            set_machine),
    OPT_POSITIVE("startup", "S", "T_d, seconds", startup),
    OPT_POSITIVE("byte", "S", "tau_d, seconds per byte", byte),
    OPT_POSITIVE("faster", "F", "divide T_d by F (1)", faster),
    OPT_POSITIVE("wider", "F", "divide tau_d by F (1)", wider),
    OPT_LIST("procs", "P,...",
             "processes; also FIRST:LAST or FIRST:LAST:STEP (128)", procs,
             nprocs, 2, 1 << 20),
    OPT_LIST("k", "K,...", "factors by which blocks grow (P)", k, nk, 1,
             1 << 20),
    OPT_LIST("elements", "N,...", "elements of the array (1048576)", elements,
             nelements, 1, INT64_C(1) << 40),
    OPT_LIST("share", "N,...", "elements of each process, instead", elements,
             nelements, 1, INT64_C(1) << 40),
    OPT_INT("esize", "BYTES", "of an element (4)", esize, 1, 1 << 20),
    OPT_NAMES("schedules", "NAME,...", "direct,hybrid:2,indirect", name,
              nnames, NULL),
    OPT_FLAG("simulate",
             "walk through the steps with a clock for each process", simulate),
    OPT_MORE("(direct, hybrid:D, indirect), instead of predicting"),
};

/* ----- results ----- */

typedef struct {
    const options *o;
    hesca_link_costs links;
    int procs, k;
    double elements;
    const char *name;
    double steps, seconds;
} result;

static void
put(fields *s, const void *row)
{
    const result *x = row;
    fields_text(s, "machine", x->o->machine);
    fields_real(s, "startup_s", x->links.costs.startup);
    fields_real(s, "byte_s", x->links.costs.byte);
    fields_int(s, "processes", x->procs);
    fields_int(s, "k", x->k);
    fields_real(s, "elements", x->elements);
    fields_int(s, "esize", x->o->esize);
    fields_real(s, "bytes", x->elements * x->o->esize);
    fields_text(s, "schedule", x->name);
    fields_real(s, "steps", x->steps);
    fields_text(s, "how", x->o->simulate ? "simulated" : "predicted");
    fields_real(s, "seconds", x->seconds);
}

static void
print_head(const fields_files *out, const result *x)
{
    fprintf(out->table,
            "machine %s: T_d %g us, tau_d %g ns per byte, %s\n\n%7s %6s %13s"
            "  %-12s %6s %12s\n",
            x->o->machine, 1e6 * x->links.costs.startup,
            1e9 * x->links.costs.byte,
            x->o->simulate ? "simulated" : "predicted", "P", "K", "elements",
            "schedule", "steps", "ms");
}

static void
print_result(const fields_files *out, const result *x)
{
    fprintf(out->table, "%7d %6d %13.0f  %-12s %6.0f %12.6g\n", x->procs, x->k,
            x->elements, x->name, x->steps, 1e3 * x->seconds);
}

/* ----- one redistribution ----- */

/* cyclic(1) to cyclic(K); with counts only to predict. */
static int
make_problem(hesca_problem *p, const result *x)
{
    const int64_t n = (int64_t)x->elements;
    const size_t esize = (size_t)x->o->esize;
    hesca_layout *a = NULL, *b = NULL;
    int err =
        hesca_layout_create_cyclic(1, n, 1, 1, 0, 0, 1, x->procs, NULL, &a);
    if (err == 0)
        err = hesca_layout_create_cyclic(1, n, 1, x->k, 0, 0, 1, x->procs,
                                         NULL, &b);
    if (err == 0 && !x->o->simulate)
        err = hesca_problem_init(p, HESCA_ALL, 1, n, a, 0, 0, b, 0, 0, esize);
    if (err < 0 || !x->o->simulate) {
        hesca_layout_free(a);
        hesca_layout_free(b);
        return err;
    }
    *p = (hesca_problem){.m = 1, .n = n, .a = a, .b = b, .esize = esize};
    return 0;
}

/* 1, or 0 if there is no such schedule. */
static int
predict(result *x, const hesca_problem *p)
{
    hesca_choice choice;
    hesca_schedule schedule;
    if (!hesca_choose(x->name, p, &x->links, &choice))
        return cmdline_fail("--schedules '%s': not for P = %d, K = %d",
                            x->name, x->procs, x->k);
    x->seconds = choice.seconds;
    const int err = hesca_schedule_init(&choice, p, 0, &schedule);
    x->steps = schedule.nsteps;
    hesca_schedule_clear(&schedule);
    return err == 0 || cmdline_fail("%s", hesca_error_text());
}

/* The shifts of a schedule; -1: it is no store-and-forward schedule, or the
 * problem has none. */
static int
degree_of(const char *name, const hesca_problem *p)
{
    const int most = hesca_store_forward_degree(p, HESCA_STORE_FORWARD_GRID);
    int degree = -1, end = 0;
    if (strcmp(name, "direct") == 0)
        return most < 0 ? -1 : 0;
    if (strcmp(name, "indirect") == 0)
        return most;
    if (sscanf(name, "hybrid:%9d%n", &degree, &end) != 1 ||
        name[end] != '\0' || degree > most)
        return -1;
    return degree;
}

static int
simulate(result *x, const hesca_problem *p)
{
    const int degree = degree_of(x->name, p);
    hesca_store_forward forward;
    hesca_clock clock;
    if (degree < 0)
        return cmdline_fail("--schedules '%s': not for P = %d, K = %d",
                            x->name, x->procs, x->k);
    hesca_store_forward_init(&forward, p, HESCA_STORE_FORWARD_GRID, degree, 0);
    x->steps = (double)hesca_store_forward_steps(&forward);
    hesca_store_forward_clear(&forward);
    int err = hesca_clock_init(&clock, x->procs);
    if (err == 0)
        err = hesca_clock_walk(&clock, p, degree, &x->links.costs);
    x->seconds = hesca_clock_last(&clock);
    hesca_clock_clear(&clock);
    return err == 0 || cmdline_fail("%s", hesca_error_text());
}

/* ----- all of them ----- */

/* All schedules for one P, K and number of elements. */
static int
run_one(const options *o, result *x, fields_files *out, int64_t elements)
{
    const int64_t super = (int64_t)x->procs * x->k;
    const int64_t all =
        cmdline_is_given("share") ? elements * x->procs : elements;
    hesca_problem p = {0};
    x->elements = (double)(all < super ? super : all / super * super);
    int ok =
        make_problem(&p, x) == 0 || cmdline_fail("%s", hesca_error_text());
    for (int i = 0; ok && i < o->nnames; ++i) {
        x->name = o->name[i];
        bench_progress("P = %d, K = %d, %s ", x->procs, x->k, x->name);
        ok = o->simulate ? simulate(x, &p) : predict(x, &p);
        bench_progress(NULL);
        if (ok) {
            print_result(out, x);
            bench_row(out, x);
        }
    }
    hesca_problem_clear(&p);
    return ok;
}

static int
run(const void *from, fields_files *out)
{
    const options *o = from;
    const double startup = o->startup / o->faster;
    result x = {.o = o,
                .links.costs = {.startup = startup,
                                .message = startup,
                                .byte = o->byte / o->wider},
                .name = ""};
    int ok = 1;
    print_head(out, &x);
    for (int i = 0; ok && i < o->nprocs; ++i)
        for (int j = 0; ok && (j < o->nk || (j == 0 && o->nk == 0)); ++j)
            for (int n = 0; ok && n < o->nelements; ++n) {
                x.procs = (int)o->procs[i];
                x.k = o->nk > 0 ? (int)o->k[j] : x.procs;
                ok = x.k <= x.procs
                         ? run_one(o, &x, out, o->elements[n])
                         : cmdline_complain("--k '%d': must not exceed P = %d",
                                            x.k, x.procs);
            }
    return ok ? 0 : 2;
}

static int
check(void *to)
{
    options *o = to;
    if (cmdline_is_given("startup") || cmdline_is_given("byte"))
        o->machine = "own";
    return 1;
}

int
main(int argc, char **argv)
{
    static options o = {.machine = "sp2",
                        .startup = 40e-6,
                        .byte = 15e-9,
                        .faster = 1,
                        .wider = 1,
                        .procs = {128},
                        .nprocs = 1,
                        .elements = {1 << 20},
                        .nelements = 1,
                        .esize = 4,
                        .name = {"direct", "hybrid:2", "indirect"},
                        .nnames = 3};
    static const bench_program b = {
        .name = "model_lim",
        .about =
            "Usage: model_lim [option]...\n"
            "Predict or simulate the time of R_x(K,P) on a machine where a "
            "message of m bytes\ntakes T_d + m tau_d.  The machines are those "
            "of LIM, which gives two values of\ntau_d for the SP-2: 15 and 35 "
            "ns.\n\n",
        .notes = "\nElements are rounded down to whole superblocks of K P, at "
                 "least "
                 "one.\n\nExit status: 0, or 2 if it cannot be done.\n",
        BENCH_TABLE(table),
        BENCH_OPTIONS(o),
        .check = check,
        .put = put,
        .run = run};
    return bench_main(&b, argc, argv);
}
