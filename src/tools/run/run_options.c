/* SPDX-License-Identifier: BSD-3-Clause */
#include "tools/lib/cmdline.h"
#include "tools/lib/launcher.h"
#include "tools/run/run.h"
#include <stdio.h>
#include <string.h>

/* ------------------------------------------------ the table */

typedef run_options options;

enum { NPROCS_MOST = 1000000, ORDER_MOST = 1000000000, BLOCK_MOST = 1000000 };

static int
set_per_host(const cmdline_row *r, const char *value, void *to)
{
    (void)r;
    *(const char **)to = strcmp(value, "auto") == 0 ? NULL : value;
    return 1;
}

static int
set_memory(const cmdline_row *r, const char *value, void *to)
{
    int64_t x;
    if (!cmdline_bytes(r, value, 0, &x))
        return 0;
    *(double *)to = (double)x;
    return 1;
}

static int
set_routine(const cmdline_row *r, const char *value, void *to)
{
    hesca_routine found;
    if (!hesca_routine_find(value, &found))
        return cmdline_bad(r, value);
    *(int *)to = (int)found;
    return 1;
}

static int
clear_flag(const cmdline_row *r, const char *value, void *to)
{
    (void)r, (void)value;
    *(int *)to = 0;
    return 1;
}

static const cmdline_row table[] = {
    {OPT_ANY("n", "N", "processes in all; also -n (as many as speeds say)",
             CMDLINE_INT, limits.nprocs),
     .least = 1, .most = NPROCS_MOST, .letter = 'n'},
    OPT_FIELD("per-host", "auto|A,B,..|HOST=K,..",
              "auto: in proportion to speed (the default);", set_per_host,
              per_host),
    OPT_MORE("A,B,..: for all hosts, in the order of the file;"),
    OPT_MORE("HOST=K,..: for these hosts, none on the others"),
    OPT_TEXT("vpm", "FILE",
             "hosts and processes, as a VPM file of HMPI has them", vpm),
    OPT_TEXT("machine", "FILE", "the hosts (HESCA_MACHINE)", machine),
    OPT_TEXT("hosts", "A,B:K,..|FILE",
             "instead of a machine file: hosts to measure now,", hosts),
    OPT_MORE("in 2 s, kept in the user's cache; K: cores to use;"),
    OPT_MORE("FILE: one on each line (the list of the launcher's"),
    OPT_MORE("environment, HYDRA_HOST_FILE or PBS_NODEFILE, else"),
    OPT_MORE("this host alone)"),
    OPT_INT("most", "N", "most processes in all", limits.most, 1, NPROCS_MOST),
    OPT_POSITIVE("per-core", "X", "most processes on a core (8)",
                 limits.per_core),
    OPT_FIELD("memory", "BYTES",
              "what a process needs besides matrices (64000000);", set_memory,
              limits.bytes),
    OPT_MORE("K, M, G are powers of 1024"),
    OPT_FIELD("routine", "gemm|potrf|gesv",
              "the routine whose time counts for numbers of", set_routine,
              routine),
    OPT_MORE("processes, placement and prediction (HESCA_JOB, else"),
    OPT_MORE("that of the program's last run, else gemm,4000,64)"),
    OPT_INT("order", "N", "order of its matrices (that of HESCA_JOB)", order,
            1, ORDER_MOST),
    OPT_INT("block", "NB", "rows and columns of their blocks (the same)",
            block, 1, BLOCK_MOST),
    OPT_GRID("grid", "the program's grid (that of its last run, else the",
             grid),
    OPT_MORE("best one, for predictions)"),
    OPT_GRID("plain", "that of plain ScaLAPACK, to compare (the best one)",
             plain),
    OPT_TEXT("mpiexec", "CMD",
             "what starts processes (mpiexec of HESCA's MPI)", mpiexec),
    OPT_CHOICE("launcher", LAUNCHER_NAMES,
               "the kind of CMD (by what CMD --version says)", launcher),
    OPT_FIELD("no-bind", NULL, "do not bind processes to cores", clear_flag,
              bind),
    OPT_FIELD("no-preload", NULL, "without libhesca_scalapack", clear_flag,
              preload),
    OPT_FLAG("dry-run", "print layout, prediction and command; start nothing",
             dry_run),
    OPT_FLAG("json", "with --dry-run: print the same as JSON", json),
};

enum { NROWS = sizeof table / sizeof *table };

static void
help(void)
{
    fputs("Usage: hesca run [option]... [--] PROGRAM [argument]...\n"
          "Start an MPI program with more processes on faster hosts: "
          "ceil(speed / slowest\n"
          "speed) on each core, bound to cores, with HESCA preloaded so that "
          "it places them\n"
          "in grids.  Speed is the relative speed of one core, measured or of "
          "the machine\n"
          "file; ratios up to 0.15 above a whole number are rounded down to "
          "it.  Where more\n"
          "processes than cores are not predicted to be faster, or the grid "
          "does not use\n"
          "them, it is one process per core.  Parentheses: defaults.\n"
          "\n",
          stdout);
    cmdline_print(table, NROWS);
    fputs("\n"
          "Exit status: that of the program; with --dry-run 0; 2 if nothing "
          "can be started,\n"
          "1 if a variable HESCA_* is malformed.\n",
          stdout);
}

/* ------------------------------------------------ all of it
 * Options are checked together; the program is the first operand, or follows
 * the first "--". */

static int
check(const run_options *o)
{
    if (o->per_host != NULL && (o->limits.nprocs > 0 || o->limits.most > 0))
        return cmdline_complain(
            "-n and --most go with --per-host auto, not with numbers");
    if (o->vpm != NULL &&
        (o->per_host != NULL || o->limits.nprocs > 0 || o->limits.most > 0))
        return cmdline_complain("--vpm has the numbers of processes: -n, "
                                "--most and --per-host do not go with it");
    if (o->hosts != NULL && (o->machine != NULL || o->vpm != NULL))
        return cmdline_complain("--hosts goes without --machine and --vpm");
    if (o->limits.most > 0 && o->limits.nprocs > o->limits.most)
        return cmdline_complain("-n %d is more than --most %d",
                                o->limits.nprocs, o->limits.most);
    if (o->json && !o->dry_run)
        return cmdline_complain("--json goes with --dry-run");
    if (o->program[0] == NULL && !o->dry_run)
        return cmdline_complain("a program is missing");
    return 1;
}

int
run_options_read(int argc, char **argv, run_options *o)
{
    const cmdline line = {"hesca run", table, NROWS, help, 1};
    int end = 1, first;
    *o = (run_options){.limits = hesca_place_limits_default(),
                       .routine = -1,
                       .launcher = LAUNCHER_UNKNOWN,
                       .bind = 1,
                       .preload = 1};
    while (end < argc && strcmp(argv[end], "--") != 0)
        ++end;
    const int is = cmdline_read(&line, end, argv, o, &first);
    if (is != CMDLINE_GO)
        return is;
    if (first == end && end < argc)
        ++first;
    o->program = argv + first;
    o->has_job = cmdline_is_given("routine") || cmdline_is_given("order") ||
                 cmdline_is_given("block");
    return check(o) ? CMDLINE_GO : CMDLINE_BAD;
}
