/* SPDX-License-Identifier: BSD-3-Clause */
/* Speed functions of kernels: sizes by hesca/experimental/build.h, each
 * repeated until its median is known. */
#include "tools/probe/probe_kernel.h"
#include "base/sort.h"
#include "base/status.h"
#include "exec/agree.h"
#include "tools/lib/memory.h"
#include "tools/lib/tools.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { TIMES_LEAST = 6, TIMES_LATE = 2, TIMES_MOST = 100 };

static const double NARROW = 0.05; /* half a confidence interval */
static const double SAMPLE =
    1e-3; /* s: shorter runs are repeated within a sample */
static const double MEMORY = 0.8; /* of the available memory, for arrays */
/* Parts of all seconds: for repeating one size, and for the largest size. */
static const double REPEATING = 1.0 / 20, LARGEST = 1.0 / 12;

typedef struct {
    probe_work task;
    double limit, seconds; /* elements that fit; to spend */
    int shows;             /* progress */
} meter;

/* ------------------------------------------------ one size
 * The arrays have the size of the measurement before the clock starts. */

/* Seconds of a run, averaged over enough runs for the clock. */
static double
sample(probe_work *w)
{
    double sum = 0;
    int n = 0;
    do {
        sum += probe_work_run(w);
        ++n;
    } while (sum < SAMPLE);
    return sum / n;
}

/* The median of samples, and the ends of its confidence interval. */
static double
repeat(probe_work *w, double seconds, double ends[2])
{
    const double start = MPI_Wtime();
    double x[TIMES_MOST], median;
    int n = 0, late = 0;
    do {
        x[n++] = sample(w);
        median = hesca_median(x, n, ends);
        late = MPI_Wtime() - start > seconds;
    } while (n < TIMES_MOST &&
             (n < TIMES_LATE ||
              (!late &&
               (n < TIMES_LEAST || ends[1] - ends[0] > 2 * NARROW * median))));
    return median;
}

/* A hesca_build_kernel.  The band is the confidence interval. */
static int
measure(double size, hesca_knot *point, double *seconds, void *data)
{
    meter *m = data;
    double ends[2];
    const double start = MPI_Wtime();
    const double volume = probe_kernel_volume(m->task.kernel, size);
    if (size > m->limit || !probe_work_size(&m->task, size))
        return HESCA_BUILD_TOO_LARGE;
    const double median = repeat(&m->task, m->seconds * REPEATING, ends);
    if (!(ends[0] > 0) || isnan(median))
        return hesca_fail(HESCA_ERR_UNSUPPORTED, 0,
                          "%s fails on %.0f elements", m->task.kernel->name,
                          size);
    *point = (hesca_knot){size, volume / median, volume / ends[1],
                          volume / ends[0]};
    *seconds = MPI_Wtime() - start;
    return HESCA_BUILD_MEASURED;
}

static void
show(int npoints, double seconds, double next, void *data)
{
    const meter *m = data;
    if (m->shows)
        progress("hesca: %s, %d points, %.1f of %.1f s, next %.4g elements",
                 m->task.kernel->name, npoints, seconds, m->seconds, next);
}

/* ------------------------------------------------ one host
 * Sizes never exceed the limit of memory. */

/* The largest size to measure: sizes are doubled until one takes its part of
 * the time, including filling memory, or fills the memory. */
static void
find_largest(meter *m, double from, double *to)
{
    double seconds = 0;
    for (*to = 2 * from; *to < m->limit && 3 * seconds < m->seconds * LARGEST;
         *to *= 2) {
        const double start = MPI_Wtime();
        if (!probe_work_size(&m->task, 2 * *to))
            break;
        probe_work_run(&m->task);
        seconds = MPI_Wtime() - start;
    }
    *to = fmin(*to, m->limit);
}

static int
check_range(const meter *m, const probe_sizes *s)
{
    const double most = s->to > 0 ? s->to : 2 * s->from;
    if (most <= m->limit)
        return HESCA_SUCCESS;
    return hesca_fail(
        HESCA_ERR_PARAM, 0, "probe --%s '%.0f': %.0f elements fit into memory",
        s->to > 0 ? "to" : "from", s->to > 0 ? s->to : s->from, m->limit);
}

static int
build(meter *m, const probe_sizes *s, probe_curve *curve)
{
    hesca_speed *model = NULL;
    hesca_build_options o = {.a = s->from,
                             .b = s->to,
                             .measure_end = 1,
                             .eps = s->eps,
                             .most = s->points,
                             .seconds = m->seconds,
                             .doubling = 1,
                             .progress = show,
                             .progress_data = m};
    int err;
    HESCA_TRY(err, check_range(m, s));
    if (!(o.b > 0))
        find_largest(m, o.a, &o.b);
    HESCA_TRY(err, s->even > 0 ? hesca_build_naive(s->even, &o, measure, m,
                                                   &model, &curve->report)
                               : hesca_build_gbbp(&o, measure, m, &model,
                                                  &curve->report));
    curve->limit = fmin(m->limit, hesca_speed_limit(model));
    err = hesca_speed_copy(model, curve->limit, &curve->speed);
fail:
    hesca_speed_free(model);
    return err;
}

static int
measure_here(const probe_sizes *s, double seconds, int shows,
             probe_curve *curve, const char **library)
{
    meter m = {.seconds = seconds, .shows = shows};
    int err;
    HESCA_TRY(err, probe_work_open(&m.task, s->kernel, s->blas));
    m.limit = floor(MEMORY * memory_available() / s->kernel->arrays /
                    sizeof(double));
    err = build(&m, s, curve);
    *library = m.task.blas;
fail:
    probe_work_close(&m.task);
    if (shows)
        progress(NULL);
    return err;
}

/* ------------------------------------------------ all hosts
 * Collective: all processes agree on errors before the next broadcast. */

static int
broadcast(const hesca_comm *c, void *data, size_t bytes, int root)
{
    MPI_Request request;
    MPI_Ibcast(data, (int)bytes, MPI_BYTE, root, MPI_COMM_WORLD, &request);
    return hesca_comm_wait(c, 1, &request);
}

/* Broadcast the measurements of a host's process; those of others are empty.
 */
static int
share(const hesca_comm *c, int root, probe_curve *x)
{
    hesca_build_report *r = &x->report;
    hesca_knot *knot = NULL;
    int n = 0, err;
    const int is_mine = c->rank == root;
    const hesca_knot *mine = is_mine ? hesca_speed_knots(x->speed, &n) : NULL;
    hesca_build_report got = *r;
    HESCA_TRY(err, broadcast(c, &got, sizeof got, root));
    HESCA_TRY(err, broadcast(c, &n, sizeof n, root));
    HESCA_TRY(err, broadcast(c, &x->limit, sizeof x->limit, root));
    const size_t size = (size_t)got.npoints;
    if (!is_mine) {
        *r = got; /* except for its pointers, which are those of the root */
        r->point = calloc(size, sizeof *r->point);
        r->seconds = calloc(size, sizeof *r->seconds);
    }
    knot = calloc((size_t)n, sizeof *knot);
    err = r->point == NULL || r->seconds == NULL || knot == NULL
              ? hesca_fail(HESCA_ERR_NOMEM, 0, "%d points", r->npoints)
              : HESCA_SUCCESS;
    HESCA_TRY(err, hesca_agree(c, err, 0, NULL));
    if (is_mine)
        memcpy(knot, mine, (size_t)n * sizeof *knot);
    HESCA_TRY(err, broadcast(c, r->point, size * sizeof *r->point, root));
    HESCA_TRY(err, broadcast(c, r->seconds, size * sizeof *r->seconds, root));
    HESCA_TRY(err, broadcast(c, knot, (size_t)n * sizeof *knot, root));
    if (!is_mine)
        err = hesca_speed_create(n, knot, x->limit, &x->speed);
    HESCA_TRY(err, hesca_agree(c, err, 0, NULL));
fail:
    free(knot);
    return err;
}

int
probe_curves_measure(const hesca_comm *c, double seconds,
                     const probe_sizes *sizes, const hesca_survey *hosts,
                     probe_curve *curve, const char **library)
{
    const int host = hesca_survey_host_of(hosts, c->rank);
    int err = HESCA_SUCCESS;
    *library = NULL;
    if (host >= 0)
        err =
            measure_here(sizes, seconds, c->rank == 0, &curve[host], library);
    HESCA_TRY(err, hesca_agree(c, err, 0, NULL));
    for (int i = 0; i < hosts->n; ++i)
        HESCA_TRY(err, share(c, hosts->host[i].first, &curve[i]));
fail:
    return err;
}

void
probe_curves_clear(int n, probe_curve *curve)
{
    for (int i = 0; i < n; ++i) {
        hesca_build_report_clear(&curve[i].report);
        hesca_speed_free(curve[i].speed);
        curve[i].speed = NULL;
    }
}
