/* SPDX-License-Identifier: BSD-3-Clause */
/* The predicted gain of a layout. */
#include "hohe/hohe.h"
#include "tools/lib/cmdline.h"
#include "tools/run/run.h"
#include <math.h>
#include <stdlib.h>

static int
failed(void)
{
    return cmdline_fail("%s", hesca_error_text());
}

/* Without a job there are no matrices, which fit on any host. */
static const hesca_machine *
machine_of(const run_layout *x)
{
    return x->has_job ? &x->machine : &x->endless;
}

static int
make_room(run_grid *g, int n)
{
    g->process = malloc((size_t)n * sizeof *g->process);
    g->host = malloc((size_t)n * sizeof *g->host);
    return (g->process != NULL && g->host != NULL) ||
           cmdline_fail("no memory for %d processes", n);
}

void
run_grid_clear(run_grid *g)
{
    free(g->process);
    free(g->host);
    *g = (run_grid){.nprow = 0};
}

int
run_grid_place(const run_options *o, const run_layout *x, run_grid *g)
{
    const hesca_machine *machine = machine_of(x);
    int err;
    if (!make_room(g, x->nprocs))
        return 0;
    g->nprow = o->grid.nprow;
    g->npcol = o->grid.npcol;
    if (g->nprow > 0)
        err = hesca_place_grid(machine, &x->job, x->nprocs, x->host, g->nprow,
                               g->npcol, g->process, &g->forecast);
    else
        err =
            hesca_place_shape(machine, &x->job, x->nprocs, x->host, &g->nprow,
                              &g->npcol, g->process, &g->forecast);
    if (err < 0)
        return failed();
    for (int k = 0; k < g->nprow * g->npcol; ++k)
        g->host[k] = x->host[g->process[k]];
    return 1;
}

/* ------------------------------------------------ without HESCA */

/* A process for each whole core that the layout uses, one at least of each
 * host in it.
 * \return their number. */
static int
list_plain(const run_layout *x, int *host)
{
    int n = 0;
    for (int i = 0; i < x->machine.nhosts; ++i) {
        const double cores = x->machine.host[i].cores;
        for (int k = 0; k < x->count[i] && (k == 0 || k + 1 <= cores); ++k)
            host[n++] = i;
    }
    return n;
}

/* Best over all numbers of rows, each with the largest number of columns; none
 * if the matrices fit in no shape. */
static int
find_shape(const run_layout *x, int n, run_grid *g)
{
    for (int nprow = 1; nprow <= n; ++nprow) {
        hesca_forecast forecast;
        const int err = hesca_forecast_make(machine_of(x), &x->job, nprow,
                                            n / nprow, g->host, &forecast);
        if (err == HESCA_ERR_NOMEM)
            return failed();
        if (err < 0)
            continue;
        if (g->nprow > 0 && forecast.seconds >= g->forecast.seconds)
            continue;
        g->nprow = nprow;
        g->npcol = n / nprow;
        g->forecast = forecast;
    }
    return 1;
}

int
run_grid_plain(const run_options *o, const run_layout *x, run_grid *g)
{
    if (!make_room(g, x->nprocs))
        return 0;
    const int n = list_plain(x, g->host);
    for (int k = 0; k < n; ++k)
        g->process[k] = k;
    if (o->plain.nprow == 0)
        return find_shape(x, n, g);
    const long long places = (long long)o->plain.nprow * o->plain.npcol;
    if (places > n)
        return cmdline_fail("--plain %dx%d has %lld places, for %d processes, "
                            "one per core",
                            o->plain.nprow, o->plain.npcol, places, n);
    g->nprow = o->plain.nprow;
    g->npcol = o->plain.npcol;
    if (hesca_forecast_make(machine_of(x), &x->job, g->nprow, g->npcol,
                            g->host, &g->forecast) < 0)
        return failed();
    return 1;
}

/* ------------------------------------------------ with HESCA */

/* Beyond, predictions of shares take too long. */
enum { SHARES_MOST = 64 };

int
run_grid_may_share(const run_layout *x, int nprocs)
{
    return x->computes && nprocs <= SHARES_MOST;
}

/* By the way that calls of the job take, or may take once they have been
 * measured; 0: as called.
 * \param [in] host  Of the place, row by row. */
static double
shared(const run_layout *x, run_shape g, const int *host, int may,
       int *by_speed)
{
    const int nb = x->job.nb;
    const int64_t n = x->job.n;
    const hesca_hohe_job job = {.routine = x->job.routine,
                                .type = HESCA_D,
                                .m = n,
                                .n = n,
                                .k = n,
                                .reads = x->job.routine != HESCA_ROUTINE_GEMM,
                                .home = {.nprow = g.nprow,
                                         .npcol = g.npcol,
                                         .m = n,
                                         .n = n,
                                         .mb = nb,
                                         .nb = nb}};
    hesca_hohe_forecast f;
    *by_speed = 0;
    if (!run_grid_may_share(x, g.nprow * g.npcol) ||
        hesca_hohe_predict(machine_of(x), host, &job, &f) < 0)
        return 0;
    if (may)
        f.hohe_margin = f.hohe_first = 0;
    const hesca_way way = hesca_hohe_best(&f);
    *by_speed = way == HESCA_WAY_HOHE && f.power > 0;
    return way == HESCA_WAY_HOHE ? f.hohe : way == HESCA_WAY_GRID ? f.grid : 0;
}

double
run_grid_in_order(const run_layout *x, run_shape grid, const int *host)
{
    hesca_forecast forecast;
    return hesca_forecast_make(machine_of(x), &x->job, grid.nprow, grid.npcol,
                               host, &forecast) == HESCA_SUCCESS
               ? forecast.seconds
               : INFINITY;
}

run_shape
run_grid_square(int nprocs)
{
    int nprow = 1;
    while ((nprow + 1) * (nprow + 1) <= nprocs)
        ++nprow;
    return (run_shape){nprow, nprocs / nprow};
}

double
run_grid_seconds(const run_layout *x, run_shape grid, int nprocs,
                 const int *host, int may, int *by_speed)
{
    hesca_forecast forecast;
    run_grid g = {.nprow = grid.nprow, .npcol = grid.npcol};
    double seconds = 0, other = 0;
    *by_speed = 0;
    if (make_room(&g, nprocs) &&
        hesca_place_grid(machine_of(x), &x->job, nprocs, host, g.nprow,
                         g.npcol, g.process, &forecast) == HESCA_SUCCESS) {
        seconds = forecast.seconds;
        for (int k = 0; k < g.nprow * g.npcol; ++k)
            g.host[k] = host[g.process[k]];
        other = shared(x, grid, g.host, may, by_speed);
    }
    run_grid_clear(&g);
    return other > 0 ? other : seconds;
}

/* ------------------------------------------------ host by host */

/* Operations per second of all cores of a host; 0: it has no process. */
static double
speed_of(const run_layout *x, int host)
{
    return x->count[host] > 0
               ? x->machine.host[host].cores *
                     hesca_job_speed(&x->machine, &x->job, host, x->nprocs)
               : 0;
}

run_part
run_part_of(const run_options *o, const run_layout *x, const run_grid *g,
            int host)
{
    run_part part = {.places = 0};
    double all = 0;
    const int n = g->nprow * g->npcol;
    for (int k = 0; k < n; ++k)
        part.places += g->host[k] == host;
    for (int i = 0; i < x->machine.nhosts; ++i)
        all += speed_of(x, i);
    part.work = (double)part.places / n;
    part.speed = all > 0 ? speed_of(x, host) / all : 0;
    part.bytes = run_layout_bytes(o, x, host, part.work);
    return part;
}
