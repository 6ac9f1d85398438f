/* SPDX-License-Identifier: BSD-3-Clause */
/* Speeds by wall time; under a CPU quota by the processor time that it allows,
 * since a window has a few of its periods, or one less. */
#define _POSIX_C_SOURCE 200809L /* clock_gettime */
#include "base/sort.h"
#include "blas.h"
#include "heho.h"
#include "wait/quota.h"
#include <float.h>
#include <math.h>
#include <mpi.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

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

/* Seconds.
 * \param [in] quota  Of a core; 0: none. */
static double
clock_under(double quota)
{
    struct timespec t;
    if (quota <= 0 || quota >= 1)
        return yield_clock();
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return ((double)t.tv_sec + 1e-9 * (double)t.tv_nsec) / quota;
}

/* Seconds of one run over a window; refilling does not count. */
static double
measure(matrices *x, void (*run)(matrices *), double window)
{
    const size_t bytes = (size_t)x->order * (size_t)x->order * sizeof(double);
    const double quota = hesca_quota();
    double taken = 0, least = DBL_MAX;
    int times = 0;
    const double start = yield_clock();
    while (yield_clock() - start < window) {
        memcpy(x->c, x->a, bytes);
        const double from = clock_under(quota);
        run(x);
        const double seconds = clock_under(quota) - from;
        least = fmin(least, seconds);
        taken += seconds;
        ++times;
    }
    /* With a quota a short run is faster than the host in the long run. */
    x->fastest = fmin(x->fastest, quota > 0 ? taken / times : least);
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

/* Between hosts that disturb each other a measurement varies by a tenth. */
static int
level(int n, heho_speed *speed)
{
    static const double EQUAL = 0.12;
    double *same = malloc((size_t)n * sizeof *same), ends[2];
    if (same == NULL)
        return cmdline_fail("no memory for speeds of %d hosts", n);
    for (int i = 0; i < n; ++i) {
        int count = 0, first = 1;
        for (int j = 0; j < n; ++j)
            if (speed[j].quota == speed[i].quota) {
                first &= j >= i;
                same[count++] = speed[j].kernel;
            }
        if (!first || speed[i].quota <= 0)
            continue;
        const double middle = hesca_median(same, count, ends);
        for (int j = i; j < n; ++j)
            if (speed[j].quota == speed[i].quota &&
                fabs(speed[j].kernel - middle) <= EQUAL * middle)
                speed[j].kernel = middle;
    }
    free(same);
    return 1;
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
                    .copy = measure_copies(window),
                    .quota = hesca_quota()};
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
    yield_allreduce(speed, 4 * x->nhosts, MPI_DOUBLE, MPI_MAX);
    if (!ok && x->rank == 0)
        cmdline_fail("no memory for matrices of order %d", order);
    ok = ok && level(x->nhosts, speed);
    if (ok && x->rank == 0)
        ok = enter(x, r, speed);
    matrices_close(&b);
    return yield_all(ok);
}
