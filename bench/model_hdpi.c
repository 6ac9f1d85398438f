/* The experiments of the HMPI thesis, chapter 4, on paper: machine files tell
 * the speeds, execution time is that of the processor that takes longest, and
 * messages cost nothing, as the thesis' model has it.
 *
 * Usage: model_hdpi --show WHAT [option]...
 *
 *   model_hdpi --show speedup --machine hmpi-12.machine
 *   model_hdpi --show building --machine hmpi-2.machine
 *   model_hdpi --help
 *
 * Exit status: 0, or 2 if it cannot be done. */
#include "model_hdpi.h"
#include "tools/lib/cmdline.h"
#include <limits.h>
#include <stdio.h>
#include <string.h>

static const struct {
    const char *name;
    int (*show)(const model_options *o);
    int needs_machine;
} shows[] = {
    {"speedup", show_speedup, 1},
    {"cost", show_cost, 1},
    {"building", show_building, 1},
    {"load", show_load, 0},
};

static const cmdline_row table[] = {
    {"help", NULL, "print this", 'h', 0, 0},
    {"show", "speedup|cost|building|load", "see below", 's', 0, 0},
    {"machine", "FILE", "hosts and the speed functions of their kernels", 'm',
     0, 0},
    {"kernel", "NAME", "dgemm, dgetrf, or another one (dgemm)", 'k', 0, 0},
    {"distribution", "striped|group|backwards",
     "rows to processors; or columns of LU: Variable Group", 'd', 0, 0},
    {NULL, NULL, "Block, or one by one from the right (striped)", 0, 0, 0},
    {"orders", "N,...", "of matrices; also FIRST:LAST:STEP (2000:30000:2000)",
     'n', 0, 0},
    {"references", "N,...", "orders at which single numbers are taken", 'r', 0,
     0},
    {NULL, NULL, "(500,4000)", 0, 0, 0},
    {"block", "B", "columns of a block of LU (32)", 'b', 0, 0},
    {"procs", "P,...", "cost: processors, the hosts in turn", 'p', 0, 0},
    {NULL, NULL, "(12,120,1080)", 0, 0, 0},
    {"built", NULL,
     "speedup: by speed functions that GBBP makes of the file's", 't', 0, 0},
    {"accuracy", "X", "built, building: of the largest speed (0.05)", 'a', 0,
     0},
    {"band", "X", "built, building: width of the bands, of speed (0.1)", 'B',
     0, 0},
    {"steps", "N", "building: of the naive procedure (20)", 'N', 0, 0},
    {"curves", NULL, "building: tell the models, not what they cost", 'u', 0,
     0},
    {"history", "FILE", "load: a load at the beginning of each line", 'H', 0,
     0},
    {NULL, NULL, "(made up: a week, in minutes)", 0, 0, 0},
    {"cores", "N", "load: of the machine that the history is of (1)", 'c', 0,
     0},
    {"past", "N,...", "load: loads that a function is made of", 'P', 0, 0},
    {NULL, NULL, "(60,120,240,480,960)", 0, 0, 0},
    {"window", "N", "load: longest averaging period, loads (60)", 'w', 0, 0},
    {"seed", "N", "load: of what is made up (1)", 'S', 0, 0},
    {"csv", "FILE", "results as CSV too; - is stdout", 'C', 0, 0},
};

enum { NROWS = sizeof table / sizeof *table };

static void
help(void)
{
    fputs("Usage: model_hdpi --show WHAT [option]...\n"
          "Repeat experiments of the HMPI thesis, chapter 4, with the speeds "
          "of a machine\nfile, without messages.\n\n",
          stdout);
    cmdline_print(table, NROWS);
    fputs("\nspeedup   seconds of an application whose matrix is divided by "
          "speed functions,\n          and by the speeds at a reference "
          "order; without regard to limits, and\n          with\n"
          "cost      microseconds, steps and rounds of dividing a matrix, by "
          "each algorithm\n"
          "building  points and seconds of GBBP and of the naive procedure\n"
          "load      how often loads to come are within what load functions "
          "tell\n\nSizes in the machine file are elements of a matrix, speeds "
          "operations per\nsecond, as hesca probe --kernel writes them."
          "\n\nExit status: 0, or 2 if it cannot be done.\n",
          stdout);
}

static int
set_share(const cmdline_row *r, const char *value, double *to)
{
    if (!cmdline_real(r, value, to))
        return 0;
    return *to < 1 ||
           cmdline_complain("--%s '%s': must be below 1", r->name, value);
}

static int
apply(const cmdline_row *r, const char *value, void *to)
{
    model_options *o = to;
    switch (r->key) {
    case 's':
        return cmdline_choice(r, value, &o->show);
    case 'm':
        o->machine = value;
        return 1;
    case 'k':
        o->kernel = value;
        return 1;
    case 'd':
        return cmdline_choice(r, value, &o->distribution);
    case 'n':
        return cmdline_list(r, value, 1, 1 << 26, o->sizes, MODEL_LIST,
                            &o->nsizes);
    case 'r':
        return cmdline_list(r, value, 1, 1 << 26, o->references, MODEL_LIST,
                            &o->nreferences);
    case 'b':
        return cmdline_int(r, value, 1, 1 << 16, &o->block);
    case 'p':
        return cmdline_list(r, value, 1, 1 << 20, o->procs, MODEL_LIST,
                            &o->nprocs);
    case 'a':
        return set_share(r, value, &o->accuracy);
    case 'B':
        return set_share(r, value, &o->band);
    case 'N':
        return cmdline_int(r, value, 2, 1 << 16, &o->steps);
    case 't':
        o->is_built = 1;
        return 1;
    case 'u':
        o->curves = 1;
        return 1;
    case 'H':
        o->history = value;
        return 1;
    case 'c':
        return cmdline_int(r, value, 1, 1 << 16, &o->cores);
    case 'P':
        return cmdline_list(r, value, 1, 1 << 20, o->past, MODEL_LIST,
                            &o->npast);
    case 'w':
        return cmdline_int(r, value, 1, 1 << 20, &o->window);
    case 'S':
        return cmdline_int(r, value, 0, INT_MAX, &o->seed);
    default:
        o->csv = value;
        return 1;
    }
}

static int
check(const model_options *o)
{
    if (o->show < 0)
        return cmdline_complain("--show is needed; see --help");
    if (shows[o->show].needs_machine && o->machine == NULL)
        return cmdline_complain("--machine is needed; see --help");
    if (o->distribution && strcmp(o->kernel, "dgetrf") != 0)
        return cmdline_complain(
            "--distribution: only stripes for --kernel '%s'", o->kernel);
    return 1;
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
    static const cmdline line = {"model_hdpi", table, NROWS, help, apply};
    for (o.nsizes = 0; o.nsizes < 15; ++o.nsizes)
        o.sizes[o.nsizes] = 2000 * (o.nsizes + 1);
    const int what = cmdline_read(&line, argc, argv, &o);
    if (what != CMDLINE_GO)
        return what == CMDLINE_HELP ? 0 : 2;
    return check(&o) && shows[o.show].show(&o) ? 0 : 2;
}
