/* SPDX-License-Identifier: BSD-3-Clause */
#include "hdpi_lu.h"
#include "hesca/experimental/groups.h"
#include <math.h>
#include <stdlib.h>

int64_t
lu_blocks(const lu_task *t)
{
    return (t->n + t->block - 1) / t->block;
}

int64_t
lu_width(const lu_task *t, int64_t k)
{
    const int64_t left = t->n - k * t->block;
    return left < t->block ? left : t->block;
}

int *
lu_groups(const lu_task *t, const hesca_speed *const *speed)
{
    hesca_groups *groups;
    if (hesca_groups_create(t->p, speed, t->n, t->block, &groups) < 0)
        return NULL;
    int *owner = calloc((size_t)lu_blocks(t) + 1, sizeof *owner);
    for (int64_t k = 0; owner != NULL && k < lu_blocks(t); ++k)
        owner[k] = hesca_groups_owner(groups, k);
    hesca_groups_free(groups);
    return owner;
}

/* The processor that would have updated block k, and what it has right of it,
 * first. */
static int
next_owner(const lu_task *t, const hesca_speed *const *speed,
           const int64_t *columns, int64_t k)
{
    const double rows = (double)(t->n - k * t->block);
    double least = INFINITY;
    int owner = 0;
    for (int i = 0; i < t->p; ++i) {
        const double x = rows * (double)(columns[i] + lu_width(t, k));
        const double time = hesca_speed_time(speed[i], x);
        if (time < least) {
            least = time;
            owner = i;
        }
    }
    return owner;
}

int *
lu_backwards(const lu_task *t, const hesca_speed *const *speed)
{
    int *owner = calloc((size_t)lu_blocks(t) + 1, sizeof *owner);
    int64_t *columns = calloc((size_t)t->p, sizeof *columns);
    if (columns == NULL) {
        free(owner);
        owner = NULL;
    }
    for (int64_t k = lu_blocks(t) - 1; owner != NULL && k >= 0; --k) {
        owner[k] = next_owner(t, speed, columns, k);
        columns[owner[k]] += lu_width(t, k);
    }
    free(columns);
    return owner;
}

int64_t
lu_columns(const lu_task *t, const int *owner, int i, int64_t k)
{
    int64_t sum = 0;
    for (; k < lu_blocks(t); ++k)
        sum += owner[k] == i ? lu_width(t, k) : 0;
    return sum;
}

/* From the last step back, so that columns are counted once. */
double
lu_updates_time(const lu_task *t, const int *owner,
                const hesca_speed *const *speed)
{
    double sum = 0;
    int64_t *columns = calloc((size_t)t->p, sizeof *columns);
    for (int64_t k = lu_blocks(t) - 1; columns != NULL && k > 0; --k) {
        const double rows = (double)(t->n - k * t->block);
        double most = 0;
        columns[owner[k]] += lu_width(t, k);
        for (int i = 0; i < t->p; ++i)
            most = fmax(most,
                        hesca_speed_time(speed[i], rows * (double)columns[i]));
        sum += most;
    }
    if (columns == NULL)
        sum = NAN;
    free(columns);
    return sum;
}

/* --- models in other units --- */

int
units_change(const hesca_speed *from, double unit, double limit,
             hesca_speed **to)
{
    int n;
    const hesca_knot *knot = hesca_speed_knots(from, &n);
    hesca_knot *scaled = malloc((size_t)n * sizeof *scaled);
    *to = NULL;
    if (scaled == NULL)
        return HESCA_ERR_NOMEM;
    for (int j = 0; j < n; ++j) {
        scaled[j] = knot[j];
        scaled[j].size /= unit;
    }
    const int err = hesca_speed_create(n, scaled, limit, to);
    free(scaled);
    return err;
}

void
units_free(hesca_speed **model, int p)
{
    for (int i = 0; model != NULL && i < p; ++i)
        hesca_speed_free(model[i]);
    free(model);
}
