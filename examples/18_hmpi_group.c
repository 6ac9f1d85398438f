/* SPDX-License-Identifier: BSD-3-Clause */
/* HMPI: a group of the fastest processes (Figures 3.4 and 3.6 of the thesis).
 *
 *     mpiexec -n 4 18_hmpi_group [members]
 *
 * The host, process 0, asks for a group of so many processes, of all without
 * an argument.  Free processes wait in the same function until they are
 * employed or may go on. */
#include "hmpi.h"
#include <stdio.h>
#include <stdlib.h>
/* Made by hmpicc from models/simple.mpc. */
#include "simple.c"

int
main(int argc, char **argv)
{
    HMPI_Group gid;
    char text[HMPI_MAX_ERROR_STRING];
    int err = HMPI_Init(argc, argv), p;
    if (err != HMPI_SUCCESS) {
        HMPI_Strerror(err, text);
        fprintf(stderr, "%s\n", text);
        return 1;
    }
    p = argc > 1 ? atoi(argv[1]) : HMPI_Group_size(HMPI_COMM_WORLD_GROUP);
    if (HMPI_Is_host())
        err = HMPI_Group_create(&gid, &HMPI_Model_simple, &p, 1);
    if (HMPI_Is_free())
        err = HMPI_Group_create(&gid, &HMPI_Model_simple, NULL, 0);
    if (err != HMPI_SUCCESS) {
        HMPI_Strerror(err, text);
        HMPI_Printf("no group: %s\n", text);
    }
    if (HMPI_Is_member(&gid)) {
        int rank, size;
        MPI_Comm_rank(*HMPI_Get_comm(&gid), &rank);
        MPI_Comm_size(*HMPI_Get_comm(&gid), &size);
        if (HMPI_Is_parent(&gid))
            HMPI_Printf("a group of %d processes, %d are free\n", size,
                        HMPI_Get_number_of_free_processes());
        if (rank != HMPI_Group_rank(&gid))
            err = 1;
        HMPI_Group_free(&gid);
    }
    HMPI_Finalize(0);
    return err != HMPI_SUCCESS;
}
