/* SPDX-License-Identifier: BSD-3-Clause */
/* Time the heterogeneous matrix multiplication and Cholesky factorization of
 * the HMPI thesis, 3.5.1 and 5.3, beside the same code with equal shares.
 *
 * Usage: mpiexec -n P time_hohe [option]...
 *
 *   mpiexec -n 4 time_hohe --n 1536 --l 12,24,96
 *   mpiexec -n 4 time_hohe --speeds 6,3,2,1 --unit 1e8 --routine potrf
 *   time_hohe --paper --speeds 6,3,2,1 --unit 1e8 --grids 2x2,1x4,auto
 *   mpiexec -n P time_hohe --help */
#include "hohe.h"
#include <mpi.h>
#include <string.h>

typedef hohe_options options;

static options o = {.routine = HESCA_ROUTINE_GEMM,
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
static hohe_net x;
static fields_files *out;

/* ----- options ----- */

enum { ORDER_MAX = 1 << 16 };

static int
read_routine(const cmdline_row *r, const char *value, void *to)
{
    int which = 0;
    if (!cmdline_choice(r, value, &which))
        return 0;
    ((options *)to)->routine =
        which == 0 ? HESCA_ROUTINE_GEMM : HESCA_ROUTINE_POTRF;
    return 1;
}

static int
read_grids(const cmdline_row *r, const char *value, void *to)
{
    options *given = to;
    char name[HOHE_LIST][16];
    if (!cmdline_names(r, value, name[0], sizeof name[0], HOHE_LIST,
                       &given->ngrids))
        return 0;
    for (int k = 0; k < given->ngrids; ++k) {
        hohe_grid *g = &given->grid[k];
        *g = (hohe_grid){0, 0};
        if (strcmp(name[k], "auto") != 0 &&
            !cmdline_grid(r, name[k], &g->nprow, &g->npcol))
            return 0;
    }
    return 1;
}

static const char *
way_name(int k)
{
    return k < HOHE_WAYS ? hohe_way_name[k] : NULL;
}

static int
read_ways(const cmdline_row *r, const char *value, void *to)
{
    return bench_bits(r, value, way_name, &((options *)to)->wanted);
}

static const cmdline_row table[] = {
    OPT_SET("routine", "gemm|potrf", "what is computed (gemm)", read_routine),
    OPT_LIST("n", "N,...", "orders of the matrices (768)", n, nn, 1,
             ORDER_MAX),
    OPT_INT("r", "R", "rows and columns of a block (8)", r, 1, ORDER_MAX),
    OPT_LIST("l", "L,...", "blocks of a generalized block, each way (96)", l,
             nl, 1, ORDER_MAX),
    OPT_SET("grids", "PxQ|auto,...",
            "grids; auto: that of least predicted time (the", read_grids),
    OPT_MORE("most square one of all processes)"),
    OPT_SET("ways", "NAME,...",
            "of those below (all); cyclic and equal are timed on", read_ways),
    OPT_MORE("the first grid alone, and cyclic for one L"),
    OPT_LIST("speeds", "S,...",
             "whole numbers, one for each process: its BLAS takes as", speed,
             nspeeds, 1, 1000000000),
    OPT_MORE("long as at this speed (speeds are measured)"),
    OPT_POSITIVE("unit", "FLOPS", "operations per second of speed 1 (1e6)",
                 unit),
    OPT_FLAG("in-order",
             "grids are of the first processes, not of the fastest ones",
             is_in_order),
    OPT_FLAG("paper",
             "only predict, for processors of --speeds; on one process",
             is_paper),
    OPT_REAL("startup", "S",
             "seconds of a message between any two (HESCA_MACHINE", startup),
    OPT_MORE("has it)"),
    OPT_POSITIVE("rate", "BYTES",
                 "bytes per second of links (HESCA_MACHINE has)", rate),
    OPT_INT("runs", "N",
            "of which the median is printed (1); one of more than 5 s is",
            runs, 1, HOHE_RUNS_MAX),
    OPT_MORE("not repeated"),
    OPT_REAL("window", "S", "seconds of each measurement of speed (0.5)",
             window),
};

static int
check(void *from)
{
    const options *given = from;
    return !given->is_paper || given->nspeeds > 0 ||
           cmdline_complain("--paper wants --speeds");
}

static void
print_notes(void)
{
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
        hohe_threshold(HESCA_ROUTINE_GEMM),
        hohe_threshold(HESCA_ROUTINE_POTRF));
}

/* ----- cases ----- */

/* The exit status. */
static int
time_case(hohe_way way, int64_t n, int l, hohe_grid grid)
{
    hohe_case c;
    const hohe_row row = {&o, &x, &c};
    int status = 2;
    if (hohe_case_open(&o, &x, way, n, l, grid, &c) &&
        (o.is_paper || hohe_case_run(&o, &x, &c))) {
        status = hohe_is_right(&row) ? 0 : 1;
        if (x.rank == 0)
            hohe_tell(out, &row);
    }
    hohe_case_close(&c);
    return status;
}

static int
is_wanted(hohe_way way, int grid, int l)
{
    if ((o.wanted >> way & 1) == 0)
        return 0;
    return way == HOHE_CUT || (grid == 0 && (l == 0 || way == HOHE_EQUAL));
}

static int
time_order(int64_t n)
{
    int status = 0;
    if (x.rank == 0)
        hohe_print_order(out->table, &o, &x, n);
    for (int way = 0; way < HOHE_WAYS; ++way)
        for (int l = 0; l < o.nl; ++l)
            for (int g = 0; g < o.ngrids && status < 2; ++g) {
                if (!is_wanted((hohe_way)way, g, l))
                    continue;
                const int one =
                    time_case((hohe_way)way, n, (int)o.l[l], o.grid[g]);
                status = one > status ? one : status;
            }
    return status;
}

/* The most square grid of all, no more rows than columns. */
static void
complete(void)
{
    if (o.ngrids > 0)
        return;
    int p = 1;
    for (int d = 1; d * d <= x.nprocs; ++d)
        p = x.nprocs % d == 0 ? d : p;
    o.grid[0] = (hohe_grid){p, x.nprocs / p};
    o.ngrids = 1;
}

static int
run(const void *unused, fields_files *files)
{
    int status = 0;
    (void)unused;
    out = files;
    if (!hohe_net_find(&o, &x)) {
        hohe_net_clear(&x);
        return 2;
    }
    complete();
    if (x.rank == 0)
        hohe_print_head(out->table, &o, &x);
    for (int k = 0; k < o.nn && status < 2; ++k) {
        const int one = time_order(o.n[k]);
        status = one > status ? one : status;
    }
    hohe_net_clear(&x);
    return status;
}

int
main(int argc, char **argv)
{
    static const bench_program b = {
        .name = "time_hohe",
        .about =
            "Usage: mpiexec -n P time_hohe [option]...\n"
            "Time hesca_gemm() or hesca_potrf() on equal shares and on shares "
            "in proportion to\nspeeds, one process for each processor.\n\n",
        .print_notes = print_notes,
        BENCH_TABLE(table),
        BENCH_OPTIONS(o),
        .check = check,
        .put = hohe_put,
        .run = run};
    return bench_main_mpi(&b, argc, argv);
}
