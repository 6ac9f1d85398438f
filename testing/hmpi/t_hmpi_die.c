/* SPDX-License-Identifier: BSD-3-Clause */
/* t_hmpi_die RANK SIGNAL WHERE: a process of an HMPI program ends, or stops,
 * while it waits or computes; t_hmpi_lost.sh looks at what the others do.
 * t_hmpi_die RANK CODE leaving: it ends with an exit code. */
#include "hmpi.h"
#include "simple.c"
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int
main(int argc, char **argv)
{
    HMPI_Group gid;
    const int p = 2;
    int rank, err = 0;
    if (argc != 4 || HMPI_Init(argc, argv) != HMPI_SUCCESS)
        return 99;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (strcmp(argv[3], "leaving") == 0) {
        HMPI_Finalize(rank == atoi(argv[1]) ? atoi(argv[2]) : 0);
        return 0;
    }
    if (rank == atoi(argv[1])) {
        if (strcmp(argv[3], "waiting") == 0)
            alarm(1); /* in HMPI_Finalize() */
        else
            raise(atoi(argv[2]));
        if (atoi(argv[2]) == SIGSTOP && strcmp(argv[3], "waiting") == 0) {
            if (fork() == 0) {
                sleep(1);
                kill(getppid(), SIGSTOP);
                _exit(0);
            }
            alarm(0);
        }
    }
    /* The host creates late, and only if it still is there. */
    if (HMPI_Is_free())
        err = HMPI_Group_create(&gid, &HMPI_Model_simple, NULL, 0);
    if (HMPI_Is_host()) {
        sleep(30);
        err = HMPI_Group_create(&gid, &HMPI_Model_simple, &p, 1);
    }
    printf("%d: %d\n", rank, err);
    return err != HMPI_SUCCESS || HMPI_Finalize(0) != HMPI_SUCCESS;
}
