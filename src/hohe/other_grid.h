/* SPDX-License-Identifier: BSD-3-Clause */
/** \file hohe/other_grid.h
 * ScaLAPACK's routine on another grid: the plans of such a call, and its
 * execution. */
#ifndef HESCA_HOHE_OTHER_GRID_H
#define HESCA_HOHE_OTHER_GRID_H

#include "exec/comm.h"
#include "hohe/other_grid_choose.h"

/** The plans and the handle of a call; zero is empty. */
typedef struct {
    hesca_hohe_regrid grid;
    hesca_plan *in[HESCA_HOHE_MATRICES]; /* NULL: not copied */
    hesca_plan *out, *pivots;
    hesca_layout *pivots_grid; /* P?GETRF: on the grid */
    hesca_layout *pivots_root; /* all of them on process 0 */
    void *handle;              /* the caller's, for the grid */
    void (*close)(void *handle);
} hesca_hohe_other_grid;

/** Allocate for the chosen grid what planning needs.
 * \return HESCA_SUCCESS or HESCA_ERR_NOMEM. Local. */
int hesca_hohe_other_grid_prepare(hesca_hohe_other_grid *other,
                                  const hesca_comm *c,
                                  const hesca_hohe_job *job,
                                  const hesca_hohe_original *original);

/** Plan the copies, of this part of each matrix.
 *
 * Collective; returns the status of hesca_plan_create(). */
int hesca_hohe_other_grid_plan(hesca_hohe_other_grid *other,
                               const hesca_comm *c, const hesca_hohe_job *job,
                               hesca_part part);

void hesca_hohe_other_grid_clear(hesca_hohe_other_grid *other);

/** The local part of a matrix of the program. */
typedef struct {
    void *local;
    int64_t lld;
} hesca_hohe_local;

/** The other arguments of a factorization. */
typedef struct {
    hesca_part part; /**< of the matrix that is copied */
    int64_t *ipiv;   /**< (out) [min(m,n)] from 0; P?GETRF, else NULL */
    int64_t *result; /**< (out) INFO */
    int *finite; /**< (out) 0: factors are not finite; nothing else is written
                  */
} hesca_hohe_factored;

/** Copy to the grid, compute, copy back.
 *
 * Collective; all processes return the same status. Nothing is written on an
 * error other than HESCA_ERR_MPI.
 * \param [in]  status  (local) The status of this process so far.
 * \param [in]  home    The matrices of the call; C is written.
 * \param [in]  factored  NULL: P?GEMM.
 * \return HESCA_SUCCESS, HESCA_ERR_ARG, HESCA_ERR_NOMEM, HESCA_ERR_UNSUPPORTED
 *         (the original routine rejects the arguments), or as
 *         hesca_plan_execute(). */
int hesca_hohe_other_grid_run(const hesca_hohe_other_grid *other,
                              const hesca_comm *c, const hesca_hohe_job *job,
                              const hesca_hohe_original *original, int status,
                              const hesca_hohe_local home[HESCA_HOHE_MATRICES],
                              const hesca_hohe_factored *factored);

#endif
