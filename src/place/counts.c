/* SPDX-License-Identifier: BSD-3-Clause */
/* The number of processes of each host, before a program starts. */
#include "base/status.h"
#include "hesca/experimental/shares.h"
#include "place/site.h"
#include <limits.h>
#include <math.h>
#include <stdlib.h>

/* As speeds are measured, ratios this little above a whole number count as
 * that number. */
#define NEARLY 0.15

/* Most processes on all hosts together. */
#define MOST 1000000

typedef struct {
    const hesca_machine *machine;
    const hesca_job *job;
    const hesca_place_limits *limits;
    double *speed; /* [nhosts] of a core */
    double *most;  /* [nhosts] processes, whole numbers */
    int *count;    /* [nhosts] */
} counting;

hesca_place_limits
hesca_place_limits_default(void)
{
    return (hesca_place_limits){.per_core = 8, .bytes = 64e6};
}

static int
check(const char *name, const hesca_machine *machine, const hesca_job *job,
      const hesca_place_limits *limits, const int *count)
{
    static const hesca_job any = {HESCA_ROUTINE_GEMM, 1, 1};
    int err;
    HESCA_TRY(err, hesca_site_check(name, machine, job != NULL ? job : &any));
    if (limits == NULL || count == NULL)
        return hesca_fail_null(name, limits == NULL ? 3 : 4,
                               limits == NULL ? "limits" : "count");
    if (limits->nprocs < 0 || limits->nprocs > MOST)
        return hesca_fail_arg(name, 3, "limits->nprocs", limits->nprocs,
                              "0 ... 1000000");
    if (limits->most < 0)
        return hesca_fail_arg(name, 3, "limits->most", limits->most,
                              "at least 0");
    if (!(limits->per_core > 0 && limits->per_core <= MOST))
        return hesca_fail(HESCA_ERR_ARG, 3,
                          "%s: argument 3, limits->per_core, is %g: must be "
                          "more than 0, and at most 1000000",
                          name, limits->per_core);
    if (!(limits->bytes >= 0 && isfinite(limits->bytes)))
        return hesca_fail(HESCA_ERR_ARG, 3,
                          "%s: argument 3, limits->bytes, is %g: must be "
                          "finite and at least 0",
                          name, limits->bytes);
fail:
    return err;
}

/* ------------------------------------------------ bounds
 * Memory per process depends on the total n, so bounds are functions of n. */

static double
total(const counting *x)
{
    double n = 0;
    for (int i = 0; i < x->machine->nhosts; ++i)
        n += x->count[i];
    return n;
}

/* Most processes on host i, by its cores and memory, if there are n in all. */
static double
most_of(const counting *x, int i, double n)
{
    const hesca_host *h = &x->machine->host[i];
    const double cores = h->cores * x->limits->per_core;
    const double matrices = x->job != NULL ? hesca_job_bytes(x->job) / n : 0;
    const double each = matrices + x->limits->bytes;
    double most = fmin(MOST, cores < 1 ? 1 : floor(cores));
    if (h->memory > 0 && each > 0)
        most = fmin(most, floor(h->memory / each));
    return most;
}

/* ------------------------------------------------ by speed
 * A core of the slowest host gets one process; counts only decrease later. */

/* ceil(x), at least 1, with the tolerance NEARLY. */
static double
round_up(double x)
{
    return fmax(1, ceil(x - NEARLY));
}

static void
count_by_speed(counting *x)
{
    const hesca_machine *m = x->machine;
    double least = INFINITY;
    for (int i = 0; i < m->nhosts; ++i)
        if (x->speed[i] > 0)
            least = fmin(least, x->speed[i]);
    for (int i = 0; i < m->nhosts; ++i) {
        if (!(x->speed[i] > 0))
            continue;
        const double each = round_up(x->speed[i] / least);
        const double wanted = round_up(each * m->host[i].cores);
        x->count[i] = (int)fmin(wanted, most_of(x, i, INFINITY));
    }
}

/* Reduce counts that exceed memory.  Fewer processes need more memory each, so
 * repeat until none does. */
static void
fit_memory(counting *x)
{
    int changed = 1;
    while (changed && total(x) > 0) {
        const double n = total(x);
        changed = 0;
        for (int i = 0; i < x->machine->nhosts; ++i) {
            const double most = most_of(x, i, n);
            if (x->count[i] <= most)
                continue;
            x->count[i] = (int)most;
            changed = 1;
        }
    }
}

/* ------------------------------------------------ a given number
 * Either exactly n processes are placed, or an error says how many fit. */

/* Distribute n processes, at most most[i] on host i, such that the largest
 * count / speed is minimal. */
static int
distribute(const counting *x, int n, int *count)
{
    const int nhosts = x->machine->nhosts;
    hesca_speed **model = calloc((size_t)nhosts, sizeof *model);
    hesca_shares *shares = NULL;
    int err = HESCA_SUCCESS;
    if (model == NULL)
        err = hesca_fail(HESCA_ERR_NOMEM, 0, "speeds of %d hosts", nhosts);
    for (int i = 0; i < nhosts && err == HESCA_SUCCESS; ++i) {
        const double speed = x->speed[i] * x->machine->host[i].cores;
        err = hesca_speed_create_constant(
            speed > 0 ? speed : 1, speed > 0 ? x->most[i] : 0, &model[i]);
    }
    if (err == HESCA_SUCCESS)
        err = hesca_shares_create(nhosts, (const hesca_speed *const *)model, n,
                                  &shares);
    for (int i = 0; i < nhosts && err == HESCA_SUCCESS; ++i)
        count[i] = (int)hesca_shares_count(shares, i);
    hesca_shares_free(shares);
    for (int i = 0; i < nhosts && model != NULL; ++i)
        hesca_speed_free(model[i]);
    free(model);
    return err;
}

/* Set most[] for n processes in all; returns its sum. */
static double
count_room(const counting *x, double n)
{
    double room = 0;
    for (int i = 0; i < x->machine->nhosts; ++i) {
        x->most[i] = x->speed[i] > 0 ? most_of(x, i, n) : 0;
        room += x->most[i];
    }
    return room;
}

/* limit: the name of the limit n, for messages. */
static int
count_given(const char *name, counting *x, const char *limit, int n)
{
    double room = count_room(x, n);
    if (room >= n)
        return distribute(x, n, x->count);
    /* Fewer processes need more memory each. */
    for (double fewer = 0; fewer != room && room > 0;) {
        fewer = room;
        room = fmin(fewer, count_room(x, fewer));
    }
    return hesca_fail(HESCA_ERR_ARG, 3,
                      "%s: argument 3, limits->%s, is %d: cores and memory of "
                      "the hosts allow %.0f",
                      name, limit, n, room);
}

/* ------------------------------------------------ the public function */

static int
count(const char *name, counting *x)
{
    const hesca_place_limits *l = x->limits;
    int err = HESCA_SUCCESS;
    if (l->nprocs > 0 && l->most > 0 && l->nprocs > l->most)
        return hesca_fail_arg(name, 3, "limits->nprocs", l->nprocs,
                              "at most limits->most");
    if (l->nprocs > 0)
        return count_given(name, x, "nprocs", l->nprocs);
    count_by_speed(x);
    fit_memory(x);
    if (l->most > 0 && total(x) > l->most)
        HESCA_TRY(err, count_given(name, x, "most", l->most));
    if (total(x) > MOST)
        err = hesca_fail(HESCA_ERR_ARG, 0,
                         "%s: the hosts would get %.0f processes, more than "
                         "%d in all",
                         name, total(x), MOST);
    else if (!(total(x) > 0))
        err = hesca_fail(HESCA_ERR_ARG, 0,
                         "%s: no host has memory for a process of this job",
                         name);
fail:
    return err;
}

int
hesca_place_counts(const hesca_machine *machine, const hesca_job *job,
                   const hesca_place_limits *limits, int *counts)
{
    static const char name[] = "hesca_place_counts";
    int err;
    HESCA_TRY(err, check(name, machine, job, limits, counts));
    const int n = machine->nhosts;
    counting x = {.machine = machine, .job = job, .limits = limits};
    x.speed = malloc((size_t)n * sizeof *x.speed);
    x.most = malloc((size_t)n * sizeof *x.most);
    x.count = calloc((size_t)n, sizeof *x.count);
    if (x.speed == NULL || x.most == NULL || x.count == NULL) {
        err = hesca_fail(HESCA_ERR_NOMEM, 0, "processes of %d hosts", n);
    } else {
        for (int i = 0; i < n; ++i)
            x.speed[i] = job != NULL ? hesca_job_speed(machine, job, i, n)
                                     : machine->host[i].speed;
        err = count(name, &x);
    }
    for (int i = 0; i < n && err == HESCA_SUCCESS; ++i)
        counts[i] = x.count[i];
    free(x.speed);
    free(x.most);
    free(x.count);
fail:
    return err;
}
