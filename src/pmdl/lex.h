/* SPDX-License-Identifier: BSD-3-Clause */
/** \file pmdl/lex.h
 * Tokens of a model file: those of C, and %%. */
#ifndef HESCA_PMDL_LEX_H
#define HESCA_PMDL_LEX_H

#include <stddef.h>
#include <stdint.h>

/** Single characters are their own kind. */
typedef enum {
    HESCA_TOKEN_END = 0,
    HESCA_TOKEN_NAME = 256,
    HESCA_TOKEN_INTEGER,
    HESCA_TOKEN_REAL,
    HESCA_TOKEN_CHARACTER,
    HESCA_TOKEN_STRING,
    HESCA_TOKEN_PREPROCESSOR, /**< a whole line that begins with # */
    HESCA_TOKEN_PERCENT2,     /**< %% */
    HESCA_TOKEN_ARROW,        /**< -> */
    HESCA_TOKEN_INCREMENT,
    HESCA_TOKEN_DECREMENT,
    HESCA_TOKEN_SHIFT_LEFT,
    HESCA_TOKEN_SHIFT_RIGHT,
    HESCA_TOKEN_LESS_EQUAL,
    HESCA_TOKEN_GREATER_EQUAL,
    HESCA_TOKEN_EQUAL,
    HESCA_TOKEN_NOT_EQUAL,
    HESCA_TOKEN_AND,
    HESCA_TOKEN_OR,
    HESCA_TOKEN_ELLIPSIS,
    HESCA_TOKEN_ASSIGN_FIRST, /**< compound assignments: + the operator */
    HESCA_TOKEN_ASSIGN_LAST = HESCA_TOKEN_ASSIGN_FIRST + 10,
    HESCA_TOKEN_ERROR /**< a message has been recorded */
} hesca_token_kind;

typedef struct {
    int kind;
    const char *at; /**< in the text */
    size_t length;
    int line, column; /**< from 1; columns are bytes */
    uint64_t integer; /**< INTEGER, CHARACTER */
    double real;      /**< REAL */
    int is_unsigned, is_long;
} hesca_token;

/** The state of the lexer: copy it to look ahead. */
typedef struct {
    const char *file; /**< for messages */
    const char *text, *at, *end;
    const char *line_start;
    int line;
    int at_line_start; /**< only blanks so far in this line */
} hesca_lexer;

void hesca_lexer_init(hesca_lexer *x, const char *file, const char *text,
                      size_t length);

/** The next token; HESCA_TOKEN_ERROR after a recorded message. */
hesca_token hesca_lexer_next(hesca_lexer *x);

/** The operator of a compound assignment: '+' or HESCA_TOKEN_SHIFT_LEFT. */
int hesca_token_operator(int kind);

/** Record "FILE:LINE:COLUMN: MESSAGE".
 * \return HESCA_ERR_PARAM. */
int hesca_lex_fail(const char *file, int line, int column, const char *format,
                   ...) __attribute__((format(printf, 4, 5)));

#endif
