/* SPDX-License-Identifier: BSD-3-Clause */
#include "place/site.h"
#include "base/status.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

int
hesca_site_check(const char *routine, const hesca_machine *machine,
                 const hesca_job *job)
{
    if (machine == NULL)
        return hesca_fail_null(routine, 1, "machine");
    if (machine->nhosts < 1)
        return hesca_fail_arg(routine, 1, "machine->nhosts", machine->nhosts,
                              "at least 1");
    if (job == NULL)
        return hesca_fail_null(routine, 2, "job");
    if ((int)job->routine < HESCA_ROUTINE_GEMM ||
        job->routine >= HESCA_ROUTINES)
        return hesca_fail_arg(routine, 2, "job->routine", (int)job->routine,
                              "one of hesca_routine");
    if (job->n < 1)
        return hesca_fail_arg(routine, 2, "job->n", job->n, "at least 1");
    if (job->nb < 1)
        return hesca_fail_arg(routine, 2, "job->nb", job->nb, "at least 1");
    return HESCA_SUCCESS;
}

int
hesca_site_check_grid(const char *routine, int arg, int nprow, int npcol,
                      int nprocs)
{
    if (nprow < 1)
        return hesca_fail_arg(routine, arg, "nprow", nprow, "at least 1");
    if (npcol < 1)
        return hesca_fail_arg(routine, arg + 1, "npcol", npcol, "at least 1");
    if ((int64_t)nprow * npcol <= nprocs)
        return HESCA_SUCCESS;
    return hesca_fail(HESCA_ERR_ARG, arg,
                      "%s: a %d x %d grid is larger than %d processes",
                      routine, nprow, npcol, nprocs);
}

/* --- set-up ---
 * number[] is ascending, and every process's host has an entry. */

/* Rows or columns of n, in blocks of nb, that process i of p owns. */
static int64_t
local_size(int64_t n, int64_t nb, int i, int p)
{
    const int64_t blocks = n / nb, extra = blocks % p;
    return blocks / p * nb + (i < extra ? nb : i == extra ? n % nb : 0);
}

/* Most processes of the job on a host, by its memory and by the limit of its
 * model. */
static int
most_of(const hesca_machine *machine, const hesca_job *job, int host,
        int nprocs)
{
    const double bytes = hesca_job_bytes(job) / nprocs;
    const double memory = machine->host[host].memory;
    int most = nprocs;
    if (!(hesca_job_speed(machine, job, host, nprocs) > 0))
        return 0;
    if (memory > 0 && memory / bytes < most)
        most = (int)(memory / bytes);
    return most;
}

static int
allocate(hesca_site *x, int nhosts, int nprow, int npcol)
{
    const size_t h = (size_t)nhosts;
    x->nhosts = nhosts;
    x->number = malloc(h * sizeof *x->number);
    x->room = calloc(h, sizeof *x->room);
    x->most = malloc(h * sizeof *x->most);
    x->speed = malloc(h * sizeof *x->speed);
    x->cores = malloc(h * sizeof *x->cores);
    x->per_byte = malloc(h * sizeof *x->per_byte);
    x->rows = malloc((size_t)nprow * sizeof *x->rows);
    x->cols = malloc((size_t)npcol * sizeof *x->cols);
    x->work = malloc(h * sizeof *x->work);
    x->load = malloc(h * sizeof *x->load);
    x->count = malloc(h * sizeof *x->count);
    x->beside = malloc(h * sizeof *x->beside);
    x->wakeup = malloc(h * sizeof *x->wakeup);
    if (x->number && x->room && x->most && x->speed && x->cores &&
        x->per_byte && x->rows && x->cols && x->work && x->load && x->count &&
        x->beside && x->wakeup)
        return HESCA_SUCCESS;
    return hesca_fail(HESCA_ERR_NOMEM, 0, "a %d x %d grid on %d hosts", nprow,
                      npcol, nhosts);
}

void
hesca_site_clear(hesca_site *x)
{
    free(x->number);
    free(x->room);
    free(x->most);
    free(x->speed);
    free(x->cores);
    free(x->per_byte);
    free(x->rows);
    free(x->cols);
    free(x->work);
    free(x->load);
    free(x->count);
    free(x->beside);
    free(x->wakeup);
    memset(x, 0, sizeof *x);
}

static void
set_hosts(hesca_site *x)
{
    const hesca_machine *m = x->machine;
    const int nprocs = x->nprow * x->npcol;
    for (int a = 0; a < x->nhosts; ++a) {
        const int from = x->number[a];
        x->speed[a] = hesca_job_speed(m, x->job, from, nprocs);
        x->cores[a] = m->host[from].cores;
        x->per_byte[a] =
            HESCA_BLACS_HANDLING / hesca_message_speed(m, from, 1);
        x->most[a] = most_of(m, x->job, from, nprocs);
    }
    for (int i = 0; i < x->nprow; ++i)
        x->rows[i] = local_size(x->job->n, x->job->nb, i, x->nprow);
    for (int j = 0; j < x->npcol; ++j)
        x->cols[j] = local_size(x->job->n, x->job->nb, j, x->npcol);
}

int
hesca_site_init(const char *routine, const hesca_machine *machine,
                const hesca_job *job, int n, const int *host, int arg,
                int nprow, int npcol, int **place, hesca_site *site)
{
    int *at = NULL, nhosts = 0, err = HESCA_SUCCESS;
    hesca_site x = {.job = job,
                    .machine = machine,
                    .nprow = nprow,
                    .npcol = npcol,
                    .along_rows = 1,
                    .along_cols = 1};
    int *number = calloc((size_t)machine->nhosts, sizeof *number);
    if (place != NULL)
        at = malloc((size_t)n * sizeof *at);
    if (number == NULL || (place != NULL && at == NULL))
        err = hesca_fail(HESCA_ERR_NOMEM, 0, "numbers of %d hosts",
                         machine->nhosts);
    for (int r = 0; r < n && err == HESCA_SUCCESS; ++r)
        if (host[r] < 0 || host[r] >= machine->nhosts)
            err = hesca_fail_arg(routine, arg, "an entry of host", host[r],
                                 "the number of a host of the machine");
        else
            nhosts += number[host[r]]++ == 0;
    HESCA_TRY(err, err);
    HESCA_TRY(err, allocate(&x, nhosts, nprow, npcol));
    for (int i = 0, a = 0; i < machine->nhosts; ++i)
        if (number[i] > 0) {
            x.number[a] = i;
            x.room[a] = number[i];
            number[i] = a++;
        }
    for (int r = 0; r < n && at != NULL; ++r)
        at[r] = number[host[r]];
    set_hosts(&x);
    *site = x;
    if (place != NULL)
        *place = at;
    free(number);
    return HESCA_SUCCESS;
fail:
    free(number);
    free(at);
    hesca_site_clear(&x);
    memset(site, 0, sizeof *site);
    return err;
}

int
hesca_site_fail_memory(const char *routine, const hesca_site *x)
{
    const int nprocs = x->nprow * x->npcol;
    int k = 0, most = 0;
    for (int a = 0; a < x->nhosts; ++a) {
        most += x->most[a] < x->room[a] ? x->most[a] : x->room[a];
        if (x->most[a] - x->room[a] < x->most[k] - x->room[k])
            k = a;
    }
    return hesca_fail(HESCA_ERR_ARG, 0,
                      "%s: %s of order %lld on %d processes: host %s has "
                      "memory for %d of them, all hosts for %d",
                      routine, hesca_routine_name(x->job->routine),
                      (long long)x->job->n, nprocs,
                      x->machine->host[x->number[k]].name, x->most[k], most);
}
