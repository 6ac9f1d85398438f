/* SPDX-License-Identifier: BSD-3-Clause */
/* Parsing a model file: tokens, names, memory, and the file as a whole. */
#include "pmdl/parser.h"
#include "base/status.h"
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { FILE_MOST = 1 << 20, MEMORY_MOST = 1 << 28, WARNINGS_MOST = 50 };

/* --- memory ---
 * Pieces are linked to the file, which frees them all. */

typedef union piece {
    union piece *next;
    double align_double;
    int64_t align_integer;
} piece;

void *
hesca_parser_new(hesca_parser *p, size_t bytes)
{
    piece *x = NULL;
    p->memory += bytes + sizeof *x;
    if (p->memory <= MEMORY_MOST)
        x = calloc(1, sizeof *x + bytes);
    if (x == NULL) {
        p->file->is_out_of_memory = 1;
        return NULL;
    }
    x->next = p->file->memory;
    p->file->memory = x;
    return x + 1;
}

char *
hesca_parser_copy(hesca_parser *p, const char *text, size_t length)
{
    char *copy = hesca_parser_new(p, length + 1);
    if (copy != NULL)
        memcpy(copy, text, length);
    return copy;
}

void
hesca_file_free(hesca_file *file)
{
    if (file == NULL)
        return;
    for (piece *x = file->memory, *next; x != NULL; x = next) {
        next = x->next;
        free(x);
    }
    free(file);
}

/* --- messages --- */

static int
fail_near(const hesca_parser *p, const hesca_token *t, const char *what)
{
    if (t->kind == HESCA_TOKEN_ERROR)
        return HESCA_ERR_PARAM;
    if (t->kind == HESCA_TOKEN_END)
        return hesca_lex_fail(p->file->path, t->line, t->column,
                              "%s, near the end of the file", what);
    int n = t->length < 40 ? (int)t->length : 40;
    for (int k = 0; k < n; ++k)
        if (t->at[k] == '\n')
            n = k;
    return hesca_lex_fail(p->file->path, t->line, t->column, "%s, near '%.*s'",
                          what, n, t->at);
}

int
hesca_parser_fail(const hesca_parser *p, const char *format, ...)
{
    char text[HESCA_TEXT_MAX];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    return fail_near(p, &p->token, text);
}

/* The token at the place is read again for the message. */
int
hesca_parser_fail_at(const hesca_parser *p, int line, int column,
                     const char *format, ...)
{
    char text[HESCA_TEXT_MAX];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    hesca_lexer x;
    hesca_lexer_init(&x, p->file->path, p->lexer.text,
                     (size_t)(p->lexer.end - p->lexer.text));
    for (; x.at < x.end && x.line < line; ++x.at)
        if (*x.at == '\n') {
            ++x.line;
            x.line_start = x.at + 1;
        }
    x.at += column - 1;
    x.at_line_start = 0;
    const hesca_token t = hesca_lexer_next(&x);
    return fail_near(p, &t, text);
}

void
hesca_parser_warn(hesca_parser *p, int line, int column, const char *format,
                  ...)
{
    char text[HESCA_TEXT_MAX];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    if (p->file->nwarnings >= WARNINGS_MOST)
        return;
    hesca_warning *w = hesca_parser_new(p, sizeof *w);
    if (w == NULL)
        return;
    *w = (hesca_warning){line, column,
                         hesca_parser_copy(p, text, strlen(text)), NULL};
    if (w->text == NULL)
        return;
    *p->last_warning = w;
    p->last_warning = &w->next;
    ++p->file->nwarnings;
}

/* --- tokens --- */

int
hesca_parser_advance(hesca_parser *p)
{
    p->last_end = p->token.at + p->token.length;
    p->token = hesca_lexer_next(&p->lexer);
    return p->token.kind == HESCA_TOKEN_ERROR ? HESCA_ERR_PARAM
                                              : HESCA_SUCCESS;
}

int
hesca_parser_is(const hesca_parser *p, const char *word)
{
    return p->token.kind == HESCA_TOKEN_NAME &&
           strlen(word) == p->token.length &&
           memcmp(word, p->token.at, p->token.length) == 0;
}

hesca_token
hesca_parser_second(const hesca_parser *p)
{
    hesca_lexer ahead = p->lexer;
    return hesca_lexer_next(&ahead);
}

int
hesca_parser_take(hesca_parser *p, int kind)
{
    if (p->token.kind != kind)
        return 0;
    hesca_parser_advance(p);
    return 1;
}

int
hesca_parser_take_word(hesca_parser *p, const char *word)
{
    if (!hesca_parser_is(p, word))
        return 0;
    hesca_parser_advance(p);
    return 1;
}

static const char *
token_name(int kind, char text[4])
{
    if (kind == HESCA_TOKEN_ARROW)
        return "->";
    if (kind == HESCA_TOKEN_NAME)
        return "a name";
    text[0] = (char)kind;
    text[1] = '\0';
    return text;
}

int
hesca_parser_expect(hesca_parser *p, int kind, const char *where)
{
    char text[4];
    if (p->token.kind == kind)
        return hesca_parser_advance(p);
    return hesca_parser_fail(p,
                             kind == HESCA_TOKEN_NAME ? "%s must follow %s"
                                                      : "'%s' must follow %s",
                             token_name(kind, text), where);
}

int
hesca_parser_enter(hesca_parser *p)
{
    if (++p->depth > HESCA_PARSER_DEPTH)
        return hesca_parser_fail(p, "this is nested more than %d deep",
                                 HESCA_PARSER_DEPTH);
    return HESCA_SUCCESS;
}

/* --- names --- */

hesca_symbol *
hesca_parser_find(const hesca_parser *p, const char *name, size_t length)
{
    for (hesca_symbol *s = p->scope; s != NULL; s = s->next)
        if (strlen(s->name) == length && memcmp(s->name, name, length) == 0)
            return s;
    return NULL;
}

hesca_symbol *
hesca_parser_declare(hesca_parser *p, hesca_name_kind kind,
                     const hesca_token *name, const hesca_ctype *type,
                     const hesca_symbol *scope)
{
    for (const hesca_symbol *s = p->scope; s != scope; s = s->next)
        if (strlen(s->name) == name->length &&
            memcmp(s->name, name->at, name->length) == 0) {
            hesca_parser_fail_at(p, name->line, name->column,
                                 "'%.*s' is declared already",
                                 (int)name->length, name->at);
            return NULL;
        }
    hesca_symbol *s = hesca_parser_new(p, sizeof *s);
    if (s == NULL)
        return NULL;
    *s = (hesca_symbol){.kind = kind,
                        .name = hesca_parser_copy(p, name->at, name->length),
                        .type = type,
                        .line = name->line,
                        .column = name->column,
                        .next = p->scope};
    if (s->name == NULL)
        return NULL;
    if (p->model != NULL && kind <= HESCA_NAME_COORDINATE)
        s->slot = p->model->nslots++;
    return p->scope = s;
}

/* --- files --- */

/* A line for the preprocessor: #define of a constant is understood, and
 * #include of a header of which all names are known. */
static int
is_blank(char c)
{
    return c == ' ' || c == '\t';
}

static const char *
skip_word(const char *at, const char *end)
{
    while (at < end &&
           ((*at >= 'a' && *at <= 'z') || (*at >= 'A' && *at <= 'Z') ||
            *at == '_' || (*at >= '0' && *at <= '9')))
        ++at;
    return at;
}

/* The value of a macro, if its text is a constant expression. */
static hesca_expr *
macro_value(hesca_parser *p, const char *at, const char *end)
{
    hesca_parser inner = *p;
    inner.lexer.at = at;
    inner.lexer.end = end;
    inner.lexer.at_line_start = 0;
    hesca_expr *e = NULL;
    int64_t unused;
    if (hesca_parser_advance(&inner) == 0)
        e = hesca_parse_expr(&inner);
    p->memory = inner.memory;
    if (e == NULL || inner.token.kind != HESCA_TOKEN_END ||
        !hesca_ctype_is_number(e->type) ||
        (e->kind != HESCA_EXPR_REAL && !hesca_expr_constant(e, &unused)))
        return NULL;
    return e;
}

static int
define(hesca_parser *p, const char *at, const char *end)
{
    while (at < end && is_blank(*at))
        ++at;
    const char *name = at;
    at = skip_word(at, end);
    const hesca_token t = {.at = name,
                           .length = (size_t)(at - name),
                           .line = p->token.line,
                           .column = p->token.column};
    if (t.length == 0 || hesca_parser_find(p, name, t.length) != NULL)
        return HESCA_SUCCESS;
    hesca_expr *value =
        at < end && *at == '(' ? NULL : macro_value(p, at, end);
    hesca_symbol *s = hesca_parser_declare(
        p, value != NULL ? HESCA_NAME_CONSTANT : HESCA_NAME_EXTERNAL, &t,
        value != NULL ? value->type : &hesca_ctype_unknown, p->scope);
    if (s == NULL)
        return HESCA_ERR_NOMEM;
    s->value = value;
    return HESCA_SUCCESS;
}

static int
is_known_header(const char *at, size_t length)
{
    static const char *const known[] = {"<math.h>", "<stddef.h>", "\"hdpi.h\"",
                                        "<hdpi.h>"};
    for (size_t k = 0; k < sizeof known / sizeof *known; ++k)
        if (strlen(known[k]) <= length &&
            memcmp(known[k], at, strlen(known[k])) == 0)
            return 1;
    return 0;
}

static int
parse_preprocessor(hesca_parser *p)
{
    const char *at = p->token.at + 1, *end = p->token.at + p->token.length;
    while (at < end && is_blank(*at))
        ++at;
    const char *word = at;
    at = skip_word(at, end);
    const size_t n = (size_t)(at - word);
    while (at < end && is_blank(*at))
        ++at;
    if (n == 6 && memcmp(word, "define", n) == 0) {
        if (define(p, at, end) < 0)
            return HESCA_ERR_NOMEM;
    } else if (n == 7 && memcmp(word, "include", n) == 0 &&
               !is_known_header(at, (size_t)(end - at))) {
        p->has_include = 1;
    }
    hesca_copied *c = hesca_parser_new(p, sizeof *c);
    if (c == NULL)
        return HESCA_ERR_NOMEM;
    *c = (hesca_copied){p->token.at, p->token.length, p->token.line, NULL};
    *p->last_copied = c;
    p->last_copied = &c->next;
    return hesca_parser_advance(p);
}

static int
parse_file(hesca_parser *p)
{
    int err;
    while (p->token.kind != HESCA_TOKEN_END) {
        if (p->token.kind == HESCA_TOKEN_PREPROCESSOR)
            err = parse_preprocessor(p);
        else if (hesca_parser_is(p, "algorithm") ||
                 hesca_parser_is(p, "nettype"))
            err = hesca_parse_model(p);
        else if (hesca_parser_take(p, ';'))
            err = p->token.kind == HESCA_TOKEN_ERROR ? HESCA_ERR_PARAM : 0;
        else
            err = hesca_parse_external(p);
        if (err < 0)
            return err;
    }
    if (p->file->model == NULL)
        return hesca_parser_fail(p, "the file has no model: 'algorithm "
                                    "NAME(...) { ... }'");
    return HESCA_SUCCESS;
}

int
hesca_file_parse(const char *path, const char *text, size_t length,
                 hesca_file **file)
{
    *file = NULL;
    hesca_parser p = {.depth = 0};
    int err = HESCA_SUCCESS;
    p.file = calloc(1, sizeof *p.file);
    if (p.file == NULL)
        return hesca_fail(HESCA_ERR_NOMEM, 0, "%.80s: a model", path);
    p.last_copied = &p.file->copied;
    p.last_warning = &p.file->warning;
    p.file->path = path;
    p.file->path = hesca_parser_copy(&p, path, strlen(path));
    if (p.file->path == NULL)
        goto fail;
    p.file->text = hesca_parser_copy(&p, text, length);
    if (p.file->text == NULL)
        goto fail;
    if (length > FILE_MOST) {
        err = hesca_fail(HESCA_ERR_PARAM, 0,
                         "%.80s: %zu bytes; a model file has at most %d", path,
                         length, FILE_MOST);
        goto fail;
    }
    hesca_lexer_init(&p.lexer, p.file->path, p.file->text, length);
    HESCA_TRY(err, hesca_parser_builtins(&p));
    HESCA_TRY(err, hesca_parser_advance(&p));
    HESCA_TRY(err, parse_file(&p));
fail:
    /* A rule that is without memory may make others fail, or go on. */
    err = p.file->is_out_of_memory
              ? hesca_fail(HESCA_ERR_NOMEM, 0, "%.80s: %zu bytes", path,
                           p.memory)
              : err;
    if (err < 0)
        hesca_file_free(p.file);
    else
        *file = p.file;
    return err;
}

/* The bytes of a file; NULL after a recorded error. */
static char *
read_all(const char *path, size_t *length)
{
    char *text = NULL;
    FILE *file = fopen(path, "rb");
    if (file == NULL) {
        hesca_fail(HESCA_ERR_PARAM, 0, "%.100s: %s", path, strerror(errno));
        return NULL;
    }
    text = malloc(FILE_MOST + 2);
    if (text == NULL) {
        hesca_fail(HESCA_ERR_NOMEM, 0, "%.100s", path);
    } else {
        *length = fread(text, 1, FILE_MOST + 1, file);
        if (ferror(file)) {
            hesca_fail(HESCA_ERR_PARAM, 0, "%.100s cannot be read: %s", path,
                       strerror(errno));
            free(text);
            text = NULL;
        }
    }
    fclose(file);
    return text;
}

int
hesca_file_read(const char *path, hesca_file **file)
{
    size_t length = 0;
    *file = NULL;
    char *text = read_all(path, &length);
    if (text == NULL)
        return hesca_failure_get()->err;
    const int err = hesca_file_parse(path, text, length, file);
    free(text);
    return err;
}

const hesca_algorithm *
hesca_file_model(const hesca_file *file, const char *name)
{
    for (const hesca_algorithm *m = file->model; m != NULL; m = m->next)
        if (name == NULL || strcmp(m->name, name) == 0)
            return m;
    return NULL;
}
