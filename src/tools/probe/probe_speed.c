/* SPDX-License-Identifier: BSD-3-Clause */
/* Speeds of hosts: products of small matrices in plain C, by wall time, so
 * that competing load counts.  The ratio of speeds of library kernels may
 * differ; between processors of one kind it hardly does. */
#include "tools/lib/sort.h"
#include "tools/lib/tools.h"
#include "tools/probe/probe.h"

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

/* Operations per second, measured for some seconds. */
static double
run(double seconds)
{
    const double start = MPI_Wtime();
    double elapsed;
    int n = 0;
    do {
        a[n % N][n / N % N] += 1e-3; /* another product each time */
        multiply();
        ++n;
        elapsed = MPI_Wtime() - start;
    } while (elapsed < seconds);
    return 2.0 * N * N * N * n / elapsed;
}

/* The median of windows that are long compared with time slices. */
static double
speed(double seconds)
{
    double x[WINDOWS];
    for (int i = 0; i < N; ++i)
        for (int j = 0; j < N; ++j) {
            a[i][j] = 1.0 / (1 + i + j);
            b[i][j] = i < j ? 0.5 : -0.25;
        }
    for (int w = 0; w < WINDOWS; ++w)
        x[w] = run(seconds / WINDOWS);
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
        x->host[host].speed = speed(seconds);
    for (int i = 0; i < x->n && err == HESCA_SUCCESS; ++i) {
        MPI_Ibcast(&x->host[i].speed, 1, MPI_DOUBLE, x->host[i].first,
                   MPI_COMM_WORLD, &request);
        err = hesca_comm_wait(comm, 1, &request);
    }
    if (comm->rank == 0)
        progress(NULL);
    return err;
}
