/** \file hohe/other_grid.h
 * ScaLAPACK's routine on another grid: what is kept for a call that goes this
 * way, and the call. */
#ifndef HESCA_HOHE_OTHER_GRID_H
#define HESCA_HOHE_OTHER_GRID_H

#include "exec/comm.h"
#include "hohe/other_grid_choose.h"

/** What it takes to carry a call out; zero is empty. */
typedef struct {
    hesca_hohe_regrid grid;
    hesca_plan *in[HESCA_HOHE_MATRICES]; /* NULL: not copied */
    hesca_plan *out, *pivots;
    hesca_layout *pivots_there; /* P?GETRF: as the grid has them */
    hesca_layout *pivots_here;  /* all of them on process 0 */
    void *handle;               /* what the caller keeps for the grid */
    void (*close)(void *handle);
} hesca_hohe_other_grid;

/** Have all that planning will need, for a grid that is chosen.
 * \return HESCA_SUCCESS or HESCA_ERR_NOMEM. Local. */
int hesca_hohe_there_prepare(hesca_hohe_other_grid *there, const hesca_comm *c,
                             const hesca_hohe_job *job,
                             const hesca_hohe_original *real);

/** Plan the copies, of this part of each matrix.
 *
 * Collective; the same everywhere.
 * \return As hesca_plan_create(). */
int hesca_hohe_there_plan(hesca_hohe_other_grid *there, const hesca_comm *c,
                          const hesca_hohe_job *job, hesca_part part);

void hesca_hohe_there_clear(hesca_hohe_other_grid *there);

/** A matrix of the program, as this process has it. */
typedef struct {
    void *local;
    int64_t lld;
} hesca_hohe_local;

/** What a factorization has beside the matrix. */
typedef struct {
    hesca_part part; /**< of the matrix that is copied */
    int64_t *ipiv;   /**< (out) [min(m,n)] from 0; P?GETRF, else NULL */
    int64_t *result; /**< (out) INFO */
    int *finite;     /**< (out) 0: the factors are not; then nothing else is
                        written */
} hesca_hohe_factored;

/** Copy, compute there, copy back.
 *
 * Collective; the same everywhere.  Nothing is written on an error other than
 * HESCA_ERR_MPI.
 * \param [in]  status  (local) What this process has found wrong so far.
 * \param [in]  home    Those that there are; C is written.
 * \param [in]  factored  NULL: P?GEMM.
 * \return HESCA_SUCCESS, HESCA_ERR_ARG, HESCA_ERR_NOMEM,
 *         HESCA_ERR_UNSUPPORTED (the real routine takes no such arguments), or
 *         as hesca_plan_execute(). */
int hesca_hohe_there_run(const hesca_hohe_other_grid *there,
                         const hesca_comm *c, const hesca_hohe_job *job,
                         const hesca_hohe_original *real, int status,
                         const hesca_hohe_local home[HESCA_HOHE_MATRICES],
                         const hesca_hohe_factored *factored);

#endif
