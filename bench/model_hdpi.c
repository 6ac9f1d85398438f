/* SPDX-License-Identifier: BSD-3-Clause */
/* The experiments of the HMPI thesis, chapter 4, on paper: machine files have
 * the speeds, execution time is that of the processor that takes longest, and
 * messages cost nothing, as in the thesis' model.
 *
 * Usage: model_hdpi --show WHAT [option]...
 *
 *   model_hdpi --show speedup --machine hmpi-12.machine
 *   model_hdpi --show building --machine hmpi-2.machine
 *   model_hdpi --help */
#include "model_hdpi.h"
#include <limits.h>
#include <stdio.h>
#include <string.h>

static const struct {
    const char *name;
    int (*show)(const model_options *o, fields_files *out);
    int needs_machine;
} shows[] = {
    {"speedup", show_speedup, 1},
    {"cost", show_cost, 1},
    {"building", show_building, 1},
    {"load", show_load, 0},
};

typedef model_options options;

static int
set_share(const cmdline_row *r, const char *value, void *to)
{
    double *x = to;
    return cmdline_real(r, value, x) &&
           (*x < 1 ||
            cmdline_complain("--%s '%s': must be below 1", r->name, value));
}

static const cmdline_row table[] = {
    OPT_CHOICE("show", "speedup|cost|building|load", "see below", show),
    OPT_TEXT("machine", "FILE",
             "hosts and the speed functions of their kernels", machine),
    OPT_TEXT("kernel", "NAME", "dgemm, dgetrf, or another one (dgemm)",
             kernel),
    OPT_CHOICE("distribution", "striped|group|backwards",
               "rows to processors; or columns of LU: Variable Group",
               distribution),
    OPT_MORE("Block, or one by one from the right (striped)"),
    OPT_LIST("orders", "N,...",
             "of matrices; also FIRST:LAST:STEP (2000:30000:2000)", sizes,
             nsizes, 1, 1 << 26),
    OPT_LIST("references", "N,...", "orders at which single numbers are taken",
             references, nreferences, 1, 1 << 26),
    OPT_MORE("(500,4000)"),
    OPT_INT("block", "B", "columns of a block of LU (32)", block, 1, 1 << 16),
    OPT_LIST("procs", "P,...", "cost: processors, the hosts in turn", procs,
             nprocs, 1, 1 << 20),
    OPT_MORE("(12,120,1080)"),
    OPT_FLAG("built",
             "speedup: by speed functions that GBBP makes of the file's",
             is_built),
    OPT_FIELD("accuracy", "X", "built, building: of the largest speed (0.05)",
              set_share, accuracy),
    OPT_FIELD("band", "X",
              "built, building: width of the bands, of speed (0.1)", set_share,
              band),
    OPT_INT("steps", "N", "building: of the naive procedure (20)", steps, 2,
            1 << 16),
    OPT_FLAG("curves", "building: print the models, not what they cost",
             curves),
    OPT_TEXT("history", "FILE", "load: a load at the beginning of each line",
             history),
    OPT_MORE("(made up: a week, in minutes)"),
    OPT_INT("cores", "N", "load: of the machine that the history is of (1)",
            cores, 1, 1 << 16),
    OPT_LIST("past", "N,...", "load: loads that a function is made of", past,
             npast, 1, 1 << 20),
    OPT_MORE("(60,120,240,480,960)"),
    OPT_INT("window", "N", "load: longest averaging period, loads (60)",
            window, 1, 1 << 20),
    OPT_INT("seed", "N", "load: of what is made up (1)", seed, 0, INT_MAX),
};

static int
check(void *from)
{
    const options *o = from;
    if (o->show < 0)
        return cmdline_complain("--show is needed; see --help");
    if (shows[o->show].needs_machine && o->machine == NULL)
        return cmdline_complain("--machine is needed; see --help");
    if (o->distribution && strcmp(o->kernel, "dgetrf") != 0)
        return cmdline_complain(
            "--distribution: only stripes for --kernel '%s'", o->kernel);
    return 1;
}

static int
run(const void *from, fields_files *out)
{
    const options *o = from;
    return shows[o->show].show(o, out) ? 0 : 2;
}

int
main(int argc, char **argv)
{
    static model_options o = {.show = -1,
                              .kernel = "dgemm",
                              .references = {500, 4000},
                              .nreferences = 2,
                              .procs = {12, 120, 1080},
                              .nprocs = 3,
                              .block = 32,
                              .accuracy = 0.05,
                              .band = 0.1,
                              .steps = 20,
                              .past = {60, 120, 240, 480, 960},
                              .npast = 5,
                              .cores = 1,
                              .window = 60,
                              .seed = 1};
    static const bench_program b = {
        .name = "model_hdpi",
        .about = "Usage: model_hdpi --show WHAT [option]...\n"
                 "Repeat experiments of the HMPI thesis, chapter 4, with the "
                 "speeds "
                 "of a machine\nfile, without messages.\n\n",
        .notes =
            "\nspeedup   seconds of an application whose matrix is divided by "
            "speed functions,\n          and by the speeds at a reference "
            "order; without regard to limits, and\n          with\n"
            "cost      microseconds, steps and rounds of dividing a matrix, "
            "by "
            "each algorithm\n"
            "building  points and seconds of GBBP and of the naive procedure\n"
            "load      how often loads to come are within what load functions "
            "predict\n\nSizes in the machine file are elements of a matrix, "
            "speeds "
            "operations per\nsecond, as hesca probe --kernel writes them."
            "\n\nExit status: 0, or 2 if it cannot be done.\n",
        BENCH_TABLE(table),
        BENCH_OPTIONS(o),
        .run = run,
        .check = check};
    for (o.nsizes = 0; o.nsizes < 15; ++o.nsizes)
        o.sizes[o.nsizes] = 2000 * (o.nsizes + 1);
    return bench_main(&b, argc, argv);
}
