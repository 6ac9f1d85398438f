#include "tools/sort.h"
#include <math.h>
#include <stdlib.h>

static int
compare(const void *x, const void *y)
{
    const double a = *(const double *)x, b = *(const double *)y;
    return (a > b) - (a < b);
}

void
sort_numbers(double *x, int n)
{
    qsort(x, (size_t)n, sizeof *x, compare);
}

/* The interval is from the k-th least to the k-th greatest time: it holds the
 * median of all possible times unless fewer than k of n fall on one side, each
 * with probability 1/2, of which 1.96 standard deviations tell with 95 %. */
double
sort_median(double *x, int n, double ends[2])
{
    sort_numbers(x, n);
    const int k = (int)fmax(0, floor((n - 1.96 * sqrt(n)) / 2));
    ends[0] = x[k];
    ends[1] = x[n - 1 - k];
    return (x[n / 2] + x[(n - 1) / 2]) / 2;
}
