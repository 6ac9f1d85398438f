/* SPDX-License-Identifier: BSD-3-Clause */
/* The table of functions that models may call without C. */
#include "pmdl/builtins.h"
#include "base/status.h"
#include "hdpi.h"
#include "pmdl/parser.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef const hesca_builtin_arg *args;

static double
call_unordered(args a)
{
    return Partition_unordered_set(a[0].i, a[1].i, a[2].speeds, a[3].ints,
                                   a[4].ints, a[5].i, a[6].ints, a[7].i, NULL,
                                   NULL, a[10].ints);
}

static double
call_ordered(args a)
{
    return Partition_ordered_set(a[0].i, a[1].i, a[2].speeds, a[3].ints,
                                 a[4].ints, a[5].i, NULL, a[7].i, a[8].i, NULL,
                                 NULL, a[11].ints);
}

static double
call_set_processor(args a)
{
    return Get_set_processor(a[0].i, a[1].i, a[2].i, a[3].i, a[4].ints);
}

static double
call_my_partition(args a)
{
    return Get_my_partition(a[0].i, a[1].i, a[2].speeds, a[3].i);
}

static double
call_matrix_2d(args a)
{
    return Partition_matrix_2d(a[0].i, a[1].i, a[2].i, a[3].speeds, a[4].ints,
                               a[5].ints, a[6].i, a[7].i, a[8].i, a[9].ints,
                               a[10].ints, a[11].ints, a[12].ints, NULL, NULL);
}

static double
call_matrix_processor(args a)
{
    return Get_matrix_processor(a[0].i, a[1].i, a[2].i, a[3].i, a[4].ints,
                                a[5].ints, a[6].ints, a[7].ints, a[8].i,
                                a[9].pointer);
}

static double
call_width(args a)
{
    return Get_my_width(a[0].i, a[1].i, a[2].i, a[3].i, a[4].speeds, a[5].i,
                        a[6].i, a[7].i);
}

static double
call_height(args a)
{
    return Get_my_height(a[0].i, a[1].i, a[2].i, a[3].i, a[4].speeds, a[5].i,
                         a[6].i, a[7].i);
}

static double
call_diagonal(args a)
{
    return Get_diagonal(a[0].i, a[1].i, a[2].i, a[3].i, a[4].ints, a[5].ints,
                        a[6].ints, a[7].ints);
}

static double
call_elements(args a)
{
    return Get_my_elements(a[0].i, a[1].i, a[2].i, a[3].i, a[4].i, a[5].i,
                           a[6].ints, a[7].ints, a[8].ints, a[9].ints, a[10].i,
                           (char)a[11].i);
}

static double
call_kk_elements(args a)
{
    return Get_my_kk_elements(a[0].i, a[1].i, a[2].i, a[3].i, a[4].i, a[5].i,
                              a[6].i, a[7].ints, a[8].ints, a[9].ints,
                              a[10].ints, a[11].i, (char)a[12].i);
}

static double
call_corners(args a)
{
    return Get_trow_tcol(a[0].i, a[1].ints, a[2].ints, a[3].ints, a[4].ints);
}

#define MATH1(f)                                                              \
    static double call_##f(args a)                                            \
    {                                                                         \
        return f(a[0].d);                                                     \
    }
#define MATH2(f)                                                              \
    static double call_##f(args a)                                            \
    {                                                                         \
        return f(a[0].d, a[1].d);                                             \
    }
#define ROW1(f)                                                               \
    {                                                                         \
#f, "d", "", call_##f, 1, 1                                           \
    }
#define ROW2(f)                                                               \
    {                                                                         \
#f, "dd", "", call_##f, 1, 1                                          \
    }

MATH1(log)
MATH1(log2)
MATH1(log10)
MATH1(exp)
MATH1(sqrt)
MATH1(cbrt)
MATH1(ceil)
MATH1(floor)
MATH1(round)
MATH1(trunc)
MATH1(fabs)
MATH1(sin)
MATH1(cos)
MATH2(pow)
MATH2(fmin)
MATH2(fmax)
MATH2(fmod)

/* Lengths: w, h, trow and tcol of a p x q grid have p q, p q p q, p q, p q. */
const hesca_builtin hesca_builtins[] = {
    {"Partition_unordered_set", "iisrririnnw", "0*1,0*1,0,5,0|5",
     call_unordered, 0, 0},
    {"Partition_ordered_set", "iisrriniinnw", "0*1,0*1,0,0+", call_ordered, 0,
     0},
    {"Get_set_processor", "iiiir", "2+", call_set_processor, 0, 0},
    {"Get_my_partition", "iisi", "1", call_my_partition, 0, 0},
    {"Partition_matrix_2d", "iiisrriiiwwwwnn",
     "0*1*2,0*1*2,0*1,0*1,0*1*0*1,0*1,0*1", call_matrix_2d, 0, 0},
    {"Get_matrix_processor", "iiiirrrrio", "2*3,2*3*2*3,2*3,2*3",
     call_matrix_processor, 0, 0},
    {"Get_my_width", "iiiisiii", "2*3", call_width, 0, 0},
    {"Get_my_height", "iiiisiii", "2*3", call_height, 0, 0},
    {"Get_diagonal", "iiiirrrr", "2*3,2*3*2*3,2*3,2*3", call_diagonal, 0, 0},
    {"Get_my_elements", "iiiiiirrrrii", "4*5,4*5*4*5,4*5,4*5", call_elements,
     0, 0},
    {"Get_my_kk_elements", "iiiiiiirrrrii", "5*6,5*6*5*6,5*6,5*6",
     call_kk_elements, 0, 0},
    {"Get_trow_tcol", "irrww", "0*0,0*0*0*0,0*0,0*0", call_corners, 0, 0},
    ROW1(log),
    ROW1(log2),
    ROW1(log10),
    ROW1(exp),
    ROW1(sqrt),
    ROW1(cbrt),
    ROW1(ceil),
    ROW1(floor),
    ROW1(round),
    ROW1(trunc),
    ROW1(fabs),
    ROW1(sin),
    ROW1(cos),
    ROW2(pow),
    ROW2(fmin),
    ROW2(fmax),
    ROW2(fmod),
};
const int hesca_nbuiltins = sizeof hesca_builtins / sizeof *hesca_builtins;

/* --- declarations --- */

static hesca_symbol *
declare(hesca_parser *p, hesca_name_kind kind, const char *name,
        const hesca_ctype *type)
{
    const hesca_token t = {.at = name, .length = strlen(name)};
    hesca_symbol *s = hesca_parser_declare(p, kind, &t, type, p->scope);
    if (s != NULL)
        s->from_hdpi = 1;
    return s;
}

static int
declare_constant(hesca_parser *p, const char *name, const hesca_ctype *type,
                 int value)
{
    const hesca_token none = {.at = name, .length = strlen(name)};
    hesca_symbol *s = declare(p, HESCA_NAME_CONSTANT, name, type);
    hesca_expr *e = hesca_expr_new(p, HESCA_EXPR_INTEGER, type, &none);
    if (s == NULL || e == NULL)
        return HESCA_ERR_NOMEM;
    e->integer = value;
    s->value = e;
    return HESCA_SUCCESS;
}

static int
declare_functions(hesca_parser *p)
{
    for (int k = 0; k < hesca_nbuiltins; ++k) {
        const hesca_builtin *b = &hesca_builtins[k];
        hesca_ctype *t = hesca_parser_new(p, sizeof *t);
        hesca_symbol *s =
            t != NULL ? declare(p, HESCA_NAME_FUNCTION, b->name, t) : NULL;
        if (s == NULL)
            return HESCA_ERR_NOMEM;
        *t = (hesca_ctype){
            .kind = HESCA_C_FUNCTION,
            .size = 1,
            .align = 1,
            .base = &hesca_ctypes[b->is_double ? HESCA_C_DOUBLE : HESCA_C_INT],
            .nparams = (int)strlen(b->args)};
        s->known = b;
        s->from_hdpi = !b->is_math;
    }
    return HESCA_SUCCESS;
}

int
hesca_parser_builtins(hesca_parser *p)
{
    static hesca_cfield field[2] = {
        {"i", &hesca_ctypes[HESCA_C_INT], 0},
        {"j", &hesca_ctypes[HESCA_C_INT], sizeof(int)}};
    static const hesca_ctype owner = {.kind = HESCA_C_STRUCT,
                                      .name = "Processor",
                                      .size = sizeof(Processor),
                                      .align = _Alignof(Processor),
                                      .nfields = 2,
                                      .field = field};
    static const struct {
        const char *name;
        int value;
    } constants[] = {
        {"SYSTEM_DEFINED", SYSTEM_DEFINED}, {"USER_SPECIFIED", USER_SPECIFIED},
        {"CARTESIAN", CARTESIAN},           {"ROW_BASED", ROW_BASED},
        {"COLUMN_BASED", COLUMN_BASED},     {"RECURSIVE", RECURSIVE},
    };
    int err = HESCA_SUCCESS;
    const hesca_ctype *null =
        hesca_ctype_pointer(p, &hesca_ctypes[HESCA_C_VOID]);
    if (null == NULL ||
        declare(p, HESCA_NAME_TYPE, "Processor", &owner) == NULL)
        return HESCA_ERR_NOMEM;
    for (size_t k = 0; err == 0 && k < sizeof constants / sizeof *constants;
         ++k)
        err = declare_constant(p, constants[k].name,
                               &hesca_ctypes[HESCA_C_INT], constants[k].value);
    if (err == 0)
        err = declare_functions(p);
    if (err == 0)
        err = declare_constant(p, "NULL", null, 0);
    hesca_symbol *size = err == 0 ? declare(p, HESCA_NAME_TYPE, "size_t",
                                            &hesca_ctypes[HESCA_C_ULONG])
                                  : NULL;
    if (size == NULL)
        return HESCA_ERR_NOMEM;
    size->from_hdpi = 0;
    return HESCA_SUCCESS;
}
