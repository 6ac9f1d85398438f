/** \file partition/hdpi/hdpi_rects.h
 * Rectangles as HDPI has them: w, h, trow, tcol. */
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
void hesca_hdpi_put(const hesca_tiling *t, const hesca_hdpi_rects *to);

/** The same from arrays to others. */
void hesca_hdpi_copy(int p, const hesca_hdpi_rects *from,
                     const hesca_hdpi_rects *to);

/** Write heights and common rows of rectangles whose heights are known. */
void hesca_hdpi_put_common(int p, const hesca_hdpi_rects *x);

/** Number of the rectangle of each element of an m x n block, if c is not
 * NULL: as i / per to c, and as i % per to d. */
void hesca_hdpi_put_owners(int p, const hesca_hdpi_rects *x, int n, int per,
                           int *c, int *d);

/** Arrays of their own in one piece; hesca_hdpi_rects_free() frees it. */
int hesca_hdpi_rects_alloc(const char *routine, int p, hesca_hdpi_rects *x);
void hesca_hdpi_rects_free(hesca_hdpi_rects *x);

/** Check m, n and the arrays of a call, NULL if it has none: m is argument
 * `arg` of it, w argument warg.  Corners may be NULL unless they are wanted.
 */
int hesca_hdpi_check_block(const char *routine, int arg, int m, int n,
                           int warg, const hesca_hdpi_rects *x,
                           int wants_corners);

/** Check a type_of_distribution of a grid. */
int hesca_hdpi_check_type(const char *routine, int arg, int type);

/** What a tiling could not do because of limits, on behalf of a function of
 * HDPI. */
int hesca_hdpi_fail_limits(const char *routine, int arg, int err);

#endif
