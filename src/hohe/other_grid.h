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
    hesca_plan *in[HESCA_HOHE_MATRICES];  /* NULL: not copied */
    hesca_plan *out[HESCA_HOHE_MATRICES]; /* the same */
    void *handle;                         /* the caller's, for the grid */
    void (*close)(void *handle);
} hesca_hohe_other_grid;

/** Get the handle of the chosen grid.
 * \return HESCA_SUCCESS or HESCA_ERR_NOMEM. Local. */
int hesca_hohe_other_grid_prepare(hesca_hohe_other_grid *other,
                                  const hesca_comm *c,
                                  const hesca_hohe_original *original);

/** Plan the copies. Local; returns as hesca_plan_make_between(). */
int hesca_hohe_other_grid_plan(hesca_hohe_other_grid *other, hesca_comm *c,
                               hesca_type type);

void hesca_hohe_other_grid_clear(hesca_hohe_other_grid *other);

/** The local part of a matrix of the program. */
typedef struct {
    void *local;
    int64_t lld;
} hesca_hohe_local;

/** Copy to the grid, compute, copy back.
 *
 * Collective; all processes return the same status. Nothing is written on an
 * error other than HESCA_ERR_MPI.
 * \param [in]  status  (local) The status of this process so far.
 * \param [in]  home    The matrices of the call.
 * \param [in]  vectors NULL: there are none.
 * \param [out] result  INFO.
 * \param [out] finite  0: a matrix that the call writes would not be finite,
 *                      and nothing is written; NULL: any is written.
 * \return HESCA_SUCCESS, HESCA_ERR_ARG, HESCA_ERR_NOMEM, HESCA_ERR_UNSUPPORTED
 *         (the original routine rejects the arguments), or as
 *         hesca_plan_execute(). */
int hesca_hohe_other_grid_run(const hesca_hohe_other_grid *other,
                              const hesca_comm *c, hesca_type type,
                              const hesca_hohe_original *original, int status,
                              const hesca_hohe_local home[HESCA_HOHE_MATRICES],
                              const hesca_hohe_vectors *vectors,
                              int64_t *result, int *finite);

#endif
