/** \file tools/sort.h
 * Measured times in order, for medians. */
#ifndef HESCA_TOOLS_SORT_H
#define HESCA_TOOLS_SORT_H

/** Sort n numbers, the least first. */
void sort_numbers(double *x, int n);

/** Sort n > 0 times.
 * \param [out] ends  Of the median's 95 % confidence interval.
 * \return the median. */
double sort_median(double *x, int n, double ends[2]);

#endif
