/* SPDX-License-Identifier: BSD-3-Clause */
/* HDPI's functions of sets: check the arguments, partition, and write the
 * result in HDPI's format. */
#include "base/status.h"
#include "hdpi.h"
#include "hesca/experimental/shares.h"
#include "partition/hdpi/hdpi_models.h"
#include "partition/set/set_result.h"
#include "partition/set/speed_lines.h"
#include <limits.h>
#include <math.h>
#include <stdlib.h>

/* A call of one of the two functions; the numbers of arguments up to w are the
 * same. */
typedef struct {
    const char *routine;
    int p, pn;
    const double *speeds;
    const int *psizes, *mlimits;
    int n;
    const int *w;
    int is_ordered, reorder;
    int type_arg; /* number of argument type_of_metric; umf, metric and np
                     follow */
    int type_of_metric;
    User_defined_metric umf;
    double *metric;
    int *np;
} call;

enum { MLIMITS = 5, N, W };

/* ------------------------------------------------ arguments
 * All checks precede the partition, so on error nothing is written. */

static int
check(const call *c)
{
    if (c->n < 0)
        return hesca_fail_arg(c->routine, N, "n", c->n, "at least 0");
    if (c->np == NULL)
        return hesca_fail_null(c->routine, c->type_arg + 3, "np");
    if (c->metric == NULL)
        return HESCA_SUCCESS;
    if (c->type_of_metric != SYSTEM_DEFINED &&
        c->type_of_metric != USER_SPECIFIED)
        return hesca_fail_arg(c->routine, c->type_arg, "type_of_metric",
                              c->type_of_metric,
                              "SYSTEM_DEFINED or USER_SPECIFIED");
    if (c->type_of_metric == USER_SPECIFIED && c->umf == NULL)
        return hesca_fail_null(c->routine, c->type_arg + 1, "umf");
    return HESCA_SUCCESS;
}

/* A copy of the weights in 64 bits, which the caller frees; NULL if there are
 * none.
 * */
static int
widen(const call *c, int64_t **weight)
{
    int64_t total;
    *weight = NULL;
    if (c->w == NULL)
        return HESCA_SUCCESS;
    *weight = malloc(((size_t)c->n + 1) * sizeof **weight);
    if (*weight == NULL)
        return hesca_fail(HESCA_ERR_NOMEM, 0, "%s: %d weights", c->routine,
                          c->n);
    for (int e = 0; e < c->n; ++e)
        (*weight)[e] = c->w[e];
    return hesca_result_check_weights(c->routine, W, "w", c->n, *weight,
                                      &total);
}

static int
check_limits(const call *c, const hesca_speed *const *models)
{
    int64_t *most = malloc((size_t)c->p * sizeof *most);
    if (most == NULL)
        return hesca_fail(HESCA_ERR_NOMEM, 0, "%s: limits of %d", c->routine,
                          c->p);
    const int err = hesca_result_limits(c->routine, MLIMITS, "mlimits", c->p,
                                        models, c->n, most);
    free(most);
    return err;
}

/* ------------------------------------------------ results
 * Nothing is written before the last step that can fail. */

static double
deviation(const hesca_shares *s)
{
    const double ideal = hesca_shares_ideal(s);
    return ideal > 0 ? (hesca_shares_time(s) - ideal) / ideal : 0;
}

/* The metric of the user's function; speeds are those at the sizes reached. */
static int
call_metric(const call *c, const hesca_speed *const *models,
            const hesca_shares *s, double *metric)
{
    const size_t p = (size_t)c->p;
    double *speeds = malloc(p * sizeof *speeds);
    int *sizes = malloc(p * sizeof *sizes), *ideal = malloc(p * sizeof *ideal);
    int err = HESCA_SUCCESS;
    if (speeds == NULL || sizes == NULL || ideal == NULL)
        HESCA_TRY(err, hesca_fail(HESCA_ERR_NOMEM, 0, "%s: metric of %d parts",
                                  c->routine, c->p));
    for (int i = 0; i < c->p; ++i) {
        const double size = (double)hesca_shares_weight(s, i);
        const double best =
            fmin(hesca_speed_size(models[i], hesca_shares_ideal(s)),
                 (double)hesca_set_capacity(models[i], c->w == NULL,
                                            (int64_t)1 << 53));
        if (size > INT_MAX || best > INT_MAX)
            HESCA_TRY(err, hesca_fail(HESCA_ERR_ARG, W,
                                      "%s: argument %d, w: part %d has "
                                      "weight %.0f, more than an int holds "
                                      "for umf",
                                      c->routine, W, i, fmax(size, best)));
        speeds[i] = hesca_speed_at(models[i], size);
        sizes[i] = (int)size;
        ideal[i] = (int)floor(best + 0.5);
    }
    *metric = c->umf(c->p, speeds, sizes, ideal);
fail:
    free(speeds);
    free(sizes);
    free(ideal);
    return err;
}

static void
write_np(const call *c, const hesca_shares *s)
{
    if (!c->is_ordered && c->w != NULL)
        for (int e = 0; e < c->n; ++e)
            c->np[e] = hesca_shares_owner(s, e);
    else if (!c->is_ordered)
        for (int i = 0; i < c->p; ++i)
            c->np[i] = (int)hesca_shares_count(s, i);
    else if (c->w != NULL && c->reorder)
        for (int k = 0; k < c->p; ++k) {
            c->np[2 * k] = hesca_shares_place(s, k);
            c->np[2 * k + 1] = (int)hesca_shares_count(s, c->np[2 * k]);
        }
    else {
        for (int i = 0; i < c->p; ++i)
            c->np[i] = (int)hesca_shares_first(s, i);
        c->np[c->p] = c->n;
    }
}

static int
partition(const call *c)
{
    const hesca_speed **models = NULL;
    int64_t *weight = NULL;
    hesca_shares *s = NULL;
    double metric = 0;
    int err;
    HESCA_TRY(err, hesca_hdpi_models(c->routine, 2, c->p, c->pn, c->speeds,
                                     c->psizes, c->mlimits, &models));
    HESCA_TRY(err, check(c));
    HESCA_TRY(err, widen(c, &weight));
    HESCA_TRY(err, check_limits(c, models));
    if (c->is_ordered)
        HESCA_TRY(err, hesca_shares_create_ordered(c->p, models, c->n, weight,
                                                   c->reorder, &s));
    else
        HESCA_TRY(
            err, hesca_shares_create_weighted(c->p, models, c->n, weight, &s));
    metric = deviation(s);
    if (c->metric != NULL && c->type_of_metric == USER_SPECIFIED)
        HESCA_TRY(err, call_metric(c, models, s, &metric));
    if (c->metric != NULL)
        *c->metric = metric;
    write_np(c, s);
fail:
    hesca_shares_free(s);
    free(weight);
    hesca_hdpi_models_free(c->p, models);
    return hesca_hdpi_status(err);
}

int
Partition_unordered_set(int p, int pn, const double *speeds, const int *psizes,
                        const int *mlimits, int n, const int *w,
                        int type_of_metric, User_defined_metric umf,
                        double *metric, int *np)
{
    return partition(&(call){"Partition_unordered_set", p, pn, speeds, psizes,
                             mlimits, n, w, 0, 0, 8, type_of_metric, umf,
                             metric, np});
}

int
Partition_ordered_set(int p, int pn, const double *speeds, const int *psizes,
                      const int *mlimits, int n, const int *w,
                      int processor_reordering, int type_of_metric,
                      User_defined_metric umf, double *metric, int *np)
{
    return partition(&(call){"Partition_ordered_set", p, pn, speeds, psizes,
                             mlimits, n, w, 1, processor_reordering, 9,
                             type_of_metric, umf, metric, np});
}

/* ------------------------------------------------ queries
 * np is the caller's, so it is checked as far as it is read. */

int
Get_set_processor(int i, int n, int p, int processor_reordering, const int *np)
{
    static const char routine[] = "Get_set_processor";
    int end = 0, owner = -1;
    if (i < 0 || i >= n)
        return hesca_fail_arg(routine, 1, "i", i, "an element, 0 ... n - 1");
    if (p < 1)
        return hesca_fail_arg(routine, 3, "p", p, "at least 1");
    if (np == NULL)
        return hesca_fail_null(routine, 5, "np");
    for (int k = 0; k < p && owner < 0; ++k) {
        const int length =
            processor_reordering ? np[2 * k + 1] : np[k + 1] - np[k];
        if (length < 0 || length > n - end)
            return hesca_fail(
                HESCA_ERR_ARG, 5,
                "%s: argument 5, np: chunk %d has %d of %d "
                "elements: not what Partition_ordered_set() made",
                routine, k, length, n);
        end += length;
        if (i < end)
            owner = processor_reordering ? np[2 * k] : k;
    }
    if (owner < 0 || owner >= p)
        return hesca_fail(HESCA_ERR_ARG, 5,
                          "%s: argument 5, np: no processor of %d has element "
                          "%d",
                          routine, p, i);
    return owner;
}

int
Get_my_partition(int i, int p, const double *speeds, int n)
{
    static const char routine[] = "Get_my_partition";
    const hesca_speed **models = NULL;
    hesca_shares *s = NULL;
    int err, count = -1;
    if (p < 1)
        return hesca_fail_arg(routine, 2, "p", p, "at least 1");
    if (i < 0 || i >= p)
        return hesca_fail_arg(routine, 1, "i", i, "a processor, 0 ... p - 1");
    if (n < 0)
        return hesca_fail_arg(routine, 4, "n", n, "at least 0");
    /* There is no argument pn: 2 makes `speeds` argument 3. */
    HESCA_TRY(
        err, hesca_hdpi_models(routine, 2, p, 1, speeds, NULL, NULL, &models));
    HESCA_TRY(err, hesca_shares_create(p, models, n, &s));
    count = (int)hesca_shares_count(s, i);
fail:
    hesca_shares_free(s);
    hesca_hdpi_models_free(p, models);
    return count;
}
