/* SPDX-License-Identifier: BSD-3-Clause */
/** \file base/sort.h
 * Quantiles of measured times. */
#ifndef HESCA_BASE_SORT_H
#define HESCA_BASE_SORT_H

/** Sort n numbers in ascending order. */
void hesca_sort(double *x, int n);

/** Sort n > 0 times.
 * \param [in]  part  The part of them below the quantile, 0 ... 1.
 * \param [out] ends  Of the quantile's 95 % confidence interval.
 * \return the quantile. */
double hesca_quantile(double *x, int n, double part, double ends[2]);

/** The same for the median. */
double hesca_median(double *x, int n, double ends[2]);

#endif
