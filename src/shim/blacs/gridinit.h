/* SPDX-License-Identifier: BSD-3-Clause */
/** \file shim/blacs/gridinit.h
 * BLACS_GRIDINIT and BLACS_GRIDMAP, from the entry points to a placement or
 * the original routine. */
#ifndef HESCA_SHIM_BLACS_GRIDINIT_H
#define HESCA_SHIM_BLACS_GRIDINIT_H

#include "hesca/experimental/grid.h"
#include "hesca/experimental/param.h"
#include "hesca/scalapack.h"
#include <mpi.h>

/** The routines; Fortran's and C's take system contexts of different kinds. */
typedef enum {
    GRIDINIT_F,
    GRIDINIT_C,
    GRIDMAP_F,
    GRIDMAP_C,
    SL_INIT, /**< asks for BLACS_GRIDINIT in the name of its caller */
    NGRID_ROUTINES
} hesca_grid_routine;

/** As the linker sees them. */
extern const char *const hesca_grid_name[NGRID_ROUTINES];

/** A call. */
typedef struct {
    hesca_grid_routine routine;
    const void *caller; /**< where it returns to */
    hesca_int *ictxt;
    const char *order;    /**< GRIDINIT: "R" or "C" */
    const hesca_int *map; /**< GRIDMAP: [ldmap * npcol], by columns */
    int ldmap, nprow, npcol;
} hesca_grid_call;

static inline int
hesca_grid_is_map(const hesca_grid_call *c)
{
    return c->routine == GRIDMAP_F || c->routine == GRIDMAP_C;
}

/** Serve a call: place the processes, or leave it to the original routine. */
void hesca_grid_serve(const hesca_grid_call *call);

/** SL_INIT: the BLACS_GRIDINIT in it is the program's. */
void hesca_grid_serve_init(hesca_int *ictxt, const hesca_int *nprow,
                           const hesca_int *npcol);

/** The original routine; NULL if there is none. */
hesca_function hesca_grid_original(hesca_grid_routine routine);

/** The same call to the original routine; if there is none, a line on stderr
 * and the context -1, as for a process outside of the grid. */
void hesca_gridinit_call_original(const hesca_grid_call *call);

/** Whether there is an original BLACS_GRIDMAP, of the same kind: 1 or 0; a
 * program may have wrapped only some of the names. */
int hesca_grid_has_map(const hesca_grid_call *call);

/** The original BLACS_GRIDMAP, of the same kind, in place of a call. */
void hesca_gridmap_original(const hesca_grid_call *call, const hesca_int *map);

/** The original SL_INIT. */
void hesca_gridinit_original(hesca_int *ictxt, const hesca_int *nprow,
                             const hesca_int *npcol);

/** Whether a call comes from ScaLAPACK or the BLACS themselves.
 * \return 1 or 0; -1: that cannot be seen, for they are linked into the
 *         program. */
int hesca_grid_is_nested(const hesca_grid_call *call);

/** Whether every grid that this process makes comes by here: 1 or 0; a program
 * may have wrapped only some of the names. */
int hesca_grid_sees_all(void);

/** The communicator that a call makes a grid of; MPI_COMM_NULL if this program
 * cannot know. */
MPI_Comm hesca_grid_comm(const hesca_grid_call *call);

/** Print what became of a grid: by rank 0 of comm, as HESCA_VERBOSE says.
 * \param [in] process  [nprow * npcol] Row by row; NULL: left as it is. */
void hesca_grid_report(const hesca_grid_call *call, const hesca_params *params,
                       MPI_Comm comm, const int *process,
                       const hesca_grid_info *info);

/** Print why HESCA can place nothing: by rank 0 of comm. */
void hesca_grid_report_error(const hesca_grid_call *call, MPI_Comm comm,
                             const char *why);

/** How many grids were placed, at the end. */
void hesca_grid_report_summary(void);

#endif
