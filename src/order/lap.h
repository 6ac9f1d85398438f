/* SPDX-License-Identifier: BSD-3-Clause */
/** \file order/lap.h
 * Linear assignment problem: a complete matching of n rows and n columns of
 * minimum cost. */
#ifndef HESCA_ORDER_LAP_H
#define HESCA_ORDER_LAP_H

/** Match rows and columns.
 *
 * With u[i] = cost[i][col[i]] - v[col[i]], no cost[i][j] is less than u[i] +
 * v[j] (up to rounding), which proves that the matching has the least cost.
 * \param [in]     cost  [n * n] by rows; INFINITY: never matched.  There must
 *                       be a complete matching of finite cost.
 * \param [in,out] v     [n] initial prices of columns: 0, or the result of a
 *                       call for costs that have not decreased since.
 * \param [out]    col   [n] column of each row.
 * \return HESCA_SUCCESS, HESCA_ERR_NOMEM, or HESCA_ERR_ARG (no matching).
 *         Time O(n^3).
 * Source: R. Jonker, A. Volgenant, A Shortest Augmenting Path Algorithm for
 * Dense and Sparse Linear Assignment Problems, Computing 38 (1987). */
int hesca_lap_solve(int n, const double *cost, double *v, int *col);

#endif
