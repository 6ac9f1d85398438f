/* SPDX-License-Identifier: BSD-3-Clause */
/* Calls of the functions that the evaluator knows.  Arrays are passed as they
 * are, after their length has been checked. */
#include "base/status.h"
#include "pmdl/builtins.h"
#include "pmdl/eval.h"
#include <stdlib.h>
#include <string.h>

/* The length that a formula of hesca_builtin.sizes gives: products of
 * arguments. \param [in,out] at  Behind the formula, at the next one. */
static int64_t
length_of(const char **at, const hesca_builtin_arg *arg, int is_given)
{
    int64_t n = 1, first = -1;
    for (;;) {
        char *end;
        const long k = strtol(*at, &end, 10);
        int64_t x = arg[k].i > 0 ? arg[k].i : 0;
        if (*end == '+') {
            ++x;
            ++end;
        }
        if (__builtin_mul_overflow(n, x, &n))
            n = INT64_MAX;
        *at = end + (*end != '\0');
        if (*end == '|') {
            first = n;
            n = 1;
        } else if (*end != '*') {
            return first >= 0 && !is_given ? first : n;
        }
    }
}

/* int speeds as doubles, in the block of this argument. */
static double *
doubles(hesca_evaluation *ev, const hesca_expr *e, int k, const int *v,
        int64_t n)
{
    hesca_block *b = &ev->block[e->slot + k];
    if (hesca_eval_room(ev, b, (size_t)(n > 0 ? n : 1) * sizeof(double)) < 0)
        return NULL;
    double *x = (double *)(void *)b->data;
    for (int64_t i = 0; i < n; ++i)
        x[i] = v[i];
    return x;
}

/* Argument k, an array of n elements. */
static int
pass_array(hesca_evaluation *ev, const hesca_expr *e, int k, hesca_pointer p,
           int64_t n, hesca_builtin_arg *arg)
{
    const hesca_expr *a = e->arg[k];
    const char kind = e->a->symbol->known->args[k];
    const hesca_ctype *t = a->type;
    while (t->kind == HESCA_C_POINTER || t->kind == HESCA_C_ARRAY)
        t = t->base;
    const size_t size = t->kind == HESCA_C_DOUBLE ? sizeof(double)
                        : kind == HESCA_ARG_OWNER ? t->size
                                                  : sizeof(int);
    arg->pointer = NULL;
    if (p.block == NULL)
        return 1;
    if (p.block->data == NULL || p.offset < 0 ||
        (size_t)p.offset > p.block->size ||
        (p.block->size - (size_t)p.offset) / size < (size_t)n)
        return hesca_eval_fail(ev, a,
                               "argument %d of %s must have %lld elements",
                               k + 1, e->a->symbol->name, (long long)n);
    if ((kind == HESCA_ARG_WRITE || kind == HESCA_ARG_OWNER) &&
        p.block->is_const)
        return hesca_eval_fail(ev, a, "a parameter cannot be changed");
    char *data = p.block->data + p.offset;
    if (kind == HESCA_ARG_SPEEDS && size == sizeof(int))
        arg->speeds = doubles(ev, e, k, (const int *)(const void *)data, n);
    else
        arg->pointer = data;
    return ev->binding->err == 0;
}

hesca_value
hesca_eval_call(hesca_evaluation *ev, const hesca_expr *e)
{
    const hesca_value zero = {.i = 0};
    hesca_builtin_arg arg[HESCA_BUILTIN_ARGS] = {{.pointer = NULL}};
    hesca_pointer at[HESCA_BUILTIN_ARGS];
    const hesca_builtin *b = e->a->symbol != NULL ? e->a->symbol->known : NULL;
    if (b == NULL) {
        hesca_eval_fail(ev, e, "'%.*s' is known to C alone", (int)e->a->length,
                        e->a->text);
        return zero;
    }
    for (int k = 0; k < e->nargs; ++k) {
        const hesca_value v = hesca_eval(ev, e->arg[k]);
        at[k] = v.p;
        if (b->args[k] == HESCA_ARG_INT)
            arg[k].i = (int)v.i;
        else if (b->args[k] == HESCA_ARG_DOUBLE)
            arg[k].d = v.d;
        else if (b->args[k] == HESCA_ARG_NULL && v.p.block != NULL)
            hesca_eval_fail(ev, e->arg[k],
                            "argument %d of %s must be NULL here", k + 1,
                            b->name);
    }
    if (ev->binding->err < 0)
        return zero;
    const char *sizes = b->sizes;
    for (int k = 0, is_given = 0; k < e->nargs; ++k) {
        const char kind = b->args[k];
        if (kind != HESCA_ARG_SPEEDS && kind != HESCA_ARG_READ &&
            kind != HESCA_ARG_WRITE && kind != HESCA_ARG_OWNER)
            continue;
        const int64_t n =
            kind == HESCA_ARG_OWNER ? 1 : length_of(&sizes, arg, is_given);
        is_given = at[k].block != NULL;
        if (!pass_array(ev, e, k, at[k], n, &arg[k]))
            return zero;
    }
    const double result = b->call(arg);
    return b->is_double ? (hesca_value){.d = result}
                        : (hesca_value){.i = (int64_t)result};
}
