/* SPDX-License-Identifier: BSD-3-Clause */
/* Ways to use the hosts, as a table: another way adds a row. */
#include "heho.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The most square grid of n places, no more rows than columns. */
static void
most_square(int n, int *nprow, int *npcol)
{
    int p = (int)sqrt((double)n);
    while (n % p != 0)
        --p;
    *nprow = p;
    *npcol = n / p;
}

/* As many processes of each host as it has cores. */
static int
list_one_per_core(const heho_hosts *x, int *process)
{
    int taken[HEHO_GRID_MAX] = {0}, n = 0;
    for (int r = 0; r < x->nprocs; ++r) {
        const int i = x->host[r];
        if (taken[i]++ < (int)x->machine.host[i].cores)
            process[n++] = r;
    }
    return n;
}

static int
lay_plain(const heho_hosts *x, const heho_options *o, const hesca_job *job,
          heho_grid *g)
{
    (void)job;
    const int n = list_one_per_core(x, g->process);
    g->nprow = o->plain[0];
    g->npcol = o->plain[1];
    if (g->nprow == 0)
        most_square(n, &g->nprow, &g->npcol);
    return g->nprow * g->npcol <= n ||
           cmdline_fail("--plain '%dx%d': there are %d processors", g->nprow,
                        g->npcol, n);
}

/* Where a grid has no shape yet, it gets that asked for. */
static int
choose_shape(const heho_hosts *x, const heho_options *o, heho_grid *g)
{
    g->nprow = o->grid[0];
    g->npcol = o->grid[1];
    if (g->nprow == 0)
        most_square(x->nprocs, &g->nprow, &g->npcol);
    return g->nprow * g->npcol <= x->nprocs ||
           cmdline_fail("--grid '%dx%d': there are %d processes", g->nprow,
                        g->npcol, x->nprocs);
}

/* The process at each place so that the least time is predicted. */
static int
lay_heho(const heho_hosts *x, const heho_options *o, const hesca_job *job,
         heho_grid *g)
{
    const int chosen = o->grid[0] == 0;
    if (!choose_shape(x, o, g))
        return 0;
    const int err =
        chosen ? hesca_place_shape(&x->machine, job, x->nprocs, x->host,
                                   &g->nprow, &g->npcol, g->process, NULL)
               : hesca_place_grid(&x->machine, job, x->nprocs, x->host,
                                  g->nprow, g->npcol, g->process, NULL);
    return err == HESCA_SUCCESS || cmdline_fail("%s", hesca_error_text());
}

/* The grid of HeHo, with processes as they come. */
static int
lay_unplaced(const heho_hosts *x, const heho_options *o, const hesca_job *job,
             heho_grid *g)
{
    if (!lay_heho(x, o, job, g))
        return 0;
    for (int r = 0; r < x->nprocs; ++r)
        g->process[r] = r;
    return 1;
}

static int
lay_map(const heho_hosts *x, const heho_options *o, const hesca_job *job,
        heho_grid *g)
{
    char used[HEHO_GRID_MAX] = {0};
    (void)job;
    if (!choose_shape(x, o, g))
        return 0;
    if (o->nmap != g->nprow * g->npcol)
        return cmdline_fail("--map names %d processes, the grid %dx%d wants "
                            "%d",
                            o->nmap, g->nprow, g->npcol, g->nprow * g->npcol);
    for (int k = 0; k < o->nmap; ++k) {
        g->process[k] = (int)o->map[k];
        if (o->map[k] >= x->nprocs || used[o->map[k]]++)
            return cmdline_fail("--map: process %d is %s", g->process[k],
                                o->map[k] < x->nprocs ? "named twice"
                                                      : "not there");
    }
    return 1;
}

static int
lay_lapack(const heho_hosts *x, const heho_options *o, const hesca_job *job,
           heho_grid *g)
{
    (void)x, (void)o, (void)job;
    g->nprow = g->npcol = 1;
    g->process[0] = 0;
    return 1;
}

const heho_case heho_cases[HEHO_CASES] = {
    {"plain", "one process for each processor, in order of ranks", lay_plain,
     "real", 0, 0},
    {"heho", "all processes, placed so that the least time is predicted",
     lay_heho, "real", 0, 0},
    {"unplaced", "the same grid, in order of ranks", lay_unplaced, "real", 0,
     0},
    {"hohe", "the grid of plain, HESCA computing in proportion to speed",
     lay_plain, "hohe", 0, 0},
    {"grid", "the grid of plain, ScaLAPACK computing on the best of grids",
     lay_plain, "grid", 0, 0},
    {"map", "the processes that --map names", lay_map, "real", 1, 0},
    {"auto", "the grid of plain, HESCA choosing the processes", lay_plain,
     "auto", 1, 0},
    {"lapack",
     "process 0 alone, LAPACK with a thread for each core of its host",
     lay_lapack, "real", 1, 1},
};
