/** \file hesca/grid.h
 * Process grids of MPI programs on hosts of unequal speed: hesca/place.h for
 * the processes of a communicator.
 *
 * libhesca_scalapack asks hesca_grid_place() when a program calls
 * BLACS_GRIDINIT; the shape of the grid stays the program's.  Programs that
 * have no shape of their own ask hesca_grid_auto(). */
#ifndef HESCA_GRID_H
#define HESCA_GRID_H

#include "hesca/place.h"
#include <mpi.h>

#ifdef __cplusplus
extern "C" {
#endif

/** What became of a grid. */
typedef struct {
    int placed;     /**< 1: processes are where process[] tells; 0: row by
                         row, as without HESCA */
    char why[160];  /**< the reason, for people */
    double seconds; /**< predicted for HESCA_JOB; 0: nothing is */
    double unplaced; /**< the same for processes in order */
} hesca_grid_info;

/** Place the processes of a communicator in a grid as HESCA_PLACEMENT says.
 *
 * Collective over comm; every process gets the same.  auto places where the
 * machine is known (HESCA_MACHINE) and its hosts differ, speed always where
 * it is known, map where the file tells a grid of this shape; else, and if the
 * machine's hosts are not those of the processes, they are left in order.
 * \param [in]  comm      (global) Intra-communicator.
 * \param [in]  nprow, npcol  (global) Not more places than processes.
 * \param [in]  ordered   (global) [nprow * npcol] The processes in the order
 *                        of the program, place by place: one that gives a map
 *                        has chosen them, and they are exchanged among each
 *                        other; NULL: all processes of comm are there to be
 *                        chosen from, in the order of ranks.
 * \param [out] process   [nprow * npcol] Ranks of comm; unchanged on error.
 * \param [out] info      NULL: not wanted.
 * \return HESCA_SUCCESS, HESCA_ERR_ARG, HESCA_ERR_PARAM (a map or machine
 *         file is malformed), HESCA_ERR_NOMEM, HESCA_ERR_MPI. */
HESCA_API int hesca_grid_place(MPI_Comm comm, int nprow, int npcol,
                               const int *ordered, int *process,
                               hesca_grid_info *info);

/** The best grid for a routine, of processes of MPI_COMM_WORLD (HMPI+ScaLAPACK,
 * HMPI thesis 3.1.3).
 *
 * Collective over MPI_COMM_WORLD; every process gets the same.  To be handed
 * to BLACS_GRIDINIT, which with HESCA_PLACEMENT=auto places the processes that
 * this looked at; without a known machine all processes are alike.
 * \param [in]  n        (global) Order of the matrices, >= 1.
 * \param [in]  nb       (global) Block size, >= 1.
 * \param [in]  routine  (global) As hesca_routine_find() takes it.
 * \param [out] nprow, npcol  (global) nprow * npcol may be less than the
 *                       number of processes; unchanged on error.
 * \return HESCA_SUCCESS, HESCA_ERR_ARG, HESCA_ERR_PARAM, HESCA_ERR_NOMEM,
 *         HESCA_ERR_MPI. */
HESCA_API int hesca_grid_auto(int64_t n, int nb, const char *routine,
                              int *nprow, int *npcol);

#ifdef __cplusplus
}
#endif

#endif
