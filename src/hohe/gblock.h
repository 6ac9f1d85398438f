/** \file hohe/gblock.h
 * A generalized block: who has which of its block rows and block columns. */
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

/** Arguments that all makers share; numbers are those of the arguments. */
typedef struct {
    const char *routine;
    int speed_info;
} hesca_gblock_call;

/** Speeds are finite, none is negative, some is not 0, as hesca_gblock.h says.
 */
int hesca_gblock_check_speeds(const hesca_gblock_call *call,
                              const double *speed, int n);

/** A generalized block without owners, which the caller fills in, and without
 * layout; NULL without memory. */
hesca_gblock *hesca_gblock_allocate(const hesca_gblock_info *info);

/** Make the layout, and find the imbalance for these speeds, NULL: all alike.
 * Takes ranks as hesca_layout_create_cyclic(). */
int hesca_gblock_finish(hesca_gblock *g, const double *speed,
                        const int *ranks);

/** Fill in owners in proportion to speeds, NULL: all alike. */
int hesca_gblock_cut(hesca_gblock *g, const double *speed);

/** n blocks for np owners: how many each gets, in proportion to speeds, of
 * which some is not 0; and who gets which.
 * \return HESCA_SUCCESS, HESCA_ERR_ARG or HESCA_ERR_NOMEM. */
int hesca_gblock_part(int n, int np, const double *speed, int *count);
int hesca_gblock_order(hesca_gblock_deal deal, int n, int np,
                       const double *speed, const int *count, int *owner);

/** Speeds of the nprow process rows in process column line, or, for -1, their
 * sums over all; of the npcol process columns in a process row likewise. */
void hesca_gblock_row_speeds(const hesca_gblock_info *x, const double *speed,
                             int line, double *out);
void hesca_gblock_col_speeds(const hesca_gblock_info *x, const double *speed,
                             int line, double *out);

#endif
