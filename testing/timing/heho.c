#define _POSIX_C_SOURCE 200809L /* setenv, isatty */
#include "heho.h"
#include "heho_results.h"
#include "polite.h"
#include "tools/cmdline.h"
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
    heho_grid g;
    double *speed; /* [nhosts] */
} run;

static void
progress(const run *w, const hesca_job *job, const char *what)
{
    if (w->x.rank != 0 || !isatty(STDERR_FILENO))
        return;
    if (what != NULL)
        fprintf(stderr, "\rn = %d, nb = %d: %-20s", (int)job->n, job->nb,
                what);
    else
        fprintf(stderr, "\r%50s\r", "");
}

/* Process 0 decides, all learn it. */
static int
lay(run *w, const heho_case *way, const hesca_job *job)
{
    int ok = 1, shape[2] = {0, 0};
    if (w->x.rank == 0) {
        ok = way->lay(&w->x, &w->o, job, &w->g);
        shape[0] = w->g.nprow;
        shape[1] = w->g.npcol;
    }
    polite_share(shape, sizeof shape);
    polite_share(w->g.process, (size_t)w->x.nprocs * sizeof *w->g.process);
    w->g.nprow = shape[0];
    w->g.npcol = shape[1];
    return polite_all(ok);
}

/* Returns the exit status. */
static int
time_way(run *w, const heho_case *way, const hesca_job *job, double *plain)
{
    heho_timed t = {.seconds = 0};
    int status = 2;
    progress(w, job, way->name);
    if (lay(w, way, job) && heho_time(&w->x, w->r, &w->o, job, &w->g, &t)) {
        if (way == heho_cases)
            *plain = t.seconds;
        const heho_row row = {.x = &w->x,
                              .r = w->r,
                              .way = way,
                              .g = &w->g,
                              .t = &t,
                              .speed = w->speed,
                              .job = *job,
                              .runs = w->o.runs,
                              .plain = *plain};
        status = heho_is_right(&row) ? 0 : 1;
        progress(w, job, NULL);
        if (w->x.rank == 0) {
            heho_print_row(w->out.table, &row);
            if (w->o.is_profiling)
                heho_print_profile(w->out.table, &row);
            if (w->out.nrows == 0)
                fields_head(&w->out, &row);
            fields_row(&w->out, &row);
        }
    }
    free(t.used);
    return status;
}

static int
time_job(run *w, const hesca_job *job)
{
    const int order =
        (int)fmax(1, round((double)job->n / sqrt((double)w->x.nprocs)));
    double plain = 0;
    int status = 0;
    progress(w, job, "speeds");
    if (!heho_speeds(&w->x, w->r, order, w->speed))
        return 2;
    progress(w, job, NULL);
    if (w->x.rank == 0)
        heho_print_speeds(w->out.table, &w->x, w->r, job, order, w->speed);
    for (int c = 0; c < HEHO_CASES && status < 2; ++c) {
        if ((w->o.wanted >> c & 1) == 0)
            continue;
        const int one = time_way(w, heho_cases + c, job, &plain);
        status = one > status ? one : status;
    }
    return status;
}

static int
time_all(run *w)
{
    int status = 0;
    w->g.process = calloc((size_t)w->x.nprocs, sizeof *w->g.process);
    w->speed = calloc((size_t)w->x.nhosts, sizeof *w->speed);
    if (!polite_all(w->g.process != NULL && w->speed != NULL))
        return 2;
    heho_print_head(w->out.table, &w->x, w->r);
    for (int i = 0; i < w->o.nn; ++i)
        for (int k = 0; k < w->o.nnb && status < 2; ++k) {
            const hesca_job job = {w->r->id, w->o.n[i], (int)w->o.nb[k]};
            const int one = time_job(w, &job);
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
        free(w.g.process);
        free(w.speed);
    }
    heho_gather();
    MPI_Finalize();
    return what == CMDLINE_HELP ? 0 : status;
}
