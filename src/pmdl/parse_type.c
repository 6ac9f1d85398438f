/* SPDX-License-Identifier: BSD-3-Clause */
/* Types, declarators, and external declarations. */
#include "base/status.h"
#include "pmdl/parser.h"
#include <stdio.h>
#include <string.h>

#define TYPE(k, n, t)                                                         \
    [k] = {.kind = k, .name = n, .size = sizeof(t), .align = _Alignof(t)}

const hesca_ctype hesca_ctypes[HESCA_C_DOUBLE + 1] = {
    [HESCA_C_VOID] = {.kind = HESCA_C_VOID, .name = "void"},
    TYPE(HESCA_C_CHAR, "char", char),
    TYPE(HESCA_C_UCHAR, "unsigned char", unsigned char),
    TYPE(HESCA_C_SHORT, "short", short),
    TYPE(HESCA_C_USHORT, "unsigned short", unsigned short),
    TYPE(HESCA_C_INT, "int", int),
    TYPE(HESCA_C_UINT, "unsigned", unsigned),
    TYPE(HESCA_C_LONG, "long long", long long),
    TYPE(HESCA_C_ULONG, "size_t", size_t),
    TYPE(HESCA_C_FLOAT, "float", float),
    TYPE(HESCA_C_DOUBLE, "double", double),
};

const hesca_ctype hesca_ctype_unknown = {
    .kind = HESCA_C_UNKNOWN, .size = 1, .align = 1};

int
hesca_ctype_is_whole(const hesca_ctype *t)
{
    return t->kind >= HESCA_C_CHAR && t->kind <= HESCA_C_ULONG;
}

int
hesca_ctype_is_number(const hesca_ctype *t)
{
    return t->kind >= HESCA_C_CHAR && t->kind <= HESCA_C_DOUBLE;
}

int
hesca_ctype_equal(const hesca_ctype *a, const hesca_ctype *b)
{
    if (a == b)
        return 1;
    if (a->kind != b->kind)
        return 0;
    if (a->kind == HESCA_C_STRUCT)
        return a->field == b->field;
    if (a->kind == HESCA_C_ARRAY)
        return a->extent == b->extent && hesca_ctype_equal(a->base, b->base);
    return a->kind != HESCA_C_POINTER || hesca_ctype_equal(a->base, b->base);
}

void
hesca_ctype_write(const hesca_ctype *t, char *text, size_t room)
{
    if (t->name != NULL) {
        snprintf(text, room, "%s", t->name);
        return;
    }
    if (t->base == NULL) {
        snprintf(text, room, "%s",
                 t->kind == HESCA_C_STRUCT ? "a struct" : "a type of C");
        return;
    }
    hesca_ctype_write(t->base, text, room);
    const size_t n = strlen(text);
    snprintf(text + n, room - n, "%s",
             t->kind == HESCA_C_POINTER && t->base->kind == HESCA_C_POINTER
                 ? "*"
             : t->kind == HESCA_C_POINTER ? " *"
             : t->kind == HESCA_C_ARRAY   ? "[]"
                                          : "()");
}

hesca_ctype *
hesca_ctype_pointer(hesca_parser *p, const hesca_ctype *base)
{
    hesca_ctype *t = hesca_parser_new(p, sizeof *t);
    if (t != NULL)
        *t = (hesca_ctype){.kind = HESCA_C_POINTER,
                           .size = sizeof(void *),
                           .align = _Alignof(void *),
                           .base = base};
    return t;
}

/* --- specifiers --- */

enum {
    WORD_SIGNED = 1,
    WORD_UNSIGNED = 2,
    WORD_CHAR = 4,
    WORD_SHORT = 8,
    WORD_INT = 16,
    WORD_FLOAT = 32,
    WORD_DOUBLE = 64,
    WORD_VOID = 128,
    WORD_LONG = 256,
    WORD_SKIP = 512,
    WORD_TYPEDEF = 1024
};

static const struct {
    const char *word;
    int bit;
} words[] = {
    {"int", WORD_INT},         {"double", WORD_DOUBLE},
    {"char", WORD_CHAR},       {"float", WORD_FLOAT},
    {"void", WORD_VOID},       {"long", WORD_LONG},
    {"short", WORD_SHORT},     {"unsigned", WORD_UNSIGNED},
    {"signed", WORD_SIGNED},   {"const", WORD_SKIP},
    {"static", WORD_SKIP},     {"extern", WORD_SKIP},
    {"inline", WORD_SKIP},     {"volatile", WORD_SKIP},
    {"register", WORD_SKIP},   {"restrict", WORD_SKIP},
    {"typedef", WORD_TYPEDEF},
};

static int
word_bit(const hesca_parser *p)
{
    for (size_t k = 0; k < sizeof words / sizeof *words; ++k)
        if (hesca_parser_is(p, words[k].word))
            return words[k].bit;
    return 0;
}

static const hesca_symbol *
type_name(const hesca_parser *p)
{
    if (p->token.kind != HESCA_TOKEN_NAME)
        return NULL;
    const hesca_symbol *s = hesca_parser_find(p, p->token.at, p->token.length);
    return s != NULL && s->kind == HESCA_NAME_TYPE ? s : NULL;
}

int
hesca_parse_is_type(const hesca_parser *p)
{
    return word_bit(p) != 0 || hesca_parser_is(p, "struct") ||
           hesca_parser_is(p, "union") || hesca_parser_is(p, "enum") ||
           type_name(p) != NULL;
}

/* The kind for a set of words; HESCA_C_UNKNOWN: no type. */
static hesca_ckind
kind_of(int bits, int nlong)
{
    const int is_unsigned = bits & WORD_UNSIGNED;
    const int rest = bits & ~(WORD_SIGNED | WORD_UNSIGNED | WORD_INT |
                              WORD_SKIP | WORD_TYPEDEF | WORD_LONG);
    if (nlong > 0)
        return rest != 0     ? HESCA_C_UNKNOWN
               : is_unsigned ? HESCA_C_ULONG
                             : HESCA_C_LONG;
    switch (rest) {
    case 0:
        return is_unsigned ? HESCA_C_UINT : HESCA_C_INT;
    case WORD_CHAR:
        return is_unsigned ? HESCA_C_UCHAR : HESCA_C_CHAR;
    case WORD_SHORT:
        return is_unsigned ? HESCA_C_USHORT : HESCA_C_SHORT;
    case WORD_FLOAT:
        return HESCA_C_FLOAT;
    case WORD_DOUBLE:
        return HESCA_C_DOUBLE;
    case WORD_VOID:
        return HESCA_C_VOID;
    default:
        return HESCA_C_UNKNOWN;
    }
}

static int
skip_braces(hesca_parser *p)
{
    int depth = 0;
    do {
        depth += (p->token.kind == '{') - (p->token.kind == '}');
        if (p->token.kind == HESCA_TOKEN_END)
            return hesca_parser_fail(p, "'}' is missing");
        if (hesca_parser_advance(p) < 0)
            return HESCA_ERR_PARAM;
    } while (depth > 0);
    return HESCA_SUCCESS;
}

/* Lay out one member behind the others, as C does on this machine. */
static int
add_field(hesca_parser *p, hesca_ctype *t, const hesca_token *name,
          const hesca_ctype *type)
{
    if (type->size == 0)
        return hesca_parser_fail_at(p, name->line, name->column,
                                    "the size of a member must be constant");
    if ((t->nfields & (t->nfields - 1)) == 0) {
        const size_t n = t->nfields > 0 ? 2 * (size_t)t->nfields : 1;
        hesca_cfield *more = hesca_parser_new(p, n * sizeof *more);
        if (more == NULL)
            return HESCA_ERR_NOMEM;
        if (t->nfields > 0)
            memcpy(more, t->field, (size_t)t->nfields * sizeof *more);
        t->field = more;
    }
    const size_t at = (t->size + type->align - 1) / type->align * type->align;
    t->field[t->nfields++] =
        (hesca_cfield){hesca_parser_copy(p, name->at, name->length), type, at};
    t->size = at + type->size;
    t->align = type->align > t->align ? type->align : t->align;
    return t->field[t->nfields - 1].name == NULL ? HESCA_ERR_NOMEM
                                                 : HESCA_SUCCESS;
}

static int
parse_members(hesca_parser *p, hesca_ctype *t)
{
    int err;
    while (p->token.kind != '}') {
        const hesca_ctype *base = hesca_parse_specifiers(p, NULL);
        if (base == NULL)
            return HESCA_ERR_PARAM;
        do {
            hesca_token name;
            const hesca_ctype *type = hesca_parse_declarator(p, base, &name);
            if (type == NULL)
                return HESCA_ERR_PARAM;
            if ((err = add_field(p, t, &name, type)) < 0)
                return err;
        } while (hesca_parser_take(p, ','));
        if ((err = hesca_parser_expect(p, ';', "a member")) < 0)
            return err;
    }
    t->size = (t->size + t->align - 1) / t->align * t->align;
    return hesca_parser_advance(p);
}

/* struct [tag] [{ members }]; unions are left to C. */
static const hesca_ctype *
parse_struct(hesca_parser *p)
{
    const int is_union = hesca_parser_is(p, "union");
    const hesca_token first = p->token;
    hesca_token tag = first;
    if (hesca_parser_advance(p) < 0)
        return NULL;
    if (p->token.kind == HESCA_TOKEN_NAME) {
        tag = p->token;
        hesca_parser_advance(p);
    }
    /* The name is "struct tag", as it is written. */
    const hesca_token name = {.at = first.at,
                              .length =
                                  (size_t)(tag.at - first.at) + tag.length,
                              .line = first.line,
                              .column = first.column};
    if (p->token.kind != '{') {
        const hesca_symbol *s = hesca_parser_find(p, name.at, name.length);
        if (s == NULL)
            hesca_parser_fail_at(p, tag.line, tag.column,
                                 "this struct is not declared");
        return s != NULL ? s->type : NULL;
    }
    if (is_union)
        return skip_braces(p) < 0 ? NULL : &hesca_ctype_unknown;
    hesca_ctype *t = hesca_parser_new(p, sizeof *t);
    if (t == NULL || hesca_parser_enter(p) < 0 || hesca_parser_advance(p) < 0)
        return NULL;
    *t = (hesca_ctype){.kind = HESCA_C_STRUCT, .align = 1};
    if (parse_members(p, t) < 0)
        return NULL;
    --p->depth;
    if (t->nfields == 0) {
        hesca_parser_fail_at(p, first.line, first.column,
                             "this struct has no members");
        return NULL;
    }
    if (tag.at != first.at) {
        hesca_symbol *s =
            hesca_parser_declare(p, HESCA_NAME_TYPE, &name, t, p->scope);
        if (s == NULL)
            return NULL;
        t->name = s->name;
    }
    return t;
}

/* enum [tag] [{ A [= value], ... }]: constants of type int. */
static const hesca_ctype *
parse_enum(hesca_parser *p)
{
    int64_t next = 0;
    if (hesca_parser_advance(p) < 0)
        return NULL;
    hesca_parser_take(p, HESCA_TOKEN_NAME);
    if (!hesca_parser_take(p, '{'))
        return &hesca_ctypes[HESCA_C_INT];
    do {
        const hesca_token name = p->token;
        if (name.kind == '}')
            break;
        if (hesca_parser_expect(p, HESCA_TOKEN_NAME, "'{' or ','") < 0)
            return NULL;
        if (hesca_parser_take(p, '=')) {
            const hesca_expr *e = hesca_parse_assignment(p);
            if (e == NULL)
                return NULL;
            if (!hesca_expr_constant(e, &next)) {
                hesca_parser_fail(p, "the value must be a constant");
                return NULL;
            }
        }
        hesca_symbol *s =
            hesca_parser_declare(p, HESCA_NAME_CONSTANT, &name,
                                 &hesca_ctypes[HESCA_C_INT], p->scope);
        hesca_expr *value = hesca_expr_new(p, HESCA_EXPR_INTEGER,
                                           &hesca_ctypes[HESCA_C_INT], &name);
        if (s == NULL || value == NULL)
            return NULL;
        value->integer = (int)next++;
        s->value = value;
    } while (hesca_parser_take(p, ','));
    return hesca_parser_expect(p, '}', "the constants") < 0
               ? NULL
               : &hesca_ctypes[HESCA_C_INT];
}

const hesca_ctype *
hesca_parse_specifiers(hesca_parser *p, int *is_typedef)
{
    int bits = 0, nlong = 0;
    const hesca_ctype *t = NULL;
    const hesca_token first = p->token;
    for (;;) {
        const int bit = word_bit(p);
        const hesca_symbol *s = NULL;
        if (bit != 0) {
            bits |= bit;
            nlong += bit == WORD_LONG;
            if (hesca_parser_advance(p) < 0)
                return NULL;
        } else if (t == NULL && (bits & ~(WORD_SKIP | WORD_TYPEDEF)) == 0 &&
                   (hesca_parser_is(p, "struct") ||
                    hesca_parser_is(p, "union"))) {
            t = parse_struct(p);
            if (t == NULL)
                return NULL;
        } else if (t == NULL && hesca_parser_is(p, "enum")) {
            t = parse_enum(p);
            if (t == NULL)
                return NULL;
        } else if (t == NULL && (bits & ~(WORD_SKIP | WORD_TYPEDEF)) == 0 &&
                   (s = type_name(p)) != NULL) {
            t = s->type;
            p->file->uses_hdpi |= s->from_hdpi;
            if (hesca_parser_advance(p) < 0)
                return NULL;
        } else {
            break;
        }
    }
    if (is_typedef != NULL)
        *is_typedef = (bits & WORD_TYPEDEF) != 0;
    if (t != NULL)
        return t;
    if ((bits & ~(WORD_SKIP | WORD_TYPEDEF)) == 0) {
        hesca_parser_fail(p, "a type is missing");
        return NULL;
    }
    if (nlong == 1 && (bits & WORD_DOUBLE))
        return &hesca_ctype_unknown;
    const hesca_ckind kind = kind_of(bits, nlong);
    if (kind != HESCA_C_UNKNOWN)
        return &hesca_ctypes[kind];
    hesca_parser_fail_at(p, first.line, first.column,
                         "these words are not a type");
    return NULL;
}

/* --- declarators --- */

static const hesca_ctype *
parse_stars(hesca_parser *p, const hesca_ctype *t)
{
    for (;;) {
        if (hesca_parser_take(p, '*')) {
            if ((t = hesca_ctype_pointer(p, t)) == NULL)
                return NULL;
        } else if (word_bit(p) == WORD_SKIP) {
            if (hesca_parser_advance(p) < 0)
                return NULL;
        } else {
            return t;
        }
    }
}

/* [extent]...: the last one is that of the elements. */
static const hesca_ctype *
parse_extents(hesca_parser *p, const hesca_ctype *element)
{
    const hesca_token first = p->token;
    if (!hesca_parser_take(p, '['))
        return element;
    hesca_ctype *t = hesca_parser_new(p, sizeof *t);
    if (t == NULL || hesca_parser_enter(p) < 0)
        return NULL;
    *t = (hesca_ctype){.kind = HESCA_C_ARRAY, .slot = -1};
    hesca_expr *e = hesca_parse_number(p, &hesca_ctypes[HESCA_C_LONG]);
    if (e == NULL || hesca_parser_expect(p, ']', "the extent of an array") < 0)
        return NULL;
    t->base = parse_extents(p, element);
    --p->depth;
    if (t->base == NULL)
        return NULL;
    t->align = t->base->align;
    if (!hesca_expr_constant(e, &t->extent)) {
        if (p->model == NULL) {
            hesca_parser_fail_at(p, first.line, first.column + 1,
                                 "the extent must be a constant");
            return NULL;
        }
        t->count = e;
        t->slot = p->model->nslots++;
    } else if (t->extent < 1 || t->extent > 1 << 24 ||
               (size_t)t->extent > ((size_t)1 << 40) / (t->base->size + 1)) {
        hesca_parser_fail_at(p, first.line, first.column + 1,
                             "the extent must be 1 ... %d", 1 << 24);
        return NULL;
    } else {
        t->size = (size_t)t->extent * t->base->size;
    }
    return t;
}

/* ( parameters ): of a function; ( was taken. */
static const hesca_ctype *
parse_parameters(hesca_parser *p, const hesca_ctype *result)
{
    enum { MOST = 64 };
    const hesca_ctype *param[MOST];
    int n = 0, is_variadic = p->token.kind == ')';
    if (hesca_parser_is(p, "void") && hesca_parser_second(p).kind == ')')
        hesca_parser_advance(p);
    while (p->token.kind != ')') {
        if (hesca_parser_take(p, HESCA_TOKEN_ELLIPSIS)) {
            is_variadic = 1;
            break;
        }
        const hesca_ctype *t = hesca_parse_specifiers(p, NULL);
        if (t == NULL || (t = parse_stars(p, t)) == NULL)
            return NULL;
        hesca_parser_take(p, HESCA_TOKEN_NAME);
        for (int k = 0; hesca_parser_take(p, '['); ++k) {
            /* Only the first extent may be left out; its value is unused. */
            if (p->token.kind != ']' && hesca_parse_assignment(p) == NULL)
                return NULL;
            if (hesca_parser_expect(p, ']', "'['") < 0)
                return NULL;
            if (k == 0 && (t = hesca_ctype_pointer(p, t)) == NULL)
                return NULL;
            if (k > 0)
                t = &hesca_ctype_unknown;
        }
        if (n == MOST) {
            hesca_parser_fail(p, "more than %d parameters", MOST);
            return NULL;
        }
        param[n++] = t;
        if (!hesca_parser_take(p, ','))
            break;
    }
    if (hesca_parser_expect(p, ')', "the parameters") < 0)
        return NULL;
    hesca_ctype *t = hesca_parser_new(p, sizeof *t);
    const hesca_ctype **copy =
        hesca_parser_new(p, ((size_t)n + 1) * sizeof *copy);
    if (t == NULL || copy == NULL)
        return NULL;
    memcpy(copy, param, (size_t)n * sizeof *copy);
    *t = (hesca_ctype){.kind = HESCA_C_FUNCTION,
                       .size = 1,
                       .align = 1,
                       .base = result,
                       .nparams = n,
                       .is_variadic = is_variadic,
                       .param = copy};
    return t;
}

const hesca_ctype *
hesca_parse_declarator(hesca_parser *p, const hesca_ctype *base,
                       hesca_token *name)
{
    const hesca_ctype *t = parse_stars(p, base);
    if (t == NULL)
        return NULL;
    *name = p->token;
    if (hesca_parser_expect(p, HESCA_TOKEN_NAME, "the type") < 0)
        return NULL;
    if (p->token.kind == '(') {
        hesca_parser_advance(p);
        return parse_parameters(p, t);
    }
    return parse_extents(p, t);
}

const hesca_ctype *
hesca_parse_type_name(hesca_parser *p)
{
    const hesca_ctype *t = hesca_parse_specifiers(p, NULL);
    return t != NULL ? parse_stars(p, t) : NULL;
}

/* --- external declarations --- */

/* Skip an initial value, or what else C may write here. */
static int
skip_value(hesca_parser *p)
{
    int depth = 0;
    while (depth > 0 || (p->token.kind != ',' && p->token.kind != ';')) {
        const int k = p->token.kind;
        depth += (k == '{' || k == '(' || k == '[') -
                 (k == '}' || k == ')' || k == ']');
        if (k == HESCA_TOKEN_END)
            return hesca_parser_fail(p, "';' is missing");
        if (hesca_parser_advance(p) < 0)
            return HESCA_ERR_PARAM;
    }
    return HESCA_SUCCESS;
}

/* Declare one name of an external declaration.
 * \param [out] is_dropped  hdpi.h declares it. */
static int
declare_external(hesca_parser *p, const hesca_token *name,
                 const hesca_ctype *type, int is_typedef, int *is_dropped)
{
    const hesca_symbol *old = hesca_parser_find(p, name->at, name->length);
    const int is_function = type->kind == HESCA_C_FUNCTION;
    if (old != NULL && is_function && old->kind == HESCA_NAME_FUNCTION) {
        if (old->known != NULL) {
            hesca_parser_warn(p, name->line, name->column,
                              "'%s' is declared by %s: this declaration is "
                              "left out",
                              old->name, old->from_hdpi ? "hdpi.h" : "math.h");
            *is_dropped = 1;
        }
        return HESCA_SUCCESS;
    }
    if (old != NULL && old->from_hdpi)
        return hesca_parser_fail_at(
            p, name->line, name->column,
            "'%s' is a type of hdpi.h, with members i and j; leave this out",
            old->name);
    if (is_typedef) {
        hesca_ctype *t = hesca_parser_new(p, sizeof *t);
        const char *copy = hesca_parser_copy(p, name->at, name->length);
        if (t == NULL || copy == NULL)
            return HESCA_ERR_NOMEM;
        *t = *type;
        t->name = copy;
        type = t;
    }
    return hesca_parser_declare(p,
                                is_typedef    ? HESCA_NAME_TYPE
                                : is_function ? HESCA_NAME_FUNCTION
                                              : HESCA_NAME_EXTERNAL,
                                name, type, NULL) == NULL
               ? HESCA_ERR_PARAM
               : HESCA_SUCCESS;
}

static int
parse_declarators(hesca_parser *p, const hesca_ctype *base, int is_typedef,
                  int *is_dropped)
{
    int err;
    do {
        hesca_token name;
        if (p->token.kind == '(') { /* a pointer to a function: C's alone */
            if ((err = skip_value(p)) < 0)
                return err;
            continue;
        }
        const hesca_ctype *type = hesca_parse_declarator(p, base, &name);
        if (type == NULL)
            return HESCA_ERR_PARAM;
        err = declare_external(p, &name, type, is_typedef, is_dropped);
        if (err < 0)
            return err;
        if (type->kind == HESCA_C_FUNCTION && p->token.kind == '{')
            return skip_braces(p);
        if (p->token.kind == '=' && (err = skip_value(p)) < 0)
            return err;
    } while (hesca_parser_take(p, ','));
    return hesca_parser_expect(p, ';', "a declaration");
}

int
hesca_parse_external(hesca_parser *p)
{
    const hesca_token first = p->token;
    int is_typedef, is_dropped = 0, err;
    if (!hesca_parse_is_type(p))
        return hesca_parser_fail(p, "a declaration of C, or 'algorithm "
                                    "NAME(...) { ... }', must be here");
    const hesca_ctype *base = hesca_parse_specifiers(p, &is_typedef);
    if (base == NULL)
        return HESCA_ERR_PARAM;
    if (!(p->token.kind == ';' && (err = hesca_parser_advance(p)) == 0))
        err = parse_declarators(p, base, is_typedef, &is_dropped);
    if (err < 0 || is_dropped)
        return err;
    hesca_copied *c = hesca_parser_new(p, sizeof *c);
    if (c == NULL)
        return HESCA_ERR_NOMEM;
    *c = (hesca_copied){first.at, (size_t)(p->last_end - first.at), first.line,
                        NULL};
    *p->last_copied = c;
    p->last_copied = &c->next;
    return HESCA_SUCCESS;
}
