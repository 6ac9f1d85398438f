/* SPDX-License-Identifier: BSD-3-Clause */
/* HMPI: a BLACS grid of the best processes (Figure A.2 of the thesis, and its
 * step from HMPI to ScaLAPACK).
 *
 *     mpiexec -n 4 22_hmpi_blacs
 *
 * The grid has the order of the group: HESCA does not place its processes a
 * second time. */
#include "grid.c" /* made by hmpicc from models/grid.mpc */
#include "hmpi.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

int Csys2blacs_handle(MPI_Comm comm);
void Cblacs_gridinit(int *ictxt, const char *order, int nprow, int npcol);
void Cblacs_gridinfo(int ictxt, int *nprow, int *npcol, int *myrow,
                     int *mycol);
void Cblacs_gridexit(int ictxt);
void Cfree_blacs_system_handle(int handle);

/* \return 1 if the BLACS see this process elsewhere than HMPI. */
static int
compare(const HMPI_Group *gid)
{
    int numc, *dims, *me, nprow, npcol, myrow, mycol;
    HMPI_Group_topology(gid, &numc, &dims);
    HMPI_Group_coordof(gid, &numc, &me);
    const int handle = Csys2blacs_handle(*HMPI_Get_comm(gid));
    int ictxt = handle;
    Cblacs_gridinit(&ictxt, "R", dims[0], dims[1]);
    Cblacs_gridinfo(ictxt, &nprow, &npcol, &myrow, &mycol);
    const int wrong = nprow != dims[0] || npcol != dims[1] || myrow != me[0] ||
                      mycol != me[1];
    Cblacs_gridexit(ictxt);
    Cfree_blacs_system_handle(handle);
    free(dims);
    free(me);
    return wrong;
}

int
main(int argc, char **argv)
{
    HMPI_Group gid;
    int wrong = 0;
    if (HMPI_Init(argc, argv) != HMPI_SUCCESS)
        return 1;
    const int size = HMPI_Group_size(HMPI_COMM_WORLD_GROUP);
    const int p = (int)sqrt(size), params[] = {p, size / p};
    const double begin = MPI_Wtime();
    if (HMPI_Is_host() &&
        HMPI_Group_create(&gid, &MPC_NetType_grid, params, 2) != 0)
        HMPI_Printf("%s\n", hesca_error_text());
    if (HMPI_Is_free())
        HMPI_Group_create(&gid, &MPC_NetType_grid, NULL, 0);
    if (HMPI_Is_host())
        HMPI_Printf("%d of %d processes, group created in %.3f s\n",
                    params[0] * params[1], size, MPI_Wtime() - begin);
    if (HMPI_Is_member(&gid)) {
        wrong = compare(&gid);
        MPI_Allreduce(MPI_IN_PLACE, &wrong, 1, MPI_INT, MPI_SUM,
                      *HMPI_Get_comm(&gid));
        if (HMPI_Is_parent(&gid))
            HMPI_Printf("%d x %d grid: %d processes elsewhere\n", params[0],
                        params[1], wrong);
        HMPI_Group_free(&gid);
    }
    HMPI_Finalize(wrong != 0);
    return 0;
}
