/* SPDX-License-Identifier: BSD-3-Clause */
/** \file tools/lib/sort.h
 * Quantiles of measured times. */
#ifndef HESCA_TOOLS_LIB_SORT_H
#define HESCA_TOOLS_LIB_SORT_H

/** Sort n numbers in ascending order. */
void sort_numbers(double *x, int n);

/** Sort n > 0 times.
 * \param [in]  part  The part of them below the quantile, 0 ... 1.
 * \param [out] ends  Of the quantile's 95 % confidence interval.
 * \return the quantile. */
double sort_quantile(double *x, int n, double part, double ends[2]);

/** The same for the median. */
double sort_median(double *x, int n, double ends[2]);

#endif
