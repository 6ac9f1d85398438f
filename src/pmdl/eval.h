/* SPDX-License-Identifier: BSD-3-Clause */
/** \file pmdl/eval.h
 * The evaluator: runs a parsed model directly, with the arithmetic of C on
 * this machine.  Where C leaves behaviour undefined (overflow, division by 0,
 * subscripts out of range) it ends with an error. */
#ifndef HESCA_PMDL_EVAL_H
#define HESCA_PMDL_EVAL_H

#include "pmdl/bind.h"
#include "pmdl/parser.h"

/** Where a variable's value is. */
typedef struct {
    union {
        char bytes[16];
        double align_double;
        int64_t align_integer;
        void *align_pointer;
    } small; /**< of values that fit */
    char *data;
    size_t size, room;
    int is_const;
} hesca_block;

/** A pointer of the model: block NULL is NULL. */
typedef struct {
    hesca_block *block;
    int64_t offset;
} hesca_pointer;

typedef union {
    int64_t i;
    uint64_t u;
    double d;
    hesca_pointer p;
} hesca_value;

/** A running model. */
typedef struct hesca_evaluation {
    const hesca_algorithm *model;
    hesca_binding *binding; /**< errors go there */
    hesca_block *block;     /**< [nslots] */
    int64_t *extent;        /**< [nslots] of arrays */
    size_t memory;
} hesca_evaluation;

/** Fill in the code of a model, whose functions run it by the evaluator. */
int hesca_eval_init(hesca_parser *p, hesca_algorithm *model);

/** Whether code is that of a parsed model. */
int hesca_eval_owns(const hesca_model_code *code);

/** Begin and end the evaluation of a model.
 * \return NULL without memory. */
hesca_evaluation *hesca_evaluation_create(const hesca_algorithm *model,
                                          hesca_binding *binding);
void hesca_evaluation_free(hesca_evaluation *ev);

/** \name Between the files of the evaluator
 * \{ */
hesca_value hesca_eval(hesca_evaluation *ev, const hesca_expr *e);
hesca_value hesca_eval_call(hesca_evaluation *ev, const hesca_expr *e);
int hesca_eval_is_true(hesca_evaluation *ev, const hesca_expr *e);
/** Bytes of a type, of which all extents are known. */
size_t hesca_eval_size(const hesca_evaluation *ev, const hesca_ctype *t);
/** Make a block of this many bytes, filled with 0. */
int hesca_eval_room(hesca_evaluation *ev, hesca_block *b, size_t size);
/** Record an error at an expression. \return 0. */
int hesca_eval_fail(hesca_evaluation *ev, const hesca_expr *e,
                    const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/** \} */

#endif
