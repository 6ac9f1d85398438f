/* SPDX-License-Identifier: BSD-3-Clause */
/* Statements of schemes: those of C, and units of computation and transfer. */
#include "base/status.h"
#include "pmdl/parser.h"
#include <string.h>

static hesca_stmt *statement(hesca_parser *p);

static hesca_stmt *
new_stmt(hesca_parser *p, hesca_stmt_kind kind, const hesca_token *at)
{
    hesca_stmt *s = hesca_parser_new(p, sizeof *s);
    if (s != NULL) {
        s->kind = kind;
        s->line = at->line;
        s->column = at->column;
    }
    return s;
}

static hesca_expr *
condition(hesca_parser *p)
{
    hesca_expr *e = hesca_parse_expr(p);
    return e != NULL ? hesca_check_condition(p, e) : NULL;
}

/* ( condition ) */
static hesca_expr *
head(hesca_parser *p, const char *word)
{
    hesca_expr *e = NULL;
    if (hesca_parser_expect(p, '(', word) == 0)
        e = condition(p);
    return e == NULL || hesca_parser_expect(p, ')', "the condition") < 0 ? NULL
                                                                         : e;
}

/* --- declarations --- */

/* A name of the model that a local one hides. */
static void
warn_shadow(hesca_parser *p, const hesca_token *name)
{
    const hesca_symbol *s = hesca_parser_find(p, name->at, name->length);
    if (s != NULL && s->kind == HESCA_NAME_PARAMETER)
        hesca_parser_warn(p, name->line, name->column,
                          "'%s' hides the parameter of that name", s->name);
}

/* type name [= value], ... ; the statements are linked. */
static hesca_stmt *
declaration(hesca_parser *p, const hesca_symbol *scope)
{
    hesca_stmt *first = NULL, **last = &first;
    const hesca_ctype *base = hesca_parse_specifiers(p, NULL);
    if (base == NULL)
        return NULL;
    do {
        hesca_token name;
        const hesca_ctype *type = hesca_parse_declarator(p, base, &name);
        if (type == NULL)
            return NULL;
        if (type->kind == HESCA_C_VOID || type->kind == HESCA_C_FUNCTION) {
            hesca_parser_fail_at(p, name.line, name.column,
                                 "'%.*s' cannot be a variable",
                                 (int)name.length, name.at);
            return NULL;
        }
        warn_shadow(p, &name);
        hesca_stmt *s = new_stmt(p, HESCA_STMT_DECLARE, &name);
        hesca_symbol *symbol =
            hesca_parser_declare(p, HESCA_NAME_VARIABLE, &name, type, scope);
        if (s == NULL || symbol == NULL)
            return NULL;
        s->symbol = symbol;
        if (type->kind == HESCA_C_UNKNOWN && p->model->needs == NULL) {
            p->model->needs = symbol->name;
            p->model->needs_line = name.line;
            p->model->needs_column = name.column;
        }
        if (p->token.kind == '=') {
            hesca_parser_advance(p);
            if (p->token.kind == '{' || type->kind == HESCA_C_ARRAY) {
                hesca_parser_fail(p, "an initial value is a number, a struct "
                                     "or a pointer");
                return NULL;
            }
            hesca_expr *e = hesca_parse_assignment(p);
            if (e == NULL || (s->expr = hesca_check_convert(
                                  p, e, type, "the value")) == NULL)
                return NULL;
        }
        *last = s;
        last = &s->next;
    } while (hesca_parser_take(p, ','));
    return hesca_parser_expect(p, ';', "a declaration") < 0 ? NULL : first;
}

/* A declaration begins with a type, or with two names. */
static int
is_declaration(const hesca_parser *p)
{
    return hesca_parse_is_type(p) ||
           (p->has_include && p->token.kind == HESCA_TOKEN_NAME &&
            hesca_parser_find(p, p->token.at, p->token.length) == NULL &&
            hesca_parser_second(p).kind == HESCA_TOKEN_NAME);
}

/* A type that only C knows is declared when it is met. */
static int
declare_type(hesca_parser *p)
{
    if (hesca_parse_is_type(p))
        return HESCA_SUCCESS;
    hesca_ctype *t = hesca_parser_new(p, sizeof *t);
    const hesca_symbol *s =
        t != NULL
            ? hesca_parser_declare(p, HESCA_NAME_TYPE, &p->token, t, p->scope)
            : NULL;
    if (s == NULL)
        return HESCA_ERR_NOMEM;
    *t = hesca_ctype_unknown;
    t->name = s->name;
    return HESCA_SUCCESS;
}

/* --- units --- */

static int
has_division(const hesca_expr *e)
{
    return e != NULL &&
           ((e->kind == HESCA_EXPR_BINARY && e->op == '/' &&
             hesca_ctype_is_whole(e->type)) ||
            (e->kind != HESCA_EXPR_INDEX && e->kind != HESCA_EXPR_CALL &&
             (has_division(e->a) || has_division(e->b))));
}

static hesca_stmt *
unit(hesca_parser *p, hesca_expr *percent)
{
    hesca_stmt *s = new_stmt(p, HESCA_STMT_COMPUTE, &p->token);
    if (s == NULL)
        return NULL;
    s->line = percent->line;
    s->column = percent->column;
    if (hesca_ctype_is_whole(percent->type) && has_division(percent))
        hesca_parser_warn(p, p->token.line, p->token.column,
                          "the percentage is a quotient of whole numbers: "
                          "its fraction is lost");
    s->expr = hesca_check_convert(p, percent, &hesca_ctypes[HESCA_C_DOUBLE],
                                  "the percentage");
    if (s->expr == NULL || hesca_parser_advance(p) < 0 ||
        (s->from = hesca_parse_point(p)) == NULL)
        return NULL;
    if (hesca_parser_take(p, HESCA_TOKEN_ARROW)) {
        s->kind = HESCA_STMT_TRANSFER;
        if ((s->to = hesca_parse_point(p)) == NULL)
            return NULL;
    }
    return hesca_parser_expect(p, ';', "a unit") < 0 ? NULL : s;
}

static int
is_unit(const hesca_parser *p)
{
    return p->token.kind == HESCA_TOKEN_PERCENT2 ||
           (p->token.kind == '%' && hesca_parser_second(p).kind == '[');
}

static hesca_stmt *
expression(hesca_parser *p)
{
    const hesca_token first = p->token;
    hesca_expr *e = hesca_parse_expr(p);
    if (e == NULL)
        return NULL;
    if (is_unit(p)) {
        if (first.kind == '(')
            e->line = first.line, e->column = first.column;
        return unit(p, e);
    }
    hesca_stmt *s = new_stmt(p, HESCA_STMT_EXPR, &first);
    if (s == NULL)
        return NULL;
    s->expr = e;
    return hesca_parser_expect(p, ';', "a statement") < 0 ? NULL : s;
}

/* --- loops --- */

/* Whether a statement or expression changes a variable, or takes its address.
 */
static int changes(const hesca_expr *e, const hesca_symbol *s);

static int
changes_any(const hesca_stmt *x, const hesca_symbol *s)
{
    for (; x != NULL; x = x->next) {
        if (changes(x->expr, s) || changes(x->step, s) ||
            changes_any(x->first, s) || changes_any(x->body, s) ||
            changes_any(x->other, s) || x->kind == HESCA_STMT_BREAK)
            return 1;
    }
    return 0;
}

static const hesca_symbol *
root_of(const hesca_expr *e)
{
    while (e->kind == HESCA_EXPR_MEMBER || e->kind == HESCA_EXPR_INDEX ||
           (e->kind == HESCA_EXPR_CAST && e->is_implicit))
        e = e->a;
    return e->kind == HESCA_EXPR_NAME ? e->symbol : NULL;
}

static int
changes(const hesca_expr *e, const hesca_symbol *s)
{
    if (e == NULL || !e->has_effect)
        return 0;
    if ((e->kind == HESCA_EXPR_ASSIGN || e->kind == HESCA_EXPR_STEP ||
         (e->kind == HESCA_EXPR_UNARY && e->op == '&')) &&
        (root_of(e->a) == s || root_of(e->a) == NULL))
        return 1;
    for (int k = 0; k < e->nargs; ++k) /* arrays and pointers are passed on */
        if (root_of(e->arg[k]) == s || changes(e->arg[k], s))
            return 1;
    return changes(e->a, s) || changes(e->b, s) || changes(e->c, s);
}

/* The variables of a condition; -1: it depends on more. */
static int
variables(const hesca_expr *e, const hesca_symbol **list, int n, int room)
{
    if (e == NULL || n < 0)
        return n;
    if (e->has_effect || e->kind == HESCA_EXPR_CALL ||
        e->kind == HESCA_EXPR_TEXT || e->type->kind == HESCA_C_UNKNOWN ||
        (e->kind == HESCA_EXPR_UNARY && e->op == '*') ||
        (e->kind == HESCA_EXPR_MEMBER && e->is_arrow))
        return -1;
    if (e->kind == HESCA_EXPR_NAME && e->symbol->kind == HESCA_NAME_VARIABLE) {
        if (n == room)
            return -1;
        list[n++] = e->symbol;
    }
    n = variables(e->a, list, n, room);
    n = variables(e->b, list, n, room);
    return variables(e->c, list, n, room);
}

const hesca_symbol *
hesca_check_endless(const hesca_stmt *loop)
{
    const hesca_symbol *list[16];
    const int n = variables(loop->expr, list, 0, 16);
    for (int k = 0; k < n; ++k)
        if (changes(loop->step, list[k]) || changes_any(loop->body, list[k]))
            return NULL;
    return n > 0 ? list[n - 1] : NULL;
}

static int
loop_head(hesca_parser *p, hesca_stmt *s, const hesca_symbol *scope)
{
    int err = hesca_parser_expect(p, '(', "the loop's name");
    if (err < 0)
        return err;
    if (hesca_parse_is_type(p)) {
        if ((s->first = declaration(p, scope)) == NULL)
            return HESCA_ERR_PARAM;
    } else {
        if (p->token.kind != ';') {
            const hesca_token at = p->token;
            hesca_expr *e = hesca_parse_expr(p);
            s->first = e != NULL ? new_stmt(p, HESCA_STMT_EXPR, &at) : NULL;
            if (s->first == NULL)
                return HESCA_ERR_PARAM;
            s->first->expr = e;
        }
        if ((err = hesca_parser_expect(p, ';', "the loop's start")) < 0)
            return err;
    }
    if (p->token.kind != ';' && (s->expr = condition(p)) == NULL)
        return HESCA_ERR_PARAM;
    if ((err = hesca_parser_expect(p, ';', "the loop's condition")) < 0)
        return err;
    if (p->token.kind != ')' && (s->step = hesca_parse_expr(p)) == NULL)
        return HESCA_ERR_PARAM;
    return hesca_parser_expect(p, ')', "the loop's step");
}

/* The body of a loop. */
static int
loop_body(hesca_parser *p, hesca_stmt *s)
{
    const int in_par = p->in_par;
    p->in_par = s->kind == HESCA_STMT_PAR;
    ++p->nloops;
    s->body = statement(p);
    --p->nloops;
    p->in_par = in_par;
    return s->body != NULL ? HESCA_SUCCESS : HESCA_ERR_PARAM;
}

static int
check_loop(hesca_parser *p, const hesca_stmt *s)
{
    const hesca_symbol *never = hesca_check_endless(s);
    if (never == NULL)
        return HESCA_SUCCESS;
    const hesca_expr *at = s->step != NULL ? s->step : s->expr;
    while (at->kind == HESCA_EXPR_STEP && at->is_postfix)
        at = at->a;
    return hesca_parser_fail_at(p, at->line, at->column,
                                "the loop does not end: nothing in it changes "
                                "'%s'",
                                never->name);
}

static hesca_stmt *
loop(hesca_parser *p)
{
    hesca_symbol *const scope = p->scope;
    const hesca_token first = p->token;
    const int is_par = hesca_parser_is(p, "par");
    hesca_stmt *s =
        new_stmt(p, is_par ? HESCA_STMT_PAR : HESCA_STMT_FOR, &first);
    if (s == NULL || hesca_parser_advance(p) < 0 ||
        loop_head(p, s, scope) < 0 || loop_body(p, s) < 0 ||
        check_loop(p, s) < 0)
        return NULL;
    p->scope = scope;
    return s;
}

static hesca_stmt *
while_loop(hesca_parser *p)
{
    hesca_stmt *s = new_stmt(p, HESCA_STMT_WHILE, &p->token);
    if (s == NULL || hesca_parser_advance(p) < 0 ||
        (s->expr = head(p, "'while'")) == NULL || loop_body(p, s) < 0 ||
        check_loop(p, s) < 0)
        return NULL;
    return s;
}

static hesca_stmt *
do_loop(hesca_parser *p)
{
    hesca_stmt *s = new_stmt(p, HESCA_STMT_DO, &p->token);
    if (s == NULL || hesca_parser_advance(p) < 0 || loop_body(p, s) < 0)
        return NULL;
    if (!hesca_parser_take_word(p, "while")) {
        hesca_parser_fail(p, "'while' must follow the body of 'do'");
        return NULL;
    }
    if ((s->expr = head(p, "'while'")) == NULL ||
        hesca_parser_expect(p, ';', "'do ... while (...)'") < 0 ||
        check_loop(p, s) < 0)
        return NULL;
    return s;
}

/* --- statements --- */

static hesca_stmt *
if_statement(hesca_parser *p)
{
    hesca_stmt *s = new_stmt(p, HESCA_STMT_IF, &p->token);
    if (s == NULL || hesca_parser_advance(p) < 0 ||
        (s->expr = head(p, "'if'")) == NULL ||
        (s->body = statement(p)) == NULL)
        return NULL;
    if (hesca_parser_take_word(p, "else") && (s->other = statement(p)) == NULL)
        return NULL;
    return s;
}

static hesca_stmt *
jump(hesca_parser *p, hesca_stmt_kind kind)
{
    hesca_stmt *s = new_stmt(p, kind, &p->token);
    if (s == NULL)
        return NULL;
    if (p->nloops == 0) {
        hesca_parser_fail(p, "this must be inside a loop");
        return NULL;
    }
    if (kind == HESCA_STMT_BREAK && p->in_par) {
        hesca_parser_fail(p, "a par has no first iteration to stop after: "
                             "no break");
        return NULL;
    }
    return hesca_parser_advance(p) < 0 ||
                   hesca_parser_expect(p, ';', "a statement") < 0
               ? NULL
               : s;
}

hesca_stmt *
hesca_parse_block(hesca_parser *p)
{
    hesca_symbol *const scope = p->scope;
    hesca_stmt *s = new_stmt(p, HESCA_STMT_BLOCK, &p->token);
    if (s == NULL || hesca_parser_expect(p, '{', "the head") < 0)
        return NULL;
    hesca_stmt **last = &s->first;
    while (p->token.kind != '}') {
        hesca_stmt *x;
        if (is_declaration(p))
            x = declare_type(p) < 0 ? NULL : declaration(p, scope);
        else
            x = statement(p);
        if (x == NULL)
            return NULL;
        for (*last = x; x->next != NULL;)
            x = x->next;
        last = &x->next;
    }
    p->scope = scope;
    return hesca_parser_advance(p) < 0 ? NULL : s;
}

static hesca_stmt *
any_statement(hesca_parser *p)
{
    static const char *const refused[] = {"return", "goto", "switch", "case",
                                          "else"};
    for (size_t k = 0; k < sizeof refused / sizeof *refused; ++k)
        if (hesca_parser_is(p, refused[k])) {
            hesca_parser_fail(p, "a scheme has no such statement");
            return NULL;
        }
    if (p->token.kind == '{')
        return hesca_parse_block(p);
    if (hesca_parser_is(p, "par") || hesca_parser_is(p, "for"))
        return loop(p);
    if (hesca_parser_is(p, "while"))
        return while_loop(p);
    if (hesca_parser_is(p, "do"))
        return do_loop(p);
    if (hesca_parser_is(p, "if"))
        return if_statement(p);
    if (hesca_parser_is(p, "break"))
        return jump(p, HESCA_STMT_BREAK);
    if (hesca_parser_is(p, "continue"))
        return jump(p, HESCA_STMT_CONTINUE);
    if (p->token.kind == ';') {
        hesca_stmt *s = new_stmt(p, HESCA_STMT_BLOCK, &p->token);
        return hesca_parser_advance(p) < 0 ? NULL : s;
    }
    if (hesca_parse_is_type(p)) {
        hesca_parser_fail(p, "a declaration must be inside { }");
        return NULL;
    }
    return expression(p);
}

static hesca_stmt *
statement(hesca_parser *p)
{
    if (hesca_parser_enter(p) < 0)
        return NULL;
    hesca_stmt *s = any_statement(p);
    --p->depth;
    return s;
}
