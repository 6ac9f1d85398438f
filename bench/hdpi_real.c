/* SPDX-License-Identifier: BSD-3-Clause */
#include "hdpi_real.h"
#include "harness.h"
#include <math.h>
#include <stdlib.h>

void
hdpi_repeat(const emulation *e, int64_t width, int64_t height,
            void (*once)(void *state, int64_t columns, int k), void *state)
{
    const double fits = floor(e->onset / (double)height);
    const int64_t over = fits < (double)width ? width - (int64_t)fits : 0;
    int k = 0;
    while (k < e->slow)
        once(state, width, k++);
    for (int more = e->slow * (e->paging - 1); over > 0 && more > 0; --more)
        once(state, over, k++);
}

double *
hdpi_matrix(int64_t m, int64_t n)
{
    return calloc((size_t)(m > 0 && n > 0 ? m * n : 1), sizeof(double));
}

void
hdpi_fill(double *x, int which, int64_t m, int64_t first, int64_t n)
{
    for (int64_t j = 0; j < n; ++j)
        for (int64_t i = 0; i < m; ++i)
            x[j * m + i] = bench_element((uint64_t)which, i, first + j);
}
