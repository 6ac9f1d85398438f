/* SPDX-License-Identifier: BSD-3-Clause */
/* The lexer of model files. */
#include "pmdl/lex.h"
#include "base/status.h"
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int
hesca_lex_fail(const char *file, int line, int column, const char *format, ...)
{
    char text[HESCA_TEXT_MAX - 120];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    return hesca_fail(HESCA_ERR_PARAM, 0, "%.80s:%d:%d: %s", file, line,
                      column, text);
}

void
hesca_lexer_init(hesca_lexer *x, const char *file, const char *text,
                 size_t length)
{
    *x = (hesca_lexer){.file = file,
                       .text = text,
                       .at = text,
                       .end = text + length,
                       .line_start = text,
                       .line = 1,
                       .at_line_start = 1};
}

/* --- characters ---
 * Of the C locale, and independent of the program's. */

static int
is_letter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

static int
is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static char
peek(const hesca_lexer *x, int k)
{
    return x->end - x->at > k ? x->at[k] : '\0';
}

static void
advance(hesca_lexer *x)
{
    if (*x->at == '\n') {
        ++x->line;
        x->line_start = x->at + 1;
        x->at_line_start = 1;
    }
    ++x->at;
}

static hesca_token
fail(hesca_lexer *x, hesca_token t, const char *what)
{
    hesca_lex_fail(x->file, t.line, t.column, "%s", what);
    t.kind = HESCA_TOKEN_ERROR;
    return t;
}

/* Skip blanks and comments; 0 if a comment does not end. */
static int
skip(hesca_lexer *x, hesca_token *t)
{
    while (x->at < x->end) {
        const char c = *x->at;
        if (c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\f' ||
            c == '\v') {
            advance(x);
        } else if (c == '/' && peek(x, 1) == '/') {
            while (x->at < x->end && *x->at != '\n')
                advance(x);
        } else if (c == '/' && peek(x, 1) == '*') {
            t->line = x->line;
            t->column = (int)(x->at - x->line_start) + 1;
            for (x->at += 2;; advance(x)) {
                if (x->at >= x->end)
                    return 0;
                if (*x->at == '*' && peek(x, 1) == '/')
                    break;
            }
            x->at += 2;
        } else {
            break;
        }
    }
    return 1;
}

/* --- numbers, characters, strings --- */

static int
digit_value(char c)
{
    if (is_digit(c))
        return c - '0';
    if (c >= 'a' && c <= 'f')
        return c - 'a' + 10;
    if (c >= 'A' && c <= 'F')
        return c - 'A' + 10;
    return 99;
}

/* strtod() obeys the locale of the program, so a number is read from a copy
 * with the locale's decimal point. */
static int
read_real(const char *at, size_t length, double *value)
{
    char copy[128], point[8], *end;
    if (length >= sizeof copy - sizeof point)
        return 0;
    snprintf(point, sizeof point, "%.1f", 0.5);
    const size_t wide = strlen(point) - 2;
    size_t n = 0;
    for (size_t k = 0; k < length; ++k) {
        if (at[k] != '.') {
            copy[n++] = at[k];
            continue;
        }
        memcpy(copy + n, point + 1, wide);
        n += wide;
    }
    copy[n] = '\0';
    *value = strtod(copy, &end);
    return *end == '\0' && *value <= 1.7976931348623157e308;
}

static hesca_token
real_number(hesca_lexer *x, hesca_token t)
{
    const char *start = x->at;
    while (is_digit(peek(x, 0)) || peek(x, 0) == '.')
        ++x->at;
    if (peek(x, 0) == 'e' || peek(x, 0) == 'E') {
        ++x->at;
        if (peek(x, 0) == '+' || peek(x, 0) == '-')
            ++x->at;
        while (is_digit(peek(x, 0)))
            ++x->at;
    }
    const size_t length = (size_t)(x->at - start);
    if (is_letter(peek(x, 0)))
        return fail(x, t, "a number of type double has no suffix here");
    if (!read_real(start, length, &t.real))
        return fail(x, t, "this is not a number in the range of double");
    t.kind = HESCA_TOKEN_REAL;
    t.length = length;
    return t;
}

static hesca_token
whole_number(hesca_lexer *x, hesca_token t)
{
    const char *start = x->at;
    int base = 10;
    if (*x->at == '0' && (peek(x, 1) == 'x' || peek(x, 1) == 'X')) {
        base = 16;
        x->at += 2;
    } else if (*x->at == '0') {
        base = 8;
    }
    int ndigits = 0;
    for (; digit_value(peek(x, 0)) < base; ++x->at, ++ndigits) {
        const unsigned d = (unsigned)digit_value(*x->at);
        if (t.integer > (UINT64_MAX - d) / (unsigned)base)
            return fail(x, t, "this number is beyond 64 bits");
        t.integer = t.integer * (unsigned)base + d;
    }
    for (;; ++x->at) {
        const char c = peek(x, 0);
        if (c == 'u' || c == 'U')
            t.is_unsigned = 1;
        else if (c == 'l' || c == 'L')
            t.is_long = 1;
        else
            break;
    }
    if (ndigits == 0 || is_letter(peek(x, 0)) || is_digit(peek(x, 0)))
        return fail(x, t, "this is not a number");
    t.kind = HESCA_TOKEN_INTEGER;
    t.length = (size_t)(x->at - start);
    return t;
}

static hesca_token
number(hesca_lexer *x, hesca_token t)
{
    const char *c = x->at;
    if (!(*c == '0' && (peek(x, 1) == 'x' || peek(x, 1) == 'X'))) {
        while (c < x->end && is_digit(*c))
            ++c;
        if (c < x->end && (*c == '.' || *c == 'e' || *c == 'E'))
            return real_number(x, t);
    }
    return whole_number(x, t);
}

static int
escape(char c)
{
    static const char from[] = "ntr0\\'\"", to[] = "\n\t\r\0\\'\"";
    const char *found = c != '\0' ? strchr(from, c) : NULL;
    return found != NULL ? (unsigned char)to[found - from] : -1;
}

static hesca_token
quoted(hesca_lexer *x, hesca_token t, char quote)
{
    const char *start = x->at++;
    int n = 0;
    for (; peek(x, 0) != quote; ++n) {
        int c = (unsigned char)peek(x, 0);
        if (x->at >= x->end || c == '\n')
            return fail(x, t, "a quote does not end on its line");
        ++x->at;
        if (c == '\\') {
            c = escape(peek(x, 0));
            if (c < 0)
                return fail(x, t, "this escape sequence is not known");
            ++x->at;
        }
        t.integer = (uint64_t)c;
    }
    ++x->at;
    if (quote == '\'' && (n != 1 || t.integer > 127))
        return fail(x, t, "a character constant has one character");
    t.kind = quote == '"' ? HESCA_TOKEN_STRING : HESCA_TOKEN_CHARACTER;
    t.length = (size_t)(x->at - start);
    return t;
}

/* --- operators --- */

/* Longest first. */
static const struct {
    char text[4];
    int kind;
} operators[] = {
    {"...", HESCA_TOKEN_ELLIPSIS},
    {"<<=", HESCA_TOKEN_ASSIGN_FIRST + 5},
    {">>=", HESCA_TOKEN_ASSIGN_FIRST + 6},
    {"%%", HESCA_TOKEN_PERCENT2},
    {"->", HESCA_TOKEN_ARROW},
    {"++", HESCA_TOKEN_INCREMENT},
    {"--", HESCA_TOKEN_DECREMENT},
    {"<<", HESCA_TOKEN_SHIFT_LEFT},
    {">>", HESCA_TOKEN_SHIFT_RIGHT},
    {"<=", HESCA_TOKEN_LESS_EQUAL},
    {">=", HESCA_TOKEN_GREATER_EQUAL},
    {"==", HESCA_TOKEN_EQUAL},
    {"!=", HESCA_TOKEN_NOT_EQUAL},
    {"&&", HESCA_TOKEN_AND},
    {"||", HESCA_TOKEN_OR},
    {"+=", HESCA_TOKEN_ASSIGN_FIRST},
    {"-=", HESCA_TOKEN_ASSIGN_FIRST + 1},
    {"*=", HESCA_TOKEN_ASSIGN_FIRST + 2},
    {"/=", HESCA_TOKEN_ASSIGN_FIRST + 3},
    {"%=", HESCA_TOKEN_ASSIGN_FIRST + 4},
    {"&=", HESCA_TOKEN_ASSIGN_FIRST + 7},
    {"^=", HESCA_TOKEN_ASSIGN_FIRST + 8},
    {"|=", HESCA_TOKEN_ASSIGN_FIRST + 9},
};

int
hesca_token_operator(int kind)
{
    static const int of[] = {'+',
                             '-',
                             '*',
                             '/',
                             '%',
                             HESCA_TOKEN_SHIFT_LEFT,
                             HESCA_TOKEN_SHIFT_RIGHT,
                             '&',
                             '^',
                             '|'};
    return of[kind - HESCA_TOKEN_ASSIGN_FIRST];
}

/* The bytes of one character of UTF-8, for messages. */
static hesca_token
foreign(hesca_lexer *x, hesca_token t)
{
    int n = 1;
    while (n < 4 && ((unsigned char)peek(x, n) & 0xc0) == 0x80)
        ++n;
    if ((unsigned char)*x->at < ' ' || *x->at == 127)
        hesca_lex_fail(x->file, t.line, t.column, "a byte 0x%02x is not text",
                       (unsigned char)*x->at);
    else
        hesca_lex_fail(x->file, t.line, t.column,
                       "'%.*s' is not a character of the language", n, x->at);
    t.kind = HESCA_TOKEN_ERROR;
    return t;
}

static hesca_token
punctuation(hesca_lexer *x, hesca_token t)
{
    for (size_t k = 0; k < sizeof operators / sizeof *operators; ++k) {
        const size_t n = strlen(operators[k].text);
        if ((size_t)(x->end - x->at) >= n &&
            memcmp(x->at, operators[k].text, n) == 0) {
            x->at += n;
            t.kind = operators[k].kind;
            t.length = n;
            return t;
        }
    }
    if (*x->at == '\0' || strchr("+-*/%<>=!&|^~?:;,.()[]{}", *x->at) == NULL)
        return foreign(x, t);
    t.kind = (unsigned char)*x->at++;
    t.length = 1;
    return t;
}

/* A line for the C preprocessor, with its continuation lines. */
static hesca_token
preprocessor(hesca_lexer *x, hesca_token t)
{
    const char *start = x->at;
    while (x->at < x->end && *x->at != '\n') {
        if (*x->at == '\\' && peek(x, 1) == '\n')
            advance(x);
        advance(x);
    }
    t.kind = HESCA_TOKEN_PREPROCESSOR;
    t.length = (size_t)(x->at - start);
    return t;
}

hesca_token
hesca_lexer_next(hesca_lexer *x)
{
    hesca_token t = {.kind = HESCA_TOKEN_END};
    if (!skip(x, &t))
        return fail(x, t, "a comment does not end");
    t.at = x->at;
    t.line = x->line;
    t.column = (int)(x->at - x->line_start) + 1;
    if (x->at >= x->end)
        return t;
    const char c = *x->at;
    const int is_first = x->at_line_start;
    x->at_line_start = 0;
    if (c == '#' && is_first)
        return preprocessor(x, t);
    if (is_digit(c) || (c == '.' && is_digit(peek(x, 1))))
        return number(x, t);
    if (c == '\'' || c == '"')
        return quoted(x, t, c);
    if (!is_letter(c))
        return punctuation(x, t);
    while (is_letter(peek(x, 0)) || is_digit(peek(x, 0)))
        ++x->at;
    t.kind = HESCA_TOKEN_NAME;
    t.length = (size_t)(x->at - t.at);
    return t;
}
