/* SPDX-License-Identifier: BSD-3-Clause */
/** \file bcast/nearest.h
 * The cheapest remaining receiver of every sender: the sorted edges of
 * BHAT-COL, sorted only as far as they are needed. */
#ifndef HESCA_BCAST_NEAREST_H
#define HESCA_BCAST_NEAREST_H

#include "bcast/growth.h"

typedef struct {
    const hesca_growth *g;
    int *row;          /* [nproc * nproc] receivers of each sender, sorted */
    int *at, *n, *cap; /* [nproc] first receiver that may still be in B, number
                          of sorted ones, number to sort next time */
} hesca_nearest;

/** \return HESCA_SUCCESS or HESCA_ERR_NOMEM. */
int hesca_nearest_init(hesca_nearest *x, const hesca_growth *g);

/** The member of B, except i itself, that i reaches at the least cost, of
 * several the one with the lowest number; -1 if it reaches none.  All calls
 * for one sender together take O(nproc log^2 nproc). */
int hesca_nearest_get(hesca_nearest *x, int i);

void hesca_nearest_clear(hesca_nearest *x);

#endif
