/* SPDX-License-Identifier: BSD-3-Clause */
/** \file partition/hdpi/hdpi_dp.h
 * Rectangles in columns by a dynamic programming function of the user. */
#ifndef HESCA_PARTITION_HDPI_HDPI_DP_H
#define HESCA_PARTITION_HDPI_HDPI_DP_H

#include "hdpi.h"

/** Values and layouts of all subproblems. */
typedef struct {
    int p;
    double *
        *value;   /* [p + 1][p + 1]: value[c][r], r rectangles in c columns */
    int **before; /* [p + 1][p + 1] rectangles before the last column */
} hesca_dp;

int hesca_dp_alloc(const char *routine, int p, hesca_dp *x);
void hesca_dp_free(hesca_dp *x);

/** Call f for all numbers of columns c = 1 ... p and rectangles r = c ... p, c
 * outermost.
 * \param [in]  arg    Number of the argument f of the routine, for messages.
 * \param [in]  bound  A value of p rectangles that is at most this ends the
 *                     search.
 * \param [out] best   The number of columns of minimal value, the smallest of
 *                     several.
 * \return HESCA_SUCCESS, or HESCA_ERR_ARG if f returns NAN, or an *r outside c
 *         - 1 ... r - 1. */
int hesca_dp_run(hesca_dp *x, const char *routine, int arg, DP_function f,
                 const double *speeds, double bound, int *best);

/** first[0 ... c - 1]: the first rectangle of each of c columns; first[c] =
 * p. */
void hesca_dp_trace(const hesca_dp *x, int c, int *first);

/** The sum of half perimeters in a unit square, of rectangles with areas in
 * proportion to ascending speeds (Beaumont et al. 2001). */
double hesca_dp_half_perimeters(int columns, int rectangles, int p,
                                const double *speeds,
                                const double **previous_values, int *r);

#endif
