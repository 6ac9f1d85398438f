/* SPDX-License-Identifier: BSD-3-Clause */
/* Values of a model's parameters. */
#include "base/status.h"
#include "pmdl/bind.h"
#include <errno.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { VALUES_MOST = 1 << 26 };

int
hesca_model_args_init(hesca_model_args *args, const hesca_model_code *code)
{
    const size_t n = (size_t)code->nparams + 1;
    *args = (hesca_model_args){.code = code};
    args->value = calloc(n, sizeof *args->value);
    args->count = calloc(n, sizeof *args->count);
    if (args->value != NULL && args->count != NULL)
        return HESCA_SUCCESS;
    hesca_model_args_clear(args);
    return hesca_fail(HESCA_ERR_NOMEM, 0, "parameters of %s", code->name);
}

void
hesca_model_args_clear(hesca_model_args *args)
{
    for (int k = 0; args->value != NULL && k < args->code->nparams; ++k)
        free(args->value[k]);
    free(args->value);
    free(args->count);
    args->value = NULL;
    args->count = NULL;
}

int
hesca_model_args_set(hesca_model_args *args, int k, const int *ints,
                     const double *doubles, long long n)
{
    const hesca_model_param *p = &args->code->param[k];
    const size_t size = p->is_double ? sizeof(double) : sizeof(int);
    if ((p->is_double ? doubles == NULL : ints == NULL) || n < 1 ||
        n > VALUES_MOST || (!p->is_vector && n != 1))
        return hesca_fail(
            HESCA_ERR_ARG, 0, "parameter %s of %s: %lld values of type %s",
            p->name, args->code->name, n, ints != NULL ? "int" : "double");
    void *copy = malloc((size_t)n * size);
    if (copy == NULL)
        return hesca_fail(HESCA_ERR_NOMEM, 0, "%lld values", n);
    memcpy(copy, p->is_double ? (const void *)doubles : ints,
           (size_t)n * size);
    free(args->value[k]);
    args->value[k] = copy;
    args->count[k] = n;
    return HESCA_SUCCESS;
}

static size_t
size_of(const hesca_model_args *args, int k)
{
    return (size_t)args->count[k] *
           (args->code->param[k].is_double ? sizeof(double) : sizeof(int));
}

int
hesca_model_args_pack(const hesca_model_args *args, int n, int **flat,
                      int *paramc)
{
    size_t bytes = 0;
    for (int k = 0; k < n; ++k)
        bytes += size_of(args, k);
    *flat = bytes / sizeof(int) <= INT_MAX ? malloc(bytes + 1) : NULL;
    if (*flat == NULL)
        return hesca_fail(HESCA_ERR_NOMEM, 0, "%zu bytes", bytes);
    char *at = (char *)*flat;
    for (int k = 0; k < n; at += size_of(args, k++))
        memcpy(at, args->value[k], size_of(args, k));
    *paramc = (int)(bytes / sizeof(int));
    return HESCA_SUCCESS;
}

/* --- text --- */

/* The values of a text, as doubles, which hold every int. */
typedef struct {
    double *value;
    long long n, room;
    int err; /* no memory, or too many */
} values;

static int
add(values *v, double x)
{
    if (v->n == v->room) {
        const long long room = v->room > 0 ? 2 * v->room : 16;
        double *more = room > VALUES_MOST
                           ? NULL
                           : realloc(v->value, (size_t)room * sizeof *more);
        if (more == NULL) {
            v->err = hesca_fail(HESCA_ERR_NOMEM, 0, "%lld values", room);
            return 0;
        }
        v->value = more;
        v->room = room;
    }
    v->value[v->n++] = x;
    return 1;
}

static int
read_number(const char **at, double *x)
{
    char *end;
    errno = 0;
    *x = strtod(*at, &end);
    if (end == *at || errno != 0 || !isfinite(*x))
        return 0;
    *at = end;
    return 1;
}

/* VALUE, VALUExCOUNT, FIRST:LAST or FIRST:LAST:STEP */
static int
read_item(const char **at, values *v)
{
    double first, last, step = 1;
    if (!read_number(at, &first))
        return 0;
    if (**at == 'x') {
        ++*at;
        if (!read_number(at, &last) || last < 1 || last > VALUES_MOST)
            return 0;
        for (long long k = 0; k < (long long)last; ++k)
            if (!add(v, first))
                return 0;
        return 1;
    }
    if (**at != ':')
        return add(v, first);
    ++*at;
    if (!read_number(at, &last))
        return 0;
    if (**at == ':') {
        ++*at;
        if (!read_number(at, &step))
            return 0;
    }
    if (!(step != 0 && (last - first) / step >= 0 &&
          (last - first) / step < VALUES_MOST))
        return 0;
    for (long long k = 0; k <= (long long)((last - first) / step); ++k)
        if (!add(v, first + (double)k * step))
            return 0;
    return 1;
}

static int
find(const hesca_model_code *code, const char *name, size_t length)
{
    for (int k = 0; k < code->nparams; ++k)
        if (strlen(code->param[k].name) == length &&
            memcmp(code->param[k].name, name, length) == 0)
            return k;
    return -1;
}

static int
set_values(hesca_model_args *args, int k, const values *v, const char *text)
{
    const hesca_model_param *p = &args->code->param[k];
    if (!p->is_vector && v->n != 1)
        return hesca_fail(HESCA_ERR_PARAM, 0, "'%.80s': %s is one value", text,
                          p->name);
    if (p->is_double)
        return hesca_model_args_set(args, k, NULL, v->value, v->n);
    int *ints = malloc((size_t)v->n * sizeof *ints), err = HESCA_SUCCESS;
    if (ints == NULL)
        return hesca_fail(HESCA_ERR_NOMEM, 0, "%lld values", v->n);
    for (long long i = 0; i < v->n && err == 0; ++i) {
        if (v->value[i] != floor(v->value[i]) || fabs(v->value[i]) > INT_MAX)
            err = hesca_fail(HESCA_ERR_PARAM, 0,
                             "'%.80s': %s is of type int, not %.10g", text,
                             p->name, v->value[i]);
        else
            ints[i] = (int)v->value[i];
    }
    if (err == 0)
        err = hesca_model_args_set(args, k, ints, NULL, v->n);
    free(ints);
    return err;
}

int
hesca_model_args_parse(hesca_model_args *args, const char *text)
{
    const char *at = strchr(text, '=');
    values v = {.value = NULL};
    if (at == NULL)
        return hesca_fail(HESCA_ERR_PARAM, 0,
                          "'%.80s' must be PARAMETER=VALUE[,VALUE]...", text);
    const int k = find(args->code, text, (size_t)(at - text));
    if (k < 0)
        return hesca_fail(HESCA_ERR_PARAM, 0,
                          "'%.80s': %s has no parameter "
                          "'%.*s'",
                          text, args->code->name, (int)(at - text), text);
    do
        ++at;
    while (read_item(&at, &v) && *at == ',');
    int err;
    if (v.err < 0)
        err = v.err;
    else if (*at != '\0' || v.n == 0)
        err = hesca_fail(HESCA_ERR_PARAM, 0,
                         "'%.80s': '%.20s' must be VALUE, VALUExCOUNT or "
                         "FIRST:LAST[:STEP], separated by commas",
                         text, at);
    else
        err = set_values(args, k, &v, text);
    free(v.value);
    return err;
}
