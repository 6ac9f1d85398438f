/** \file hesca/experimental/grid.h
 * Process grids of MPI programs on hosts of unequal speed:
 * hesca/experimental/place.h for the processes of a communicator.
 *
 * libhesca_scalapack asks hesca_grid_place() when a program calls
 * BLACS_GRIDINIT; the shape of the grid stays the program's.  Programs that
 * have no shape of their own ask hesca_grid_auto(). */
#ifndef HESCA_EXPERIMENTAL_GRID_H
#define HESCA_EXPERIMENTAL_GRID_H

#include "hesca/experimental/place.h"
#include <mpi.h>

#ifdef __cplusplus
extern "C" {
#endif

/** What became of a grid. */
typedef struct {
    int placed;      /**< 1: processes are where process[] tells, and that is
                          not where the program's order has them; 0: they are
                          left in that order */
    double seconds;  /**< predicted for HESCA_JOB; 0: nothing is */
    double unplaced; /**< the same for the program's order; also 0 if memory is
                          too small for that */
    char why[240];   /**< the reason, for people */
    char hosts[160]; /**< how many of the grid's processes are on which host,
                          for people: "3 node0, 1 node2"; empty if no hosts
                          are known */
} hesca_grid_info;

/** Place the processes of a communicator in a grid as HESCA_PLACEMENT says.
 *
 * Collective over comm; the members of a grid get the same.  auto places where
 * the machine is known (HESCA_MACHINE), its hosts differ and the prediction
 * for HESCA_JOB gets better; speed where the machine is known; map where the
 * file (doc/heho.md) tells a grid of this shape.  Else the processes are left
 * in order: also if a process is on none of the machine's hosts, or their
 * memory is too small for HESCA_JOB anyhow.
 * \param [in]  comm      (global) Intra-communicator.
 * \param [in]  nprow, npcol  (grid) Not more places than processes.
 * \param [in]  ordered   (grid) [nprow * npcol] The program's order: the rank
 *                        at each place, counted row by row; NULL: that of
 *                        ranks.  The first is left at its place, unless by a
 *                        map file.
 * \param [in]  choose    (grid) 1: all processes of comm are there to be
 *                        chosen from; 0: only those of `ordered`, exchanged
 *                        among each other.  Several grids may be made in one
 *                        call then, of different processes.
 * \param [out] process   [nprow * npcol] Ranks of comm; unchanged on error.
 * \param [out] info      NULL: not wanted.
 * \return HESCA_SUCCESS, HESCA_ERR_ARG, HESCA_ERR_PARAM (a map or machine
 *         file is malformed), HESCA_ERR_NOMEM, HESCA_ERR_MPI: on one process,
 *         then on all of comm. */
HESCA_API int hesca_grid_place(MPI_Comm comm, int nprow, int npcol,
                               const int *ordered, int choose, int *process,
                               hesca_grid_info *info);

/** The best grid for a routine, of processes of MPI_COMM_WORLD
 * (HMPI+ScaLAPACK, HMPI thesis 3.1.3).
 *
 * Collective over MPI_COMM_WORLD, after MPI_Init or BLACS_PINFO; every process
 * gets the same.  To be handed to BLACS_GRIDINIT, which with
 * HESCA_PLACEMENT=auto places the processes that this chose, if HESCA_JOB
 * names the same; without a known machine all processes are taken for alike,
 * with a core each.
 * \param [in]  n        (global) Order of the matrices, >= 1.
 * \param [in]  nb       (global) Block size, >= 1.
 * \param [in]  routine  (global) As hesca_routine_find() takes it.
 * \param [out] nprow, npcol  (global) nprow * npcol may be less than the
 *                       number of processes; unchanged on error.
 * \return HESCA_SUCCESS, HESCA_ERR_ARG, HESCA_ERR_MISMATCH, HESCA_ERR_PARAM
 *         (also if HESCA_MACHINE has other hosts than those of the processes),
 *         HESCA_ERR_NOMEM, HESCA_ERR_MPI. */
HESCA_API int hesca_grid_auto(int64_t n, int nb, const char *routine,
                              int *nprow, int *npcol);

#ifdef __cplusplus
}
#endif

#endif
