#define _POSIX_C_SOURCE 200809L /* nanosleep */
#include "heho.h"
#include "polite.h"
#include "tools/cmdline.h"
#include "tools/sort.h"
#include <math.h>
#include <mpi.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { RUNS_MAX = 101 };

/* BLACS, which ships no header. */
void Cblacs_get(hesca_int ictxt, hesca_int what, hesca_int *value);
void Cblacs_gridmap(hesca_int *ictxt, hesca_int *usermap, hesca_int ldumap,
                    hesca_int nprow, hesca_int npcol);
void Cblacs_gridexit(hesca_int ictxt);

/* Those who have nothing to do look rarely: a look costs those who work. */
void
heho_gather(void)
{
    const struct timespec nap = {0, 3000000};
    MPI_Request request;
    int done = 0;
    MPI_Ibarrier(MPI_COMM_WORLD, &request);
    for (;;) {
        MPI_Test(&request, &done, MPI_STATUS_IGNORE);
        if (done)
            return;
        nanosleep(&nap, NULL);
    }
}

/* Its context, -1 outside. */
static hesca_int
make_grid(const heho_grid *g, hesca_int *map)
{
    hesca_int ctxt;
    for (int p = 0; p < g->nprow; ++p)
        for (int q = 0; q < g->npcol; ++q)
            map[p + q * g->nprow] = g->process[p * g->npcol + q];
    Cblacs_get(0, 0, &ctxt);
    Cblacs_gridmap(&ctxt, map, g->nprow, g->nprow, g->npcol);
    return ctxt;
}

static int
is_inside(const heho_grid *g, int rank)
{
    for (int k = 0; k < g->nprow * g->npcol; ++k)
        if (g->process[k] == rank)
            return 1;
    return 0;
}

static heho_used
since(const heho_used *from)
{
    const heho_used to = heho_used_now();
    return (heho_used){.wall = to.wall - from->wall,
                       .cpu = to.cpu - from->cpu,
                       .blas = to.blas - from->blas,
                       .blas_cpu = to.blas_cpu - from->blas_cpu};
}

/* One run, from when all are ready; used is 0 outside the grid. */
static int
run_once(const heho_routine *r, int inside, heho_task *t, heho_used *used)
{
    int info = 0;
    if (inside)
        r->fill(t);
    heho_gather();
    polite_line_up();
    *used = (heho_used){.wall = 0};
    if (inside) {
        const heho_used from = heho_used_now();
        info = r->run(t);
        *used = since(&from);
    }
    heho_gather();
    return info;
}

/* Of the runs, the one of the median: times of its processes. */
static void
settle(const heho_hosts *x, int runs, const heho_used *used, heho_timed *t)
{
    double slowest[RUNS_MAX], sorted[RUNS_MAX], ends[2];
    int middle = 0;
    for (int k = 0; k < runs; ++k)
        slowest[k] = used[k].wall;
    polite_combine(slowest, runs, MPI_DOUBLE, MPI_MAX);
    memcpy(sorted, slowest, sizeof sorted);
    t->seconds = sort_median(sorted, runs, ends);
    for (int k = 1; k < runs; ++k)
        if (fabs(slowest[k] - t->seconds) < fabs(slowest[middle] - t->seconds))
            middle = k;
    memset(t->used, 0, (size_t)x->nprocs * sizeof *t->used);
    t->used[x->rank] = used[middle];
    polite_combine(t->used, 4 * x->nprocs, MPI_DOUBLE, MPI_MAX);
}

static int
time_runs(const heho_hosts *x, const heho_routine *r, int runs, int inside,
          heho_task *task, heho_timed *t)
{
    heho_used used[RUNS_MAX];
    int info = 0;
    for (int k = 0; k < runs && info == 0; ++k) {
        info = run_once(r, inside, task, used + k);
        polite_combine(&info, 1, MPI_INT, MPI_MAX);
    }
    if (info != 0) {
        if (x->rank == 0)
            cmdline_fail("%s: INFO is %d", r->name, info);
        return 0;
    }
    settle(x, runs, used, t);
    t->residual = inside ? r->residual(task) : 0;
    heho_gather();
    polite_combine(&t->residual, 1, MPI_DOUBLE, MPI_MAX);
    return 1;
}

int
heho_time(const heho_hosts *x, const heho_routine *r, const heho_options *o,
          const hesca_job *job, const heho_grid *g, heho_timed *t)
{
    heho_task task = {.n = 0};
    const size_t places = (size_t)g->nprow * (size_t)g->npcol;
    hesca_int *map = calloc(places, sizeof *map);
    t->used = calloc((size_t)x->nprocs, sizeof *t->used);
    int ok = polite_all(map != NULL && t->used != NULL);
    if (ok) {
        const int inside = is_inside(g, x->rank);
        const hesca_int ctxt = make_grid(g, map);
        ok = polite_all(!inside ||
                        heho_task_open(&task, (int)job->n, job->nb, ctxt));
        if (!ok && x->rank == 0)
            cmdline_fail("no memory for matrices of order %d", (int)job->n);
        ok = ok && time_runs(x, r, o->runs, inside, &task, t);
        if (inside) {
            heho_task_close(&task);
            Cblacs_gridexit(ctxt);
        }
    }
    free(map);
    return ok;
}
