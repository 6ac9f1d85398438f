/* SPDX-License-Identifier: BSD-3-Clause */
/* Values of expressions.  Types were checked by the parser: operands of an
 * operator have its type.  After an error values are 0, and nothing more is
 * stored. */
#include "base/status.h"
#include "pmdl/eval.h"
#include <limits.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

typedef hesca_evaluation evaluation;
typedef hesca_value value;

static const value zero;

int
hesca_eval_fail(evaluation *ev, const hesca_expr *e, const char *format, ...)
{
    char text[HESCA_TEXT_MAX];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    return hesca_binding_fail(ev->binding, e->line, e->column, "%s", text);
}

size_t
hesca_eval_size(const evaluation *ev, const hesca_ctype *t)
{
    if (t->size > 0)
        return t->size;
    const int64_t n = t->count != NULL ? ev->extent[t->slot] : t->extent;
    return (size_t)n * hesca_eval_size(ev, t->base);
}

/* --- memory --- */

/* The bytes that a pointer to n bytes points to; NULL after an error. */
static char *
reach(evaluation *ev, const hesca_expr *e, hesca_pointer at, size_t n)
{
    if (at.block == NULL || at.block->data == NULL) {
        hesca_eval_fail(ev, e, "this pointer points nowhere");
        return NULL;
    }
    if (at.offset < 0 || (size_t)at.offset > at.block->size ||
        at.block->size - (size_t)at.offset < n) {
        hesca_eval_fail(ev, e, "this is outside of its array");
        return NULL;
    }
    return at.block->data + at.offset;
}

static value
load(evaluation *ev, const hesca_expr *e, hesca_pointer at)
{
#define LOAD(KIND, TYPE, FIELD)                                               \
    case KIND: {                                                              \
        TYPE x;                                                               \
        const char *from = reach(ev, e, at, sizeof x);                        \
        if (from == NULL)                                                     \
            return v;                                                         \
        memcpy(&x, from, sizeof x);                                           \
        v.FIELD = x;                                                          \
        return v;                                                             \
    }
    value v = zero;
    switch (e->type->kind) {
        LOAD(HESCA_C_CHAR, char, i)
        LOAD(HESCA_C_UCHAR, unsigned char, u)
        LOAD(HESCA_C_SHORT, short, i)
        LOAD(HESCA_C_USHORT, unsigned short, u)
        LOAD(HESCA_C_INT, int, i)
        LOAD(HESCA_C_UINT, unsigned, u)
        LOAD(HESCA_C_LONG, int64_t, i)
        LOAD(HESCA_C_ULONG, uint64_t, u)
        LOAD(HESCA_C_FLOAT, float, d)
        LOAD(HESCA_C_DOUBLE, double, d)
    case HESCA_C_POINTER: {
        /* A pointer variable has room for a pair in its block. */
        const char *from = reach(ev, e, at, sizeof(void *));
        if (from == NULL)
            return v;
        if (at.block->size >= sizeof(hesca_pointer) && at.offset == 0)
            memcpy(&v.p, from, sizeof v.p);
        else
            hesca_eval_fail(ev, e,
                            "pointers in structs and arrays are left "
                            "to C");
        return v;
    }
    default: /* a struct: its place */
        v.p = at;
        return v;
    }
#undef LOAD
}

static void
store(evaluation *ev, const hesca_expr *e, hesca_pointer at, value v)
{
#define STORE(KIND, TYPE, FIELD)                                              \
    case KIND: {                                                              \
        const TYPE x = (TYPE)v.FIELD;                                         \
        memcpy(to, &x, sizeof x);                                             \
        return;                                                               \
    }
    const hesca_ctype *t = e->type;
    const size_t n = hesca_eval_size(ev, t);
    char *to = reach(ev, e, at, n);
    if (to == NULL || ev->binding->err < 0)
        return;
    if (at.block->is_const) {
        hesca_eval_fail(ev, e, "a parameter cannot be changed");
        return;
    }
    switch (t->kind) {
        STORE(HESCA_C_CHAR, char, i)
        STORE(HESCA_C_UCHAR, unsigned char, u)
        STORE(HESCA_C_SHORT, short, i)
        STORE(HESCA_C_USHORT, unsigned short, u)
        STORE(HESCA_C_INT, int, i)
        STORE(HESCA_C_UINT, unsigned, u)
        STORE(HESCA_C_LONG, int64_t, i)
        STORE(HESCA_C_ULONG, uint64_t, u)
        STORE(HESCA_C_FLOAT, float, d)
        STORE(HESCA_C_DOUBLE, double, d)
    case HESCA_C_POINTER:
        if (at.block->size >= sizeof v.p && at.offset == 0)
            memcpy(to, &v.p, sizeof v.p);
        else
            hesca_eval_fail(ev, e,
                            "pointers in structs and arrays are left "
                            "to C");
        return;
    default: {
        const char *from = reach(ev, e, v.p, n);
        if (from != NULL)
            memmove(to, from, n);
    }
    }
#undef STORE
}

/* Where an lvalue is. */
static hesca_pointer
place(evaluation *ev, const hesca_expr *e)
{
    hesca_pointer at = {NULL, 0};
    switch (e->kind) {
    case HESCA_EXPR_NAME:
        at.block = &ev->block[e->symbol->slot];
        return at;
    case HESCA_EXPR_INDEX: {
        at = e->a->type->kind == HESCA_C_ARRAY ? place(ev, e->a)
                                               : hesca_eval(ev, e->a).p;
        const int64_t k = hesca_eval(ev, e->b).i;
        const size_t size = hesca_eval_size(ev, e->type);
        /* Each subscript has its own range, as far as it is known. */
        if (e->a->type->kind == HESCA_C_ARRAY) {
            const hesca_ctype *t = e->a->type;
            const int64_t n =
                t->count != NULL ? ev->extent[t->slot] : t->extent;
            if (k < 0 || k >= n) {
                hesca_eval_fail(ev, e, "subscript %lld: must be 0 ... %lld",
                                (long long)k, (long long)n - 1);
                at.block = NULL;
                return at;
            }
        } else if (k > INT32_MAX || k < -INT32_MAX) {
            hesca_eval_fail(ev, e, "subscript %lld is out of range",
                            (long long)k);
            at.block = NULL;
            return at;
        }
        at.offset += k * (int64_t)size;
        return at;
    }
    case HESCA_EXPR_MEMBER:
        at = e->is_arrow ? hesca_eval(ev, e->a).p : place(ev, e->a);
        at.offset += (int64_t)e->field->offset;
        return at;
    case HESCA_EXPR_UNARY: /* *a */
        return hesca_eval(ev, e->a).p;
    case HESCA_EXPR_CAST: /* implicit, of an array */
        return place(ev, e->a);
    default: /* a struct that is a value */
        return hesca_eval(ev, e).p;
    }
}

/* --- arithmetic --- */

static value
whole(evaluation *ev, const hesca_expr *e, int is_overflow, int64_t x)
{
    value v = {.i = x};
    if (is_overflow ||
        (e->type->kind == HESCA_C_INT && (x < INT_MIN || x > INT_MAX))) {
        hesca_eval_fail(ev, e, "the result is beyond %s", e->type->name);
        return zero;
    }
    return v;
}

static value
divide(evaluation *ev, const hesca_expr *e, int op, int64_t a, int64_t b)
{
    if (b == 0) {
        hesca_eval_fail(ev, e, "division by 0");
        return zero;
    }
    if (b == -1) /* INT64_MIN / -1 traps */
        return op == '/'
                   ? whole(ev, e, a == INT64_MIN, a == INT64_MIN ? 0 : -a)
                   : zero;
    return whole(ev, e, 0, op == '/' ? a / b : a % b);
}

static value
shift(evaluation *ev, const hesca_expr *e, int op, int64_t a, int64_t b)
{
    const int bits = (int)e->type->size * CHAR_BIT;
    if (b < 0 || b >= bits || (a < 0 && op == HESCA_TOKEN_SHIFT_LEFT)) {
        hesca_eval_fail(ev, e, "a shift by %lld", (long long)b);
        return zero;
    }
    if (op == HESCA_TOKEN_SHIFT_RIGHT)
        return whole(ev, e, 0, a >> b);
    return whole(ev, e, b > 0 && a >> (63 - b) != 0,
                 (int64_t)((uint64_t)a << b));
}

/* Signed whole numbers. */
static value
signed_op(evaluation *ev, const hesca_expr *e, int op, int64_t a, int64_t b)
{
    int64_t x = 0;
    int is_overflow = 0;
    switch (op) {
    case '+':
        is_overflow = __builtin_add_overflow(a, b, &x);
        return whole(ev, e, is_overflow, x);
    case '-':
        is_overflow = __builtin_sub_overflow(a, b, &x);
        return whole(ev, e, is_overflow, x);
    case '*':
        is_overflow = __builtin_mul_overflow(a, b, &x);
        return whole(ev, e, is_overflow, x);
    case '/':
    case '%':
        return divide(ev, e, op, a, b);
    case '&':
        return (value){.i = a & b};
    case '|':
        return (value){.i = a | b};
    case '^':
        return (value){.i = a ^ b};
    default:
        return shift(ev, e, op, a, b);
    }
}

/* Unsigned ones: of 32 bits, or of 64. */
static value
unsigned_op(evaluation *ev, const hesca_expr *e, int op, uint64_t a,
            uint64_t b)
{
    value v = zero;
    const unsigned bits = (unsigned)e->type->size * CHAR_BIT;
    if ((op == '/' || op == '%') && b == 0) {
        hesca_eval_fail(ev, e, "division by 0");
        return v;
    }
    switch (op) {
    case '+':
        v.u = a + b;
        break;
    case '-':
        v.u = a - b;
        break;
    case '*':
        v.u = a * b;
        break;
    case '/':
        v.u = a / b;
        break;
    case '%':
        v.u = a % b;
        break;
    case '&':
        v.u = a & b;
        break;
    case '|':
        v.u = a | b;
        break;
    case '^':
        v.u = a ^ b;
        break;
    default:
        if (b >= bits) {
            hesca_eval_fail(ev, e, "a shift by %llu", (unsigned long long)b);
            return v;
        }
        v.u = op == HESCA_TOKEN_SHIFT_LEFT ? a << b : a >> b;
    }
    if (bits == 32)
        v.u &= UINT32_MAX;
    return v;
}

static value
real_op(const hesca_expr *e, int op, double a, double b)
{
    const double x = op == '+'   ? a + b
                     : op == '-' ? a - b
                     : op == '*' ? a * b
                                 : a / b;
    return (value){.d = e->type->kind == HESCA_C_FLOAT ? (float)x : x};
}

static int
compare_values(const hesca_ctype *t, value a, value b, int op)
{
#define COMPARE(FIELD)                                                        \
    (op == '<'                         ? a.FIELD < b.FIELD                    \
     : op == '>'                       ? a.FIELD > b.FIELD                    \
     : op == HESCA_TOKEN_LESS_EQUAL    ? a.FIELD <= b.FIELD                   \
     : op == HESCA_TOKEN_GREATER_EQUAL ? a.FIELD >= b.FIELD                   \
     : op == HESCA_TOKEN_EQUAL         ? a.FIELD == b.FIELD                   \
                                       : a.FIELD != b.FIELD)
    switch (t->kind) {
    case HESCA_C_UINT:
    case HESCA_C_ULONG:
        return COMPARE(u);
    case HESCA_C_FLOAT:
    case HESCA_C_DOUBLE:
        return COMPARE(d);
    case HESCA_C_POINTER:
        if (a.p.block != b.p.block)
            return op == HESCA_TOKEN_NOT_EQUAL;
        a.i = a.p.offset;
        b.i = b.p.offset;
        return COMPARE(i);
    default:
        return COMPARE(i);
    }
#undef COMPARE
}

/* Pointer + - whole number; pointer - pointer. */
static value
pointer_op(evaluation *ev, const hesca_expr *e, int op, value a, value b)
{
    const int is_difference = e->type->kind != HESCA_C_POINTER;
    const hesca_ctype *t = is_difference ? e->a->type : e->type;
    const int64_t size = (int64_t)hesca_eval_size(ev, t->base);
    if (is_difference) {
        if (a.p.block != b.p.block || size == 0) {
            hesca_eval_fail(ev, e, "these point into different arrays");
            return zero;
        }
        return (value){.i = (a.p.offset - b.p.offset) / size};
    }
    const int is_a = e->a->type->kind == HESCA_C_POINTER;
    value v = is_a ? a : b;
    int64_t move = is_a ? b.i : a.i;
    if (__builtin_mul_overflow(op == '-' ? -1 : 1, move, &move) ||
        __builtin_mul_overflow(move, size, &move) ||
        __builtin_add_overflow(v.p.offset, move, &v.p.offset))
        hesca_eval_fail(ev, e, "this pointer is out of range");
    return v;
}

static value
arithmetic(evaluation *ev, const hesca_expr *e, const hesca_ctype *t, int op,
           value a, value b)
{
    switch (t->kind) {
    case HESCA_C_FLOAT:
    case HESCA_C_DOUBLE:
        return real_op(e, op, a.d, b.d);
    case HESCA_C_UINT:
    case HESCA_C_ULONG:
        return unsigned_op(ev, e, op, a.u, b.u);
    default:
        return signed_op(ev, e, op, a.i, b.i);
    }
}

static int
is_comparison(int op)
{
    return op == '<' || op == '>' ||
           (op >= HESCA_TOKEN_LESS_EQUAL && op <= HESCA_TOKEN_NOT_EQUAL);
}

static value
binary(evaluation *ev, const hesca_expr *e)
{
    const value a = hesca_eval(ev, e->a), b = hesca_eval(ev, e->b);
    if (is_comparison(e->op))
        return (value){.i = compare_values(e->a->type, a, b, e->op)};
    if (e->a->type->kind == HESCA_C_POINTER ||
        e->b->type->kind == HESCA_C_POINTER)
        return pointer_op(ev, e, e->op, a, b);
    return arithmetic(ev, e, e->type, e->op, a, b);
}

/* --- conversions --- */

static int
is_unsigned(hesca_ckind k)
{
    return k == HESCA_C_UCHAR || k == HESCA_C_USHORT || k == HESCA_C_UINT ||
           k == HESCA_C_ULONG;
}

static int
is_real(hesca_ckind k)
{
    return k == HESCA_C_FLOAT || k == HESCA_C_DOUBLE;
}

/* A double as a whole number; C leaves values out of range undefined. */
static value
truncated(evaluation *ev, const hesca_expr *e, const hesca_ctype *to, double x)
{
    const int bits = (int)to->size * CHAR_BIT - !is_unsigned(to->kind);
    const double end = ldexp(1, bits);
    if (!(trunc(x) < end && trunc(x) >= (is_unsigned(to->kind) ? 0 : -end))) {
        hesca_eval_fail(ev, e, "%g is beyond %s", x, to->name);
        return zero;
    }
    return is_unsigned(to->kind) ? (value){.u = (uint64_t)x}
                                 : (value){.i = (int64_t)x};
}

static value
wrapped(const hesca_ctype *to, value v)
{
    switch (to->kind) {
    case HESCA_C_CHAR:
        return (value){.i = (signed char)v.i};
    case HESCA_C_UCHAR:
        return (value){.u = (unsigned char)v.u};
    case HESCA_C_SHORT:
        return (value){.i = (short)v.i};
    case HESCA_C_USHORT:
        return (value){.u = (unsigned short)v.u};
    case HESCA_C_INT:
        return (value){.i = (int)v.i};
    case HESCA_C_UINT:
        return (value){.u = (unsigned)v.u};
    default:
        return v;
    }
}

static value
convert(evaluation *ev, const hesca_expr *e, value v, const hesca_ctype *from,
        const hesca_ctype *to)
{
    if (!hesca_ctype_is_number(to) || !hesca_ctype_is_number(from))
        return v;
    if (is_real(to->kind)) {
        const double x = is_real(from->kind)       ? v.d
                         : is_unsigned(from->kind) ? (double)v.u
                                                   : (double)v.i;
        return (value){.d = to->kind == HESCA_C_FLOAT ? (float)x : x};
    }
    return is_real(from->kind) ? truncated(ev, e, to, v.d) : wrapped(to, v);
}

static value
cast(evaluation *ev, const hesca_expr *e)
{
    const hesca_ctype *from = e->a->type;
    if (from->kind == HESCA_C_ARRAY)
        return (value){.p = place(ev, e->a)};
    const value v = hesca_eval(ev, e->a);
    if (e->type->kind == HESCA_C_POINTER && from->kind != HESCA_C_POINTER) {
        if (v.i != 0)
            hesca_eval_fail(ev, e, "a number is no pointer");
        return zero;
    }
    return convert(ev, e, v, from, e->type);
}

/* --- other operators --- */

int
hesca_eval_is_true(evaluation *ev, const hesca_expr *e)
{
    const value v = hesca_eval(ev, e);
    if (is_real(e->type->kind))
        return v.d != 0;
    return e->type->kind == HESCA_C_POINTER ? v.p.block != NULL : v.i != 0;
}

static value
unary(evaluation *ev, const hesca_expr *e)
{
    if (e->op == '&')
        return (value){.p = place(ev, e->a)};
    if (e->op == '*')
        return load(ev, e, place(ev, e));
    if (e->op == '!')
        return (value){.i = !hesca_eval_is_true(ev, e->a)};
    const value v = hesca_eval(ev, e->a);
    if (e->op == '+')
        return v;
    if (is_real(e->type->kind))
        return (value){.d = -v.d};
    if (e->op == '~')
        return wrapped(e->type, (value){.i = ~v.i});
    return arithmetic(ev, e, e->type, '-', zero, v);
}

static value
step(evaluation *ev, const hesca_expr *e)
{
    const hesca_pointer at = place(ev, e->a);
    const value old = load(ev, e->a, at);
    value now = old;
    const int up = e->op == HESCA_TOKEN_INCREMENT;
    if (e->type->kind == HESCA_C_POINTER)
        now.p.offset +=
            (up ? 1 : -1) * (int64_t)hesca_eval_size(ev, e->type->base);
    else if (is_real(e->type->kind))
        now.d += up ? 1 : -1;
    else
        now = wrapped(e->type, arithmetic(ev, e, e->type, up ? '+' : '-', old,
                                          (value){.i = 1}));
    store(ev, e->a, at, now);
    return e->is_postfix ? old : now;
}

static value
assign(evaluation *ev, const hesca_expr *e)
{
    value v = hesca_eval(ev, e->b);
    const hesca_pointer at = place(ev, e->a);
    if (e->op != 0) {
        const hesca_ctype *t = e->b->type;
        const value old = load(ev, e->a, at);
        if (e->type->kind == HESCA_C_POINTER) {
            const int64_t size = (int64_t)hesca_eval_size(ev, e->type->base);
            const int64_t move = e->op == '-' ? -v.i : v.i;
            v = old;
            v.p.offset += move * size;
        } else {
            /* In the type of b, which is that of a op b. */
            hesca_expr sum = *e;
            sum.type = t;
            v = arithmetic(ev, &sum, t, e->op, convert(ev, e, old, e->type, t),
                           v);
            v = convert(ev, e, v, t, e->type);
        }
    }
    store(ev, e->a, at, v);
    return v;
}

static value
logical(evaluation *ev, const hesca_expr *e)
{
    const int a = hesca_eval_is_true(ev, e->a);
    if (e->op == HESCA_TOKEN_AND ? !a : a)
        return (value){.i = a};
    return (value){.i = hesca_eval_is_true(ev, e->b)};
}

value
hesca_eval(evaluation *ev, const hesca_expr *e)
{
    switch (e->kind) {
    case HESCA_EXPR_INTEGER:
    case HESCA_EXPR_SIZEOF: {
        value v = zero;
        v.i = e->integer;
        if (e->type->kind == HESCA_C_POINTER)
            v = zero;
        return v;
    }
    case HESCA_EXPR_REAL:
        return (value){.d = e->real};
    case HESCA_EXPR_NAME:
    case HESCA_EXPR_INDEX:
    case HESCA_EXPR_MEMBER:
        return load(ev, e, place(ev, e));
    case HESCA_EXPR_CAST:
        return cast(ev, e);
    case HESCA_EXPR_UNARY:
        return unary(ev, e);
    case HESCA_EXPR_STEP:
        return step(ev, e);
    case HESCA_EXPR_BINARY:
        return binary(ev, e);
    case HESCA_EXPR_LOGICAL:
        return logical(ev, e);
    case HESCA_EXPR_CONDITIONAL:
        return hesca_eval(ev, hesca_eval_is_true(ev, e->a) ? e->b : e->c);
    case HESCA_EXPR_ASSIGN:
        return assign(ev, e);
    case HESCA_EXPR_COMMA:
        hesca_eval(ev, e->a);
        return hesca_eval(ev, e->b);
    case HESCA_EXPR_CALL:
        return hesca_eval_call(ev, e);
    case HESCA_EXPR_TEXT:
        break;
    }
    hesca_eval_fail(ev, e, "'%.*s' is known to C alone", (int)e->length,
                    e->text);
    return zero;
}
