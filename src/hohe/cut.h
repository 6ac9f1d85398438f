/* SPDX-License-Identifier: BSD-3-Clause */
/** \file hohe/cut.h
 * The layout in which HoHe computes sub(C): generalized blocks on the
 * program's grid, or on one of some of its processes.  All functions are
 * pure. */
#ifndef HESCA_HOHE_CUT_H
#define HESCA_HOHE_CUT_H

#include "hesca/experimental/gblock.h"
#include "hohe/hohe.h"

/** The layout of sub(C), and the one in which it is computed: that of a
 * separate matrix that begins with the block in which sub(C) begins. */
typedef struct {
    hesca_layout *home; /**< all of C */
    hesca_gblock *gblock;
    const hesca_layout *cut; /**< its layout */
    int *process; /**< [nprow * npcol of gblock] ranks of its grid, row by row;
                     NULL: the program's grid */
    double power; /**< shares are in proportion to this power of speed */
    double moved; /**< part of it that changes its process, 0 ... 1 */
    int64_t i, j; /**< sub(C) in cut */
    int64_t rows, cols; /**< of cut */
} hesca_hohe_cut;

/** Make the generalized block on the program's grid; for solves with few
 * right-hand sides that is the program's layout.
 * \param [in]  speed  [nprow * npcol] By rank, >= 0, one at least > 0.
 * \param [out] cut    Clear with hesca_hohe_cut_clear(); empty on error.
 * \return HESCA_SUCCESS, HESCA_ERR_ARG, HESCA_ERR_NOMEM. */
int hesca_hohe_cut_init(const hesca_hohe_job *job, const double *speed,
                        hesca_hohe_cut *cut);

/** The same with shares in proportion to a power of speed, a multiple of 1/2.
 */
int hesca_hohe_cut_init_power(const hesca_hohe_job *job, const double *speed,
                              double power, hesca_hohe_cut *cut);

/** The same on an nprow x npcol grid of these ranks, row by row.
 * \param [in] process  [nprow * npcol] */
int hesca_hohe_cut_init_on(const hesca_hohe_job *job, int nprow, int npcol,
                           const int *process, const double *speed,
                           hesca_hohe_cut *cut);
void hesca_hohe_cut_clear(hesca_hohe_cut *cut);

#endif
