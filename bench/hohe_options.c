#include "hohe.h"
#include "tools/lib/cmdline.h"
#include <stdio.h>
#include <string.h>

static const cmdline_row table[] = {
    {"help", NULL, "print this", 'h', 0, 0},
    {"routine", "gemm|potrf", "what is computed (gemm)", 'o', 0, 0},
    {"n", "N,...", "orders of the matrices (768)", 'n', 0, 0},
    {"r", "R", "rows and columns of a block (8)", 'r', 0, 0},
    {"l", "L,...", "blocks of a generalized block, each way (96)", 'l', 0, 0},
    {"grids", "PxQ|auto,...", "grids; auto: that of least predicted time (the",
     'g', 0, 0},
    {NULL, NULL, "most square one of all processes)", 0, 0, 0},
    {"ways", "NAME,...", "of those below (all); cyclic and equal are timed on",
     'y', 0, 0},
    {NULL, NULL, "the first grid alone, and cyclic for one L", 0, 0, 0},
    {"speeds", "S,...",
     "whole numbers, one for each process: its BLAS takes as", 's', 0, 0},
    {NULL, NULL, "long as at this speed (speeds are measured)", 0, 0, 0},
    {"unit", "FLOPS", "operations per second of speed 1 (1e6)", 'u', 0, 0},
    {"in-order", NULL,
     "grids are of the first processes, not of the fastest ones", 'i', 0, 0},
    {"paper", NULL, "only predict, for processors of --speeds; on one process",
     'P', 0, 0},
    {"startup", "S", "seconds of a message between any two (HESCA_MACHINE",
     'S', 0, 0},
    {NULL, NULL, "tells)", 0, 0, 0},
    {"rate", "BYTES", "bytes per second of links (HESCA_MACHINE tells)", 'T',
     0, 0},
    {"runs", "N", "of which the median is told (1); one of more than 5 s is",
     'R', 0, 0},
    {NULL, NULL, "not repeated", 0, 0, 0},
    {"window", "S", "seconds of each measurement of speed (0.5)", 'w', 0, 0},
    {"csv", "FILE", "results as CSV too; - is stdout", 'C', 0, 0},
    {"json", "FILE", "results as JSON too; - is stdout", 'J', 0, 0},
};

enum { NROWS = sizeof table / sizeof *table, ORDER_MAX = 1 << 16 };

static void
help(void)
{
    printf("Usage: mpiexec -n P time_hohe [option]...\n"
           "Time hesca_gemm() or hesca_potrf() on equal shares and on shares "
           "in proportion to\nspeeds, one process for each processor.\n\n");
    cmdline_print(table, NROWS);
    printf(
        "\nWays:\n"
        "  cyclic     equal shares, blocks in turn, as ScaLAPACK has them\n"
        "  equal      equal shares of generalized blocks\n"
        "  cut        generalized blocks cut by speeds, column-based; the "
        "fastest\n             processes first\n\n"
        "  bound      equal shares at the pace of the slowest, no messages\n"
        "  ideal      all that the processors can do, no messages\n"
        "  predicted  by hesca_gblock_predict()\n"
        "  imbalance  of the cut, beside shares in proportion\n"
        "  residual   gemm: |C x - A (B x)| / (eps |A| |B| |x|), the largest "
        "row, right up\n             to %g; potrf: ||A x - L (L' x)|| / (n "
        "eps ||A|| ||x||), right up\n             to %g\n\n"
        "Exit status: 0 if all results are right, 1 if not, 2 if it cannot be "
        "done.\n",
        hohe_threshold(HESCA_GEMM), hohe_threshold(HESCA_POTRF));
}

static int
read_grids(const cmdline_row *r, const char *value, hohe_options *o)
{
    char name[HOHE_LIST][16];
    if (!cmdline_names(r, value, name[0], sizeof name[0], HOHE_LIST,
                       &o->ngrids))
        return 0;
    for (int k = 0; k < o->ngrids; ++k) {
        o->grid[k] = (hohe_grid){0, 0};
        if (strcmp(name[k], "auto") != 0 &&
            !cmdline_grid(r, name[k], &o->grid[k].nprow, &o->grid[k].npcol))
            return 0;
    }
    return 1;
}

static int
read_ways(const cmdline_row *r, const char *value, int *wanted)
{
    char name[HOHE_WAYS][16];
    int n;
    if (!cmdline_names(r, value, name[0], sizeof name[0], HOHE_WAYS, &n))
        return 0;
    *wanted = 0;
    for (int k = 0; k < n; ++k) {
        int w = 0;
        while (w < HOHE_WAYS && strcmp(name[k], hohe_way_name[w]) != 0)
            ++w;
        if (w == HOHE_WAYS)
            return cmdline_bad(r, value);
        *wanted |= 1 << w;
    }
    return 1;
}

static int
apply(const cmdline_row *r, const char *value, void *to)
{
    hohe_options *o = to;
    int which = 0;
    switch (r->key) {
    case 'o':
        if (!cmdline_choice(r, value, &which))
            return 0;
        o->routine = which == 0 ? HESCA_GEMM : HESCA_POTRF;
        return 1;
    case 'n':
        return cmdline_list(r, value, 1, ORDER_MAX, o->n, HOHE_LIST, &o->nn);
    case 'r':
        return cmdline_int(r, value, 1, ORDER_MAX, &o->r);
    case 'l':
        return cmdline_list(r, value, 1, ORDER_MAX, o->l, HOHE_LIST, &o->nl);
    case 'g':
        return read_grids(r, value, o);
    case 'y':
        return read_ways(r, value, &o->wanted);
    case 's':
        return cmdline_list(r, value, 1, 1000000000, o->speed, HOHE_PROCS_MAX,
                            &o->nspeeds);
    case 'u':
        return cmdline_real(r, value, &o->unit) &&
               (o->unit > 0 || cmdline_bad(r, value));
    case 'i':
        o->is_in_order = 1;
        return 1;
    case 'P':
        o->is_paper = 1;
        return 1;
    case 'S':
        return cmdline_real(r, value, &o->startup);
    case 'T':
        return cmdline_real(r, value, &o->rate) &&
               (o->rate > 0 || cmdline_bad(r, value));
    case 'R':
        return cmdline_int(r, value, 1, HOHE_RUNS_MAX, &o->runs);
    case 'w':
        return cmdline_real(r, value, &o->window);
    case 'C':
        o->csv = value;
        return 1;
    default:
        o->json = value;
        return 1;
    }
}

int
hohe_options_read(int argc, char **argv, hohe_options *o)
{
    *o = (hohe_options){.routine = HESCA_GEMM,
                        .n = {768},
                        .nn = 1,
                        .l = {96},
                        .nl = 1,
                        .r = 8,
                        .wanted = (1 << HOHE_WAYS) - 1,
                        .unit = 1e6,
                        .startup = -1,
                        .rate = -1,
                        .runs = 1,
                        .window = 0.5};
    const cmdline line = {"time_hohe", table, NROWS, help, apply};
    const int what = cmdline_read(&line, argc, argv, o);
    if (what != CMDLINE_GO)
        return what;
    if (o->is_paper && o->nspeeds == 0) {
        cmdline_complain("--paper wants --speeds");
        return CMDLINE_BAD;
    }
    if (o->csv != NULL && o->json != NULL && strcmp(o->csv, "-") == 0 &&
        strcmp(o->json, "-") == 0) {
        cmdline_complain("only one of --csv and --json can go to stdout");
        return CMDLINE_BAD;
    }
    return what;
}
