/** \file hohe/other_grid_choose.h
 * Which other grid of the same processes ScaLAPACK's routine is fastest on,
 * and what a call takes there, copies included.  Pure. */
#ifndef HESCA_HOHE_OTHER_GRID_CHOOSE_H
#define HESCA_HOHE_OTHER_GRID_CHOOSE_H

#include "hohe/hohe_choose.h"

/** A matrix of a call: where the program has it, and on the other grid, where
 * sub(X) is a matrix of its own. */
typedef struct {
    int64_t m, n;       /**< rows and columns of sub(X) */
    int64_t i, j;       /**< where it begins at home */
    hesca_layout *home; /**< NULL: there is no such matrix */
    hesca_layout *there;
} hesca_hohe_moved;

/** Positions of the matrices of P?GEMM; factorizations have C alone. */
enum { HESCA_HOHE_A, HESCA_HOHE_B, HESCA_HOHE_C, HESCA_HOHE_MATRICES };

/** Another grid; nprow = 0: there is none that is better. */
typedef struct {
    int nprow, npcol, nb;
    int *process; /**< [nprow * npcol] ranks, row by row */
    hesca_hohe_moved matrix[HESCA_HOHE_MATRICES];
} hesca_hohe_regrid;

/** Find the best other grid, and predict the call there, into its part of a
 * forecast.
 * \param [in]  scales  As hesca_hohe_weigh() has it.
 * \param [out] grid    Clear with hesca_hohe_regrid_clear(); empty on error,
 *                      and where there is none.
 * \return HESCA_SUCCESS, HESCA_ERR_ARG (memory is too small on every other
 *         grid), HESCA_ERR_NOMEM. */
int hesca_hohe_weigh_grid(const hesca_hohe_scales *scales,
                          hesca_hohe_forecast *forecast,
                          hesca_hohe_regrid *grid);
void hesca_hohe_regrid_clear(hesca_hohe_regrid *grid);

#endif
