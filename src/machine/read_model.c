/* SPDX-License-Identifier: BSD-3-Clause */
/* Speed functions in machine files: a line for the model, one for each knot.
 */
#include "base/status.h"
#include "machine/knots.h"
#include "machine/models.h"
#include "machine/reader.h"
#include <math.h>
#include <string.h>

int
hesca_reader_model(hesca_reader *r, int unused)
{
    hesca_model *x = &r->model;
    int err;
    (void)unused;
    r->limit = INFINITY;
    r->nknots = 0;
    HESCA_TRY(err, hesca_reader_host(r, 0, &x->host));
    const char *token = hesca_reader_next(r, NULL);
    if (token == NULL || !hesca_kernel_is_name(token))
        return hesca_reader_complain(r, token,
                                     "the name of a kernel, of letters, "
                                     "digits, - and _, shorter than 32");
    if (hesca_machine_speed(&r->machine, x->host, token) != NULL)
        return hesca_reader_complain(r, token, "there only once for a host");
    strcpy(x->kernel, token);
    token = hesca_reader_next(r, NULL);
    if (token != NULL && strcmp(token, "limit") != 0)
        return hesca_reader_complain(r, token,
                                     "limit, or the end of the line");
    if (token != NULL)
        HESCA_TRY(err, hesca_reader_number(r, HESCA_AMOUNT, &r->limit));
    r->model_line = r->line;
fail:
    return err;
}

/* The band, which may be omitted: then low and high are the speed. */
static int
read_band(hesca_reader *r, hesca_knot *k)
{
    const char *token = hesca_reader_next(r, NULL);
    int err = HESCA_SUCCESS;
    k->low = k->high = k->speed;
    if (token == NULL)
        return HESCA_SUCCESS;
    if (strcmp(token, "low") != 0)
        return hesca_reader_complain(r, token, "low, or the end of the line");
    HESCA_TRY(err, hesca_reader_number(r, HESCA_AMOUNT, &k->low));
    HESCA_TRY(err, hesca_reader_field(r, "high", HESCA_AMOUNT, &k->high));
fail:
    return err;
}

static int
check_knot(const hesca_reader *r, const char *size)
{
    const int n = r->nknots;
    const char *fault = hesca_knot_fault(n, r->knots, n - 1);
    if (fault == NULL && n > 1 &&
        hesca_knot_crowded(2, &r->knots[n - 2], HESCA_APART_READ))
        fault = "size and size / speed must differ from those before by 1e-8";
    if (fault == NULL)
        return HESCA_SUCCESS;
    return hesca_fail(HESCA_ERR_PARAM, 0,
                      "%.100s:%d: the knot of size '%.40s': %s", r->path,
                      r->line, size, fault);
}

int
hesca_reader_knot(hesca_reader *r, int unused)
{
    hesca_knot k;
    void *array = r->knots;
    int err;
    (void)unused;
    if (r->model_line == 0)
        return hesca_reader_complain(r, "knot", "behind its model");
    if (r->nknots == HESCA_KNOTS_MAX)
        return hesca_reader_complain(r, "knot", "one of at most 100000");
    const char *token = hesca_reader_next(r, NULL);
    if (token == NULL || strcmp(token, "size") != 0)
        return hesca_reader_complain(r, token, "size");
    token = hesca_reader_next(r, NULL);
    if (token == NULL || !hesca_quantity_parse(HESCA_SPEED, token, &k.size))
        return hesca_reader_complain(r, token,
                                     hesca_quantity_rule(HESCA_SPEED));
    HESCA_TRY(err, hesca_reader_field(r, "speed", HESCA_AMOUNT, &k.speed));
    HESCA_TRY(err, read_band(r, &k));
    HESCA_TRY(err, hesca_reader_grow(&array, r->nknots, sizeof k));
    r->knots = array;
    r->knots[r->nknots++] = k;
    HESCA_TRY(err, check_knot(r, token));
fail:
    return err;
}

int
hesca_reader_end_model(hesca_reader *r)
{
    hesca_speed *speed = NULL;
    int err = HESCA_SUCCESS;
    if (r->model_line == 0)
        return HESCA_SUCCESS;
    if (r->nknots == 0)
        return hesca_fail(HESCA_ERR_PARAM, 0,
                          "%.80s:%d: the model '%.40s %s' has no line 'knot'",
                          r->path, r->model_line,
                          r->machine.host[r->model.host].name,
                          r->model.kernel);
    r->model_line = 0;
    HESCA_TRY(err, hesca_speed_create(r->nknots, r->knots, r->limit, &speed));
    HESCA_TRY(err, hesca_models_enter(&r->machine, r->model.host,
                                      r->model.kernel, speed));
    speed = NULL;
fail:
    hesca_speed_free(speed);
    return err;
}
