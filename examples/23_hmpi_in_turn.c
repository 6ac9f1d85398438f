/* SPDX-License-Identifier: BSD-3-Clause */
/* HMPI: the basic structure of a program, one group at a time (section 3.8.3
 * of the thesis).
 *
 *     mpiexec -n 4 23_hmpi_in_turn
 *
 * Nothing has to be synchronized: each creation answers all free processes. */
#include "hmpi.h"
#include "simple.c" /* made by hmpicc from models/simple.mpc */
#include <stdio.h>

int
main(int argc, char **argv)
{
    HMPI_Group gid1, gid2;
    int sum = 0;
    if (HMPI_Init(argc, argv) != HMPI_SUCCESS)
        return 1;
    const int all = HMPI_Group_size(HMPI_COMM_WORLD_GROUP);
    const int half = (all + 1) / 2;

    if (HMPI_Is_host())
        HMPI_Group_create(&gid1, &HMPI_Model_simple, &half, 1);
    if (HMPI_Is_free())
        HMPI_Group_create(&gid1, &HMPI_Model_simple, NULL, 0);
    if (HMPI_Is_member(&gid1)) {
        const int one = 1;
        MPI_Reduce(&one, &sum, 1, MPI_INT, MPI_SUM, HMPI_Group_parent(&gid1),
                   *HMPI_Get_comm(&gid1));
        HMPI_Group_free(&gid1);
    }

    if (HMPI_Is_host())
        HMPI_Group_create(&gid2, &HMPI_Model_simple, &all, 1);
    if (HMPI_Is_free())
        HMPI_Group_create(&gid2, &HMPI_Model_simple, NULL, 0);
    if (HMPI_Is_member(&gid2)) {
        MPI_Bcast(&sum, 1, MPI_INT, HMPI_Group_parent(&gid2),
                  *HMPI_Get_comm(&gid2));
        HMPI_Group_free(&gid2);
    }
    if (HMPI_Is_host())
        HMPI_Printf("groups of %d and %d processes\n", sum, all);
    HMPI_Finalize(sum != half);
    return 0;
}
