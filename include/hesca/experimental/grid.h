/* SPDX-License-Identifier: BSD-3-Clause */
/** \file hesca/experimental/grid.h
 * Process grids of MPI programs on hosts of unequal speed:
 * hesca/experimental/place.h for the processes of a communicator.
 *
 * libhesca_scalapack calls hesca_grid_place() when a program calls
 * BLACS_GRIDINIT; the shape of the grid remains that of the program.  Programs
 * without a shape of their own can call hesca_grid_auto(). */
#ifndef HESCA_EXPERIMENTAL_GRID_H
#define HESCA_EXPERIMENTAL_GRID_H

#include "hesca/experimental/place.h"
#include <mpi.h>

#ifdef __cplusplus
extern "C" {
#endif

/** Result of a placement. */
typedef struct {
    int placed;      /**< 1: process[] differs from the program's order; 0:
                          processes are in that order */
    double seconds;  /**< predicted for HESCA_JOB; 0: no prediction */
    double unplaced; /**< the same for the program's order; also 0 if memory is
                          too small for it */
    char why[240];   /**< the reason, as text */
    char hosts[160]; /**< number of processes of the grid on each host, as
                          text: "3 node0, 1 node2"; empty without
                          known hosts */
} hesca_grid_info;

/** Place the processes of a communicator in a grid according to
 * HESCA_PLACEMENT.
 *
 * Collective over comm; the members of a grid get the same result.  auto
 * places if the machine is known (HESCA_MACHINE), its hosts differ and the
 * prediction for HESCA_JOB improves; speed if the machine is known; map if the
 * file (doc/heho.md) has a grid of this shape.  Otherwise the processes remain
 * in order, also if a process is on none of the machine's hosts, or if their
 * memory is too small for HESCA_JOB in any order.
 * \param [in]  comm      (global) Intra-communicator.
 * \param [in]  nprow, npcol  (grid) Not more places than processes.
 * \param [in]  ordered   (grid) [nprow * npcol] The program's order: the rank
 *                        at each place, counted row by row; NULL: that of
 *                        ranks.  The first keeps its place, except with a map
 *                        file.
 * \param [in]  choose    (grid) 1: choose from all processes of comm; 0:
 *                        permute those of `ordered` only.  Then several grids
 *                        of different processes may be created in one call.
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
 * gets the same result.  Pass it to BLACS_GRIDINIT, which with
 * HESCA_PLACEMENT=auto places the processes chosen here if HESCA_JOB names the
 * same job; without a known machine all processes are assumed to be equal,
 * with a core each.
 * \param [in]  n        (global) Order of the matrices, >= 1.
 * \param [in]  nb       (global) Block size, >= 1.
 * \param [in]  routine  (global) A name as for hesca_routine_find().
 * \param [out] nprow, npcol  (global) nprow * npcol may be less than the
 *                       number of processes; unchanged on error.
 * \return HESCA_SUCCESS, HESCA_ERR_ARG, HESCA_ERR_MISMATCH, HESCA_ERR_PARAM
 *         (also if HESCA_MACHINE has other hosts than those of the processes),
 *         HESCA_ERR_NOMEM, HESCA_ERR_MPI. */
HESCA_API int hesca_grid_auto(int64_t n, int nb, const char *routine,
                              int *nprow, int *npcol);

/** Have the processes of a communicator always remain in order: HMPI's groups
 * are placed already.
 *
 * Collective over comm, without communication; duplicates are not affected.
 * \return HESCA_SUCCESS or HESCA_ERR_MPI. */
HESCA_API int hesca_grid_keep_order(MPI_Comm comm);

#ifdef __cplusplus
}
#endif

#endif
