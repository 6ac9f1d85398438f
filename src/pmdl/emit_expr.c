/* SPDX-License-Identifier: BSD-3-Clause */
/* Expressions and declarations as C.  Every operator has parentheses, so that
 * the compiler sees the tree that was checked. */
#include "pmdl/builtins.h"
#include "pmdl/emit.h"
#include "pmdl/lex.h"
#include "pmdl/parser.h"
#include <string.h>

/* --- types --- */

/* Elements, behind all extents. */
static const hesca_ctype *
element(const hesca_ctype *t)
{
    while (t->kind == HESCA_C_ARRAY && t->name == NULL)
        t = t->base;
    return t;
}

static void
emit_extents(FILE *out, const hesca_ctype *t)
{
    for (; t->kind == HESCA_C_ARRAY && t->name == NULL; t = t->base) {
        fputc('[', out);
        if (t->count != NULL)
            hesca_emit_expr(out, t->count);
        else
            fprintf(out, "%lld", (long long)t->extent);
        fputc(']', out);
    }
}

void
hesca_emit_declaration(FILE *out, const hesca_ctype *t, const char *name)
{
    char text[200];
    hesca_ctype_write(element(t), text, sizeof text);
    const size_t n = strlen(text);
    fprintf(out, "%s%s%s", text, n > 0 && text[n - 1] == '*' ? "" : " ", name);
    emit_extents(out, t);
}

/* --- operators --- */

static const char *
operator_text(int op)
{
    static char one[2];
    switch (op) {
    case HESCA_TOKEN_SHIFT_LEFT:
        return "<<";
    case HESCA_TOKEN_SHIFT_RIGHT:
        return ">>";
    case HESCA_TOKEN_LESS_EQUAL:
        return "<=";
    case HESCA_TOKEN_GREATER_EQUAL:
        return ">=";
    case HESCA_TOKEN_EQUAL:
        return "==";
    case HESCA_TOKEN_NOT_EQUAL:
        return "!=";
    case HESCA_TOKEN_AND:
        return "&&";
    case HESCA_TOKEN_OR:
        return "||";
    case HESCA_TOKEN_INCREMENT:
        return "++";
    case HESCA_TOKEN_DECREMENT:
        return "--";
    default:
        one[0] = (char)op;
        return one;
    }
}

/* A divisor: if it is 0, that is reported and 1 is used. */
static void
emit_divisor(FILE *out, const hesca_expr *e)
{
    int64_t x;
    const hesca_expr *bare = e;
    while (bare->kind == HESCA_EXPR_CAST && bare->is_implicit)
        bare = bare->a;
    if (bare->has_effect || !hesca_ctype_is_whole(e->type) ||
        (hesca_expr_constant(bare, &x) && x != 0)) {
        hesca_emit_expr(out, e);
        return;
    }
    fprintf(out, "(run->zero(run, ");
    hesca_emit_expr(out, e);
    fprintf(out, " == 0) ? 1 : ");
    hesca_emit_expr(out, e);
    fputc(')', out);
}

static void
emit_binary(FILE *out, const hesca_expr *e)
{
    fputc('(', out);
    hesca_emit_expr(out, e->a);
    fprintf(out, " %s ", operator_text(e->op));
    if (e->op == '/' || e->op == '%')
        emit_divisor(out, e->b);
    else
        hesca_emit_expr(out, e->b);
    fputc(')', out);
}

static void
emit_assign(FILE *out, const hesca_expr *e)
{
    fputc('(', out);
    hesca_emit_expr(out, e->a);
    fprintf(out, " %s= ", e->op != 0 ? operator_text(e->op) : "");
    if (e->op == '/' || e->op == '%')
        emit_divisor(out, e->b);
    else
        hesca_emit_expr(out, e->b);
    fputc(')', out);
}

/* --- calls --- */

static const hesca_ctype *
innermost(const hesca_ctype *t)
{
    while (t->kind == HESCA_C_POINTER || t->kind == HESCA_C_ARRAY)
        t = t->base;
    return t;
}

/* A product of arguments, as hesca_builtin.sizes has it for array `index`. */
static void
emit_length(FILE *out, const hesca_expr *e, int index)
{
    const char *at = e->a->symbol->known->sizes;
    for (; index > 0 && at != NULL; --index)
        at = strchr(at, ',') + 1;
    for (int n = 0; *at != '\0' && *at != ',' && *at != '|'; ++at) {
        if (*at == '*') {
            fprintf(out, " * ");
        } else if (*at == '+') {
            fprintf(out, " + 1");
        } else {
            for (n = 0; *at >= '0' && *at <= '9'; ++at)
                n = 10 * n + (*at - '0');
            --at;
            fprintf(out, "(long long)(");
            hesca_emit_expr(out, e->arg[n]);
            fputc(')', out);
        }
    }
}

/* Argument k of a function of HDPI; `index` counts its arrays. */
static void
emit_known(FILE *out, const hesca_expr *e, int k, int index)
{
    const char kind = e->a->symbol->known->args[k];
    const hesca_expr *a = e->arg[k];
    const int is_null = a->kind == HESCA_EXPR_INTEGER;
    if (kind == HESCA_ARG_SPEEDS && !is_null &&
        innermost(a->type)->kind == HESCA_C_INT) {
        fprintf(out, "run->doubles(run, %d, (const int *)", e->slot + k);
        hesca_emit_expr(out, a);
        fprintf(out, ", ");
        emit_length(out, e, index);
        fputc(')', out);
        return;
    }
    if (kind == HESCA_ARG_SPEEDS && !is_null)
        fprintf(out, "(const double *)");
    else if ((kind == HESCA_ARG_READ || kind == HESCA_ARG_WRITE) && !is_null)
        fprintf(out, "(int *)");
    hesca_emit_expr(out, a);
}

static void
emit_call(FILE *out, const hesca_expr *e)
{
    const hesca_builtin *known =
        e->a->symbol != NULL ? e->a->symbol->known : NULL;
    hesca_emit_expr(out, e->a);
    fputc('(', out);
    for (int k = 0, index = 0; k < e->nargs; ++k) {
        if (k > 0)
            fprintf(out, ", ");
        if (known == NULL) {
            hesca_emit_expr(out, e->arg[k]);
            continue;
        }
        emit_known(out, e, k, index);
        const char kind = known->args[k];
        index += kind == HESCA_ARG_SPEEDS || kind == HESCA_ARG_READ ||
                 kind == HESCA_ARG_WRITE;
    }
    fputc(')', out);
}

/* --- expressions --- */

static void
emit_integer(FILE *out, const hesca_expr *e)
{
    if (e->length > 0) /* as written, or a constant's name */
        fwrite(e->text, 1, e->length, out);
    else
        fprintf(out, "%lld", (long long)e->integer);
}

static void
emit_cast(FILE *out, const hesca_expr *e)
{
    if (e->is_implicit) {
        hesca_emit_expr(out, e->a);
        return;
    }
    fputc('(', out);
    fputc('(', out);
    hesca_emit_declaration(out, e->type, "");
    fputc(')', out);
    hesca_emit_expr(out, e->a);
    fputc(')', out);
}

void
hesca_emit_expr(FILE *out, const hesca_expr *e)
{
    switch (e->kind) {
    case HESCA_EXPR_INTEGER:
        emit_integer(out, e);
        break;
    case HESCA_EXPR_SIZEOF:
    case HESCA_EXPR_REAL:
    case HESCA_EXPR_TEXT:
    case HESCA_EXPR_NAME:
        fwrite(e->text, 1, e->length, out);
        break;
    case HESCA_EXPR_CAST:
        emit_cast(out, e);
        break;
    case HESCA_EXPR_UNARY:
        fprintf(out, "(%s", operator_text(e->op));
        hesca_emit_expr(out, e->a);
        fputc(')', out);
        break;
    case HESCA_EXPR_STEP:
        fputc('(', out);
        if (!e->is_postfix)
            fputs(operator_text(e->op), out);
        hesca_emit_expr(out, e->a);
        if (e->is_postfix)
            fputs(operator_text(e->op), out);
        fputc(')', out);
        break;
    case HESCA_EXPR_BINARY:
    case HESCA_EXPR_LOGICAL:
        emit_binary(out, e);
        break;
    case HESCA_EXPR_CONDITIONAL:
        fputc('(', out);
        hesca_emit_expr(out, e->a);
        fprintf(out, " ? ");
        hesca_emit_expr(out, e->b);
        fprintf(out, " : ");
        hesca_emit_expr(out, e->c);
        fputc(')', out);
        break;
    case HESCA_EXPR_ASSIGN:
        emit_assign(out, e);
        break;
    case HESCA_EXPR_COMMA:
        fprintf(out, "((void)");
        hesca_emit_expr(out, e->a);
        fprintf(out, ", ");
        hesca_emit_expr(out, e->b);
        fputc(')', out);
        break;
    case HESCA_EXPR_INDEX:
        hesca_emit_expr(out, e->a);
        fputc('[', out);
        hesca_emit_expr(out, e->b);
        fputc(']', out);
        break;
    case HESCA_EXPR_MEMBER:
        hesca_emit_expr(out, e->a);
        fprintf(out, "%s%.*s", e->is_arrow ? "->" : ".", (int)e->length,
                e->text);
        break;
    case HESCA_EXPR_CALL:
        emit_call(out, e);
        break;
    }
}
