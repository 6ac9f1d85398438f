/** \file bcast/nearest.h
 * The cheapest receiver of every sender, while receivers go: BHAT-COL's sorted
 * edges, of which only as many are sorted as somebody asks for. */
#ifndef HESCA_BCAST_NEAREST_H
#define HESCA_BCAST_NEAREST_H

#include "bcast/growth.h"

typedef struct {
    const hesca_growth *g;
    int *row;          /* [nproc * nproc] receivers of each sender, sorted */
    int *at, *n, *cap; /* [nproc] the first one that may still count, how many
                          there are, how many there will be next time */
} hesca_nearest;

/** HESCA_SUCCESS or HESCA_ERR_NOMEM. */
int hesca_nearest_init(hesca_nearest *x, const hesca_growth *g);

/** The member of B, not i itself, that i reaches at least cost, the lower
 * number first; -1 if it reaches none.  All calls about one sender together:
 * O(nproc log^2 nproc). */
int hesca_nearest_get(hesca_nearest *x, int i);

void hesca_nearest_clear(hesca_nearest *x);

#endif
