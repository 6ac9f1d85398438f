/* SPDX-License-Identifier: BSD-3-Clause */
/* Records of processes -> the page, and its file.  On process 0. */
#define _POSIX_C_SOURCE 200809L
#include "base/report_data.h"
#include "hesca/experimental/machine.h"
#include "hesca/version.h"
#include "shim/fallback.h"
#include "shim/figures.h"
#include "shim/shim.h"
#include <errno.h>
#include <limits.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { SETTINGS = 48, HOST_PAIRS = 1024 /* most hosts with pairs */ };

typedef struct {
    hesca_page page;
    hesca_machine machine;
    hesca_page_process *process;
    hesca_page_host *host;
    hesca_page_routine *routine;
    hesca_page_reason *reason;
    double *sent, *rate, *startup;
    hesca_page_setting setting[SETTINGS];
    char program[PATH_MAX], date[64];
} draft;

typedef const hesca_figures_record *const *records;

/* ------------------------------------------------ sums over processes */

/* Counts, seconds and bytes add up. */
static void
add_routine(hesca_page_routine *sum, const hesca_page_routine *r)
{
    for (int w = 0; w < HESCA_PAGE_WAYS; ++w) {
        sum->calls[w] += r->calls[w];
        sum->seconds[w] += r->seconds[w];
    }
    sum->cached += r->cached;
    sum->measured += r->measured;
    sum->predicted += r->predicted;
    sum->original += r->original;
    sum->both += r->both;
    sum->both_other += r->both_other;
    sum->both_original += r->both_original;
    sum->copied += r->copied;
    sum->moved += r->moved;
    sum->small_calls += r->small_calls;
    sum->small_seconds += r->small_seconds;
    if (r->nprow > 0 &&
        (sum->nprow == 0 || r->grid_original - r->grid_other >
                                sum->grid_original - sum->grid_other)) {
        sum->grid_original = r->grid_original;
        sum->grid_other = r->grid_other;
        sum->nprow = r->nprow;
        sum->npcol = r->npcol;
    }
}

static int
take_routines(draft *d, records record, int nprocs)
{
    int n = 0, most = 0;
    for (int k = 0; k < nprocs; ++k)
        most += record[k] != NULL ? record[k]->nroutines : 0;
    d->routine = calloc((size_t)most + 1, sizeof *d->routine);
    if (d->routine == NULL)
        return 0;
    for (int k = 0; k < nprocs; ++k)
        for (int i = 0; record[k] != NULL && i < record[k]->nroutines; ++i) {
            const hesca_page_routine *r =
                &hesca_figures_routines(record[k])[i];
            int j = 0;
            while (j < n && strcmp(d->routine[j].name, r->name) != 0)
                ++j;
            if (j == n)
                strcpy(d->routine[n++].name, r->name);
            add_routine(&d->routine[j], r);
        }
    d->page.nroutines = n;
    d->page.routine = d->routine;
    return 1;
}

static int
by_calls(const void *x, const void *y)
{
    const double a = ((const hesca_page_reason *)x)->calls;
    const double b = ((const hesca_page_reason *)y)->calls;
    return (a < b) - (a > b);
}

static int
take_reasons(draft *d, records record, int nprocs)
{
    uint64_t cause[HESCA_FIGURES_REASONS];
    int n = 0;
    d->reason = calloc(HESCA_FIGURES_REASONS, sizeof *d->reason);
    if (d->reason == NULL)
        return 0;
    for (int k = 0; k < nprocs; ++k)
        for (int i = 0; record[k] != NULL && i < record[k]->nreasons; ++i) {
            const hesca_page_reason *r = &hesca_figures_reasons(record[k])[i];
            const uint64_t mine = hesca_fallback_cause(r->why);
            int j = 0;
            while (j < n && (cause[j] != mine ||
                             strcmp(d->reason[j].name, r->name) != 0))
                ++j;
            if (j < n) {
                d->reason[j].calls += r->calls;
            } else if (n < HESCA_FIGURES_REASONS) {
                cause[n] = mine;
                d->reason[n++] = *r;
            }
        }
    qsort(d->reason, (size_t)n, sizeof *d->reason, by_calls);
    d->page.nreasons = n;
    d->page.reason = d->reason;
    return 1;
}

/* ------------------------------------------------ hosts */

static int
find_host(draft *d, const char *name)
{
    int h = 0;
    while (h < d->page.nhosts && strcmp(d->host[h].name, name) != 0)
        ++h;
    if (h == d->page.nhosts)
        strcpy(d->host[d->page.nhosts++].name, name);
    return h;
}

static int
take_processes(draft *d, records record, int nprocs)
{
    d->process = calloc((size_t)nprocs, sizeof *d->process);
    d->host = calloc((size_t)nprocs, sizeof *d->host);
    if (d->process == NULL || d->host == NULL)
        return 0;
    for (int k = 0; k < nprocs; ++k) {
        d->process[k].host = -1;
        if (record[k] == NULL)
            continue;
        d->process[k] = record[k]->process;
        d->process[k].host = find_host(d, record[k]->host);
        d->page.grids_placed += record[k]->grids[0];
        d->page.grids_left += record[k]->grids[1];
        d->page.grids_seconds += record[k]->grids[2];
        d->page.grids_unplaced += record[k]->grids[3];
    }
    d->page.nprocs = nprocs;
    d->page.process = d->process;
    d->page.host = d->host;
    return 1;
}

static int
take_messages(draft *d, records record, int nprocs)
{
    const int n = d->page.nhosts;
    if (n == 0 || n > HOST_PAIRS)
        return 1;
    d->sent = calloc((size_t)n * (size_t)n, sizeof *d->sent);
    if (d->sent == NULL)
        return 0;
    for (int k = 0; k < nprocs; ++k)
        for (int i = 0; record[k] != NULL && i < record[k]->npeers; ++i) {
            const hesca_figures_peer *p = &hesca_figures_peers(record[k])[i];
            const int to = d->process[p->rank].host;
            if (to >= 0)
                d->sent[d->process[k].host * n + to] += p->bytes;
        }
    d->page.sent = d->sent;
    return 1;
}

/* The machine file, if it names all hosts. */
static int
take_machine(draft *d, const hesca_params *params)
{
    const int n = d->page.nhosts;
    int *at = malloc(((size_t)n + 1) * sizeof *at), is = 1;
    if (at == NULL)
        return 0;
    if (params->machine[0] != '\0' &&
        hesca_machine_read(params->machine, &d->machine) < 0)
        d->machine = hesca_machine_default();
    is = d->machine.nhosts > 0 && n > 0;
    for (int h = 0; is && h < n; ++h) {
        at[h] = hesca_machine_find_host(&d->machine, d->host[h].name);
        is = at[h] >= 0;
    }
    if (is && n <= HOST_PAIRS) {
        d->rate = calloc((size_t)n * (size_t)n, sizeof *d->rate);
        d->startup = calloc((size_t)n * (size_t)n, sizeof *d->startup);
    }
    for (int h = 0; is && h < n; ++h) {
        const hesca_host *x = &d->machine.host[at[h]];
        d->host[h].speed = x->speed;
        d->host[h].cores = x->cores;
        d->host[h].memory = x->memory;
        for (int j = 0; d->rate != NULL && d->startup != NULL && j < n; ++j) {
            const hesca_wire *w =
                &d->machine.wire[at[h] * d->machine.nhosts + at[j]];
            d->rate[h * n + j] = w->rate;
            d->startup[h * n + j] = w->startup;
        }
    }
    free(at);
    d->page.machine_known = is;
    d->page.rate = d->startup != NULL ? d->rate : NULL;
    d->page.startup = d->startup;
    return 1;
}

/* ------------------------------------------------ settings */

static void
set(draft *d, const char *name, const char *value)
{
    if (d->page.nsettings == SETTINGS)
        return;
    hesca_page_setting *s = &d->setting[d->page.nsettings++];
    snprintf(s->name, sizeof s->name, "%s", name);
    snprintf(s->value, sizeof s->value, "%s", value);
}

static void
take_settings(draft *d)
{
    char mpi[MPI_MAX_LIBRARY_VERSION_STRING] = "";
    int n = 0;
    const hesca_param_info *info;
    for (int i = 0; (info = hesca_param(i)) != NULL; ++i) {
        const char *value = getenv(info->name);
        if (value != NULL && value[0] != '\0')
            set(d, info->name, value);
    }
    set(d, "HESCA", hesca_version());
    PMPI_Get_library_version(mpi, &n);
    for (char *c = mpi; *c != '\0'; ++c)
        if (*c == '\t')
            *c = ' ';
    mpi[strcspn(mpi, "\r\n")] = '\0';
    if (mpi[0] != '\0')
        set(d, "MPI", mpi);
    d->page.setting = d->setting;
}

static void
take_names(draft *d)
{
    const time_t now = time(NULL);
    struct tm local;
    const ssize_t n =
        readlink("/proc/self/exe", d->program, sizeof d->program - 1);
    d->program[n > 0 ? n : 0] = '\0';
    const char *name = strrchr(d->program, '/');
    d->page.program = name != NULL && name[1] != '\0' ? name + 1 : NULL;
    if (localtime_r(&now, &local) != NULL)
        strftime(d->date, sizeof d->date, "%Y-%m-%d %H:%M:%S", &local);
    d->page.date = d->date;
    d->page.version = hesca_version();
}

/* ------------------------------------------------ the page */

static void
clear(draft *d)
{
    hesca_machine_clear(&d->machine);
    free(d->process);
    free(d->host);
    free(d->routine);
    free(d->reason);
    free(d->sent);
    free(d->rate);
    free(d->startup);
    free(d);
}

static char *
make(const hesca_params *params, double load, int nprocs, records record,
     int is_last)
{
    draft *d = calloc(1, sizeof *d);
    char *text = NULL;
    if (d == NULL)
        return NULL;
    d->machine = hesca_machine_default();
    d->page.load = load;
    d->page.is_last = is_last;
    d->page.seconds = hesca_report_seconds();
    d->page.nsamples = hesca_report_samples(
        &d->page.nspeeds, &d->page.sample_at, &d->page.sample);
    take_names(d);
    take_settings(d);
    if (take_routines(d, record, nprocs) && take_reasons(d, record, nprocs) &&
        take_processes(d, record, nprocs) &&
        take_messages(d, record, nprocs) && take_machine(d, params)) {
        for (int k = 0; k < nprocs; ++k)
            d->page.waits_known |=
                d->process[k].seconds[HESCA_PAGE_SCALAPACK_WAITING] > 0;
        hesca_page_make(&d->page, &text);
    }
    clear(d);
    return text;
}

/* The file appears when it is complete. */
static int
write_file(const char *path, const char *text)
{
    char temporary[PATH_MAX + 16];
    snprintf(temporary, sizeof temporary, "%s.tmp", path);
    FILE *file = fopen(temporary, "w");
    if (file == NULL)
        return 0;
    const int is_written = fputs(text, file) >= 0;
    if (fclose(file) == 0 && is_written && rename(temporary, path) == 0)
        return 1;
    const int err = errno;
    unlink(temporary);
    errno = err;
    return 0;
}

void
hesca_figures_write(const hesca_params *params, const char *path, double load,
                    int nprocs, records record, int is_last)
{
    char *text = make(params, load, nprocs, record, is_last);
    errno = text == NULL ? ENOMEM : 0;
    if (text == NULL || !write_file(path, text))
        hesca_report_line("HESCA_REPORT is '%s': %s; there is no report",
                          params->report, strerror(errno));
    free(text);
}
