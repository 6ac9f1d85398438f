/** \file tools/lib/sort.h
 * Measured times in order, for quantiles. */
#ifndef HESCA_TOOLS_LIB_SORT_H
#define HESCA_TOOLS_LIB_SORT_H

/** Sort n numbers, the least first. */
void sort_numbers(double *x, int n);

/** Sort n > 0 times.
 * \param [in]  part  Of them that is below the quantile, 0 ... 1.
 * \param [out] ends  Of the quantile's 95 % confidence interval.
 * \return the quantile. */
double sort_quantile(double *x, int n, double part, double ends[2]);

/** The same for the median. */
double sort_median(double *x, int n, double ends[2]);

#endif
