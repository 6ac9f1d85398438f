/* SPDX-License-Identifier: BSD-3-Clause */
/* The least time of a way: hesca_bound_make() for the layout on which it
 * computes, and for what the hosts can do at most. */
#include "heho.h"
#include <math.h>
#include <string.h>

/* Columns of a panel of HESCA's factorizations, at most. */
enum { WIDEST = 64 };

/* The machine with speeds of dgemm, copies inside hosts as fast as in the
 * cache, and messages that take no time where links are not known. */
static int
make_machine(const heho_row *row, hesca_machine *m)
{
    const int n = row->x->nhosts;
    int err = hesca_machine_copy(&row->x->machine, m);
    for (int i = 0; err == HESCA_SUCCESS && i < n; ++i) {
        hesca_speed *speed = NULL;
        err = hesca_speed_create_constant(row->speed[i].product, INFINITY,
                                          &speed);
        if (err == HESCA_SUCCESS)
            err = hesca_machine_set_speed(m, i, "dgemm", speed);
        hesca_speed_free(speed);
        for (int j = 0; j < n && !row->x->has_file; ++j)
            m->wire[i * n + j].rate = INFINITY;
        double *inside = &m->wire[i * n + i].rate;
        *inside = row->x->has_file ? fmax(*inside, row->speed[i].copy)
                                   : row->speed[i].copy;
    }
    return err;
}

/* As HESCA cuts by a power of speed, where it does so: shares of processes
 * beside each other are those of their part of the cores. */
static int
cut(const heho_row *row, double power, const int *host,
    const hesca_layout *home, hesca_gblock **g)
{
    const int n = row->t->g.nprow * row->t->g.npcol;
    double speed[HEHO_GRID_MAX];
    for (int k = 0; k < n; ++k) {
        int beside = 0;
        for (int l = 0; l < n; ++l)
            beside += host[l] == host[k];
        speed[k] =
            pow(row->speed[host[k]].kernel *
                    fmin(1, row->x->machine.host[host[k]].cores / beside),
                power);
    }
    return hesca_gblock_near(home, speed, 0, 0, NULL, g);
}

int
heho_bound(heho_row *row)
{
    const heho_grid *g = &row->t->g;
    const char *way = row->t->way->compute;
    hesca_job job = row->job;
    hesca_machine m = {.nhosts = 0};
    hesca_layout *home = NULL;
    hesca_gblock *shares = NULL;
    hesca_hohe_forecast forecast = {.hohe_nprow = 0};
    const int is_hohe = strcmp(way, "hohe") == 0;
    int host[HEHO_GRID_MAX];
    int err = hesca_layout_create_cyclic(job.n, job.n, job.nb, job.nb, 0, 0,
                                         g->nprow, g->npcol, NULL, &home);
    const hesca_layout *layout = home;
    for (int k = 0; k < g->nprow * g->npcol; ++k)
        host[k] = row->x->host[g->process[k]];
    if (err == HESCA_SUCCESS)
        err = make_machine(row, &m);
    if (is_hohe)
        forecast = heho_predict(row);
    if (err == HESCA_SUCCESS && is_hohe) {
        err = cut(row, forecast.power, host, home, &shares);
        layout = shares != NULL ? hesca_gblock_layout(shares) : home;
    }
    job.nb = job.nb > WIDEST ? job.nb : WIDEST;
    if (err == HESCA_SUCCESS)
        err = hesca_bound_make(layout, home, &job, &m, host, &row->bound);
    if (row->r->solves || strcmp(way, "grid") == 0 ||
        strcmp(way, "auto") == 0 || forecast.hohe_nprow > 0)
        row->bound = (hesca_bound){.seconds = row->bound.ideal,
                                   .ideal = row->bound.ideal,
                                   .compute = row->bound.ideal};
    /* One process with threads on all cores of its host. */
    if (row->t->way->is_lapack) {
        row->bound.ideal /= row->x->machine.host[host[0]].cores;
        row->bound.seconds = row->bound.compute = row->bound.ideal;
    }
    hesca_machine_clear(&m);
    hesca_layout_free(home);
    hesca_gblock_free(shares);
    return err == HESCA_SUCCESS || cmdline_fail("%s", hesca_error_text());
}
