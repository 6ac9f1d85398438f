/* SPDX-License-Identifier: BSD-3-Clause */
/* Made-up figures of a run of any number of processes, for tests of the page
 * that shows them. */
#ifndef HESCA_TESTING_FIGURES_H
#define HESCA_TESTING_FIGURES_H

#include "shim/page/page.h"
#include "testing/check.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What a hostile program or host may be called. */
static const char odd_name[] = "<script>alert(\"1\")</script>&amp;'\x01\xff";

typedef struct {
    hesca_page page;
    hesca_page_routine routine[4];
    hesca_page_reason reason[4];
    hesca_page_setting setting[4];
    hesca_page_process *process;
    hesca_page_host *host;
    double *sent, *rate, *startup, *sample_at, *sample;
} figures;

static inline double
draw(void)
{
    return check_uniform(0, 1000) / 1000.0;
}

static inline void
make_routines(figures *f)
{
    f->routine[0] = (hesca_page_routine){.name = "pdgemm",
                                         .calls = {2, 12, 3},
                                         .seconds = {1.25, 20.5, 5.6},
                                         .cached = 13,
                                         .measured = 26.1,
                                         .predicted = 25.4,
                                         .original = 47.9,
                                         .both = 4,
                                         .both_other = 8.1,
                                         .both_original = 15.2};
    f->routine[1] = (hesca_page_routine){.name = "pdgesv",
                                         .calls = {0, 5, 0},
                                         .seconds = {0, 6.5, 0},
                                         .cached = 4,
                                         .measured = 6.5,
                                         .predicted = 3.9,
                                         .original = 11.2,
                                         .small_calls = 5,
                                         .small_seconds = 6.5};
    f->routine[2] = (hesca_page_routine){.name = "pdsyevd",
                                         .calls = {40, 0, 0},
                                         .seconds = {9.5, 0, 0},
                                         .grid_original = 0.24,
                                         .grid_other = 0.18,
                                         .nprow = 2,
                                         .npcol = 3};
    f->routine[3] = (hesca_page_routine){.name = "pdgemr2d",
                                         .calls = {0, 1250, 0},
                                         .seconds = {0, 2.75, 0},
                                         .cached = 1240,
                                         .copied = 8.19e9,
                                         .moved = 4.1e9};
    f->reason[0] = (hesca_page_reason){
        "pdgemm", "nothing to compute, or arguments that HESCA does not serve",
        1};
    f->reason[1] = (hesca_page_reason){
        "pdgemm", "no machine is known (HESCA_MACHINE)", 1};
    f->reason[2] = (hesca_page_reason){
        "pdsyevd", "predicted 0.24 s as called, 0.18 s on a 2x3 grid", 40};
    snprintf(f->reason[3].name, sizeof f->reason[3].name, "p<b>");
    snprintf(f->reason[3].why, sizeof f->reason[3].why, "%s", odd_name);
    f->reason[3].calls = 1;
    f->page.routine = f->routine;
    f->page.nroutines = 4;
    f->page.reason = f->reason;
    f->page.nreasons = 4;
}

/* Hosts of different speeds, with nprocs / nhosts processes each. */
static inline void
make_machine(figures *f, int nprocs, int nhosts)
{
    const size_t pairs = (size_t)nhosts * (size_t)nhosts;
    f->host = calloc((size_t)nhosts, sizeof *f->host);
    f->sent = calloc(pairs, sizeof *f->sent);
    f->rate = calloc(pairs, sizeof *f->rate);
    f->startup = calloc(pairs, sizeof *f->startup);
    for (int h = 0; h < nhosts; ++h) {
        snprintf(f->host[h].name, sizeof f->host[h].name, "node%02d", h);
        f->host[h].speed = 1 + h % 4 * 0.65;
        f->host[h].cores = (nprocs + nhosts - 1) / nhosts;
        f->host[h].memory = h % 3 == 2 ? 0 : 8e9 * (1 + h % 2);
    }
    if (nhosts > 1)
        snprintf(f->host[nhosts - 1].name, sizeof f->host[0].name, "%s",
                 odd_name);
    for (size_t k = 0; k < pairs; ++k) {
        const size_t apart = k / (size_t)nhosts > k % (size_t)nhosts
                                 ? k / (size_t)nhosts - k % (size_t)nhosts
                                 : k % (size_t)nhosts - k / (size_t)nhosts;
        f->sent[k] = apart % 3 == 2 ? 0 : 1e9 * draw() / (double)(1 + apart);
        f->rate[k] = apart == 0 ? 5e9 : 1.2e8 * (1 + draw());
        f->startup[k] = 2e-5 + 1e-5 * draw();
    }
    f->page.nhosts = nhosts;
    f->page.host = f->host;
    f->page.sent = f->sent;
    f->page.rate = f->rate;
    f->page.startup = f->startup;
    f->page.machine_known = 1;
}

static inline void
make_processes(figures *f, int nprocs, int nhosts)
{
    f->process = calloc((size_t)nprocs, sizeof *f->process);
    for (int k = 0; k < nprocs; ++k) {
        hesca_page_process *x = &f->process[k];
        const int h = (int)((long long)k * nhosts / nprocs);
        x->is_present = 1;
        x->host = h;
        x->seconds[HESCA_PAGE_COMPUTING] = 14 + 6 * draw();
        x->seconds[HESCA_PAGE_COPYING] = 1 + draw();
        x->seconds[HESCA_PAGE_WAITING] = 2 + 3 * draw();
        x->seconds[HESCA_PAGE_SCALAPACK] = 8 / f->host[h].speed;
        x->seconds[HESCA_PAGE_SCALAPACK_WAITING] =
            8 - 8 / f->host[h].speed + draw();
        x->total = 61.5;
        x->elements = 1e7 * f->host[h].speed;
    }
    f->page.nprocs = nprocs;
    f->page.process = f->process;
}

static inline void
make_samples(figures *f, int nprocs)
{
    enum { SAMPLES = 9 };
    f->sample_at = calloc(SAMPLES, sizeof *f->sample_at);
    f->sample = calloc((size_t)(SAMPLES * nprocs), sizeof *f->sample);
    for (int s = 0; s < SAMPLES; ++s) {
        f->sample_at[s] = 61.5 * s / SAMPLES;
        for (int k = 0; k < nprocs; ++k) {
            const double speed = f->host[f->process[k].host].speed;
            f->sample[s * nprocs + k] =
                s == 0 ? speed : speed * (0.8 + 0.3 * draw());
        }
    }
    f->page.nsamples = SAMPLES;
    f->page.nspeeds = nprocs;
    f->page.sample_at = f->sample_at;
    f->page.sample = f->sample;
}

static inline void
make_settings(figures *f)
{
    static const char *const set[][2] = {
        {"HESCA_REPORT", "report.html"},
        {"HESCA_MACHINE", "/home/user/a & b/cluster.machine"},
        {"HESCA_VERBOSE", odd_name},
        {"MPI", "MPICH 4.0.2"}};
    for (int k = 0; k < 4; ++k) {
        snprintf(f->setting[k].name, sizeof f->setting[k].name, "%s",
                 set[k][0]);
        snprintf(f->setting[k].value, sizeof f->setting[k].value, "%s",
                 set[k][1]);
    }
    f->page.nsettings = 4;
    f->page.setting = f->setting;
}

/* A run; the last host and a setting have odd names. */
static inline void
make_figures(figures *f, int nprocs, int nhosts)
{
    memset(f, 0, sizeof *f);
    f->page.program = "app";
    f->page.date = "2026-01-31 12:00:00";
    f->page.version = "0.1.0";
    f->page.seconds = 61.5;
    f->page.load = 2;
    f->page.waits_known = 1;
    f->page.is_last = 1;
    f->page.grids_placed = 1;
    f->page.grids_seconds = 3.1;
    f->page.grids_unplaced = 4.4;
    make_routines(f);
    make_machine(f, nprocs, nhosts);
    make_processes(f, nprocs, nhosts);
    make_samples(f, nprocs);
    make_settings(f);
}

static inline void
free_figures(figures *f)
{
    free(f->process);
    free(f->host);
    free(f->sent);
    free(f->rate);
    free(f->startup);
    free(f->sample_at);
    free(f->sample);
}

#endif
