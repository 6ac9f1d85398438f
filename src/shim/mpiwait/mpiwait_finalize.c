/* SPDX-License-Identifier: BSD-3-Clause */
/* MPI_Finalize waits for the last process, which may still work; so all meet
 * with yielding waits before.
 *
 * Between hosts there is more to it.  To close a connection on which it has
 * sent, a process asks the other for an answer (UCX 1.13, TCP).  In
 * MPI_Finalize, MPICH 4.0 answers until its own questions are answered, then
 * waits for the process manager without answering any more: a process that
 * comes later asks in vain, and all stay for ever.  It does not happen if
 * - each of two processes has sent to the other, so that each has to ask, and
 * - no process answers, by calling MPI, before it has asked itself.
 * So all exchange messages, then meet, and then no process calls MPI until the
 * last one has left the meeting, too; also not when MPI_Finalize frees what
 * HESCA has kept, so what waits for messages ends before. */
#define _POSIX_C_SOURCE 200809L
#include "hohe/hohe.h"
#include "shim/figures.h"
#include "shim/mpiwait/mpiwait.h"
#include <time.h>

enum {
    MOST = 256,   /* more processes do not open a connection for each pair */
    SILENCE = 100 /* ms: longer than the last one needs to leave */
};

static MPI_Comm world = MPI_COMM_NULL; /* the program may still receive in its
                                          own */
static int is_one_node;

void
hesca_mpiwait_prepare_end(int one_node)
{
    MPI_Request request;
    is_one_node = one_node;
    if (PMPI_Comm_idup(MPI_COMM_WORLD, &world, &request) == MPI_SUCCESS)
        hesca_mpiwait_finish(&request);
}

/* Send nothing to one process, and receive it from another. */
static void
greet(int to, int from)
{
    MPI_Request received, sent;
    PMPI_Irecv(NULL, 0, MPI_BYTE, from, 0, world, &received);
    PMPI_Isend(NULL, 0, MPI_BYTE, to, 0, world, &sent);
    hesca_mpiwait_finish(&received);
    hesca_mpiwait_finish(&sent);
}

static void
meet(void)
{
    const struct timespec silence = {.tv_nsec = SILENCE * 1000000L};
    MPI_Request request;
    int rank, size;
    PMPI_Comm_rank(world, &rank);
    PMPI_Comm_size(world, &size);
    const int greets = !is_one_node && size <= MOST;
    for (int k = 1; greets && k < size; ++k)
        greet((rank + k) % size, (rank - k + size) % size);
    if (PMPI_Ibarrier(world, &request) == MPI_SUCCESS)
        hesca_mpiwait_finish(&request);
    PMPI_Comm_free(&world);
    if (greets)
        nanosleep(&silence, NULL);
}

HESCA_MPIWAIT(Finalize)(void)
{
    hesca_figures_end();
    if (!HESCA_MPIWAIT_OFF) {
        hesca_mpiwait_forget();
        hesca_mpiwait_on = 0;
        hesca_hohe_finish_all();
        if (world != MPI_COMM_NULL)
            meet();
    }
    return hesca_mpiwait_original.Finalize();
}
