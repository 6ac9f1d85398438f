/* SPDX-License-Identifier: BSD-3-Clause */
#define _POSIX_C_SOURCE 200809L /* setenv */
#include "heho.h"
#include <math.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What lasts for all of a run. */
typedef struct {
    const heho_routine *r;
    const heho_options *o;
    heho_hosts x;
    fields_files *out;
    heho_speed *speed; /* [nhosts] */
} run;

static void
progress(const run *w, const hesca_job *job, const char *what, int k)
{
    if (w->x.rank == 0)
        bench_progress("n = %d, nb = %d: %s, run %d of %d", (int)job->n,
                       job->nb, what, k + 1, w->o->runs);
}

static void
wipe(const run *w)
{
    if (w->x.rank == 0)
        bench_progress(NULL);
}

/* Process 0 decides, all learn it. */
static int
lay(run *w, const hesca_job *job, heho_timed *t)
{
    const size_t places = (size_t)w->x.nprocs;
    int ok = 1, shape[2] = {0, 0};
    t->g.process = calloc(places, sizeof *t->g.process);
    if (!yield_all(t->g.process != NULL))
        return w->x.rank == 0 && cmdline_fail("no memory for a grid");
    if (w->x.rank == 0) {
        ok = t->way->lay(&w->x, w->o, job, &t->g);
        shape[0] = t->g.nprow;
        shape[1] = t->g.npcol;
    }
    yield_broadcast(shape, sizeof shape);
    yield_broadcast(t->g.process, places * sizeof *t->g.process);
    t->g.nprow = shape[0];
    t->g.npcol = shape[1];
    return yield_all(ok);
}

static int
open_all(run *w, const hesca_job *job, heho_timed *t)
{
    for (int c = 0; c < HEHO_CASES; ++c) {
        t[c] = (heho_timed){.way = heho_cases + c, .ctxt = -1};
        if ((w->o->wanted >> c & 1) != 0 &&
            !(lay(w, job, t + c) && heho_timed_open(&w->x, w->o->runs, t + c)))
            return 0;
    }
    return 1;
}

/* The ways take turns, so that what the machine does besides hits all. */
static int
run_all(run *w, const hesca_job *job, heho_timed *t)
{
    for (int k = 0; k < w->o->runs; ++k)
        for (int c = 0; c < HEHO_CASES; ++c) {
            if ((w->o->wanted >> c & 1) == 0)
                continue;
            progress(w, job, t[c].way->name, k);
            if (!heho_timed_run(&w->x, w->r, job, k, w->o->runs, t + c))
                return 0;
        }
    return 1;
}

/* Returns the exit status; process 0 prints. */
static int
settle_all(run *w, const hesca_job *job, heho_timed *t)
{
    double plain = 0;
    int status = 0;
    wipe(w);
    for (int c = 0; c < HEHO_CASES; ++c) {
        if ((w->o->wanted >> c & 1) == 0)
            continue;
        heho_timed_settle(&w->x, w->o->runs, t + c);
        if (c == 0)
            plain = t[c].seconds;
        heho_row row = {.x = &w->x,
                        .r = w->r,
                        .t = t + c,
                        .speed = w->speed,
                        .job = *job,
                        .runs = w->o->runs,
                        .plain = plain};
        status = heho_is_right(&row) ? status : 1;
        if (w->x.rank != 0)
            continue;
        if (!heho_bound(&row))
            status = 2;
        heho_tell(w->out, &row, w->o->is_profiling);
    }
    return status;
}

/* Speeds do not depend on blocks: they are measured once for an order. */
static int
measure_speeds(run *w, const hesca_job *job)
{
    const int order =
        (int)fmax(1, round((double)job->n / sqrt((double)w->x.nprocs)));
    progress(w, job, "speeds", 0);
    const int ok = heho_speeds(&w->x, w->r, order, w->o->window, w->speed);
    wipe(w);
    if (ok && w->x.rank == 0)
        heho_print_speeds(w->out->table, &w->x, w->r, job, order, w->speed);
    return ok;
}

static int
time_job(run *w, const hesca_job *job)
{
    heho_timed t[HEHO_CASES] = {{.way = NULL}};
    if (w->x.rank == 0)
        heho_print_ways(w->out->table, job);
    const int ok = open_all(w, job, t) && run_all(w, job, t);
    const int status = ok ? settle_all(w, job, t) : 2;
    for (int c = 0; c < HEHO_CASES; ++c)
        heho_timed_close(t + c);
    return status;
}

static int
time_all(run *w)
{
    int status = 0;
    w->speed = calloc((size_t)w->x.nhosts, sizeof *w->speed);
    if (!yield_all(w->speed != NULL))
        return 2;
    heho_print_head(w->out->table, &w->x, w->r);
    for (int i = 0; i < w->o->nn && status < 2; ++i)
        for (int k = 0; k < w->o->nnb && status < 2; ++k) {
            const hesca_job job = {w->r->id, w->o->n[i], (int)w->o->nb[k]};
            const int ok = k > 0 || measure_speeds(w, &job);
            const int one = ok ? time_job(w, &job) : 2;
            status = one > status ? one : status;
        }
    return status;
}

/* ----- options ----- */

enum { ORDER_MAX = 1 << 16 };

typedef heho_options options;

static const heho_routine *routine;

static int
read_shape(const cmdline_row *r, const char *value, void *to)
{
    int *shape = to;
    char rest;
    const int n = sscanf(value, "%dx%d%c", shape, shape + 1, &rest);
    return (n == 2 && shape[0] > 0 && shape[1] > 0 &&
            shape[0] <= HEHO_GRID_MAX / shape[1]) ||
           cmdline_bad(r, value);
}

static const char *
case_name(int k)
{
    return k < HEHO_CASES ? heho_cases[k].name : NULL;
}

static int
read_cases(const cmdline_row *r, const char *value, void *to)
{
    return bench_bits(r, value, case_name, &((options *)to)->wanted);
}

static const cmdline_row table[] = {
    OPT_LIST("n", "N,...", "orders of the matrices (1000)", n, nn, 1,
             ORDER_MAX),
    OPT_LIST("nb", "NB,...", "rows and columns of a block (64)", nb, nnb, 1,
             ORDER_MAX),
    OPT_INT("runs", "N", "of which the median is printed (3)", runs, 1,
            HEHO_RUNS_MAX),
    OPT_FIELD("plain", "PxQ",
              "grid of one process for each processor (the most", read_shape,
              plain),
    OPT_MORE("square)"),
    OPT_FIELD("grid", "PxQ",
              "grid of all processes (that of least predicted time)",
              read_shape, grid),
    OPT_SET("cases", "NAME,...", "ways to time, of those below (all)",
            read_cases),
    OPT_LIST("map", "RANK,...",
             "for the way map: the process at each place of --grid,", map,
             nmap, 0, HEHO_GRID_MAX - 1),
    OPT_MORE("row by row"),
    OPT_REAL("window", "S", "seconds of each measurement of speed (0.4)",
             window),
    OPT_FLAG("profile", "print where the time of each process goes",
             is_profiling),
};

/* Without a choice all ways are wanted but those that need an option. */
static int
choose_cases(void *to)
{
    options *o = to;
    const int is_free = o->wanted == 0;
    for (int c = 0; is_free && c < HEHO_CASES; ++c)
        if (!heho_cases[c].is_optional ||
            (o->nmap > 0 && strcmp(heho_cases[c].name, "map") == 0))
            o->wanted |= 1 << c;
    return 1;
}

static void
print_notes(void)
{
    printf("\nWays:\n");
    for (int k = 0; k < HEHO_CASES; ++k)
        printf("  %-10s %s\n", heho_cases[k].name, heho_cases[k].about);
    printf(
        "\nSpeeds are those of %s of the order that a process of a grid of "
        "all works on,\nmeasured on one process of each host, all at once. "
        " HESCA_MACHINE has the links.\n"
        "  homogeneous bound: all processors as slow as the slowest, no "
        "messages\n"
        "  ideal       all that the hosts can do, no messages\n"
        "  efficiency  ideal / measured\n"
        "  bound       no execution on this layout can take less, by "
        "hesca_bound_make():\n"
        "              computing at the speed of %s, or of dgemm where it is "
        "higher;\n"
        "              each process receives what it lacks once, inside a "
        "host by copies in\n"
        "              the cache (measured), between hosts by links of "
        "HESCA_MACHINE, else\n"
        "              at once; of grid, auto and lapack, of hohe on another "
        "grid, and of\n"
        "              solves, computing alone\n"
        "  of bound    bound / measured; 1: nothing is left\n"
        "  gain        of plain / measured\n"
        "  predicted   by hesca_forecast_make(), hesca_hohe_predict(); of "
        "auto as of\n"
        "              plain; of lapack 0\n"
        "  MB between  that hosts must send each other\n"
        "  --profile   panel: factorizations and triangular solves of BLAS "
        "and LAPACK;\n"
        "              update: products; waiting: for messages, and in MPI; "
        "copies: pack,\n"
        "              unpack, copies in and out, interchanges; rest; "
        "--csv and --json have\n"
        "              them too, heho.py where draws them\n"
        "  residual    %s,\n              right up to %g\n\n"
        "Exit status: 0 if all results are right, 1 if not, 2 if it cannot "
        "be done.\n",
        routine->kernel, routine->kernel, routine->about, routine->threshold);
}

/* ----- all of it ----- */

static int
run_all_jobs(const void *o, fields_files *out)
{
    static run w;
    int status = 2;
    w = (run){.r = routine, .o = o, .out = out};
    if (heho_hosts_find(&w.x))
        status = time_all(&w);
    heho_hosts_clear(&w.x);
    free(w.speed);
    return status;
}

int
heho_main(int argc, char **argv, const heho_routine *r)
{
    static char about[256];
    static heho_options o = {
        .n = {1000}, .nn = 1, .nb = {64}, .nnb = 1, .runs = 3, .window = 0.4};
    const bench_program b = {.name = r->program,
                             .about = about,
                             .print_notes = print_notes,
                             BENCH_TABLE(table),
                             BENCH_OPTIONS(o),
                             .check = choose_cases,
                             .put = heho_put,
                             .run = run_all_jobs};
    snprintf(about, sizeof about,
             "Usage: mpiexec -n P %s [option]...\n"
             "Time %s of ScaLAPACK in several ways on the same hosts, in one "
             "run.\n\n",
             r->program, r->name);
    routine = r;
    /* Grids are to be as the ways specify. */
    setenv("HESCA_PLACEMENT", "off", 1);
    return bench_main_mpi(&b, argc, argv);
}
