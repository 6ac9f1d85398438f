/* SPDX-License-Identifier: BSD-3-Clause */
/* Speeds of hosts: by the processor time that a kernel had, times what the CPU
 * quota of the host allows: a window of wall time has a few periods of a
 * quota, or one less. */
#define _POSIX_C_SOURCE 200809L /* clock_gettime */
#include "base/sort.h"
#include "base/status.h"
#include "dense/kernels.h"
#include "exec/agree.h"
#include "survey/survey.h"
#include "wait/quota.h"
#include <math.h>
#include <stdlib.h>
#include <time.h>

enum { N = 64, WINDOWS_LEAST = 3, WINDOWS = 30 };

/* Seconds of a window, at least: long compared with time slices. */
static const double SHORTEST = 0.0065;

/* ------------------------------------------------ the kernel in plain C
 * The ratio of speeds of library kernels may differ; between processors of one
 * kind it hardly does. */

static double a[N][N], b[N][N], c[N][N];

static void
fill(void)
{
    for (int i = 0; i < N; ++i)
        for (int j = 0; j < N; ++j) {
            a[i][j] = 1.0 / (1 + i + j);
            b[i][j] = i < j ? 0.5 : -0.25;
        }
}

static void
multiply(void *count)
{
    int *n = count;
    a[*n % N][*n / N % N] += 1e-3; /* another product each time */
    ++*n;
    for (int i = 0; i < N; ++i)
        for (int k = 0; k < N; ++k)
            for (int j = 0; j < N; ++j)
                c[i][j] += a[i][k] * b[k][j];
}

/* ------------------------------------------------ that of BLAS */

typedef struct {
    int order;
    double operands[];
} product;

static void
multiply_by_blas(void *work)
{
    const double alpha = 1, beta = 0;
    product *p = work;
    const int64_t n = p->order;
    hesca_kernel_gemm(HESCA_D, 'N', 'N', n, n, n, &alpha, p->operands, n,
                      p->operands + n * n, n, &beta, p->operands + 2 * n * n,
                      n);
}

hesca_survey_kernel
hesca_survey_dgemm(int order)
{
    const int elements = 3 * order * order;
    product *p = calloc(1, sizeof *p + (size_t)elements * sizeof(double));
    for (int k = 0; p != NULL && k < elements; ++k)
        p->operands[k] = 1e-3 * (k % 97);
    if (p != NULL)
        p->order = order;
    return (hesca_survey_kernel){multiply_by_blas, p,
                                 2.0 * order * order * order};
}

/* ------------------------------------------------ one host */

static double
processor_time(void)
{
    struct timespec t;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* Operations per second, measured for some seconds; *had is the processor time
 * that was had per second. */
static double
run(const hesca_survey_kernel *kernel, double seconds, double *had)
{
    const double start = PMPI_Wtime(), before = processor_time();
    double elapsed;
    int n = 0;
    do {
        kernel->run(kernel->work);
        ++n;
        elapsed = PMPI_Wtime() - start;
    } while (elapsed < seconds);
    *had = (processor_time() - before) / elapsed;
    return kernel->operations * n / elapsed;
}

/* What a process found. */
typedef struct {
    double speed, had, width, part, count;
} finding;

enum { MEMBERS = sizeof(finding) / sizeof(double) };

/* The median of windows.  One in which the quota is exhausted lasts to the
 * next period; after the least number that a median needs none is begun that,
 * if it did, would not end in time. */
static finding
measure(const hesca_survey_kernel *kernel, double seconds)
{
    const double quota = hesca_quota();
    const double allowed = quota > 0 && quota < 1 ? quota : 1;
    const double window = fmax(SHORTEST, seconds / WINDOWS);
    const double start = PMPI_Wtime();
    double x[WINDOWS], had[WINDOWS], ends[2];
    double spent = 0, longest = 0;
    finding f = {.part = allowed, .count = 1};
    int n = 0;
    while (n < WINDOWS_LEAST || (n < WINDOWS && spent + longest < seconds)) {
        const double before = spent;
        x[n] = run(kernel, window, &had[n]);
        f.had += had[n] / allowed;
        x[n] *= allowed / fmax(had[n], 1e-3);
        ++n;
        spent = PMPI_Wtime() - start;
        longest = fmax(longest, spent - before);
    }
    f.had /= n;
    f.speed = hesca_median(x, n, ends);
    f.width = (ends[1] - ends[0]) / 2 / f.speed;
    return f;
}

double
hesca_survey_speed(const hesca_survey_kernel *kernel, double seconds)
{
    return measure(kernel, seconds).speed;
}

/* ------------------------------------------------ all hosts */

/* Of a host whose processes have found f in total. */
static void
set(hesca_survey_host *host, finding f)
{
    const double cores = host->cores > 0 ? fmin(host->cores, f.count) : 1;
    host->speed = f.speed / f.count;
    host->width = f.width / f.count;
    host->part = f.part / f.count;
    host->share = fmin(1, f.had / cores);
}

int
hesca_survey_speeds(const hesca_comm *comm, double seconds,
                    const hesca_survey_kernel *kernel, hesca_survey *x)
{
    int n = 0;
    const hesca_survey_kernel plain = {multiply, &n, 2.0 * N * N * N};
    const int mine =
        kernel == NULL ? hesca_survey_host_of(x, comm->rank) : x->mine;
    finding *found = calloc((size_t)x->n, sizeof *found);
    MPI_Request request;
    int err = HESCA_SUCCESS;
    if (found == NULL)
        err = hesca_fail(HESCA_ERR_NOMEM, 0, "speeds of %d hosts", x->n);
    HESCA_TRY(err, hesca_agree(comm, err, 0, NULL));
    if (comm->rank == 0 && x->progress != NULL)
        x->progress("hesca: speeds of %d hosts, %.1f s", x->n, seconds);
    if (kernel == NULL)
        fill();
    HESCA_MPI(err, Ibarrier, comm->mpi, &request);
    HESCA_TRY(err, hesca_comm_wait(comm, 1, &request));
    if (mine >= 0)
        found[mine] = measure(kernel == NULL ? &plain : kernel, seconds);
    HESCA_MPI(err, Iallreduce, MPI_IN_PLACE, found, x->n * MEMBERS, MPI_DOUBLE,
              MPI_SUM, comm->mpi, &request);
    HESCA_TRY(err, hesca_comm_wait(comm, 1, &request));
    for (int i = 0; i < x->n; ++i)
        set(&x->host[i], found[i]);
    if (comm->rank == 0 && x->progress != NULL)
        x->progress(NULL);
fail:
    free(found);
    return err;
}
