/* SPDX-License-Identifier: BSD-3-Clause */
/* The number of processes on each host. */
#define _XOPEN_SOURCE 700 /* realpath, gethostname */
#include "machine/topology.h"
#include "tools/lib/cmdline.h"
#include "tools/lib/cores.h"
#include "tools/lib/launcher.h"
#include "tools/lib/memory.h"
#include "tools/run/run.h"
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int
failed(void)
{
    return cmdline_fail("%s", hesca_error_text());
}

static int
no_memory(void)
{
    return cmdline_fail("no memory left");
}

/* ------------------------------------------------ the machine
 * The machine has at least one host. */

/* Read the file of --vpm. */
static int
read_vpm(const run_options *o, run_layout *x)
{
    return o->vpm == NULL ||
           hesca_vpm_read(o->vpm, &x->vpm, &x->nvpm) == HESCA_SUCCESS ||
           failed();
}

/* A machine of the hosts of a VPM file. */
static int
take_vpm_hosts(run_layout *x)
{
    hesca_machine *m = &x->machine;
    const char **name = malloc((size_t)x->nvpm * sizeof *name);
    if (name == NULL)
        return no_memory();
    for (int k = 0; k < x->nvpm; ++k)
        name[k] = x->vpm[k].name;
    const int err = hesca_machine_set_hosts(m, x->nvpm, name);
    for (int k = 0; err == HESCA_SUCCESS && k < x->nvpm; ++k)
        m->host[k].cores = x->vpm[k].nprocessors > 0 ? x->vpm[k].nprocessors
                                                     : x->vpm[k].nprocs;
    free(name);
    x->is_named = 1;
    return err == HESCA_SUCCESS || failed();
}

/* The numbers of a VPM file, for hosts of the machine. */
static int
count_vpm(const run_options *o, run_layout *x)
{
    for (int k = 0; k < x->nvpm; ++k) {
        const int i = hesca_machine_find_host(&x->machine, x->vpm[k].name);
        if (i < 0)
            return cmdline_fail("%s: host %s is not in the machine file",
                                o->vpm, x->vpm[k].name);
        x->count[i] += x->vpm[k].nprocs;
    }
    return 1;
}

/* A machine of this host only. */
static int
take_this_host(hesca_machine *machine)
{
    char host[HESCA_HOST_MAX] = "";
    const char *name = host;
    if (gethostname(host, sizeof host - 1) != 0 || host[0] == '\0')
        strcpy(host, "localhost");
    if (hesca_machine_set_hosts(machine, 1, &name) < 0)
        return failed();
    machine->host[0].cores = cores_mine();
    machine->host[0].memory = memory_available();
    return 1;
}

/* Without a machine file: hosts that are listed are measured. */
static int
take_hosts(run_options *o, run_layout *x)
{
    if (o->hosts != NULL) {
        if (!run_hosts_given(o->hosts, &x->hosts))
            return 0;
    } else if (run_hosts_may_be_found() &&
               !(run_command_launcher(o) &&
                 run_hosts_found((launcher_kind)o->launcher, &x->hosts))) {
        return 0;
    }
    if (x->hosts.n == 0) {
        strcpy(x->source, "this host; HESCA_MACHINE is not set");
        return take_this_host(&x->machine);
    }
    x->is_named = 1;
    return run_survey(o, x);
}

static int
take_machine(run_options *o, const hesca_params *params, run_layout *x)
{
    const char *path = o->machine != NULL ? o->machine
                       : o->hosts != NULL ? ""
                                          : params->machine;
    x->machine = hesca_machine_default();
    if (path[0] == '\0')
        return x->nvpm > 0 ? take_vpm_hosts(x) : take_hosts(o, x);
    if (hesca_machine_read(path, &x->machine) < 0)
        return failed();
    if ((x->path = realpath(path, NULL)) == NULL)
        return cmdline_fail("%s: %s", path, strerror(errno));
    if (strlen(x->path) >= HESCA_PATH_MAX)
        return cmdline_fail(
            "%s: a path given to processes must be shorter than "
            "%d bytes only",
            x->path, HESCA_PATH_MAX);
    snprintf(x->source, sizeof x->source, "%s", x->path);
    x->is_named = x->machine.nhosts > 0;
    return x->is_named || take_this_host(&x->machine);
}

/* The name under which the program keeps what it calls. */
static void
name_program(const run_options *o, const hesca_params *params, run_layout *x)
{
    char room[PATH_MAX], real[PATH_MAX];
    const char *path =
        o->program[0] == NULL ? NULL : program_find(o->program[0], room);
    if (params->program[0] != '\0')
        strcpy(x->program, params->program);
    else if (path != NULL && realpath(path, real) != NULL &&
             strlen(real) < sizeof x->program)
        strcpy(x->program, real);
}

/* What the program called in its last run counts where the user says nothing.
 */
static void
take_last_run(run_options *o, const hesca_params *params, run_layout *x)
{
    hesca_program last;
    if (x->program[0] == '\0' || params->learn == HESCA_LEARN_OFF ||
        !hesca_program_read(x->program, &last))
        return;
    if (!x->has_job) {
        x->job = last.job;
        x->knows_job = 1;
    }
    if (o->grid.nprow == 0) {
        o->grid = (run_shape){last.nprow, last.npcol};
        o->grid_is_learnt = 1;
    }
}

/* Whether HESCA_GEMM and the like let HESCA compute the job. */
static int
may_compute(const run_options *o, const hesca_params *params,
            hesca_routine routine)
{
    static const char *const name[] = {"gemm", "potrf", "getrf"};
    const hesca_compute by[] = {params->gemm, params->potrf, params->getrf};
    return o->preload && routine <= HESCA_ROUTINE_GESV &&
           by[routine] != HESCA_COMPUTE_ORIGINAL &&
           by[routine] != HESCA_COMPUTE_GRID &&
           !hesca_params_disabled(params, name[routine]);
}

static void
take_job(run_options *o, const hesca_params *params, run_layout *x)
{
    hesca_routine_find(params->job_routine, &x->job.routine);
    x->job.n = o->order > 0 ? o->order : params->job_order;
    x->job.nb = o->block > 0 ? o->block : params->job_block;
    if (o->routine >= 0)
        x->job.routine = (hesca_routine)o->routine;
    x->has_job = x->knows_job = o->has_job || !params->find_job;
    name_program(o, params, x);
    take_last_run(o, params, x);
    x->computes = may_compute(o, params, x->job.routine);
}

static int
make_endless(run_layout *x)
{
    x->endless = hesca_machine_default();
    if (hesca_machine_copy(&x->machine, &x->endless) < 0)
        return no_memory();
    for (int i = 0; i < x->endless.nhosts; ++i)
        x->endless.host[i].memory = 0;
    return 1;
}

/* ------------------------------------------------ processes
 * Messages about hosts do not change the counts. */

double
run_layout_bytes(const run_options *o, const run_layout *x, int host,
                 double part)
{
    return x->count[host] * o->limits.bytes +
           (x->has_job ? part * hesca_job_bytes(&x->job) : 0);
}

static int
total(const run_layout *x)
{
    int sum = 0;
    for (int i = 0; i < x->machine.nhosts; ++i)
        sum += x->count[i];
    return sum;
}

/* Report hosts that have fewer processes than they would have with more
 * memory. */
static int
report_bounded(const run_options *o, const run_layout *x)
{
    int *count = calloc((size_t)x->machine.nhosts, sizeof *count);
    if (count == NULL)
        return no_memory();
    if (hesca_place_counts(&x->endless, x->has_job ? &x->job : NULL,
                           &o->limits, count) == HESCA_SUCCESS)
        for (int i = 0; i < x->machine.nhosts; ++i)
            if (x->count[i] < count[i])
                cmdline_fail("host %s gets %d instead of %d processes: it has "
                             "memory for %.3g GB only",
                             x->machine.host[i].name, x->count[i], count[i],
                             1e-9 * x->machine.host[i].memory);
    free(count);
    return 1;
}

/* Numbers given by the user are used, with a warning if memory is
 * insufficient. */
static void
report_overfull(const run_options *o, const run_layout *x)
{
    const int n = total(x);
    for (int i = 0; i < x->machine.nhosts; ++i) {
        const hesca_host *host = &x->machine.host[i];
        const double bytes =
            run_layout_bytes(o, x, i, (double)x->count[i] / n);
        if (host->memory > 0 && bytes > host->memory)
            cmdline_fail("host %s has memory for %.3g GB, its %d processes "
                         "need %.3g GB",
                         host->name, 1e-9 * host->memory, x->count[i],
                         1e-9 * bytes);
    }
}

/* Report hosts that are omitted because of the models of their kernels. */
static void
report_limited(const run_layout *x)
{
    const int n = x->machine.nhosts;
    for (int i = 0; i < n && x->has_job; ++i)
        if (!(hesca_job_speed(&x->machine, &x->job, i, n) > 0))
            cmdline_fail("host %s gets no process: its model does not reach "
                         "to the share of one of %d hosts",
                         x->machine.host[i].name, n);
}

static int
count_processes(const run_options *o, run_layout *x)
{
    x->count = calloc((size_t)x->machine.nhosts, sizeof *x->count);
    if (x->count == NULL)
        return no_memory();
    if (o->per_host != NULL || x->nvpm > 0) {
        if (x->nvpm > 0
                ? !count_vpm(o, x)
                : !run_counts_parse(o->per_host, &x->machine, x->count))
            return 0;
        report_overfull(o, x);
        return 1;
    }
    if (hesca_place_counts(&x->machine, x->has_job ? &x->job : NULL,
                           &o->limits, x->count) < 0)
        return failed();
    report_limited(x);
    return report_bounded(o, x);
}

int
run_layout_list(run_layout *x)
{
    int n = 0;
    free(x->host);
    x->nprocs = total(x);
    if (x->nprocs == 0)
        return cmdline_fail("no host has memory for a process");
    x->host = malloc((size_t)x->nprocs * sizeof *x->host);
    if (x->host == NULL)
        return no_memory();
    for (int i = 0; i < x->machine.nhosts; ++i)
        for (int k = 0; k < x->count[i]; ++k)
            x->host[n++] = i;
    return 1;
}

/* ------------------------------------------------ all of it
 * After an error the caller clears the layout. */

static int
check_grid(run_options *o, const run_layout *x)
{
    const long long places = (long long)o->grid.nprow * o->grid.npcol;
    if (places > x->nprocs && o->grid_is_learnt) {
        o->grid = (run_shape){0, 0};
        o->grid_is_learnt = 0;
        return 1;
    }
    return places <= x->nprocs ||
           cmdline_fail("--grid %dx%d has %lld places, for %d processes",
                        o->grid.nprow, o->grid.npcol, places, x->nprocs);
}

int
run_layout_make(run_options *o, const hesca_params *params, run_layout *x)
{
    take_job(o, params, x);
    return read_vpm(o, x) && take_machine(o, params, x) && make_endless(x) &&
           count_processes(o, x) && run_layout_list(x) && check_grid(o, x) &&
           run_choose(o, x);
}

void
run_layout_clear(run_layout *x)
{
    hesca_machine_clear(&x->machine);
    hesca_machine_clear(&x->endless);
    run_hosts_clear(&x->hosts);
    free(x->path);
    free(x->count);
    free(x->host);
    free(x->vpm);
    *x = (run_layout){.nprocs = 0};
}
