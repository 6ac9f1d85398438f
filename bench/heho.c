#define _POSIX_C_SOURCE 200809L /* setenv, isatty */
#include "heho.h"
#include "heho_results.h"
#include "polite.h"
#include "tools/lib/cmdline.h"
#include <math.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

/* BLAS that has its own threads, if it is OpenBLAS. */
void openblas_set_num_threads(int n) __attribute__((weak));

/* What lasts for all of a run. */
typedef struct {
    const heho_routine *r;
    heho_options o;
    heho_hosts x;
    fields_files out;
    double *speed; /* [nhosts] */
} run;

static void
progress(const run *w, const hesca_job *job, const char *what, int k)
{
    if (w->x.rank != 0 || !isatty(STDERR_FILENO))
        return;
    if (what != NULL && k >= 0)
        fprintf(stderr, "\rn = %d, nb = %d: %s, run %d of %d      ",
                (int)job->n, job->nb, what, k + 1, w->o.runs);
    else if (what != NULL)
        fprintf(stderr, "\rn = %d, nb = %d: %s", (int)job->n, job->nb, what);
    else
        fprintf(stderr, "\r%60s\r", "");
}

/* Process 0 decides, all learn it. */
static int
lay(run *w, const hesca_job *job, heho_timed *t)
{
    const size_t places = (size_t)w->x.nprocs;
    int ok = 1, shape[2] = {0, 0};
    t->g.process = calloc(places, sizeof *t->g.process);
    if (!polite_all(t->g.process != NULL))
        return w->x.rank == 0 && cmdline_fail("no memory for a grid");
    if (w->x.rank == 0) {
        ok = t->way->lay(&w->x, &w->o, job, &t->g);
        shape[0] = t->g.nprow;
        shape[1] = t->g.npcol;
    }
    polite_share(shape, sizeof shape);
    polite_share(t->g.process, places * sizeof *t->g.process);
    t->g.nprow = shape[0];
    t->g.npcol = shape[1];
    return polite_all(ok);
}

static int
open_all(run *w, const hesca_job *job, heho_timed *t)
{
    for (int c = 0; c < HEHO_CASES; ++c) {
        t[c] = (heho_timed){.way = heho_cases + c, .ctxt = -1};
        if ((w->o.wanted >> c & 1) != 0 &&
            !(lay(w, job, t + c) && heho_timed_open(&w->x, w->o.runs, t + c)))
            return 0;
    }
    return 1;
}

/* The ways take turns, so that what the machine does besides hits all. */
static int
run_all(run *w, const hesca_job *job, heho_timed *t)
{
    for (int k = 0; k < w->o.runs; ++k)
        for (int c = 0; c < HEHO_CASES; ++c) {
            if ((w->o.wanted >> c & 1) == 0)
                continue;
            progress(w, job, t[c].way->name, k);
            if (!heho_timed_run(&w->x, w->r, job, k, w->o.runs, t + c))
                return 0;
        }
    return 1;
}

/* Returns the exit status; on process 0 it tells. */
static int
settle_all(run *w, const hesca_job *job, heho_timed *t)
{
    double plain = 0;
    int status = 0;
    progress(w, job, NULL, 0);
    for (int c = 0; c < HEHO_CASES; ++c) {
        if ((w->o.wanted >> c & 1) == 0)
            continue;
        heho_timed_settle(&w->x, w->o.runs, t + c);
        if (c == 0)
            plain = t[c].seconds;
        const heho_row row = {.x = &w->x,
                              .r = w->r,
                              .t = t + c,
                              .speed = w->speed,
                              .job = *job,
                              .runs = w->o.runs,
                              .plain = plain};
        status = heho_is_right(&row) ? status : 1;
        if (w->x.rank == 0)
            heho_tell(&w->out, &row, w->o.is_profiling);
    }
    return status;
}

/* Speeds do not depend on blocks: they are measured once for an order. */
static int
measure_speeds(run *w, const hesca_job *job)
{
    const int order =
        (int)fmax(1, round((double)job->n / sqrt((double)w->x.nprocs)));
    progress(w, job, "speeds", -1);
    const int ok = heho_speeds(&w->x, w->r, order, w->o.window, w->speed);
    progress(w, job, NULL, 0);
    if (ok && w->x.rank == 0)
        heho_print_speeds(w->out.table, &w->x, w->r, job, order, w->speed);
    return ok;
}

static int
time_job(run *w, const hesca_job *job)
{
    heho_timed t[HEHO_CASES] = {{.way = NULL}};
    if (w->x.rank == 0)
        heho_print_ways(w->out.table, job);
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
    if (!polite_all(w->speed != NULL))
        return 2;
    heho_print_head(w->out.table, &w->x, w->r);
    for (int i = 0; i < w->o.nn && status < 2; ++i)
        for (int k = 0; k < w->o.nnb && status < 2; ++k) {
            const hesca_job job = {w->r->id, w->o.n[i], (int)w->o.nb[k]};
            const int ok = k > 0 || measure_speeds(w, &job);
            const int one = ok ? time_job(w, &job) : 2;
            status = one > status ? one : status;
        }
    return status;
}

int
heho_main(int argc, char **argv, const heho_routine *r)
{
    static run w;
    int status = 2, what = CMDLINE_BAD;
    w.r = r;
    /* Grids are to be as the ways tell. */
    setenv("HESCA_PLACEMENT", "off", 1);
    setenv("OPENBLAS_NUM_THREADS", "1", 0);
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &w.x.rank);
    polite_begin(1);
    if (openblas_set_num_threads)
        openblas_set_num_threads(1);
    if (w.x.rank == 0)
        what = heho_options_read(r, argc, argv, &w.o);
    polite_share(&what, sizeof what);
    int go = what == CMDLINE_GO;
    if (w.x.rank == 0 && go)
        go = fields_open(&w.out, w.o.csv, w.o.json, heho_put);
    if (polite_all(go)) {
        polite_share(&w.o, sizeof w.o);
        if (heho_hosts_find(&w.x))
            status = time_all(&w);
        if (w.x.rank == 0 && !fields_close(&w.out))
            status = 2;
        heho_hosts_clear(&w.x);
        free(w.speed);
    }
    polite_gather();
    MPI_Finalize();
    return what == CMDLINE_HELP ? 0 : status;
}
