/* SPDX-License-Identifier: BSD-3-Clause */
/** \file hohe/gblock.h
 * A generalized block: the owners of its block rows and block columns. */
#ifndef HESCA_HOHE_GBLOCK_H
#define HESCA_HOHE_GBLOCK_H

#include "hesca/experimental/gblock.h"

struct hesca_gblock {
    hesca_gblock_info info;
    int nrow_cuts, ncol_cuts; /* 1, or npcol, nprow */
    int *rowowner;            /* [nrow_cuts][lp] process rows */
    int *colowner;            /* [ncol_cuts][lq] process columns */
    hesca_layout *layout;
};

/** For errors of functions that make a generalized block: their name, and the
 * number of the argument speed. */
typedef struct {
    const char *routine;
    int speed_info;
} hesca_gblock_call;

/** Check that speeds are finite, none is negative and some is not 0, as
 * hesca/experimental/gblock.h says. */
int hesca_gblock_check_speeds(const hesca_gblock_call *call,
                              const double *speed, int n);

/** A generalized block without owners, which the caller sets, and without
 * layout; NULL if there is no memory. */
hesca_gblock *hesca_gblock_allocate(const hesca_gblock_info *info);

/** Make the layout, and compute the imbalance for these speeds (NULL: all
 * equal). ranks is as in hesca_layout_create_cyclic(). */
int hesca_gblock_finish(hesca_gblock *g, const double *speed,
                        const int *ranks);

/** How many blocks high and wide the part of each process is: [nprow x npcol],
 * by rows. */
void hesca_gblock_blocks(const hesca_gblock *g, int *height, int *width);

/** The largest share / speed for these parts, relative to that of proportional
 * shares. */
double hesca_gblock_imbalance(const hesca_gblock_info *x, const double *speed,
                              const int *height, const int *width);

/** Set the owners in proportion to speeds (NULL: all equal). */
int hesca_gblock_cut(hesca_gblock *g, const double *speed);

/** Assign n blocks to np owners in proportion to speeds, some of which is not
 * 0: the number of blocks of each owner, and the owner of each block.
 * \return HESCA_SUCCESS, HESCA_ERR_ARG or HESCA_ERR_NOMEM. */
int hesca_gblock_part(int n, int np, const double *speed, int *count);
int hesca_gblock_order(hesca_gblock_assignment assignment, int n, int np,
                       const double *speed, const int *count, int *owner);

/** Speeds of the nprow process rows in process column line, or, for line = -1,
 * their sums over all process columns; likewise for the npcol process columns
 * in a process row. */
void hesca_gblock_row_speeds(const hesca_gblock_info *x, const double *speed,
                             int line, double *out);
void hesca_gblock_col_speeds(const hesca_gblock_info *x, const double *speed,
                             int line, double *out);

#endif
