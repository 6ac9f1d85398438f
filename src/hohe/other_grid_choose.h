/* SPDX-License-Identifier: BSD-3-Clause */
/** \file hohe/other_grid_choose.h
 * The other grid of the same processes on which ScaLAPACK's routine is
 * fastest, and the time of a call there, copies included. All functions are
 * pure. */
#ifndef HESCA_HOHE_OTHER_GRID_CHOOSE_H
#define HESCA_HOHE_OTHER_GRID_CHOOSE_H

#include "hohe/hohe_choose.h"

/** A matrix of a call: its layout in the program, and that of sub(X) as a
 * separate matrix on the other grid. */
typedef struct {
    int64_t m, n;       /**< rows and columns of sub(X) */
    int64_t i, j;       /**< its first element in X */
    int64_t copied;     /**< columns that are copied */
    hesca_part part;    /**< what of them is copied */
    int reads, writes;  /**< 1: it is copied to the grid, from there */
    hesca_layout *home; /**< NULL: there is no such matrix */
    hesca_layout *other;
} hesca_hohe_moved;

/** Another grid; nprow = 0: none is better than the program's. */
typedef struct {
    int nprow, npcol, nb;
    int *process; /**< [nprow * npcol] ranks, row by row */
    hesca_hohe_moved matrix[HESCA_HOHE_MATRICES];
} hesca_hohe_regrid;

/** Find the best other grid, and predict the call there, into its part of a
 * forecast.
 * \param [in]  scales  As in hesca_hohe_weigh().
 * \param [in]  part    Of the matrix of a factorization.
 * \param [out] grid    Clear with hesca_hohe_regrid_clear(); empty on error,
 *                      and if there is none.
 * \return HESCA_SUCCESS, HESCA_ERR_ARG (memory is too small on every other
 *         grid), HESCA_ERR_NOMEM. */
int hesca_hohe_weigh_grid(const hesca_hohe_scales *scales, hesca_part part,
                          hesca_hohe_forecast *forecast,
                          hesca_hohe_regrid *grid);

/** Make the layouts of a grid.
 * \param [in]  process  [nprow * npcol] Ranks, row by row.
 * \param [out] grid     Clear as above, also on error. */
int hesca_hohe_regrid_init(const hesca_hohe_job *job, hesca_part part,
                           int nprow, int npcol, int nb, const int *process,
                           hesca_hohe_regrid *grid);
void hesca_hohe_regrid_clear(hesca_hohe_regrid *grid);

#endif
