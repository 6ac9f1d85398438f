/* SPDX-License-Identifier: BSD-3-Clause */
/* HESCA_TIMEOUT: a process that waits for one that comes late to pdgemr2d
 * reports it, in one line that names the routine, the rank and the event;
 * without it there is no message.  The result is right either way. */
#define _GNU_SOURCE
#include "hesca/scalapack.h"
#include "testing/check.h"
#include "testing/shim/blacs.h"
#include <string.h>
#include <unistd.h>

enum { N = 24, LATE = 1 };

static char said[65536]; /* on stderr during a call */

/* Copy once, process LATE being late by so many seconds. */
static void
copy(hesca_int ctxt, int rank, int size, int seconds)
{
    const hesca_int desca[9] = {1, ctxt, N, N, 2, 2, 0, 0, N};
    const hesca_int descb[9] = {1, ctxt, N, N, 3, 3, 0, 0, N};
    double x[N * N], y[N * N];
    FILE *file = tmpfile();
    const int saved = dup(2);
    for (int k = 0; k < N * N; ++k)
        x[k] = rank + 1;
    memset(y, 0, sizeof y);
    fflush(stderr);
    dup2(fileno(file), 2);
    if (rank == LATE)
        sleep((unsigned)seconds);
    hesca_Cpdgemr2d(N, N, x, 1, 1, desca, y, 1, 1, descb, ctxt);
    fflush(stderr);
    dup2(saved, 2);
    close(saved);
    rewind(file);
    said[fread(said, 1, sizeof said - 1, file)] = '\0';
    fclose(file);
    /* 1 x size grid: global column 0 is of process 0 in A and in B. */
    CHECK(rank > 0 || y[0] == 1, "%g", y[0]);
    CHECK(size < 2 || rank != 1 || y[0] == 2, "%g", y[0]);
}

static int
lines(const char *text)
{
    int n = 0;
    for (; *text != '\0'; ++text)
        n += *text == '\n';
    return n;
}

int
main(int argc, char **argv)
{
    hesca_int ctxt;
    int rank, size;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    for (int limit = 0; limit < 2; ++limit) {
        setenv("HESCA_TIMEOUT", limit ? "0.5" : "0", 1);
        Cblacs_get(0, 0, &ctxt);
        Cblacs_gridinit(&ctxt, "R", 1, size);
        for (int k = 0; k < 4; ++k)
            copy(ctxt, rank, size, 0);
        CHECK(said[0] == '\0', "in time, limit %d: %s", limit, said);
        copy(ctxt, rank, size, 2);
        char who[40];
        snprintf(who, sizeof who, "pdgemr2d: rank %d of %d has waited 0.5 s",
                 rank, size);
        if (limit == 0 || rank == LATE)
            CHECK(said[0] == '\0', "limit %d, rank %d: %s", limit, rank, said);
        else
            CHECK(lines(said) == 1 && strstr(said, who) != NULL &&
                      strstr(said, " for ") != NULL,
                  "rank %d: %s", rank, said);
        Cblacs_gridexit(ctxt);
    }
    const int status = check_done("t_timeout");
    Cblacs_exit(1);
    MPI_Finalize();
    return status;
}
