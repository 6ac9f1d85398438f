/* SPDX-License-Identifier: BSD-3-Clause */
/* Speeds by wall time, with windows long enough for CPU quotas to show. */
#include "base/sort.h"
#include "blas.h"
#include "heho.h"
#include "wait/quota.h"
#include <float.h>
#include <math.h>
#include <mpi.h>
#include <stdlib.h>
#include <string.h>

enum { WINDOWS = 5 };

/* Matrices of one kernel. */
typedef struct {
    int order, *pivot;
    double fastest; /* s of a run, at best */
    double *a, *b, *c;
} matrices;

static void
run_gemm(matrices *x)
{
    const double plus = 1, zero = 0;
    const int n = x->order;
    dgemm_("N", "N", &n, &n, &n, &plus, x->a, &n, x->b, &n, &zero, x->c, &n);
}

static void
run_potrf(matrices *x)
{
    int info;
    dpotrf_("L", &x->order, x->c, &x->order, &info);
}

static void
run_getrf(matrices *x)
{
    int info;
    dgetrf_(&x->order, &x->order, x->c, &x->order, x->pivot, &info);
}

static const struct {
    hesca_routine routine;
    void (*run)(matrices *);
} runs[] = {{HESCA_ROUTINE_GEMM, run_gemm},
            {HESCA_ROUTINE_POTRF, run_potrf},
            {HESCA_ROUTINE_GESV, run_getrf}};

static int
matrices_open(matrices *x, int order)
{
    const size_t n = (size_t)order * (size_t)order;
    *x = (matrices){.order = order,
                    .pivot = calloc((size_t)order, sizeof(int)),
                    .a = calloc(n, sizeof(double)),
                    .b = calloc(n, sizeof(double)),
                    .c = calloc(n, sizeof(double))};
    if (x->pivot == NULL || x->a == NULL || x->b == NULL || x->c == NULL)
        return 0;
    for (size_t k = 0; k < n; ++k)
        x->a[k] = x->b[k] = (double)(k * 2654435761U % 1000003) * 1e-6;
    for (int i = 0; i < order; ++i)
        x->a[(size_t)i * (size_t)(order + 1)] += order;
    return 1;
}

static void
matrices_close(matrices *x)
{
    free(x->pivot);
    free(x->a);
    free(x->b);
    free(x->c);
}

/* Seconds of one run over a window; refilling does not count. */
static double
measure(matrices *x, void (*run)(matrices *), double window)
{
    const size_t bytes = (size_t)x->order * (size_t)x->order * sizeof(double);
    double taken = 0, least = DBL_MAX;
    int times = 0;
    const double start = yield_clock();
    while (yield_clock() - start < window) {
        memcpy(x->c, x->a, bytes);
        const double from = yield_clock();
        run(x);
        const double seconds = yield_clock() - from;
        least = fmin(least, seconds);
        taken += seconds;
        ++times;
    }
    /* With a quota a short run is faster than the host in the long run. */
    x->fastest = fmin(x->fastest, hesca_quota() > 0 ? taken / times : least);
    return taken / times;
}

static double
measure_median(matrices *x, hesca_routine routine, double window)
{
    double t[WINDOWS], ends[2];
    x->fastest = DBL_MAX;
    measure(x, runs[routine].run, window);
    for (int k = 0; k < WINDOWS; ++k)
        t[k] = measure(x, runs[routine].run, window);
    return hesca_median(t, WINDOWS, ends);
}

/* Bytes per second of copies in the cache, the fastest of some. */
static double
measure_copies(double window)
{
    enum { BYTES = 1 << 16, COPIES = 16 };
    static char from[BYTES], to[BYTES];
    double fastest = DBL_MAX;
    const double start = yield_clock();
    while (yield_clock() - start < window) {
        const double begin = yield_clock();
        for (int k = 0; k < COPIES; ++k) {
            memcpy(to, from, BYTES);
            from[k] = to[k + 1]; /* so that all are made */
        }
        fastest = fmin(fastest, fmax(yield_clock() - begin, 1e-9));
    }
    return (double)BYTES * COPIES / fastest;
}

static int
enter(heho_hosts *x, const heho_routine *r, const heho_speed *speed)
{
    for (int i = 0; i < x->nhosts; ++i) {
        hesca_speed *model;
        int err =
            hesca_speed_create_constant(speed[i].kernel, INFINITY, &model);
        if (err == HESCA_SUCCESS) {
            err = hesca_machine_set_speed(&x->machine, i, r->kernel, model);
            hesca_speed_free(model);
        }
        if (err < 0)
            return cmdline_fail("%s", hesca_error_text());
        x->machine.host[i].speed = speed[i].kernel / speed[0].kernel;
    }
    x->machine.unit.flops = speed[0].kernel;
    return heho_hosts_publish(x);
}

static heho_speed
measure_host(matrices *b, const heho_routine *r, double window)
{
    const double cube = pow(b->order, 3);
    heho_speed s = {.kernel =
                        r->factor * cube / measure_median(b, r->id, window),
                    .copy = measure_copies(window)};
    if (r->id != HESCA_ROUTINE_GEMM)
        measure_median(b, HESCA_ROUTINE_GEMM, window);
    s.product = 2 * cube / b->fastest;
    return s;
}

int
heho_speeds(heho_hosts *x, const heho_routine *r, int order, double window,
            heho_speed *speed)
{
    matrices b = {.order = 0};
    const int mine = x->first[x->host[x->rank]] == x->rank;
    int ok = yield_all(!mine || matrices_open(&b, order));
    for (int i = 0; i < x->nhosts; ++i)
        speed[i] = (heho_speed){.kernel = 0};
    yield_barrier();
    if (ok && mine)
        speed[x->host[x->rank]] = measure_host(&b, r, window);
    yield_long_barrier();
    yield_allreduce(speed, 3 * x->nhosts, MPI_DOUBLE, MPI_MAX);
    if (!ok && x->rank == 0)
        cmdline_fail("no memory for matrices of order %d", order);
    if (ok && x->rank == 0)
        ok = enter(x, r, speed);
    matrices_close(&b);
    return yield_all(ok);
}
