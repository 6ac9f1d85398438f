/* SPDX-License-Identifier: BSD-3-Clause */
#include "partition/hdpi/hdpi_dp.h"
#include "base/status.h"
#include <math.h>
#include <stdlib.h>

int
hesca_dp_alloc(const char *routine, int p, hesca_dp *x)
{
    const size_t n = (size_t)p + 1;
    *x = (hesca_dp){.p = p,
                    .value = calloc(n, sizeof *x->value),
                    .before = calloc(n, sizeof *x->before)};
    if (x->value != NULL && x->before != NULL) {
        x->value[0] = malloc(n * n * sizeof **x->value);
        x->before[0] = calloc(n * n, sizeof **x->before);
    }
    if (x->value == NULL || x->before == NULL || x->value[0] == NULL ||
        x->before[0] == NULL)
        return hesca_fail(HESCA_ERR_NOMEM, 0, "%s: a table of %d x %d",
                          routine, p, p);
    for (size_t c = 0; c < n; ++c) {
        x->value[c] = x->value[0] + c * n;
        x->before[c] = x->before[0] + c * n;
        for (size_t r = 0; r < n; ++r)
            x->value[c][r] = c == 0 && r == 0 ? 0 : INFINITY;
    }
    return HESCA_SUCCESS;
}

void
hesca_dp_free(hesca_dp *x)
{
    if (x->value != NULL)
        free(x->value[0]);
    if (x->before != NULL)
        free(x->before[0]);
    free(x->value);
    free(x->before);
}

/* Call the user's function once, and check what it returns. */
static int
fill(hesca_dp *x, const char *routine, int arg, DP_function f,
     const double *speeds, int c, int r)
{
    int before = -1;
    const double value =
        f(c, r, x->p, speeds, (const double **)x->value, &before);
    if (isnan(value))
        return hesca_fail(HESCA_ERR_ARG, arg,
                          "%s: argument %d, dpf, returns NaN for %d columns "
                          "and %d rectangles",
                          routine, arg, c, r);
    if (before < c - 1 || before >= r)
        return hesca_fail(HESCA_ERR_ARG, arg,
                          "%s: argument %d, dpf, sets *r to %d for %d columns "
                          "and %d rectangles: must be %d ... %d",
                          routine, arg, before, c, r, c - 1, r - 1);
    x->value[c][r] = value;
    x->before[c][r] = before;
    return HESCA_SUCCESS;
}

int
hesca_dp_run(hesca_dp *x, const char *routine, int arg, DP_function f,
             const double *speeds, double bound, int *best)
{
    int err = HESCA_SUCCESS;
    *best = 1;
    for (int c = 1; c <= x->p; ++c) {
        for (int r = c; r <= x->p; ++r)
            HESCA_TRY(err, fill(x, routine, arg, f, speeds, c, r));
        if (x->value[c][x->p] < x->value[*best][x->p])
            *best = c;
        if (x->value[c][x->p] <= bound)
            break;
    }
fail:
    return err;
}

void
hesca_dp_trace(const hesca_dp *x, int c, int *first)
{
    for (first[c] = x->p; c > 0; --c)
        first[c - 1] = x->before[c][first[c]];
}

double
hesca_dp_half_perimeters(int columns, int rectangles, int p,
                         const double *speeds, const double **previous_values,
                         int *r)
{
    double all = 0, last = 0, best = INFINITY;
    for (int i = 0; i < p; ++i)
        all += speeds[i];
    *r = columns - 1;
    for (int before = rectangles - 1; before >= columns - 1; --before) {
        last += speeds[before];
        const double value = previous_values[columns - 1][before] + 1 +
                             (rectangles - before) * (last / all);
        if (value <= best) {
            best = value;
            *r = before;
        }
    }
    return best;
}
