#include "tools/sort.h"
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
