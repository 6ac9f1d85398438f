/* SPDX-License-Identifier: BSD-3-Clause */
/* HMPI: groups inside a group, and where processes wait for each other (Figure
 * 3.25 of the thesis).
 *
 *     mpiexec -n 6 24_hmpi_nested
 *
 * gid2 and gid3 are created while gid1 exists.  At the end of each waiting
 * point, its epilogue, all members of gid1 have passed a barrier before the
 * host tells free processes to go on (in print, point 3 has it the other way
 * round). */
#include "hmpi.h"
#include "simple.c" /* made by hmpicc from models/simple.mpc */
#include <stdio.h>

/* The parent of gid1 creates a group of those that are free; when it has ended
 * its members wait. */
static int
inner(const HMPI_Group *gid1, int p)
{
    HMPI_Group gid;
    int sum = 0;
    if (HMPI_Is_parent(gid1))
        HMPI_Group_create(&gid, &HMPI_Model_simple, &p, 1);
    /* A creation waiting point. */
    if (HMPI_Is_free())
        HMPI_Group_create(&gid, &HMPI_Model_simple, NULL, 0);
    if (HMPI_Is_member(gid1))
        HMPI_Barrier(gid1);
    if (HMPI_Is_host())
        HMPI_Notify_free_processes();
    /* Its epilogue. */
    if (HMPI_Is_member(&gid)) {
        const int one = 1;
        MPI_Reduce(&one, &sum, 1, MPI_INT, MPI_SUM, HMPI_Group_parent(&gid),
                   *HMPI_Get_comm(&gid));
        HMPI_Group_free(&gid);
    }
    /* A destruction waiting point. */
    if (HMPI_Is_free())
        HMPI_Wait_free_processes();
    if (HMPI_Is_member(gid1))
        HMPI_Barrier(gid1);
    if (HMPI_Is_host())
        HMPI_Notify_free_processes();
    /* Its epilogue. */
    return sum;
}

int
main(int argc, char **argv)
{
    HMPI_Group gid1;
    if (HMPI_Init(argc, argv) != HMPI_SUCCESS)
        return 1;
    const int all = HMPI_Group_size(HMPI_COMM_WORLD_GROUP);
    const int p1 = (all + 2) / 3, p2 = all - p1 + 1, p3 = (p2 + 1) / 2;
    if (HMPI_Is_host())
        HMPI_Group_create(&gid1, &HMPI_Model_simple, &p1, 1);
    if (HMPI_Is_free())
        HMPI_Group_create(&gid1, &HMPI_Model_simple, NULL, 0);
    if (HMPI_Is_host())
        HMPI_Notify_free_processes();
    const int n2 = inner(&gid1, p2), n3 = inner(&gid1, p3);
    if (HMPI_Is_member(&gid1))
        HMPI_Group_free(&gid1);
    if (HMPI_Is_free())
        HMPI_Wait_free_processes();
    if (HMPI_Is_host()) {
        HMPI_Notify_free_processes();
        HMPI_Printf("inside a group of %d: groups of %d and %d\n", p1, n2, n3);
    }
    HMPI_Finalize(HMPI_Is_host() && (n2 != p2 || n3 != p3));
    return 0;
}
