#include "heho.h"
#include "tools/lib/cmdline.h"
#include <stdio.h>
#include <string.h>

static const cmdline_row table[] = {
    {"help", NULL, "print this", 'h', 0, 0},
    {"n", "N,...", "orders of the matrices (1000)", 'n', 0, 0},
    {"nb", "NB,...", "rows and columns of a block (64)", 'b', 0, 0},
    {"runs", "N", "of which the median is told (3)", 'R', 0, 0},
    {"plain", "PxQ", "grid of one process for each processor (the most", 'p',
     0, 0},
    {NULL, NULL, "square)", 0, 0, 0},
    {"grid", "PxQ", "grid of all processes (that of least predicted time)",
     'g', 0, 0},
    {"cases", "NAME,...", "ways to time, of those below (all)", 'c', 0, 0},
    {"map", "RANK,...",
     "for the way map: the process at each place of --grid,", 'm', 0, 0},
    {NULL, NULL, "row by row", 0, 0, 0},
    {"window", "S", "seconds of each measurement of speed (0.4)", 'w', 0, 0},
    {"profile", NULL, "tell where the time of each process goes", 'P', 0, 0},
    {"csv", "FILE", "results as CSV too; - is stdout", 'C', 0, 0},
    {"json", "FILE", "results as JSON too; - is stdout", 'J', 0, 0},
};

enum { NROWS = sizeof table / sizeof *table, ORDER_MAX = 1 << 16 };

static const heho_routine *routine;

static void
help(void)
{
    printf("Usage: mpiexec -n P %s [option]...\n"
           "Time %s of ScaLAPACK in several ways on the same hosts, in one "
           "run.\n\n",
           routine->program, routine->name);
    cmdline_print(table, NROWS);
    printf("\nWays:\n");
    for (int k = 0; k < HEHO_CASES; ++k)
        printf("  %-10s %s\n", heho_cases[k].name, heho_cases[k].about);
    printf("\nSpeeds are those of %s of the order that a process of a grid of "
           "all works on,\nmeasured on one process of each host, all at once. "
           " HESCA_MACHINE tells links.\n"
           "  bound       all processors as slow as the slowest, no messages\n"
           "  ideal       all that the hosts can do, no messages\n"
           "  efficiency  ideal / measured\n"
           "  gain        of plain / measured\n"
           "  predicted   by hesca_forecast_make(), hesca_hohe_predict(); of "
           "auto as of\n"
           "              plain\n"
           "  MB between  that hosts must send each other\n"
           "  residual    %s,\n              right up to %g\n\n"
           "Exit status: 0 if all results are right, 1 if not, 2 if it cannot "
           "be done.\n",
           routine->kernel, routine->about, routine->threshold);
}

static int
read_shape(const cmdline_row *r, const char *value, int shape[2])
{
    char rest;
    const int n = sscanf(value, "%dx%d%c", shape, shape + 1, &rest);
    return (n == 2 && shape[0] > 0 && shape[1] > 0 &&
            shape[0] <= HEHO_GRID_MAX / shape[1]) ||
           cmdline_bad(r, value);
}

static int
read_cases(const cmdline_row *r, const char *value, int *wanted)
{
    char name[HEHO_CASES][16];
    int n;
    if (!cmdline_names(r, value, name[0], sizeof name[0], HEHO_CASES, &n))
        return 0;
    *wanted = 0;
    for (int k = 0; k < n; ++k) {
        int c = 0;
        while (c < HEHO_CASES && strcmp(name[k], heho_cases[c].name) != 0)
            ++c;
        if (c == HEHO_CASES)
            return cmdline_bad(r, value);
        *wanted |= 1 << c;
    }
    return 1;
}

static int
apply(const cmdline_row *r, const char *value, void *to)
{
    heho_options *o = to;
    switch (r->key) {
    case 'n':
        return cmdline_list(r, value, 1, ORDER_MAX, o->n, HEHO_LIST, &o->nn);
    case 'b':
        return cmdline_list(r, value, 1, ORDER_MAX, o->nb, HEHO_LIST, &o->nnb);
    case 'R':
        return cmdline_int(r, value, 1, HEHO_RUNS_MAX, &o->runs);
    case 'w':
        return cmdline_real(r, value, &o->window);
    case 'p':
        return read_shape(r, value, o->plain);
    case 'g':
        return read_shape(r, value, o->grid);
    case 'c':
        return read_cases(r, value, &o->wanted);
    case 'm':
        return cmdline_list(r, value, 0, HEHO_GRID_MAX - 1, o->map,
                            HEHO_GRID_MAX, &o->nmap);
    case 'P':
        o->is_profiling = 1;
        return 1;
    case 'C':
        o->csv = value;
        return 1;
    default:
        o->json = value;
        return 1;
    }
}

/* Without a choice all ways are wanted but those that need an option. */
static void
choose_cases(heho_options *o)
{
    const int is_free = o->wanted == 0;
    for (int c = 0; is_free && c < HEHO_CASES; ++c)
        if (!heho_cases[c].is_optional ||
            (o->nmap > 0 && strcmp(heho_cases[c].name, "map") == 0))
            o->wanted |= 1 << c;
}

int
heho_options_read(const heho_routine *r, int argc, char **argv,
                  heho_options *o)
{
    *o = (heho_options){
        .n = {1000}, .nn = 1, .nb = {64}, .nnb = 1, .runs = 3, .window = 0.4};
    const cmdline line = {r->program, table, NROWS, help, apply};
    routine = r;
    const int what = cmdline_read(&line, argc, argv, o);
    if (what == CMDLINE_GO && o->csv != NULL && o->json != NULL &&
        strcmp(o->csv, "-") == 0 && strcmp(o->json, "-") == 0) {
        cmdline_complain("only one of --csv and --json can go to stdout");
        return CMDLINE_BAD;
    }
    choose_cases(o);
    return what;
}
