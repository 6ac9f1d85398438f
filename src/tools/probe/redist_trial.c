/* SPDX-License-Identifier: BSD-3-Clause */
#define _POSIX_C_SOURCE 200809L /* setenv, nanosleep */
#include "tools/probe/redist_trial.h"
#include "base/sort.h"
#include "exec/comm.h"
#include "tools/lib/tools.h"
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { ROUNDS_LEAST = 5, ROUNDS_MOST = 400, BATCH_MOST = 64 };

/* ------------------------------------------------ the schedules
 * Each has a communicator of its own, which has read its own parameters.
 * Every process calls everything here, at the same place. */

int
trial_begin(trial *t, char *names)
{
    const char *fallback = getenv("HESCA_FALLBACK");
    hesca_comm *c;
    int err = HESCA_SUCCESS;
    *t = (trial){.n = 0};
    MPI_Comm_size(MPI_COMM_WORLD, &t->nprocs);
    MPI_Comm_rank(MPI_COMM_WORLD, &t->rank);
    if (fallback !=
        NULL) /* a schedule that does not apply is omitted, not replaced */
        unsetenv("HESCA_FALLBACK");
    for (char *next = names; next != NULL && t->n < TRIAL_SCHEDULES; ++t->n) {
        char *name = next;
        next = strchr(name, '|');
        if (next != NULL)
            *next++ = '\0';
        t->name[t->n] = name;
        MPI_Comm_dup(MPI_COMM_WORLD, &t->comm[t->n]);
        setenv("HESCA_SCHEDULE", name, 1);
        if (err == HESCA_SUCCESS) /* are the machine's hosts these? */
            err = hesca_comm_get(t->comm[t->n], &c);
    }
    unsetenv("HESCA_SCHEDULE");
    return err;
}

void
trial_end(trial *t)
{
    for (int i = 0; i < t->n; ++i)
        MPI_Comm_free(&t->comm[i]);
}

int
trial_layouts(int64_t k, int nprocs, int64_t bytes, int64_t *n,
              hesca_layout **a, hesca_layout **b)
{
    const int64_t x = bytes / 8 / k < 1 ? 1 : bytes / 8 / k;
    int err;
    *n = k * x * nprocs;
    *b = NULL;
    err =
        hesca_layout_create_cyclic(1, *n, 1, (int)x, 0, 0, 1, nprocs, NULL, a);
    if (err == HESCA_SUCCESS)
        err = hesca_layout_create_cyclic(1, *n, 1, (int)(k * x), 0, 0, 1,
                                         nprocs, NULL, b);
    return err;
}

/* ------------------------------------------------ waiting
 * No call of MPI blocks. */

/* With more processes than cores, blocking calls of MPI would occupy the cores
 * of the processes they wait for. */
static void
await(MPI_Request request)
{
    const struct timespec nap = {.tv_nsec = 20000};
    for (int done = 0;;) {
        MPI_Test(&request, &done, MPI_STATUS_IGNORE);
        if (done)
            return;
        nanosleep(&nap, NULL);
    }
}

/* All processes take the value of rank 0. */
static void
share(int *value)
{
    MPI_Request request;
    MPI_Ibcast(value, 1, MPI_INT, 0, MPI_COMM_WORLD, &request);
    await(request);
}

/* ------------------------------------------------ one case
 * A schedule has a plan if and only if it applies, on all processes. */

/* One case: its arrays, its plans, and their times. */
typedef struct {
    int64_t n;
    hesca_layout *a, *b;
    double *x, *y;
    int batch; /* consecutive executions */
    hesca_plan *plan[TRIAL_SCHEDULES];
    double *seconds[TRIAL_SCHEDULES]; /* [ROUNDS_MOST] */
} runner;

static void
close_runner(runner *r)
{
    for (int i = 0; i < TRIAL_SCHEDULES; ++i) {
        hesca_plan_free(r->plan[i]);
        free(r->seconds[i]);
    }
    free(r->x);
    free(r->y);
    hesca_layout_free(r->a);
    hesca_layout_free(r->b);
}

/* The plans of those schedules that apply. */
static int
open_runner(const trial *t, const trial_case *c, runner *r, trial_time *time)
{
    int64_t rows, na, nb;
    int err = trial_layouts(c->k, t->nprocs, c->bytes, &r->n, &r->a, &r->b);
    for (int i = 0; i < t->n && err == HESCA_SUCCESS; ++i) {
        err = hesca_plan_create(
            HESCA_ALL, 1, r->n, &(hesca_matrix){.layout = r->a},
            &(hesca_matrix){.layout = r->b}, 8, t->comm[i], &r->plan[i]);
        time[i].served = err == HESCA_SUCCESS;
        if (time[i].served)
            hesca_plan_get_info(r->plan[i], &time[i].info);
        if (err == HESCA_ERR_PARAM)
            err = HESCA_SUCCESS;
        r->seconds[i] = malloc(ROUNDS_MOST * sizeof *r->seconds[i]);
        if (r->seconds[i] == NULL)
            err = HESCA_ERR_NOMEM;
    }
    if (err < 0)
        return err;
    hesca_layout_local_size(r->a, t->rank, &rows, &na);
    hesca_layout_local_size(r->b, t->rank, &rows, &nb);
    r->x = calloc((size_t)na + 1, sizeof *r->x);
    r->y = calloc((size_t)nb + 1, sizeof *r->y);
    return r->x == NULL || r->y == NULL ? HESCA_ERR_NOMEM : HESCA_SUCCESS;
}

/* The first execution is not timed: another schedule has changed the caches.
 */
static int
run_batch(runner *r, int i, int round)
{
    int err = hesca_plan_execute(r->plan[i], r->x, 1, r->y, 1);
    const double start = MPI_Wtime();
    for (int k = 0; k < r->batch && err == HESCA_SUCCESS; ++k)
        err = hesca_plan_execute(r->plan[i], r->x, 1, r->y, 1);
    r->seconds[i][round] = (MPI_Wtime() - start) / r->batch;
    return err;
}

/* ------------------------------------------------ rounds
 * Batch sizes and the number of rounds are those of rank 0, so all processes
 * execute the same plans in the same order. */

/* Every schedule once, in a different order each time, the same on all
 * processes. */
static int
run_round(const trial *t, runner *r, int round)
{
    int order[TRIAL_SCHEDULES], err = HESCA_SUCCESS;
    uint32_t random = (uint32_t)round + 1;
    for (int k = 0; k < t->n; ++k) {
        random = random * 1664525 + 1013904223;
        const int other = (int)(random >> 8) % (k + 1);
        order[k] = order[other];
        order[other] = k;
    }
    for (int k = 0; k < t->n && err == HESCA_SUCCESS; ++k)
        if (r->plan[order[k]] != NULL)
            err = run_batch(r, order[k], round);
    return err;
}

/* The number of executions that fill some milliseconds, from rounds that
 * include first touches of memory and the creation of windows. */
static int
find_batch(const trial *t, runner *r)
{
    int err = HESCA_SUCCESS;
    r->batch = 2;
    for (int k = 0; k < 3 && err == HESCA_SUCCESS; ++k) {
        const double begin = MPI_Wtime();
        err = run_round(t, r, 0);
        const double each = (MPI_Wtime() - begin) / (t->n * r->batch);
        const double fit = 5e-3 / each;
        r->batch = fit < 2 ? 2 : fit > BATCH_MOST ? BATCH_MOST : (int)fit;
        share(&r->batch);
    }
    return err;
}

static double
median(const trial *t, double *seconds, int rounds)
{
    MPI_Request request;
    MPI_Iallreduce(MPI_IN_PLACE, seconds, rounds, MPI_DOUBLE, MPI_SUM,
                   MPI_COMM_WORLD, &request);
    await(request);
    hesca_sort(seconds, rounds);
    return seconds[rounds / 2] / t->nprocs;
}

static int
run_rounds(const trial *t, int ncases, runner *r, double seconds, int *rounds)
{
    const double start = MPI_Wtime();
    int err = HESCA_SUCCESS, again = 1;
    for (int c = 0; c < ncases && err == HESCA_SUCCESS; ++c)
        err = find_batch(t, &r[c]);
    for (*rounds = 0; again && err == HESCA_SUCCESS; ++*rounds) {
        for (int c = 0; c < ncases && err == HESCA_SUCCESS; ++c)
            err = run_round(t, &r[c], *rounds);
        const double elapsed = MPI_Wtime() - start;
        again = *rounds + 1 < ROUNDS_LEAST ||
                (*rounds + 1 < ROUNDS_MOST && elapsed < seconds);
        share(&again);
        if (t->rank == 0)
            progress("hesca: round %d, %.0f of %.0f s", *rounds + 1, elapsed,
                     seconds);
    }
    if (t->rank == 0)
        progress(NULL);
    return err;
}

int
trial_run(const trial *t, int ncases, const trial_case *cases, double seconds,
          trial_time *time)
{
    int rounds = 0, err = HESCA_SUCCESS;
    runner *r = calloc((size_t)ncases, sizeof *r);
    if (r == NULL)
        return HESCA_ERR_NOMEM;
    memset(time, 0, (size_t)(ncases * t->n) * sizeof *time);
    for (int c = 0; c < ncases && err == HESCA_SUCCESS; ++c)
        err = open_runner(t, &cases[c], &r[c], &time[c * t->n]);
    if (err == HESCA_SUCCESS)
        err = run_rounds(t, ncases, r, seconds, &rounds);
    for (int c = 0; c < ncases; ++c) {
        for (int i = 0; i < t->n && err == HESCA_SUCCESS; ++i)
            if (r[c].plan[i] != NULL)
                time[c * t->n + i].median = median(t, r[c].seconds[i], rounds);
        close_runner(&r[c]);
    }
    free(r);
    return err;
}
