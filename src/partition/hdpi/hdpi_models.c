/* SPDX-License-Identifier: BSD-3-Clause */
#include "partition/hdpi/hdpi_models.h"
#include "base/status.h"
#include "partition/set/speed_lines.h"
#include <math.h>
#include <stdlib.h>

/* The processors as arguments of a call. */
typedef struct {
    const char *routine;
    int arg, p, pn;
    const double *speeds;
    const int *psizes, *mlimits;
} processors;

/* Record that a knot has an invalid size or speed. */
static int
fail_knot(const processors *x, int i, int j, int is_size, const char *must)
{
    const size_t k = (size_t)i * (size_t)x->pn + (size_t)j;
    const int arg = x->arg + (is_size ? 2 : 1);
    return hesca_fail(HESCA_ERR_ARG, arg,
                      "%s: argument %d, %s[%d][%d], is %.10g: must be %s",
                      x->routine, arg, is_size ? "psizes" : "speeds", i, j,
                      is_size ? x->psizes[k] : x->speeds[k], must);
}

static int
check_shapes(const processors *x)
{
    if (x->speeds == NULL)
        return x->psizes == NULL
                   ? HESCA_SUCCESS
                   : hesca_fail(HESCA_ERR_ARG, x->arg + 2,
                                "%s: argument %d, psizes, must be NULL where "
                                "speeds is",
                                x->routine, x->arg + 2);
    if (x->pn < 1 || x->pn > HESCA_KNOTS_MAX)
        return hesca_fail_arg(x->routine, x->arg, "pn", x->pn, "1 ... 100000");
    if (x->psizes == NULL && x->pn > 1)
        return hesca_fail(HESCA_ERR_ARG, x->arg + 2,
                          "%s: argument %d, psizes, is NULL: pn is %d, and "
                          "only a constant speed needs no sizes",
                          x->routine, x->arg + 2, x->pn);
    return HESCA_SUCCESS;
}

static int
check_knot(const processors *x, int i, int j, const hesca_knot *knot)
{
    const hesca_knot k = knot[j];
    const int may_be_0 = j > 0 && j == x->pn - 1;
    if (!hesca_set_can_use(k.speed) && !(may_be_0 && k.speed == 0))
        return fail_knot(x, i, j, 0,
                         "1e-250 ... 1e250, or 0 at the last knot");
    if (!(k.size > 0))
        return fail_knot(x, i, j, 1, "more than 0");
    if (j == 0)
        return HESCA_SUCCESS;
    if (!(knot[j - 1].size < k.size))
        return fail_knot(x, i, j, 1, "more than the size before");
    if (!(knot[j - 1].size * k.speed < k.size * knot[j - 1].speed))
        return fail_knot(x, i, j, 0,
                         "less: size / speed must ascend from knot to knot");
    return HESCA_SUCCESS;
}

/* The model of processor i; knot is work space for pn knots. */
static int
make(const processors *x, int i, hesca_knot *knot, const hesca_speed **model)
{
    int err = HESCA_SUCCESS;
    hesca_speed *made = NULL;
    const int n = x->speeds == NULL ? 1 : x->pn;
    double limit = INFINITY;
    if (x->mlimits != NULL && x->mlimits[i] < 0)
        HESCA_TRY(err, hesca_fail(HESCA_ERR_ARG, x->arg + 3,
                                  "%s: argument %d, mlimits[%d], is %d: must "
                                  "be at least 0",
                                  x->routine, x->arg + 3, i, x->mlimits[i]));
    for (int j = 0; j < n; ++j) {
        const size_t k = (size_t)i * (size_t)n + (size_t)j;
        const double s = x->speeds != NULL ? x->speeds[k] : 1;
        knot[j] = (hesca_knot){x->psizes != NULL ? x->psizes[k] : 1, s, s, s};
        HESCA_TRY(err, check_knot(x, i, j, knot));
    }
    if (x->mlimits != NULL)
        limit = x->mlimits[i];
    HESCA_TRY(err, hesca_speed_create(n, knot, limit, &made));
fail:
    *model = made;
    return err;
}

int
hesca_hdpi_models(const char *routine, int arg, int p, int pn,
                  const double *speeds, const int *psizes, const int *mlimits,
                  const hesca_speed ***models)
{
    const processors x = {routine, arg, p, pn, speeds, psizes, mlimits};
    const hesca_speed **made = NULL;
    hesca_knot *knot = NULL;
    int err;
    *models = NULL;
    if (p < 1)
        return hesca_fail_arg(routine, arg - 1, "p", p, "at least 1");
    HESCA_TRY(err, check_shapes(&x));
    made = calloc((size_t)p, sizeof *made);
    knot = malloc((size_t)(speeds == NULL ? 1 : pn) * sizeof *knot);
    if (made == NULL || knot == NULL)
        HESCA_TRY(err, hesca_fail(HESCA_ERR_NOMEM, 0, "%s: models of %d",
                                  routine, p));
    for (int i = 0; i < p; ++i)
        HESCA_TRY(err, make(&x, i, knot, &made[i]));
fail:
    free(knot);
    if (err < 0) {
        hesca_hdpi_models_free(p, made);
        made = NULL;
    }
    *models = made;
    return err;
}

void
hesca_hdpi_models_free(int p, const hesca_speed **models)
{
    for (int i = 0; models != NULL && i < p; ++i)
        hesca_speed_free((hesca_speed *)models[i]);
    free(models);
}
