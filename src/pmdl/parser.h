/* SPDX-License-Identifier: BSD-3-Clause */
/** \file pmdl/parser.h
 * The state of the parser, and what its files share.  One function per rule of
 * the grammar; they return NULL, or a negative status, after the first
 * error. */
#ifndef HESCA_PMDL_PARSER_H
#define HESCA_PMDL_PARSER_H

#include "pmdl/ast.h"
#include "pmdl/lex.h"

typedef struct {
    hesca_lexer lexer;
    hesca_token token;    /**< the next one */
    const char *last_end; /**< of the token before it */
    hesca_file *file;
    hesca_symbol *scope;    /**< the innermost name; to the file's first */
    hesca_algorithm *model; /**< that is being parsed */
    int depth;              /**< of nesting */
    int stops_at_point;     /**< a [ that begins "point ->" ends an operand */
    int nloops, in_par;     /**< loops around, par directly around */
    int has_include;        /**< of a header with unknown names */
    hesca_copied **last_copied;
    hesca_warning **last_warning;
    size_t memory; /**< bytes in use */
} hesca_parser;

enum { HESCA_PARSER_DEPTH = 200 };

/** \name Tokens
 * \{ */
int hesca_parser_advance(hesca_parser *p);
int hesca_parser_is(const hesca_parser *p, const char *word);
/** The token after the next one. */
hesca_token hesca_parser_second(const hesca_parser *p);
/** Take the next token if it is of this kind, or this word. */
int hesca_parser_take(hesca_parser *p, int kind);
int hesca_parser_take_word(hesca_parser *p, const char *word);
/** It must be. \return 0 or a negative status. */
int hesca_parser_expect(hesca_parser *p, int kind, const char *where);
/** Record "MESSAGE, near 'TOKEN'" at the next token.
 * \return HESCA_ERR_PARAM. */
int hesca_parser_fail(const hesca_parser *p, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
/** The same at a place. */
int hesca_parser_fail_at(const hesca_parser *p, int line, int column,
                         const char *format, ...)
    __attribute__((format(printf, 4, 5)));
void hesca_parser_warn(hesca_parser *p, int line, int column,
                       const char *format, ...)
    __attribute__((format(printf, 4, 5)));
/** Begin and end a nested construct. \return 0, or HESCA_ERR_PARAM. */
int hesca_parser_enter(hesca_parser *p);
/** \} */

/** \name Memory
 * NULL after a recorded error.
 * \{ */
void *hesca_parser_new(hesca_parser *p, size_t bytes);
char *hesca_parser_copy(hesca_parser *p, const char *text, size_t length);
/** \} */

/** \name Names
 * \{ */
hesca_symbol *hesca_parser_find(const hesca_parser *p, const char *name,
                                size_t length);
/** Declare a name in the present scope, which began at `scope`. */
hesca_symbol *hesca_parser_declare(hesca_parser *p, hesca_name_kind kind,
                                   const hesca_token *name,
                                   const hesca_ctype *type,
                                   const hesca_symbol *scope);
/** Declare what hdpi.h and math.h declare. */
int hesca_parser_builtins(hesca_parser *p);
/** \} */

/** \name Types
 * \{ */
extern const hesca_ctype hesca_ctypes[HESCA_C_DOUBLE + 1];
extern const hesca_ctype hesca_ctype_unknown;
int hesca_ctype_is_whole(const hesca_ctype *t);
int hesca_ctype_is_number(const hesca_ctype *t);
/** Whether two types are the same. */
int hesca_ctype_equal(const hesca_ctype *a, const hesca_ctype *b);
hesca_ctype *hesca_ctype_pointer(hesca_parser *p, const hesca_ctype *base);
/** Write a type as in C. */
void hesca_ctype_write(const hesca_ctype *t, char *text, size_t room);
/** Whether the next token begins a type. */
int hesca_parse_is_type(const hesca_parser *p);
/** type specifiers; NULL on error. */
const hesca_ctype *hesca_parse_specifiers(hesca_parser *p, int *is_typedef);
/** { * } name { [expr] } or a function's ( parameters ). */
const hesca_ctype *hesca_parse_declarator(hesca_parser *p,
                                          const hesca_ctype *base,
                                          hesca_token *name);
/** type { * }, without a name: of casts and sizeof. */
const hesca_ctype *hesca_parse_type_name(hesca_parser *p);
/** Any external declaration, which is copied. */
int hesca_parse_external(hesca_parser *p);
/** \} */

/** \name Expressions
 * \{ */
hesca_expr *hesca_parse_expr(hesca_parser *p);       /**< with commas */
hesca_expr *hesca_parse_assignment(hesca_parser *p); /**< without */
hesca_expr *hesca_parse_product(hesca_parser *p);    /**< a * b / c */
/** An expression that is a number; its value is converted to type. */
hesca_expr *hesca_parse_number(hesca_parser *p, const hesca_ctype *type);
/** The value of a constant expression. \return 1, or 0. */
int hesca_expr_constant(const hesca_expr *e, int64_t *value);
/** [expr, ...] with as many coordinates as the model has. */
hesca_expr **hesca_parse_point(hesca_parser *p);
/** \} */

/** \name Checked nodes
 * Made from checked operands.
 * \{ */
hesca_expr *hesca_expr_new(hesca_parser *p, hesca_expr_kind kind,
                           const hesca_ctype *type, const hesca_token *at);
hesca_expr *hesca_check_binary(hesca_parser *p, const hesca_token *op,
                               int kind, hesca_expr *a, hesca_expr *b);
hesca_expr *hesca_check_unary(hesca_parser *p, const hesca_token *op,
                              hesca_expr *a);
hesca_expr *hesca_check_step(hesca_parser *p, const hesca_token *op,
                             hesca_expr *a, int is_postfix);
hesca_expr *hesca_check_logical(hesca_parser *p, const hesca_token *op,
                                hesca_expr *a, hesca_expr *b);
hesca_expr *hesca_check_conditional(hesca_parser *p, const hesca_token *op,
                                    hesca_expr *a, hesca_expr *b,
                                    hesca_expr *c);
hesca_expr *hesca_check_assign(hesca_parser *p, const hesca_token *op,
                               hesca_expr *a, hesca_expr *b);
hesca_expr *hesca_check_index(hesca_parser *p, const hesca_token *at,
                              hesca_expr *a, hesca_expr *b);
hesca_expr *hesca_check_member(hesca_parser *p, const hesca_token *name,
                               hesca_expr *a, int is_arrow);
hesca_expr *hesca_check_call(hesca_parser *p, const hesca_token *at,
                             hesca_expr *function, hesca_expr **arg,
                             int nargs);
/** A condition: any number or pointer. */
hesca_expr *hesca_check_condition(hesca_parser *p, hesca_expr *a);
/** The value of a in another type; `what` is for messages. */
hesca_expr *hesca_check_convert(hesca_parser *p, hesca_expr *a,
                                const hesca_ctype *type, const char *what);
/** \} */

/** \name Statements and models
 * \{ */
hesca_stmt *hesca_parse_block(hesca_parser *p);
int hesca_parse_model(hesca_parser *p);
/** Whether a loop can never end: no variable of its condition is changed. */
const hesca_symbol *hesca_check_endless(const hesca_stmt *loop);
/** \} */

#endif
