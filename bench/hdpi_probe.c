/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/sort.h"
#include "hdpi_lu.h"
#include "hdpi_real.h"
#include "hesca/experimental/build.h"
#include "yield.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { TRIES = 5, TRIES_LEAST = 3 };
/* Seconds of a try, and of tries. */
static const double enough = 0.03, plenty = 0.5;

/* ----- this process ----- */

/* The median of a few, and the band of all. */
static int
try_size(double size, hesca_knot *point, double *seconds, void *data)
{
    const probe_task *t = data;
    double speed[TRIES];
    int n = 0;
    *seconds = 0;
    while (n < TRIES && (n < TRIES_LEAST || *seconds < plenty)) {
        double x = size;
        const double start = yield_clock();
        const double took = t->measure(t->state, enough, &x);
        if (took < 0)
            return HESCA_ERR_NOMEM;
        *seconds += yield_clock() - start;
        speed[n++] = x / fmax(took, 1e-9);
    }
    hesca_sort(speed, n);
    point->speed = speed[n / 2];
    point->low = speed[0];
    point->high = speed[n - 1];
    return HESCA_BUILD_MEASURED;
}

/* Work on until all are done. */
static void
keep_busy(const probe_task *t)
{
    MPI_Request request;
    MPI_Ibarrier(MPI_COMM_WORLD, &request);
    for (int done = 0; !done;) {
        double x = t->reference;
        t->measure(t->state, 0, &x);
        MPI_Test(&request, &done, MPI_STATUS_IGNORE);
    }
}

static int
build(const probe_task *t, hesca_speed **model, probed *p)
{
    const hesca_build_options options = {.a = t->from,
                                         .b = t->to,
                                         .measure_end = 1,
                                         .eps = t->accuracy,
                                         .most = t->points,
                                         .doubling = 1};
    probe_task task = *t;
    hesca_build_report report;
    const double start = yield_clock();
    const int err =
        hesca_build_gbbp(&options, try_size, &task, model, &report);
    p->seconds = yield_clock() - start;
    p->points = err == 0 ? report.npoints : 0;
    if (err < 0)
        snprintf(p->complaint, sizeof p->complaint, "%s", hesca_error_text());
    else
        hesca_build_report_clear(&report);
    return err == 0;
}

/* ----- all processes ----- */

/* Give all the model of one of them.  Returns 0 if it cannot be made. */
static int
share_model(const hesca_speed *mine, int root, int rank, hesca_speed **model)
{
    int n = 0;
    MPI_Request request;
    const hesca_knot *knot = rank == root ? hesca_speed_knots(mine, &n) : NULL;
    MPI_Ibcast(&n, 1, MPI_INT, root, MPI_COMM_WORLD, &request);
    yield_wait(&request);
    hesca_knot *copy = calloc((size_t)n, sizeof *copy);
    const int ok = yield_all(copy != NULL);
    if (ok) {
        if (rank == root)
            memcpy(copy, knot, (size_t)n * sizeof *copy);
        MPI_Ibcast(copy, n * (int)sizeof *copy, MPI_BYTE, root, MPI_COMM_WORLD,
                   &request);
        yield_wait(&request);
    }
    const int err =
        ok ? hesca_speed_create(n, copy, INFINITY, model) : HESCA_ERR_NOMEM;
    free(copy);
    return err == 0;
}

static int
share_single(double mine, int root, hesca_speed **model)
{
    MPI_Request request;
    MPI_Ibcast(&mine, 1, MPI_DOUBLE, root, MPI_COMM_WORLD, &request);
    yield_wait(&request);
    return hesca_speed_create_constant(mine, INFINITY, model) == 0;
}

/* All go on even if one cannot, so that they stay together. */
static int
share_all(const hesca_speed *mine, double single, probed *p)
{
    int rank, procs, ok;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &procs);
    p->function = calloc((size_t)procs, sizeof *p->function);
    p->single = calloc((size_t)procs, sizeof *p->single);
    ok = yield_all(p->function != NULL && p->single != NULL);
    for (int i = 0; ok && i < procs; ++i) {
        const int f = share_model(mine, i, rank, &p->function[i]);
        const int s = share_single(single, i, &p->single[i]);
        ok = yield_all(f && s);
    }
    yield_allreduce(&p->points, 1, MPI_INT, MPI_MAX);
    yield_allreduce(&p->seconds, 1, MPI_DOUBLE, MPI_MAX);
    return ok;
}

int
probe_all(const probe_task *t, probed *p)
{
    hesca_knot single;
    hesca_speed *mine = NULL;
    double seconds;
    probe_task task = *t;
    *p = (probed){.complaint = "a process has no memory, or cannot measure"};
    yield_barrier();
    int ok = build(t, &mine, p);
    keep_busy(t);
    yield_barrier();
    ok = try_size(t->reference, &single, &seconds, &task) == 0 && ok;
    keep_busy(t);
    ok = yield_all(ok) && share_all(mine, single.speed, p);
    hesca_speed_free(mine);
    return ok;
}

void
probe_clear(probed *p)
{
    int procs;
    MPI_Comm_size(MPI_COMM_WORLD, &procs);
    units_free(p->function, procs);
    units_free(p->single, procs);
}

/* ----- models ----- */

hesca_speed **
rows_of_elements(int p, const hesca_speed *const *speed, int64_t order)
{
    if (speed == NULL)
        return NULL;
    hesca_speed **model = calloc((size_t)p, sizeof *model);
    int err = model != NULL ? 0 : HESCA_ERR_NOMEM;
    for (int i = 0; err == 0 && i < p; ++i)
        err = units_change(speed[i], (double)order, INFINITY, &model[i]);
    if (err == 0)
        return model;
    units_free(model, p);
    return NULL;
}
