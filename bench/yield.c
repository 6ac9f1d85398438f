/* SPDX-License-Identifier: BSD-3-Clause */
#define _POSIX_C_SOURCE 200809L /* nanosleep, clock_gettime, setenv */
#include "yield.h"
#include <sched.h>
#include <stdlib.h>
#include <time.h>

static int naps; /* 1 on a crowded node */

void
yield_mpi_spins(void)
{
    setenv("HESCA_WAIT", "spin", 0);
}

void
yield_begin(int crowded)
{
    naps = crowded;
}

double
yield_clock(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* Complete a request.  On a crowded node a process asks for so many seconds at
 * full speed, letting others go first, and then naps between two questions. */
static void
await(MPI_Request *request, double patience)
{
    const struct timespec nap = {0, 20000};
    const double start = yield_clock();
    for (int done = 0;;) {
        MPI_Test(request, &done, MPI_STATUS_IGNORE);
        if (done)
            return;
        if (naps && yield_clock() - start >= patience)
            nanosleep(&nap, NULL);
        else if (naps)
            sched_yield();
    }
}

/* In the first barrier all nap until the last one has come, which lets it
 * work. They wake up one by one, within some 0.3 ms, and gather in the second:
 * there no process works or sleeps, so yielding is quick, and they
 * leave within some 0.01 ms. */
void
yield_barrier(void)
{
    const double patience[2] = {0, 2e-3};
    for (int k = 0; k < 2; ++k) {
        MPI_Request request;
        MPI_Ibarrier(MPI_COMM_WORLD, &request);
        await(&request, patience[k]);
    }
}

void
yield_long_barrier(void)
{
    const struct timespec nap = {0, 3000000};
    MPI_Request request;
    int done = 0;
    MPI_Ibarrier(MPI_COMM_WORLD, &request);
    for (;;) {
        MPI_Test(&request, &done, MPI_STATUS_IGNORE);
        if (done)
            return;
        nanosleep(&nap, NULL);
    }
}

void
yield_wait(MPI_Request *request)
{
    await(request, 2e-3);
}

void
yield_broadcast(void *data, size_t bytes)
{
    const size_t most = 1 << 20;
    for (char *next = data; bytes > 0;) {
        const size_t count = bytes < most ? bytes : most;
        MPI_Request request;
        MPI_Ibcast(next, (int)count, MPI_BYTE, 0, MPI_COMM_WORLD, &request);
        await(&request, 0);
        next += count;
        bytes -= count;
    }
}

void
yield_allreduce(void *data, int count, MPI_Datatype type, MPI_Op op)
{
    MPI_Request request;
    MPI_Iallreduce(MPI_IN_PLACE, data, count, type, op, MPI_COMM_WORLD,
                   &request);
    await(&request, 0);
}

int
yield_all(int mine)
{
    mine = mine != 0;
    yield_allreduce(&mine, 1, MPI_INT, MPI_MIN);
    return mine;
}
