/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/sort.h"
#include <math.h>
#include <stdlib.h>

static int
compare(const void *x, const void *y)
{
    const double a = *(const double *)x, b = *(const double *)y;
    return (a > b) - (a < b);
}

void
hesca_sort(double *x, int n)
{
    qsort(x, (size_t)n, sizeof *x, compare);
}

/* The interval is from the k-th smallest to the l-th largest time: it contains
 * the quantile of the distribution unless fewer than k of n times are below
 * it, each with probability part, or fewer than l above it.  With 1.96
 * standard deviations this holds with 95 %. */
double
hesca_quantile(double *x, int n, double part, double ends[2])
{
    const double away = 1.96 * sqrt(n * part * (1 - part));
    const double at = (n - 1) * part;
    hesca_sort(x, n);
    ends[0] = x[(int)fmax(0, floor(n * part - away))];
    ends[1] = x[n - 1 - (int)fmax(0, floor(n * (1 - part) - away))];
    return (x[(int)floor(at)] + x[(int)ceil(at)]) / 2;
}

double
hesca_median(double *x, int n, double ends[2])
{
    return hesca_quantile(x, n, 0.5, ends);
}
