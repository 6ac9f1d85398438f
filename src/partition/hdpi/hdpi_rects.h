/* SPDX-License-Identifier: BSD-3-Clause */
/** \file partition/hdpi/hdpi_rects.h
 * Rectangles in the format of HDPI: w, h, trow, tcol. */
#ifndef HESCA_PARTITION_HDPI_HDPI_RECTS_H
#define HESCA_PARTITION_HDPI_HDPI_RECTS_H

#include "hesca/experimental/tiling.h"

/** Arrays of p rectangles, as in hdpi.h. */
typedef struct {
    int *w; /* [p] */
    int *h; /* [p][p] heights on the diagonal, common rows elsewhere */
    int *trow, *tcol; /* [p] */
} hesca_hdpi_rects;

/** Write a tiling to arrays, of which trow and tcol may be NULL. */
void hesca_hdpi_write(const hesca_tiling *t, const hesca_hdpi_rects *to);

/** Copy rectangles; corners that are NULL in `to` are left out. */
void hesca_hdpi_copy(int p, const hesca_hdpi_rects *from,
                     const hesca_hdpi_rects *to);

/** Compute the common rows of all pairs, from corners and heights. */
void hesca_hdpi_put_common(int p, const hesca_hdpi_rects *x);

/** Write the number i of the rectangle of each element of an m x n block: i /
 * per to c, and i % per to d, where these are not NULL. */
void hesca_hdpi_put_owners(int p, const hesca_hdpi_rects *x, int n, int per,
                           int *c, int *d);

/** Allocate all arrays in one block; free with hesca_hdpi_rects_free(). */
int hesca_hdpi_rects_alloc(const char *routine, int p, hesca_hdpi_rects *x);
void hesca_hdpi_rects_free(hesca_hdpi_rects *x);

/** Check m, n and the arrays x of a call (NULL: it has none); m is argument
 * `arg`, w is argument warg.  Corners may be NULL unless wants_corners.
 * */
int hesca_hdpi_check_block(const char *routine, int arg, int m, int n,
                           int warg, const hesca_hdpi_rects *x,
                           int wants_corners);

/** Check a type_of_distribution of a grid. */
int hesca_hdpi_check_type(const char *routine, int arg, int type);

/** Record the failure of a tiling again on behalf of a function of HDPI, as an
 * error in its argument `arg`, mlimits; HESCA_ERR_NOMEM is left as it is. */
int hesca_hdpi_fail_limits(const char *routine, int arg, int err);

#endif
