/* SPDX-License-Identifier: BSD-3-Clause */
/* Expressions of C, by recursive descent.  Two rules are added for models
 * (HMPI trap T-8): a % before [ ends an expression, because no expression of C
 * continues so, and where a point may follow, a [ ends an operand if it begins
 * "[...] -> [". */
#include "base/status.h"
#include "pmdl/parser.h"
#include <limits.h>
#include <string.h>

hesca_expr *
hesca_expr_new(hesca_parser *p, hesca_expr_kind kind, const hesca_ctype *type,
               const hesca_token *at)
{
    hesca_expr *e = hesca_parser_new(p, sizeof *e);
    if (e != NULL) {
        e->kind = kind;
        e->type = type;
        e->line = at->line;
        e->column = at->column;
        e->text = at->at;
        e->length = at->length;
    }
    return e;
}

/* --- operands --- */

static hesca_expr *
integer(hesca_parser *p, const hesca_token *t)
{
    const int is_decimal = t->length > 0 && t->at[0] != '0';
    hesca_ckind kind = HESCA_C_INT;
    if (t->integer > INT64_MAX ||
        (t->is_unsigned && (t->is_long || t->integer > UINT_MAX)))
        kind = HESCA_C_ULONG;
    else if (t->is_unsigned)
        kind = HESCA_C_UINT;
    else if (!is_decimal && !t->is_long && t->integer > INT_MAX &&
             t->integer <= UINT_MAX)
        kind = HESCA_C_UINT;
    else if (t->is_long || t->integer > INT_MAX)
        kind = HESCA_C_LONG;
    hesca_expr *e =
        hesca_expr_new(p, HESCA_EXPR_INTEGER, &hesca_ctypes[kind], t);
    if (e != NULL)
        e->integer = (int64_t)t->integer;
    return e;
}

/* A name or string that only the C compiler knows. */
static hesca_expr *
foreign(hesca_parser *p, const hesca_token *t, const hesca_ctype *type)
{
    hesca_expr *e = hesca_expr_new(p, HESCA_EXPR_TEXT, type, t);
    if (e == NULL)
        return NULL;
    e->is_lvalue = 1;
    if (p->model != NULL && p->model->needs == NULL) {
        p->model->needs = hesca_parser_copy(p, t->at, t->length);
        p->model->needs_line = t->line;
        p->model->needs_column = t->column;
    }
    return e;
}

static hesca_expr *
name(hesca_parser *p, const hesca_token *t)
{
    const hesca_symbol *s = hesca_parser_find(p, t->at, t->length);
    if (s == NULL && p->has_include)
        return foreign(p, t, &hesca_ctype_unknown);
    if (s == NULL || s->kind == HESCA_NAME_TYPE) {
        hesca_parser_fail_at(p, t->line, t->column,
                             s == NULL ? "'%.*s' is not declared"
                                       : "'%.*s' is a type, not a value",
                             (int)t->length, t->at);
        return NULL;
    }
    p->file->uses_hdpi |= s->from_hdpi && s->type->kind != HESCA_C_POINTER;
    if (s->kind == HESCA_NAME_EXTERNAL ||
        (s->kind == HESCA_NAME_FUNCTION && s->known == NULL)) {
        hesca_expr *e = foreign(p, t, s->type);
        if (e != NULL)
            e->symbol = s;
        return e;
    }
    hesca_expr *e = hesca_expr_new(p, HESCA_EXPR_NAME, s->type, t);
    if (e == NULL)
        return NULL;
    if (s->kind == HESCA_NAME_CONSTANT) {
        *e = *s->value;
        e->text = t->at;
        e->length = t->length;
        e->line = t->line;
        e->column = t->column;
        return e;
    }
    e->symbol = s;
    e->is_lvalue = s->kind != HESCA_NAME_FUNCTION;
    return e;
}

static hesca_expr *
parenthesized(hesca_parser *p)
{
    const int stops = p->stops_at_point;
    p->stops_at_point = 0;
    hesca_expr *e = hesca_parse_expr(p);
    p->stops_at_point = stops;
    if (e == NULL || hesca_parser_expect(p, ')', "the expression") < 0)
        return NULL;
    return e;
}

static hesca_expr *
primary(hesca_parser *p)
{
    const hesca_token t = p->token;
    switch (t.kind) {
    case HESCA_TOKEN_INTEGER:
    case HESCA_TOKEN_CHARACTER:
        return hesca_parser_advance(p) < 0 ? NULL : integer(p, &t);
    case HESCA_TOKEN_REAL: {
        hesca_expr *e = hesca_expr_new(p, HESCA_EXPR_REAL,
                                       &hesca_ctypes[HESCA_C_DOUBLE], &t);
        if (e == NULL || hesca_parser_advance(p) < 0)
            return NULL;
        e->real = t.real;
        return e;
    }
    case HESCA_TOKEN_STRING:
        return hesca_parser_advance(p) < 0
                   ? NULL
                   : foreign(p, &t, &hesca_ctype_unknown);
    case HESCA_TOKEN_NAME:
        return hesca_parser_advance(p) < 0 ? NULL : name(p, &t);
    case '(':
        return hesca_parser_advance(p) < 0 ? NULL : parenthesized(p);
    default:
        hesca_parser_fail(p, "an expression must be here");
        return NULL;
    }
}

/* Whether the next [ begins "[...] -> [". */
static int
is_point(const hesca_parser *p)
{
    hesca_lexer x = p->lexer;
    for (int depth = 1; depth > 0;) {
        const hesca_token t = hesca_lexer_next(&x);
        if (t.kind == HESCA_TOKEN_END || t.kind == HESCA_TOKEN_ERROR ||
            t.kind == ';')
            return 0;
        depth += (t.kind == '[') - (t.kind == ']');
    }
    return hesca_lexer_next(&x).kind == HESCA_TOKEN_ARROW &&
           hesca_lexer_next(&x).kind == '[';
}

static hesca_expr *
call(hesca_parser *p, const hesca_token *at, hesca_expr *function)
{
    enum { MOST = 64 };
    hesca_expr *arg[MOST], **copy;
    int n = 0;
    while (p->token.kind != ')') {
        if (n == MOST) {
            hesca_parser_fail(p, "more than %d arguments", MOST);
            return NULL;
        }
        if ((arg[n++] = hesca_parse_assignment(p)) == NULL)
            return NULL;
        if (!hesca_parser_take(p, ','))
            break;
    }
    if (hesca_parser_expect(p, ')', "the arguments") < 0 ||
        (copy = hesca_parser_new(p, ((size_t)n + 1) * sizeof *copy)) == NULL)
        return NULL;
    memcpy(copy, arg, (size_t)n * sizeof *copy);
    return hesca_check_call(p, at, function, copy, n);
}

static hesca_expr *
postfix(hesca_parser *p)
{
    hesca_expr *e = primary(p);
    while (e != NULL) {
        const hesca_token t = p->token;
        const int stops = p->stops_at_point;
        if (t.kind == '[' && !(stops && is_point(p))) {
            p->stops_at_point = 0;
            hesca_expr *at =
                hesca_parser_advance(p) < 0 ? NULL : hesca_parse_expr(p);
            p->stops_at_point = stops;
            if (at == NULL || hesca_parser_expect(p, ']', "the subscript") < 0)
                return NULL;
            e = hesca_check_index(p, &t, e, at);
        } else if (t.kind == '(') {
            p->stops_at_point = 0;
            e = hesca_parser_advance(p) < 0 ? NULL : call(p, &t, e);
            p->stops_at_point = stops;
        } else if (t.kind == '.' ||
                   (t.kind == HESCA_TOKEN_ARROW &&
                    hesca_parser_second(p).kind == HESCA_TOKEN_NAME)) {
            hesca_parser_advance(p);
            const hesca_token member = p->token;
            if (hesca_parser_expect(p, HESCA_TOKEN_NAME, "'.' or '->'") < 0)
                return NULL;
            e = hesca_check_member(p, &member, e, t.kind == HESCA_TOKEN_ARROW);
        } else if (t.kind == HESCA_TOKEN_INCREMENT ||
                   t.kind == HESCA_TOKEN_DECREMENT) {
            e = hesca_parser_advance(p) < 0 ? NULL
                                            : hesca_check_step(p, &t, e, 1);
        } else {
            break;
        }
    }
    return e;
}

/* sizeof expr, sizeof(type); sizeof was taken. */
static hesca_expr *unary(hesca_parser *p);

static hesca_expr *
size_of(hesca_parser *p, const hesca_token *at)
{
    const hesca_ctype *type = NULL;
    if (p->token.kind == '(') {
        hesca_parser ahead = *p;
        if (hesca_parser_advance(&ahead) == 0 && hesca_parse_is_type(&ahead)) {
            hesca_parser_advance(p);
            type = hesca_parse_type_name(p);
            if (type == NULL || hesca_parser_expect(p, ')', "the type") < 0)
                return NULL;
        }
    }
    if (type == NULL) {
        if (p->token.kind == '(' &&
            hesca_parser_second(p).kind == HESCA_TOKEN_NAME &&
            !p->has_include) {
            const hesca_token t = hesca_parser_second(p);
            if (hesca_parser_find(p, t.at, t.length) == NULL) {
                hesca_parser_fail_at(p, t.line, t.column,
                                     "'%.*s' is not declared", (int)t.length,
                                     t.at);
                return NULL;
            }
        }
        const hesca_expr *e = unary(p);
        if (e == NULL)
            return NULL;
        type = e->type;
    }
    hesca_expr *e =
        hesca_expr_new(p, HESCA_EXPR_SIZEOF, &hesca_ctypes[HESCA_C_ULONG], at);
    if (e == NULL)
        return NULL;
    if (type->kind == HESCA_C_UNKNOWN) {
        e->kind = HESCA_EXPR_TEXT;
        e->type = &hesca_ctype_unknown;
        e->length = (size_t)(p->last_end - at->at);
        return e;
    }
    if (type->size == 0) {
        hesca_parser_fail_at(p, at->line, at->column,
                             "the size is not constant");
        return NULL;
    }
    e->integer = (int64_t)type->size;
    e->length = (size_t)(p->last_end - at->at);
    return e;
}

static hesca_expr *
cast(hesca_parser *p, const hesca_token *at)
{
    const hesca_ctype *type = hesca_parse_type_name(p);
    if (type == NULL || hesca_parser_expect(p, ')', "the type") < 0)
        return NULL;
    hesca_expr *a = unary(p);
    if (a == NULL)
        return NULL;
    if (type->kind != HESCA_C_VOID && type->kind != HESCA_C_UNKNOWN &&
        a->type->kind != HESCA_C_UNKNOWN &&
        !(hesca_ctype_is_number(type) && hesca_ctype_is_number(a->type)) &&
        !(type->kind == HESCA_C_POINTER && a->type->kind != HESCA_C_STRUCT)) {
        hesca_parser_fail_at(p, at->line, at->column,
                             "this cannot be converted");
        return NULL;
    }
    if (type->kind == HESCA_C_POINTER &&
        (a = hesca_check_condition(p, a)) == NULL)
        return NULL;
    hesca_expr *e = hesca_expr_new(p, HESCA_EXPR_CAST, type, at);
    if (e != NULL)
        e->a = a;
    return e;
}

static hesca_expr *
unary_operand(hesca_parser *p)
{
    const hesca_token t = p->token;
    switch (t.kind) {
    case '-':
    case '+':
    case '!':
    case '~':
    case '&':
    case '*': {
        hesca_expr *a = hesca_parser_advance(p) < 0 ? NULL : unary(p);
        return a != NULL ? hesca_check_unary(p, &t, a) : NULL;
    }
    case HESCA_TOKEN_INCREMENT:
    case HESCA_TOKEN_DECREMENT: {
        hesca_expr *a = hesca_parser_advance(p) < 0 ? NULL : unary(p);
        return a != NULL ? hesca_check_step(p, &t, a, 0) : NULL;
    }
    case '(': {
        hesca_parser ahead = *p;
        if (hesca_parser_advance(&ahead) == 0 && hesca_parse_is_type(&ahead)) {
            hesca_parser_advance(p);
            return cast(p, &t);
        }
        return postfix(p);
    }
    default:
        if (hesca_parser_take_word(p, "sizeof"))
            return size_of(p, &t);
        return postfix(p);
    }
}

static hesca_expr *
unary(hesca_parser *p)
{
    if (hesca_parser_enter(p) < 0)
        return NULL;
    hesca_expr *e = unary_operand(p);
    --p->depth;
    return e;
}

/* --- operators --- */

/* Precedence of binary operators; 0: none. */
static int
precedence(const hesca_parser *p)
{
    switch (p->token.kind) {
    case '%':
        return hesca_parser_second(p).kind == '[' ? 0 : 10;
    case '*':
    case '/':
        return 10;
    case '+':
    case '-':
        return 9;
    case HESCA_TOKEN_SHIFT_LEFT:
    case HESCA_TOKEN_SHIFT_RIGHT:
        return 8;
    case '<':
    case '>':
    case HESCA_TOKEN_LESS_EQUAL:
    case HESCA_TOKEN_GREATER_EQUAL:
        return 7;
    case HESCA_TOKEN_EQUAL:
    case HESCA_TOKEN_NOT_EQUAL:
        return 6;
    case '&':
        return 5;
    case '^':
        return 4;
    case '|':
        return 3;
    case HESCA_TOKEN_AND:
        return 2;
    case HESCA_TOKEN_OR:
        return 1;
    default:
        return 0;
    }
}

/* Operators of at least this precedence, all of them to the left. */
static hesca_expr *
binary(hesca_parser *p, int least)
{
    hesca_expr *a = unary(p);
    for (int k; a != NULL && (k = precedence(p)) >= least && k > 0;) {
        const hesca_token t = p->token;
        hesca_expr *b = hesca_parser_advance(p) < 0 ? NULL : binary(p, k + 1);
        if (b == NULL)
            return NULL;
        a = k <= 2 ? hesca_check_logical(p, &t, a, b)
                   : hesca_check_binary(p, &t, t.kind, a, b);
    }
    return a;
}

hesca_expr *
hesca_parse_product(hesca_parser *p)
{
    return binary(p, 10);
}

static hesca_expr *
conditional(hesca_parser *p)
{
    hesca_expr *a = binary(p, 1), *b, *c;
    const hesca_token t = p->token;
    if (a == NULL || t.kind != '?')
        return a;
    if (hesca_parser_advance(p) < 0 || (b = hesca_parse_expr(p)) == NULL ||
        hesca_parser_expect(p, ':', "the value after '?'") < 0 ||
        hesca_parser_enter(p) < 0 || (c = conditional(p)) == NULL)
        return NULL;
    --p->depth;
    return hesca_check_conditional(p, &t, a, b, c);
}

hesca_expr *
hesca_parse_assignment(hesca_parser *p)
{
    hesca_expr *a = conditional(p), *b;
    const hesca_token t = p->token;
    if (a == NULL || (t.kind != '=' && (t.kind < HESCA_TOKEN_ASSIGN_FIRST ||
                                        t.kind >= HESCA_TOKEN_ASSIGN_LAST)))
        return a;
    if (hesca_parser_advance(p) < 0 || hesca_parser_enter(p) < 0 ||
        (b = hesca_parse_assignment(p)) == NULL)
        return NULL;
    --p->depth;
    return hesca_check_assign(p, &t, a, b);
}

hesca_expr *
hesca_parse_expr(hesca_parser *p)
{
    hesca_expr *a = hesca_parse_assignment(p);
    while (a != NULL && p->token.kind == ',') {
        const hesca_token t = p->token;
        hesca_expr *b =
            hesca_parser_advance(p) < 0 ? NULL : hesca_parse_assignment(p);
        hesca_expr *e = b != NULL
                            ? hesca_expr_new(p, HESCA_EXPR_COMMA, b->type, &t)
                            : NULL;
        if (e == NULL)
            return NULL;
        e->a = a;
        e->b = b;
        e->has_effect = a->has_effect | b->has_effect;
        a = e;
    }
    return a;
}

hesca_expr *
hesca_parse_number(hesca_parser *p, const hesca_ctype *type)
{
    hesca_expr *e = hesca_parse_assignment(p);
    return e != NULL ? hesca_check_convert(p, e, type, "this") : NULL;
}

hesca_expr **
hesca_parse_point(hesca_parser *p)
{
    const hesca_token first = p->token;
    const int ndims = p->model->ndims, stops = p->stops_at_point;
    hesca_expr **point = hesca_parser_new(p, (size_t)ndims * sizeof *point);
    int n = 0;
    if (point == NULL || hesca_parser_expect(p, '[', "the value") < 0)
        return NULL;
    p->stops_at_point = 0;
    do {
        hesca_expr *e = hesca_parse_number(p, &hesca_ctypes[HESCA_C_INT]);
        if (e == NULL)
            return NULL;
        if (n < ndims)
            point[n] = e;
        ++n;
    } while (hesca_parser_take(p, ','));
    p->stops_at_point = stops;
    if (hesca_parser_expect(p, ']', "the coordinates") < 0)
        return NULL;
    if (n != ndims) {
        hesca_parser_fail_at(p, first.line, first.column,
                             "%d coordinates; the model has %d", n, ndims);
        return NULL;
    }
    return point;
}
