/* SPDX-License-Identifier: BSD-3-Clause */
/* Parameters of models as flat arrays of int, in the order of the model's
 * list: vectors row by row, a double as the ints that its bytes fill. */
#include "hmpi/hmpi_params.h"
#include "base/status.h"
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

enum { INTS = sizeof(double) / sizeof(int) };

int
hesca_hmpi_count_inputs(const hesca_model_code *code)
{
    return code->ndims > 0 && code->extent[0] >= 0 ? code->extent[0]
                                                   : code->nparams;
}

/* Elements of a parameter, given those before it. */
static long long
count_elements(const hesca_model_args *args, int k)
{
    return args->code->param[k].is_vector ? hesca_model_args_count(args, k)
                                          : 1;
}

static int
set_doubles(hesca_model_args *args, int k, const int *flat, long long n)
{
    double *x = malloc((size_t)n * sizeof *x);
    if (x == NULL)
        return hesca_fail(HESCA_ERR_NOMEM, 0, "%lld values", n);
    memcpy(x, flat, (size_t)n * sizeof *x);
    const int err = hesca_model_args_set(args, k, NULL, x, n);
    free(x);
    return err;
}

int
hesca_hmpi_unpack(const char *routine, const void *flat, int paramc,
                  int ninputs, hesca_model_args *args)
{
    const hesca_model_code *code = args->code;
    const int *at = flat;
    long long used = 0;
    int err;
    for (int k = 0; k < ninputs; ++k) {
        const int is_double = code->param[k].is_double;
        const long long n = count_elements(args, k);
        if (n < 0)
            return (int)n;
        const long long ints = is_double ? n * INTS : n;
        if (used + ints > paramc)
            return hesca_fail(HESCA_ERR_ARG, 0,
                              "%s: paramc is %d: parameter %s of %s ends at "
                              "%lld",
                              routine, paramc, code->param[k].name, code->name,
                              used + ints);
        err = is_double ? set_doubles(args, k, at + used, n)
                        : hesca_model_args_set(args, k, at + used, NULL, n);
        if (err < 0)
            return err;
        used += ints;
    }
    if (ninputs == code->nparams && used != paramc)
        return hesca_fail(HESCA_ERR_ARG, 0,
                          "%s: paramc is %d: must be %lld, that of %s",
                          routine, paramc, used, code->name);
    return HESCA_SUCCESS;
}

/* --- packing --- */

/* The first n parameters, from a list of arguments. */
static int *
pack(const char *routine, const HMPI_Model *code, int n, int *paramc,
     va_list list)
{
    hesca_model_args args = {.code = NULL};
    int *flat = NULL, err;
    if (code == NULL || paramc == NULL) {
        hesca_fail_null(routine, code == NULL ? 1 : 2,
                        code == NULL ? "model" : "paramc");
        return NULL;
    }
    HESCA_TRY(err, hesca_model_args_init(&args, code));
    for (int k = 0; k < n; ++k) {
        const hesca_model_param *p = &code->param[k];
        const long long count = count_elements(&args, k);
        double real;
        int whole;
        const void *x = p->is_double ? (void *)&real : &whole;
        if (count < 0) {
            err = (int)count;
            goto fail;
        }
        if (p->is_vector)
            x = va_arg(list, const void *);
        else if (p->is_double)
            real = va_arg(list, double);
        else
            whole = va_arg(list, int);
        HESCA_TRY(err, hesca_model_args_set(&args, k, p->is_double ? NULL : x,
                                            p->is_double ? x : NULL, count));
    }
    err = hesca_model_args_pack(&args, n, &flat, paramc);
fail:
    if (args.code != NULL)
        hesca_model_args_clear(&args);
    if (err < 0) {
        free(flat);
        return NULL;
    }
    return flat;
}

int *
HMPI_Pack_model_parameters(const HMPI_Model *model, int *paramc, ...)
{
    va_list list;
    va_start(list, paramc);
    int *flat = pack("HMPI_Pack_model_parameters", model,
                     model != NULL ? model->nparams : 0, paramc, list);
    va_end(list);
    return flat;
}

int *
HMPI_Pack_input_parameters(const HMPI_Model *model, int *paramc, ...)
{
    va_list list;
    va_start(list, paramc);
    int *flat =
        pack("HMPI_Pack_input_parameters", model,
             model != NULL ? hesca_hmpi_count_inputs(model) : 0, paramc, list);
    va_end(list);
    return flat;
}
