#include "tools/lib/cmdline.h"
#include "tools/run/launcher.h"
#include "tools/run/run.h"
#include <stdio.h>
#include <string.h>

static const cmdline_row table[] = {
    {"help", NULL, "print this", 'h', CMDLINE_LETTER, 0},
    {"n", "N", "processes in all; also -n (as many as speeds say)", 'n',
     CMDLINE_LETTER, 0},
    {"per-host", "auto|A,B,..|HOST=K,..",
     "in proportion to speed (auto); as told, for all hosts", 'p', 0, 0},
    {NULL, NULL, "in order or for those named", 0, 0, 0},
    {"machine", "FILE",
     "the hosts (HESCA_MACHINE; without it this host alone)", 'M', 0, 0},
    {"most", "N", "most processes in all", 'm', 0, 0},
    {"per-core", "X", "most processes on a core (8)", 'c', 0, 0},
    {"memory", "BYTES", "memory of a process without matrices (64 MB); K, M,",
     'y', 0, 0},
    {NULL, NULL, "G are powers of 1024", 0, 0, 0},
    {"routine", "gemm|potrf|gesv",
     "what is to be fast: placement and prediction", 'r', 0, 0},
    {NULL, NULL, "go by it (HESCA_JOB)", 0, 0, 0},
    {"order", "N", "of its matrices", 'o', 0, 0},
    {"block", "NB", "rows and columns of a block of them", 'b', 0, 0},
    {"grid", "PxQ", "the program's grid, to predict (the best one)", 'g', 0,
     0},
    {"plain", "PxQ", "that of plain ScaLAPACK, to compare (the best one)", 'a',
     0, 0},
    {"mpiexec", "CMD", "what starts processes", 'x', 0, 0},
    {"launcher", LAUNCHER_NAMES, "whose options it takes (it is asked)", 'l',
     0, 0},
    {"no-bind", NULL, "leave cores to the system", 'B', 0, 0},
    {"no-preload", NULL, "without libhesca_scalapack", 'P', 0, 0},
    {"dry-run", NULL, "print layout, prediction and command; start nothing",
     'd', 0, 0},
    {"json", NULL, "the same for programs", 'j', 0, 0},
};

enum { NROWS = sizeof table / sizeof *table };

static void
help(void)
{
    fputs("Usage: hesca run [option]... -- PROGRAM [argument]...\n"
          "Start an MPI program with more processes on faster hosts: "
          "ceil(speed / slowest) on\neach core, bound to cores, with HESCA "
          "preloaded so that it places them in grids.\n\n",
          stdout);
    cmdline_print(table, NROWS);
    fputs("\nExit status: the program's; with --dry-run 0; 2 if nothing can "
          "be started, 1 if a\nvariable HESCA_* is malformed.\n",
          stdout);
}

/* ------------------------------------------------ values
 * Each function returns 1, or 0 after an error message. */

static int
set_per_core(const cmdline_row *r, const char *value, double *per_core)
{
    return cmdline_real(r, value, per_core) &&
           (*per_core > 0 || cmdline_complain("--%s '%s': must be more than 0",
                                              r->name, value));
}

static int
set_memory(const cmdline_row *r, const char *value, double *bytes)
{
    int64_t x;
    if (!cmdline_bytes(r, value, 0, &x))
        return 0;
    *bytes = (double)x;
    return 1;
}

static int
set_routine(const cmdline_row *r, const char *value, int *routine)
{
    hesca_routine found;
    if (!hesca_routine_find(value, &found))
        return cmdline_bad(r, value);
    *routine = (int)found;
    return 1;
}

static int
apply_job(const cmdline_row *r, const char *value, run_options *o)
{
    enum { ORDER_MOST = 1000000000, BLOCK_MOST = 1000000 };
    o->has_job = 1;
    switch (r->key) {
    case 'r':
        return set_routine(r, value, &o->routine);
    case 'o':
        return cmdline_int(r, value, 1, ORDER_MOST, &o->order);
    default:
        return cmdline_int(r, value, 1, BLOCK_MOST, &o->block);
    }
}

static int
apply_flag(const cmdline_row *r, run_options *o)
{
    switch (r->key) {
    case 'B':
        o->bind = 0;
        return 1;
    case 'P':
        o->preload = 0;
        return 1;
    case 'd':
        return o->dry_run = 1;
    default:
        return o->json = 1;
    }
}

static int
apply(const cmdline_row *r, const char *value, void *to)
{
    enum { NPROCS_MOST = 1000000 };
    run_options *o = to;
    switch (r->key) {
    case 'n':
        return cmdline_int(r, value, 1, NPROCS_MOST, &o->limits.nprocs);
    case 'p':
        o->per_host = strcmp(value, "auto") == 0 ? NULL : value;
        return 1;
    case 'M':
        o->machine = value;
        return 1;
    case 'm':
        return cmdline_int(r, value, 1, NPROCS_MOST, &o->limits.most);
    case 'c':
        return set_per_core(r, value, &o->limits.per_core);
    case 'y':
        return set_memory(r, value, &o->limits.bytes);
    case 'g':
        return cmdline_grid(r, value, &o->grid.nprow, &o->grid.npcol);
    case 'a':
        return cmdline_grid(r, value, &o->plain.nprow, &o->plain.npcol);
    case 'x':
        o->mpiexec = value;
        return 1;
    case 'l':
        return cmdline_choice(r, value, &o->launcher);
    default:
        return strchr("rob", r->key) != NULL ? apply_job(r, value, o)
                                             : apply_flag(r, o);
    }
}

/* ------------------------------------------------ all of it
 * Options are checked together; the program follows the first "--". */

static int
check(const run_options *o)
{
    if (o->per_host != NULL && (o->limits.nprocs > 0 || o->limits.most > 0))
        return cmdline_complain(
            "-n and --most go with --per-host auto, not with numbers");
    if (o->limits.most > 0 && o->limits.nprocs > o->limits.most)
        return cmdline_complain("-n %d is more than --most %d",
                                o->limits.nprocs, o->limits.most);
    if (o->json && !o->dry_run)
        return cmdline_complain("--json goes with --dry-run");
    if (o->program[0] == NULL && !o->dry_run)
        return cmdline_complain("a program is missing, behind --");
    return 1;
}

int
run_options_read(int argc, char **argv, run_options *o)
{
    const cmdline line = {"hesca run", table, NROWS, help, apply};
    int end = 1;
    *o = (run_options){.limits = hesca_place_limits_default(),
                       .routine = -1,
                       .launcher = LAUNCHER_UNKNOWN,
                       .bind = 1,
                       .preload = 1};
    while (end < argc && strcmp(argv[end], "--") != 0)
        ++end;
    o->program = argv + (end < argc ? end + 1 : argc);
    const int is = cmdline_read(&line, end, argv, o);
    if (is != CMDLINE_GO)
        return is;
    return check(o) ? CMDLINE_GO : CMDLINE_BAD;
}
