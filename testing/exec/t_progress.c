/* SPDX-License-Identifier: BSD-3-Clause */
/* A message that the program has begun to send before it calls HESCA arrives
 * although the sender then waits inside HESCA: the receiver comes to the call
 * only after it has the message, as MPI programs may.  Without MPI's progress
 * during the wait this never ends. */
#define _POSIX_C_SOURCE 200809L
#include "hesca/redist.h"
#include "testing/check.h"
#include <string.h>

enum { N = 60, LARGE = 16 << 20 };

static void
redistribute(int rank, int size, int round)
{
    static double x[N * N], y[N * N];
    hesca_side a = {.member = 1, .nprow = 1, .npcol = size, .mycol = rank};
    a.m = a.n = a.lld = N;
    a.mb = a.nb = 2;
    hesca_side b = a;
    b.nb = 7;
    for (int k = 0; k < N * N; ++k)
        x[k] = round;
    memset(y, 0, sizeof y);
    const int err = hesca_redistribute(HESCA_SUCCESS, HESCA_ALL, N, N, &a, x,
                                       &b, y, sizeof *x, MPI_COMM_WORLD, NULL);
    CHECK(err == HESCA_SUCCESS, "%s", hesca_error_text());
    CHECK(y[0] == (rank * 7 < N ? round : 0), "round %d, rank %d: %g", round,
          rank, y[0]);
}

int
main(int argc, char **argv)
{
    const struct timespec nap = {.tv_nsec = 200000000};
    char *large = calloc(LARGE, 1);
    MPI_Request request;
    int rank, size;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    for (int round = 1; round < 8; ++round) {
        const int late = round % size;
        const int sender = (late + 1) % size;
        if (rank == sender && sender != late) {
            memset(large, round, LARGE);
            MPI_Isend(large, LARGE, MPI_BYTE, late, round, MPI_COMM_WORLD,
                      &request);
        }
        if (rank == late && sender != late) {
            nanosleep(&nap, NULL);
            MPI_Recv(large, LARGE, MPI_BYTE, sender, round, MPI_COMM_WORLD,
                     MPI_STATUS_IGNORE);
            CHECK(large[LARGE - 1] == round, "round %d", round);
        }
        redistribute(rank, size, round);
        if (rank == sender && sender != late)
            MPI_Wait(&request, MPI_STATUS_IGNORE);
    }
    free(large);
    const int status = check_done("t_progress");
    MPI_Finalize();
    return status;
}
