/* SPDX-License-Identifier: BSD-3-Clause */
/* Placing a grid without memory on one process: all of them return that error,
 * nothing is written, and the next call succeeds.  HESCA_NODE_SIZE=1 makes
 * a host of each process. */
#define _POSIX_C_SOURCE 200809L /* mkstemp, setenv */
#include "hesca/experimental/grid.h"
#include "testing/check.h"
#include "testing/failing.h"
#include <string.h>
#include <unistd.h>

static int rank, size;

/* Rank 0 makes a file, and all get its name. */
static void
write_file(char *path, const char *text)
{
    if (rank == 0) {
        const int fd = mkstemp(path);
        if (fd < 0 || write(fd, text, strlen(text)) < 0)
            abort();
        close(fd);
    }
    MPI_Bcast(path, (int)strlen(path) + 1, MPI_CHAR, 0, MPI_COMM_WORLD);
}

static int
place(MPI_Comm comm)
{
    int process[2] = {-7, -7};
    hesca_grid_info info = {.placed = -7};
    const int err = hesca_grid_place(comm, 1, 2, NULL, 1, process, &info);
    CHECK((err == HESCA_SUCCESS) == (info.placed != -7) &&
              (err == HESCA_SUCCESS) == (process[0] != -7),
          "%d: placed %d, %d first", err, info.placed, process[0]);
    return err;
}

static int
best(MPI_Comm comm)
{
    int nprow = -7, npcol = -7;
    (void)comm;
    const int err = hesca_grid_auto(500, 32, "gemm", &nprow, &npcol);
    CHECK((err == HESCA_SUCCESS) == (nprow != -7), "%d: %d rows", err, nprow);
    return err;
}

/* Each allocation of one process fails in turn. */
static void
fail_each(int (*call)(MPI_Comm), MPI_Comm comm, int who, const char *what)
{
    int err = HESCA_ERR_NOMEM, low, high;
    long n = 0;
    for (; err == HESCA_ERR_NOMEM && n < 1000; ++n) {
        nomem_left = rank == who ? n : -1;
        err = call(comm);
        nomem_left = -1;
        MPI_Allreduce(&err, &low, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
        MPI_Allreduce(&err, &high, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
        CHECK(low == high, "%s, allocation %ld of rank %d: %d and %d", what, n,
              who, low, high);
    }
    CHECK(err == HESCA_SUCCESS && n > 1,
          "%s, rank %d: %d after %ld allocations: %s", what, who, err, n - 1,
          hesca_error_text());
}

static void
fail_all(const char *placement, int (*call)(MPI_Comm))
{
    MPI_Comm comm;
    setenv("HESCA_PLACEMENT", placement, 1);
    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    CHECK(call(comm) == HESCA_SUCCESS, "%s: %s", placement,
          hesca_error_text());
    fail_each(call, comm, 0, placement);
    fail_each(call, comm, size - 1, placement);
    MPI_Comm_free(&comm);
}

int
main(int argc, char **argv)
{
    char machine[] = "/tmp/hesca-nomem-XXXXXX",
         map[] = "/tmp/hesca-map-XXXXXX";
    char placement[60];
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    write_file(machine, "hesca-machine 1\nhost node0\nhost node1 speed 0.5\n"
                        "host node2 speed 0.7\nhost node3 speed 2\n"
                        "others startup 1ms rate 1Gbit/s\n");
    write_file(map, "grid 1x2\n1 0\ngrid 1x3\n0 1 2\n");
    setenv("HESCA_MACHINE", machine, 1);
    snprintf(placement, sizeof placement, "map:%s", map);
    fail_all("auto", place);
    fail_all("speed", place);
    fail_all(placement, place);
    fail_all("auto", best);
    const int failed = check_done("t_grid_nomem");
    if (rank == 0) {
        unlink(machine);
        unlink(map);
    }
    MPI_Finalize();
    return failed;
}
