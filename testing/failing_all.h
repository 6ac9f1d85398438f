/* SPDX-License-Identifier: BSD-3-Clause */
/* Collective calls that must survive each allocation that fails on any
 * process, see failing.h. */
#ifndef HESCA_TESTING_FAILING_ALL_H
#define HESCA_TESTING_FAILING_ALL_H

#include "hesca/status.h"
#include "testing/check.h"
#include "testing/failing.h"

/* Let each allocation of process `victim` fail in turn, the later ones in
 * larger steps: all processes must return the same, success or
 * HESCA_ERR_NOMEM, and success at the end.
 * \return How many calls had an allocation that failed. */
static inline long
fail_each(const char *what, int victim, int (*call)(void *), void *data)
{
    const MPI_Comm comm = MPI_COMM_WORLD;
    int rank, err = HESCA_ERR_NOMEM, used_up = 1;
    long calls = 0;
    const int slow = check_big() ? 16 : 4;
    MPI_Comm_rank(comm, &rank);
    for (long k = 0; used_up && k < 100000; k += 1 + k / slow, ++calls) {
        nomem_left = rank == victim ? k : -1;
        err = call(data);
        used_up = rank == victim && nomem_left < 0;
        nomem_left = -1;
        int mine[3] = {err, -err, -used_up}, range[3];
        MPI_Allreduce(mine, range, 3, MPI_INT, MPI_MIN, comm);
        used_up = -range[2];
        CHECK(range[0] == -range[1] &&
                  (err == HESCA_SUCCESS || err == HESCA_ERR_NOMEM),
              "%s, allocation %ld of rank %d: %d ... %d, %s", what, k, victim,
              range[0], -range[1], hesca_error_text());
    }
    CHECK(err == HESCA_SUCCESS, "%s, rank %d: %d after %ld calls: %s", what,
          victim, err, calls, hesca_error_text());
    return calls - 1;
}

#endif
