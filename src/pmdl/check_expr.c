/* SPDX-License-Identifier: BSD-3-Clause */
/* Types of expressions, by the rules of C.  Each function makes a node of
 * checked operands, with the conversions of C as nodes around them. */
#include "base/status.h"
#include "pmdl/builtins.h"
#include "pmdl/parser.h"
#include <stdio.h>
#include <string.h>

typedef const hesca_ctype ctype;

static int
is_unknown(const hesca_expr *e)
{
    return e->type->kind == HESCA_C_UNKNOWN;
}

static hesca_expr *
fail(hesca_parser *p, const hesca_token *at, const char *what)
{
    hesca_parser_fail_at(p, at->line, at->column, "%s", what);
    return NULL;
}

/* A node of up to three operands. */
static hesca_expr *
node(hesca_parser *p, hesca_expr_kind kind, ctype *type, const hesca_token *at,
     hesca_expr *a, hesca_expr *b, hesca_expr *c)
{
    if (a == NULL)
        return NULL;
    hesca_expr *e = hesca_expr_new(p, kind, type, at);
    if (e == NULL)
        return NULL;
    e->op = at->kind;
    e->a = a;
    e->b = b;
    e->c = c;
    e->has_effect = a->has_effect | (b != NULL && b->has_effect) |
                    (c != NULL && c->has_effect);
    return e;
}

/* --- conversions --- */

static hesca_expr *
implicit(hesca_parser *p, hesca_expr *a, ctype *type)
{
    if (a == NULL || a->type == type)
        return a;
    const hesca_token at = {.line = a->line,
                            .column = a->column,
                            .at = a->text,
                            .length = a->length};
    hesca_expr *e = node(p, HESCA_EXPR_CAST, type, &at, a, NULL, NULL);
    if (e != NULL)
        e->is_implicit = 1;
    return e;
}

/* The value of an expression: arrays become pointers. */
static hesca_expr *
value(hesca_parser *p, hesca_expr *a)
{
    if (a == NULL || a->type->kind != HESCA_C_ARRAY)
        return a;
    ctype *t = hesca_ctype_pointer(p, a->type->base);
    return t != NULL ? implicit(p, a, t) : NULL;
}

/* The common type of two numbers (C11 6.3.1.8). */
static ctype *
common(ctype *a, ctype *b)
{
    const hesca_ckind k = a->kind > b->kind ? a->kind : b->kind;
    return &hesca_ctypes[k < HESCA_C_INT ? HESCA_C_INT : k];
}

static const char *
words(ctype *t, char *text, size_t room)
{
    hesca_ctype_write(t, text, room);
    return text;
}

hesca_expr *
hesca_check_convert(hesca_parser *p, hesca_expr *a, ctype *type,
                    const char *what)
{
    char from[80], to[80];
    a = value(p, a);
    if (a == NULL || is_unknown(a) || type->kind == HESCA_C_UNKNOWN ||
        hesca_ctype_equal(a->type, type))
        return a;
    if (hesca_ctype_is_number(a->type) && hesca_ctype_is_number(type))
        return implicit(p, a, type);
    if (a->type->kind == HESCA_C_POINTER && type->kind == HESCA_C_POINTER &&
        (a->type->base->kind == HESCA_C_VOID ||
         type->base->kind == HESCA_C_VOID))
        return implicit(p, a, type);
    hesca_parser_fail_at(p, a->line, a->column, "%s is %s, not %s", what,
                         words(a->type, from, sizeof from),
                         words(type, to, sizeof to));
    return NULL;
}

hesca_expr *
hesca_check_condition(hesca_parser *p, hesca_expr *a)
{
    a = value(p, a);
    if (a == NULL || is_unknown(a) || hesca_ctype_is_number(a->type) ||
        a->type->kind == HESCA_C_POINTER)
        return a;
    hesca_parser_fail_at(p, a->line, a->column, "this is not a number");
    return NULL;
}

/* --- operators --- */

static int
is_comparison(int op)
{
    return op == '<' || op == '>' ||
           (op >= HESCA_TOKEN_LESS_EQUAL && op <= HESCA_TOKEN_NOT_EQUAL);
}

static int
needs_whole(int op)
{
    return op == '%' || op == '&' || op == '|' || op == '^' ||
           op == HESCA_TOKEN_SHIFT_LEFT || op == HESCA_TOKEN_SHIFT_RIGHT;
}

/* Pointers: + and - of a whole number, - and comparison of two. */
static hesca_expr *
pointer_binary(hesca_parser *p, const hesca_token *at, int op, hesca_expr *a,
               hesca_expr *b)
{
    const int is_a = a->type->kind == HESCA_C_POINTER;
    const int is_b = b->type->kind == HESCA_C_POINTER;
    ctype *whole = &hesca_ctypes[HESCA_C_LONG], *type = NULL;
    if (is_a && is_b && (op == '-' || is_comparison(op)))
        type = op == '-' ? whole : &hesca_ctypes[HESCA_C_INT];
    else if (is_a && (op == '+' || op == '-') && hesca_ctype_is_whole(b->type))
        type = a->type, b = implicit(p, b, whole);
    else if (is_b && op == '+' && hesca_ctype_is_whole(a->type))
        type = b->type, a = implicit(p, a, whole);
    if (type == NULL)
        return fail(p, at, "this is not defined for pointers");
    return node(p, HESCA_EXPR_BINARY, type, at, a, b, NULL);
}

hesca_expr *
hesca_check_binary(hesca_parser *p, const hesca_token *op, int kind,
                   hesca_expr *a, hesca_expr *b)
{
    hesca_expr *e;
    a = value(p, a);
    b = value(p, b);
    if (a == NULL || b == NULL)
        return NULL;
    if (is_unknown(a) || is_unknown(b)) {
        e = node(p, HESCA_EXPR_BINARY, &hesca_ctype_unknown, op, a, b, NULL);
    } else if (a->type->kind == HESCA_C_POINTER ||
               b->type->kind == HESCA_C_POINTER) {
        e = pointer_binary(p, op, kind, a, b);
    } else if (!hesca_ctype_is_number(a->type) ||
               !hesca_ctype_is_number(b->type)) {
        return fail(p, op, "an operand is not a number");
    } else if (needs_whole(kind) && !(hesca_ctype_is_whole(a->type) &&
                                      hesca_ctype_is_whole(b->type))) {
        return fail(p, op, "an operand is not a whole number");
    } else {
        const int is_shift =
            kind == HESCA_TOKEN_SHIFT_LEFT || kind == HESCA_TOKEN_SHIFT_RIGHT;
        ctype *type =
            is_shift ? common(a->type, a->type) : common(a->type, b->type);
        a = implicit(p, a, type);
        b = implicit(p, b, type);
        if (a == NULL || b == NULL)
            return NULL;
        e = node(p, HESCA_EXPR_BINARY,
                 is_comparison(kind) ? &hesca_ctypes[HESCA_C_INT] : type, op,
                 a, b, NULL);
    }
    if (e != NULL)
        e->op = kind;
    return e;
}

hesca_expr *
hesca_check_logical(hesca_parser *p, const hesca_token *op, hesca_expr *a,
                    hesca_expr *b)
{
    a = hesca_check_condition(p, a);
    b = hesca_check_condition(p, b);
    return a == NULL || b == NULL
               ? NULL
               : node(p, HESCA_EXPR_LOGICAL, &hesca_ctypes[HESCA_C_INT], op, a,
                      b, NULL);
}

hesca_expr *
hesca_check_conditional(hesca_parser *p, const hesca_token *op, hesca_expr *a,
                        hesca_expr *b, hesca_expr *c)
{
    a = hesca_check_condition(p, a);
    b = value(p, b);
    c = value(p, c);
    if (a == NULL || b == NULL || c == NULL)
        return NULL;
    ctype *type = b->type;
    if (is_unknown(b) || is_unknown(c))
        type = &hesca_ctype_unknown;
    else if (hesca_ctype_is_number(b->type) && hesca_ctype_is_number(c->type))
        type = common(b->type, c->type);
    else if (b->type->kind == HESCA_C_POINTER &&
             c->type->kind == HESCA_C_POINTER &&
             b->type->base->kind == HESCA_C_VOID)
        type = c->type;
    b = hesca_check_convert(p, b, type, "this");
    c = hesca_check_convert(p, c, type, "this");
    return b == NULL || c == NULL
               ? NULL
               : node(p, HESCA_EXPR_CONDITIONAL, type, op, a, b, c);
}

/* The variable that an lvalue is a part of; NULL: behind a pointer. */
static const hesca_symbol *
variable_of(const hesca_expr *e)
{
    for (;;) {
        if (e->kind == HESCA_EXPR_NAME || e->kind == HESCA_EXPR_TEXT)
            return e->symbol;
        if (e->kind == HESCA_EXPR_MEMBER && !e->is_arrow)
            e = e->a;
        else if (e->kind == HESCA_EXPR_INDEX &&
                 e->a->type->kind == HESCA_C_ARRAY)
            e = e->a;
        else if (e->kind == HESCA_EXPR_INDEX &&
                 e->a->kind == HESCA_EXPR_CAST && e->a->is_implicit)
            e = e->a->a;
        else
            return NULL;
    }
}

/* Whether a may be changed, by the operator at a token. */
static int
check_target(hesca_parser *p, const hesca_token *op, const hesca_expr *a)
{
    const hesca_symbol *s = variable_of(a);
    if (is_unknown(a))
        return 1;
    if (!a->is_lvalue || a->type->kind == HESCA_C_ARRAY)
        return fail(p, op, "what is changed here is not a variable"), 0;
    if (s == NULL || s->kind == HESCA_NAME_VARIABLE ||
        s->kind == HESCA_NAME_EXTERNAL)
        return 1;
    hesca_parser_fail_at(p, a->line, a->column,
                         s->kind == HESCA_NAME_PARAMETER
                             ? "parameter '%s' cannot be changed"
                             : "coordinate '%s' cannot be changed",
                         s->name);
    return 0;
}

hesca_expr *
hesca_check_assign(hesca_parser *p, const hesca_token *op, hesca_expr *a,
                   hesca_expr *b)
{
    const int compound = op->kind == '=' ? 0 : hesca_token_operator(op->kind);
    if (a == NULL || b == NULL || !check_target(p, op, a))
        return NULL;
    if (compound != 0 && !is_unknown(a) && !is_unknown(value(p, b))) {
        /* The type of a op b, into which b is converted. */
        const hesca_expr *sum = hesca_check_binary(p, op, compound, a, b);
        if (sum == NULL)
            return NULL;
        b = sum->b;
    } else {
        b = hesca_check_convert(p, b, a->type, "the value");
    }
    if (b == NULL)
        return NULL;
    hesca_expr *e = node(p, HESCA_EXPR_ASSIGN, a->type, op, a, b, NULL);
    if (e != NULL) {
        e->op = compound;
        e->has_effect = 1;
    }
    return e;
}

hesca_expr *
hesca_check_step(hesca_parser *p, const hesca_token *op, hesca_expr *a,
                 int is_postfix)
{
    if (a == NULL || !check_target(p, op, a))
        return NULL;
    if (!is_unknown(a) && !hesca_ctype_is_number(a->type) &&
        a->type->kind != HESCA_C_POINTER)
        return fail(p, op, "this is not a number");
    hesca_expr *e = node(p, HESCA_EXPR_STEP, a->type, op, a, NULL, NULL);
    if (e != NULL) {
        e->is_postfix = is_postfix != 0;
        e->has_effect = 1;
    }
    return e;
}

static hesca_expr *
address(hesca_parser *p, const hesca_token *op, hesca_expr *a)
{
    const hesca_symbol *s = variable_of(a);
    if (!a->is_lvalue)
        return fail(p, op, "this has no address");
    if (s != NULL &&
        (s->kind == HESCA_NAME_PARAMETER ||
         s->kind == HESCA_NAME_COORDINATE) &&
        a->kind == HESCA_EXPR_NAME && a->type->kind != HESCA_C_ARRAY)
        return fail(p, op, "a parameter has no address");
    ctype *t = hesca_ctype_pointer(p, a->type);
    hesca_expr *e =
        t != NULL ? node(p, HESCA_EXPR_UNARY, t, op, a, NULL, NULL) : NULL;
    if (e != NULL) /* what it points to may be changed through it */
        e->has_effect = 1;
    return e;
}

hesca_expr *
hesca_check_unary(hesca_parser *p, const hesca_token *op, hesca_expr *a)
{
    if (op->kind == '&' && !is_unknown(a))
        return address(p, op, a);
    a = value(p, a);
    if (a == NULL)
        return NULL;
    ctype *type = a->type;
    if (is_unknown(a)) {
        type = &hesca_ctype_unknown;
    } else if (op->kind == '*') {
        if (type->kind != HESCA_C_POINTER || type->base->kind == HESCA_C_VOID)
            return fail(p, op, "this is not a pointer");
        type = type->base;
    } else if (op->kind == '!') {
        if ((a = hesca_check_condition(p, a)) == NULL)
            return NULL;
        type = &hesca_ctypes[HESCA_C_INT];
    } else if (!hesca_ctype_is_number(type) ||
               (op->kind == '~' && !hesca_ctype_is_whole(type))) {
        return fail(p, op, "the operand is not a number of that kind");
    } else {
        type = common(type, type);
        a = implicit(p, a, type);
    }
    hesca_expr *e = node(p, HESCA_EXPR_UNARY, type, op, a, NULL, NULL);
    if (e != NULL)
        e->is_lvalue = op->kind == '*';
    return e;
}

hesca_expr *
hesca_check_index(hesca_parser *p, const hesca_token *at, hesca_expr *a,
                  hesca_expr *b)
{
    char text[80];
    if (a->type->kind != HESCA_C_ARRAY)
        a = value(p, a);
    if (a == NULL)
        return NULL;
    ctype *type = &hesca_ctype_unknown;
    if (!is_unknown(a)) {
        if (a->type->kind != HESCA_C_ARRAY &&
            (a->type->kind != HESCA_C_POINTER ||
             a->type->base->kind == HESCA_C_VOID)) {
            hesca_parser_fail_at(p, at->line, at->column,
                                 "%s has no subscripts",
                                 words(a->type, text, sizeof text));
            return NULL;
        }
        type = a->type->base;
        if (!is_unknown(b) && !hesca_ctype_is_whole(b->type))
            return fail(p, at, "the subscript is not a whole number");
        b = hesca_check_convert(p, b, &hesca_ctypes[HESCA_C_LONG],
                                "the subscript");
        if (b == NULL)
            return NULL;
    }
    hesca_expr *e = node(p, HESCA_EXPR_INDEX, type, at, a, b, NULL);
    if (e != NULL)
        e->is_lvalue = 1;
    return e;
}

hesca_expr *
hesca_check_member(hesca_parser *p, const hesca_token *name, hesca_expr *a,
                   int is_arrow)
{
    if (is_arrow && (a = value(p, a)) == NULL)
        return NULL;
    ctype *s = a->type;
    if (is_arrow && s->kind == HESCA_C_POINTER)
        s = s->base;
    else if (is_arrow && s->kind != HESCA_C_UNKNOWN)
        return fail(p, name, "what precedes '->' is not a pointer");
    hesca_expr *e =
        node(p, HESCA_EXPR_MEMBER, &hesca_ctype_unknown, name, a, NULL, NULL);
    if (e == NULL)
        return NULL;
    e->is_arrow = is_arrow != 0;
    e->is_lvalue = 1;
    if (s->kind == HESCA_C_UNKNOWN)
        return e;
    for (int k = 0; k < s->nfields; ++k)
        if (strlen(s->field[k].name) == name->length &&
            memcmp(s->field[k].name, name->at, name->length) == 0)
            e->field = &s->field[k];
    if (e->field == NULL) {
        char text[80];
        hesca_parser_fail_at(
            p, name->line, name->column, "%s has no member '%.*s'",
            words(s, text, sizeof text), (int)name->length, name->at);
        return NULL;
    }
    e->type = e->field->type;
    return e;
}

/* --- calls --- */

/* The element type behind arrays and pointers. */
static ctype *
element(ctype *t)
{
    while (t->kind == HESCA_C_POINTER || t->kind == HESCA_C_ARRAY)
        t = t->base;
    return t;
}

/* Argument k of a function of the table. */
static hesca_expr *
check_known(hesca_parser *p, const hesca_builtin *b, int k, hesca_expr *a)
{
    char what[80], from[80];
    const char kind = b->args[k];
    snprintf(what, sizeof what, "argument %d of %s", k + 1, b->name);
    if (kind == HESCA_ARG_INT || kind == HESCA_ARG_DOUBLE)
        return hesca_check_convert(
            p, a,
            &hesca_ctypes[kind == HESCA_ARG_INT ? HESCA_C_INT
                                                : HESCA_C_DOUBLE],
            what);
    a = value(p, a);
    if (a == NULL || is_unknown(a))
        return a;
    ctype *t = element(a->type);
    const int is_null =
        a->kind == HESCA_EXPR_INTEGER && a->type->kind == HESCA_C_POINTER;
    int is_right = a->type->kind == HESCA_C_POINTER;
    const char *must = "an array of int";
    if (kind == HESCA_ARG_OWNER) {
        is_right &= t->kind == HESCA_C_STRUCT && t->name != NULL &&
                    strcmp(t->name, "Processor") == 0;
        must = "the address of a Processor";
    } else if (kind == HESCA_ARG_SPEEDS) {
        is_right &=
            is_null || t->kind == HESCA_C_DOUBLE || t->kind == HESCA_C_INT;
        must = "an array of double or int";
    } else if (kind != HESCA_ARG_NULL) {
        is_right &= is_null || t->kind == HESCA_C_INT;
    } else {
        must = "a pointer";
    }
    if (is_right)
        return a;
    hesca_parser_fail_at(p, a->line, a->column, "%s is %s, not %s", what,
                         words(a->type, from, sizeof from), must);
    return NULL;
}

/* Argument k of a function of the user: pointers are left to C. */
static hesca_expr *
check_argument(hesca_parser *p, ctype *function, int k, hesca_expr *a)
{
    char what[32];
    snprintf(what, sizeof what, "argument %d", k + 1);
    a = value(p, a);
    if (a == NULL || k >= function->nparams ||
        !hesca_ctype_is_number(function->param[k]))
        return a;
    return hesca_check_convert(p, a, function->param[k], what);
}

hesca_expr *
hesca_check_call(hesca_parser *p, const hesca_token *at, hesca_expr *function,
                 hesca_expr **arg, int nargs)
{
    ctype *t = function->type;
    const hesca_builtin *known =
        function->symbol != NULL ? function->symbol->known : NULL;
    if (!is_unknown(function)) {
        if (t->kind != HESCA_C_FUNCTION) {
            hesca_parser_fail_at(p, function->line, function->column,
                                 "this is not a function");
            return NULL;
        }
        if (nargs < t->nparams || (nargs > t->nparams && !t->is_variadic)) {
            hesca_parser_fail_at(p, function->line, function->column,
                                 "%.*s has %d arguments, %d are given",
                                 (int)function->length, function->text,
                                 t->nparams, nargs);
            return NULL;
        }
        for (int k = 0; k < nargs; ++k) {
            arg[k] = known != NULL ? check_known(p, known, k, arg[k])
                                   : check_argument(p, t, k, arg[k]);
            if (arg[k] == NULL)
                return NULL;
        }
    }
    hesca_expr *e =
        node(p, HESCA_EXPR_CALL,
             t->kind == HESCA_C_FUNCTION ? t->base : &hesca_ctype_unknown, at,
             function, NULL, NULL);
    if (e == NULL)
        return NULL;
    e->line = function->line;
    e->column = function->column;
    e->arg = arg;
    e->nargs = nargs;
    e->has_effect = 1;
    if (p->model != NULL && known != NULL) {
        e->slot = p->model->nslots;
        p->model->nslots += nargs;
    }
    return e;
}

/* --- constants --- */

static int
fold(const hesca_expr *e, int64_t a, int64_t b, int64_t *value)
{
    const int is_division = e->op == '/' || e->op == '%';
    if (is_division && (b == 0 || (a == INT64_MIN && b == -1)))
        return 0;
    switch (e->op) {
    case '+':
        return !__builtin_add_overflow(a, b, value);
    case '-':
        return !__builtin_sub_overflow(a, b, value);
    case '*':
        return !__builtin_mul_overflow(a, b, value);
    case '/':
        *value = a / b;
        return 1;
    case '%':
        *value = a % b;
        return 1;
    case HESCA_TOKEN_SHIFT_LEFT:
        if (b < 0 || b > 31 || a < 0 || a > INT32_MAX)
            return 0;
        *value = a << b;
        return 1;
    default:
        return 0;
    }
}

int
hesca_expr_constant(const hesca_expr *e, int64_t *value)
{
    int64_t a, b;
    if (!hesca_ctype_is_whole(e->type))
        return 0;
    switch (e->kind) {
    case HESCA_EXPR_INTEGER:
    case HESCA_EXPR_SIZEOF:
        *value = e->integer;
        return e->integer >= 0 || e->type->kind != HESCA_C_ULONG;
    case HESCA_EXPR_CAST:
        return hesca_ctype_is_whole(e->a->type) &&
               hesca_expr_constant(e->a, value) &&
               (e->type->size >= 8 ||
                (*value >= INT32_MIN && *value <= INT32_MAX));
    case HESCA_EXPR_UNARY:
        if (!hesca_expr_constant(e->a, &a) || a == INT64_MIN)
            return 0;
        *value = e->op == '-' ? -a : e->op == '!' ? !a : a;
        return e->op == '-' || e->op == '+' || e->op == '!';
    case HESCA_EXPR_BINARY:
        return hesca_expr_constant(e->a, &a) &&
               hesca_expr_constant(e->b, &b) && fold(e, a, b, value);
    default:
        return 0;
    }
}
