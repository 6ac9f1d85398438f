/** \file tools/sort.h
 * Measured times in order, for medians. */
#ifndef HESCA_TOOLS_SORT_H
#define HESCA_TOOLS_SORT_H

/** Sort n numbers, the least first. */
void sort_numbers(double *x, int n);

#endif
