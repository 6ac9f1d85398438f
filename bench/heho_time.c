/* SPDX-License-Identifier: BSD-3-Clause */
#define _GNU_SOURCE /* setenv, RTLD_DEFAULT */
#include "base/sort.h"
#include "blas.h"
#include "heho.h"
#include <dlfcn.h>
#include <math.h>
#include <mpi.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* BLACS, which ships no header. */
void Cblacs_get(hesca_int ictxt, hesca_int what, hesca_int *value);
void Cblacs_gridmap(hesca_int *ictxt, hesca_int *usermap, hesca_int ldumap,
                    hesca_int nprow, hesca_int npcol);
void Cblacs_gridexit(hesca_int ictxt);

/* Its context. */
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

int
heho_timed_open(const heho_hosts *x, int runs, heho_timed *t)
{
    hesca_int *map =
        calloc((size_t)t->g.nprow * (size_t)t->g.npcol, sizeof *map);
    t->ctxt = -1;
    t->is_inside = is_inside(&t->g, x->rank);
    t->used = calloc((size_t)x->nprocs, sizeof *t->used);
    t->run = calloc((size_t)runs, sizeof *t->run);
    const int ok = yield_all(map != NULL && t->used != NULL && t->run != NULL);
    if (ok)
        t->ctxt = make_grid(&t->g, map);
    else if (x->rank == 0)
        cmdline_fail("no memory for a grid");
    free(map);
    return ok;
}

void
heho_timed_close(heho_timed *t)
{
    if (t->is_inside && t->ctxt >= 0)
        Cblacs_gridexit(t->ctxt);
    free(t->used);
    free(t->run);
    free(t->g.process);
    *t = (heho_timed){.ctxt = -1};
}

/* ----- one run ----- */

/* Since the program started; activities count from now on. */
static heho_used
used_now(void)
{
    hesca_activity_begin();
    return (heho_used){
        .wall = yield_clock(), .cpu = bench_cpu(), .blas_cpu = blas_seconds()};
}

static heho_used
since(const heho_used *from)
{
    heho_used used = {.wall = yield_clock() - from->wall,
                      .cpu = bench_cpu() - from->cpu,
                      .blas_cpu = blas_seconds() - from->blas_cpu};
    hesca_activity_end(used.spent);
    double sum = 0; /* of all but the rest, so that all is the wall time */
    for (int k = 0; k < HESCA_ACTIVITIES; ++k)
        sum += k != HESCA_ACTIVITY_REST ? used.spent[k] : 0;
    used.spent[HESCA_ACTIVITY_REST] = fmax(0, used.wall - sum);
    return used;
}

/* Of OpenBLAS; another BLAS has those that it has.  Threads that have nothing
 * to do any more spin for a while. */
static void
set_threads(int n)
{
    const struct timespec spin = {.tv_nsec = 100000000};
    void (*set)(int) = NULL;
    void *found = dlsym(RTLD_DEFAULT, "openblas_set_num_threads");
    memcpy(&set, &found, sizeof found);
    if (set != NULL)
        set(n);
    nanosleep(&spin, NULL);
}

/* From when all are ready. */
static int
run_once(const heho_hosts *x, const heho_routine *r, heho_task *task, int k,
         heho_timed *t)
{
    const int is_lapack = t->way->is_lapack && t->is_inside;
    int info = 0;
    setenv(r->variable, t->way->compute, 1);
    if (is_lapack)
        set_threads((int)x->machine.host[x->host[x->rank]].cores);
    if (t->is_inside)
        r->fill(task);
    yield_long_barrier();
    yield_barrier();
    if (t->is_inside) {
        const heho_used from = used_now();
        info = is_lapack ? r->lapack(task) : r->run(task);
        t->run[k] = since(&from);
    }
    if (is_lapack)
        set_threads(1);
    yield_long_barrier();
    return info;
}

int
heho_timed_run(const heho_hosts *x, const heho_routine *r,
               const hesca_job *job, int k, int runs, heho_timed *t)
{
    heho_task task = {.n = 0};
    int info = 0, ok = 1;
    if (t->is_inside)
        ok = heho_task_open(&task, (int)job->n, job->nb, t->ctxt);
    ok = yield_all(ok);
    if (!ok && x->rank == 0)
        cmdline_fail("no memory for matrices of order %d", (int)job->n);
    if (ok) {
        info = run_once(x, r, &task, k, t);
        yield_allreduce(&info, 1, MPI_INT, MPI_MAX);
        if (info != 0 && x->rank == 0)
            cmdline_fail("%s: INFO is %d", r->name, info);
    }
    ok = ok && info == 0;
    if (ok && k == runs - 1) {
        t->residual = t->is_inside ? r->residual(&task) : 0;
        yield_long_barrier();
        yield_allreduce(&t->residual, 1, MPI_DOUBLE, MPI_MAX);
    }
    heho_task_close(&task);
    return ok;
}

void
heho_timed_settle(const heho_hosts *x, int runs, heho_timed *t)
{
    double slowest[HEHO_RUNS_MAX], sorted[HEHO_RUNS_MAX], ends[2];
    int middle = 0;
    for (int k = 0; k < runs; ++k)
        slowest[k] = t->run[k].wall;
    yield_allreduce(slowest, runs, MPI_DOUBLE, MPI_MAX);
    memcpy(sorted, slowest, sizeof sorted);
    t->seconds = hesca_median(sorted, runs, ends);
    t->first = slowest[0];
    for (int k = 1; k < runs; ++k)
        if (fabs(slowest[k] - t->seconds) < fabs(slowest[middle] - t->seconds))
            middle = k;
    memset(t->used, 0, (size_t)x->nprocs * sizeof *t->used);
    t->used[x->rank] = t->run[middle];
    yield_allreduce(t->used,
                    x->nprocs * (int)(sizeof *t->used / sizeof(double)),
                    MPI_DOUBLE, MPI_MAX);
}
