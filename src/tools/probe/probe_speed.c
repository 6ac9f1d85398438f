/* SPDX-License-Identifier: BSD-3-Clause */
/* Speeds of hosts: products of small matrices in plain C, by the processor
 * time that they had, times what the CPU quota of the host allows: a window of
 * wall time has a few periods of a quota, or one less.  The ratio of speeds of
 * library kernels may differ; between processors of one kind it hardly does.
 */
#define _POSIX_C_SOURCE 200809L /* clock_gettime */
#include "tools/lib/sort.h"
#include "tools/lib/tools.h"
#include "tools/probe/probe.h"
#include "wait/quota.h"
#include <stdio.h>
#include <time.h>

enum { N = 64, WINDOWS = 15 };

static double a[N][N], b[N][N], c[N][N];

static void
multiply(void)
{
    for (int i = 0; i < N; ++i)
        for (int k = 0; k < N; ++k)
            for (int j = 0; j < N; ++j)
                c[i][j] += a[i][k] * b[k][j];
}

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
run(double seconds, double *had)
{
    const double start = MPI_Wtime(), before = processor_time();
    double elapsed;
    int n = 0;
    do {
        a[n % N][n / N % N] += 1e-3; /* another product each time */
        multiply();
        ++n;
        elapsed = MPI_Wtime() - start;
    } while (elapsed < seconds);
    *had = (processor_time() - before) / elapsed;
    return 2.0 * N * N * N * n / elapsed;
}

/* The median of windows that are long compared with time slices.
 * \param [out] share  Of the processor time that the quota allows, what was
 *                     had: 1 on an idle host. */
static double
speed(double seconds, double *share)
{
    const double quota = hesca_quota();
    const double allowed = quota > 0 && quota < 1 ? quota : 1;
    double x[WINDOWS], had[WINDOWS], whole = 0;
    for (int i = 0; i < N; ++i)
        for (int j = 0; j < N; ++j) {
            a[i][j] = 1.0 / (1 + i + j);
            b[i][j] = i < j ? 0.5 : -0.25;
        }
    for (int w = 0; w < WINDOWS; ++w) {
        x[w] = run(seconds / WINDOWS, &had[w]);
        whole += had[w] / WINDOWS;
    }
    *share = whole < allowed ? whole / allowed : 1;
    for (int w = 0; w < WINDOWS; ++w)
        x[w] *= allowed / had[w];
    sort_numbers(x, WINDOWS);
    return x[WINDOWS / 2];
}

int
probe_speed_measure(const hesca_comm *comm, double seconds, probe_hosts *x)
{
    MPI_Request request;
    int err = HESCA_SUCCESS;
    if (comm->rank == 0)
        progress("hesca: speeds of %d hosts, %.1f s", x->n, seconds);
    MPI_Ibarrier(MPI_COMM_WORLD, &request);
    err = hesca_comm_wait(comm, 1, &request);
    const int host = probe_hosts_of(x, comm->rank);
    if (host >= 0 && err == HESCA_SUCCESS)
        x->host[host].speed = speed(seconds, &x->host[host].share);
    for (int i = 0; i < x->n && err == HESCA_SUCCESS; ++i) {
        double found[2] = {x->host[i].speed, x->host[i].share};
        MPI_Ibcast(found, 2, MPI_DOUBLE, x->host[i].first, MPI_COMM_WORLD,
                   &request);
        err = hesca_comm_wait(comm, 1, &request);
        x->host[i].speed = found[0];
        x->host[i].share = found[1];
    }
    if (comm->rank != 0)
        return err;
    progress(NULL);
    for (int i = 0; i < x->n && err == HESCA_SUCCESS; ++i)
        if (x->host[i].share < PROBE_BUSY)
            fprintf(stderr,
                    "hesca: host %s is busy: the probe had %.0f %% of the "
                    "processor time that it could have; its speed is what it "
                    "would be if it was idle\n",
                    x->host[i].name, 100 * x->host[i].share);
    return err;
}
