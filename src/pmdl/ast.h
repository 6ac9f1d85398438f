/* SPDX-License-Identifier: BSD-3-Clause */
/** \file pmdl/ast.h
 * A model file after parsing: typed expressions and statements.
 *
 * The parser resolves names and types as it goes; conversions are nodes of
 * their own, so that both operands of an operator have the same type and the
 * evaluator converts nothing by itself.  All nodes belong to the file and are
 * freed with it. */
#ifndef HESCA_PMDL_AST_H
#define HESCA_PMDL_AST_H

#include "hesca/experimental/model.h"
#include "pmdl/instance.h"
#include <stddef.h>
#include <stdint.h>

typedef struct hesca_expr hesca_expr;
typedef struct hesca_ctype hesca_ctype;

/** Kinds of types; arithmetic ones in the order of C's conversion ranks. */
typedef enum {
    HESCA_C_VOID,
    HESCA_C_CHAR,
    HESCA_C_UCHAR,
    HESCA_C_SHORT,
    HESCA_C_USHORT,
    HESCA_C_INT,
    HESCA_C_UINT,
    HESCA_C_LONG,
    HESCA_C_ULONG,
    HESCA_C_FLOAT,
    HESCA_C_DOUBLE,
    HESCA_C_STRUCT,
    HESCA_C_ARRAY,
    HESCA_C_POINTER,
    HESCA_C_FUNCTION,
    HESCA_C_UNKNOWN /**< known to the C compiler alone */
} hesca_ckind;

typedef struct {
    const char *name;
    const hesca_ctype *type;
    size_t offset;
} hesca_cfield;

struct hesca_ctype {
    hesca_ckind kind;
    const char *name;        /**< as written in C; NULL: derived from base */
    size_t size, align;      /**< bytes; size 0: known at run time */
    const hesca_ctype *base; /**< of an array, pointer, function */
    int64_t extent;          /**< of an array, if its size is known */
    hesca_expr *count;       /**< of an array, else */
    int slot;                /**< that has the value of count */
    int nfields;
    hesca_cfield *field; /**< of a struct */
    int nparams, is_variadic;
    const hesca_ctype **param; /**< of a function */
};

/** What a name stands for. */
typedef enum {
    HESCA_NAME_VARIABLE,
    HESCA_NAME_PARAMETER, /**< of the model: read only */
    HESCA_NAME_COORDINATE,
    HESCA_NAME_TYPE,
    HESCA_NAME_CONSTANT,
    HESCA_NAME_FUNCTION,
    HESCA_NAME_EXTERNAL /**< a variable or macro that only C knows */
} hesca_name_kind;

typedef struct hesca_symbol {
    hesca_name_kind kind;
    const char *name;
    const hesca_ctype *type;
    int slot;                          /**< of variables */
    int line, column;                  /**< of the declaration */
    struct hesca_expr *value;          /**< of constants */
    const struct hesca_builtin *known; /**< functions that the evaluator has */
    int from_hdpi;                     /**< declared by hdpi.h */
    struct hesca_symbol *next;         /**< in the same or an outer scope */
} hesca_symbol;

typedef enum {
    HESCA_EXPR_INTEGER,
    HESCA_EXPR_REAL,
    HESCA_EXPR_TEXT, /**< copied: strings, and names known to C alone */
    HESCA_EXPR_NAME,
    HESCA_EXPR_SIZEOF,  /**< bytes of a type, a constant */
    HESCA_EXPR_CAST,    /**< of a; is_implicit: not written */
    HESCA_EXPR_UNARY,   /**< op: - + ~ ! & * */
    HESCA_EXPR_STEP,    /**< ++ and --; is_postfix */
    HESCA_EXPR_BINARY,  /**< op, of a and b */
    HESCA_EXPR_LOGICAL, /**< HESCA_TOKEN_AND, HESCA_TOKEN_OR */
    HESCA_EXPR_CONDITIONAL,
    HESCA_EXPR_ASSIGN, /**< op 0: plain; else a = (a op b) in type of b */
    HESCA_EXPR_COMMA,
    HESCA_EXPR_INDEX, /**< a[b] */
    HESCA_EXPR_MEMBER,
    HESCA_EXPR_CALL
} hesca_expr_kind;

struct hesca_expr {
    hesca_expr_kind kind;
    const hesca_ctype *type;
    int op, line, column;
    unsigned is_lvalue : 1, is_implicit : 1, is_postfix : 1, is_arrow : 1,
        has_effect : 1;
    int64_t integer;
    double real;
    const char *text; /**< [length] */
    size_t length;
    const hesca_symbol *symbol;
    const hesca_cfield *field;
    hesca_expr *a, *b, *c;
    hesca_expr **arg; /**< [nargs] of a call */
    int nargs, slot;  /**< slot: of a call's copied speeds, + argument */
};

typedef enum {
    HESCA_STMT_BLOCK,
    HESCA_STMT_EXPR,
    HESCA_STMT_DECLARE,
    HESCA_STMT_COMPUTE,
    HESCA_STMT_TRANSFER,
    HESCA_STMT_PAR,
    HESCA_STMT_FOR,
    HESCA_STMT_WHILE,
    HESCA_STMT_DO,
    HESCA_STMT_IF,
    HESCA_STMT_BREAK,
    HESCA_STMT_CONTINUE
} hesca_stmt_kind;

typedef struct hesca_stmt {
    hesca_stmt_kind kind;
    int line, column;
    hesca_expr *expr; /**< condition, percent, initial value */
    hesca_expr *step;
    hesca_expr **from, **to;         /**< [ndims] of units */
    const hesca_symbol *symbol;      /**< declared */
    struct hesca_stmt *first;        /**< of a block; of a loop's head */
    struct hesca_stmt *body, *other; /**< of loops, if and else */
    struct hesca_stmt *next;         /**< in its block */
} hesca_stmt;

typedef enum {
    HESCA_NODE_VOID,
    HESCA_NODE_BENCH,
    HESCA_NODE_RELATIVE
} hesca_node_kind;

typedef struct hesca_node_item {
    hesca_expr *guard; /**< NULL: default */
    hesca_node_kind kind;
    hesca_expr *volume;
    struct hesca_node_item *next;
} hesca_node_item;

typedef struct hesca_link_spec {
    hesca_expr *bytes; /**< NULL: 0 */
    hesca_expr **from, **to;
    int line, column;
    struct hesca_link_spec *next;
} hesca_link_spec;

typedef struct hesca_link_item {
    hesca_expr *guard; /**< NULL: always */
    hesca_link_spec *spec;
    struct hesca_link_item *next;
} hesca_link_item;

/** A coordinate variable. */
typedef struct {
    const hesca_symbol *symbol;
    hesca_expr *extent;
} hesca_coord;

/** A model: an algorithm of a file. */
typedef struct hesca_algorithm {
    const char *name;
    int line, column;
    int nparams, ndims, nlink_coords;
    hesca_symbol **param; /**< [nparams] */
    hesca_coord *coord, *link_coord;
    int has_node, has_link, has_scheme, is_relative;
    hesca_node_item *node;
    hesca_link_item *link;
    hesca_expr **parent; /**< [ndims] NULL: process 0 */
    hesca_stmt *scheme;  /**< a block */
    int nslots;          /**< of variables */
    const char *needs;   /**< a name that only C knows, NULL: none */
    int needs_line, needs_column;
    hesca_model_code code; /**< the evaluator of this model */
    struct hesca_algorithm *next;
} hesca_algorithm;

/** A piece of the file that is copied to generated C. */
typedef struct hesca_copied {
    const char *text;
    size_t length;
    int line;
    struct hesca_copied *next;
} hesca_copied;

typedef struct hesca_warning {
    int line, column;
    const char *text;
    struct hesca_warning *next;
} hesca_warning;

/** A model file.  Free with hesca_file_free(). */
typedef struct {
    const char *path;
    const char *text;
    hesca_algorithm *model; /**< the first */
    hesca_copied *copied;
    hesca_warning *warning;
    int nwarnings;
    int uses_hdpi;        /**< hdpi.h must be included */
    void *memory;         /**< of all nodes */
    int is_out_of_memory; /**< an allocation has failed */
} hesca_file;

/** Parse and check a model file, or a text.
 * \param [out] file  NULL on error.
 * \return HESCA_SUCCESS, HESCA_ERR_NOMEM, or HESCA_ERR_PARAM with a text
 *         "FILE:LINE:COLUMN: ..., near 'TOKEN'". */
int hesca_file_read(const char *path, hesca_file **file);
int hesca_file_parse(const char *path, const char *text, size_t length,
                     hesca_file **file);
void hesca_file_free(hesca_file *file);

/** A model of a file by name; NULL name: its only, or first, model. */
const hesca_algorithm *hesca_file_model(const hesca_file *file,
                                        const char *name);

#endif
