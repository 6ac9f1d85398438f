/* SPDX-License-Identifier: BSD-3-Clause */
/** \file pmdl/bind.h
 * Bind parameters to a model: what runs its code, whether the evaluator's or
 * compiled, and collects an instance. */
#ifndef HESCA_PMDL_BIND_H
#define HESCA_PMDL_BIND_H

#include "hesca/experimental/model.h"
#include "pmdl/instance.h"

struct hesca_evaluation;
struct hesca_scheme_builder;

/** Values of a model's parameters. */
typedef struct {
    const hesca_model_code *code;
    void **value;     /**< [nparams] int * or double *; NULL: not set */
    long long *count; /**< [nparams] elements of vectors, 1 of scalars */
    int64_t steps;    /**< most iterations of loops; 0: a default */
} hesca_model_args;

/** A model while it runs. */
typedef struct hesca_binding {
    hesca_model_run run;
    const hesca_model_code *code;
    const char *file;
    int err;                             /**< the first error's code */
    struct hesca_evaluation *evaluation; /**< of the evaluator's models */
    struct hesca_scheme_builder *trace;
    hesca_instance *instance;
    int64_t steps, steps_most; /**< iterations of loops */
    void **array;              /**< [narrays] of run.array and run.doubles */
    int narrays;
    size_t memory;
    struct hesca_link_entry *entry; /**< links as they come */
    size_t nentries, entry_room;
} hesca_binding;

/** Record the first error: "FILE:LINE:COLUMN: ...". \return 0. */
int hesca_binding_fail(hesca_binding *b, int line, int column,
                       const char *format, ...)
    __attribute__((format(printf, 4, 5)));

/** \name Arguments
 * hesca_model_args_clear() frees the values.
 * \{ */
int hesca_model_args_init(hesca_model_args *args,
                          const hesca_model_code *code);
void hesca_model_args_clear(hesca_model_args *args);
/** Set a parameter: a copy of n ints or doubles.
 * \return HESCA_SUCCESS, HESCA_ERR_ARG, HESCA_ERR_NOMEM. */
int hesca_model_args_set(hesca_model_args *args, int k, const int *ints,
                         const double *doubles, long long n);
/** Set one from "NAME=VALUE[,VALUE]..."; FIRST:LAST[:STEP] and VALUExCOUNT
 * stand for several values.
 * \return HESCA_SUCCESS, HESCA_ERR_NOMEM, HESCA_ERR_PARAM. */
int hesca_model_args_parse(hesca_model_args *args, const char *text);
/** The values of the first n parameters, which are set, as hmpi.h has them:
 * ints, one after another, a double as the ints that its bytes fill.
 * \param [out] flat    Free with free().
 * \param [out] paramc  Number of ints.
 * \return HESCA_SUCCESS, HESCA_ERR_NOMEM. */
int hesca_model_args_pack(const hesca_model_args *args, int n, int **flat,
                          int *paramc);
/** \} */

/** Run a model with its parameters.
 *
 * Every parameter must be set, with as many values as the model says.
 * \param [out] instance  Free with hesca_instance_clear(); empty on error.
 * \return HESCA_SUCCESS, HESCA_ERR_NOMEM, or HESCA_ERR_PARAM with a text that
 *         names the place in the model, or the parameter. */
int hesca_instance_create(const hesca_model_args *args,
                          hesca_instance *instance);

/** Work out how many values vector parameter k must have, given those before
 * it. \return The number, or a negative status. */
long long hesca_model_args_count(const hesca_model_args *args, int k);

/** \name Building a trace
 * \{ */
typedef struct hesca_scheme_builder hesca_scheme_builder;
hesca_scheme_builder *hesca_scheme_builder_create(void);
void hesca_scheme_builder_free(hesca_scheme_builder *b);
/** A unit; object is a process or a link. */
int hesca_scheme_unit(hesca_scheme_builder *b, hesca_scheme_kind kind,
                      int object, double percent, int line);
int hesca_scheme_begin(hesca_scheme_builder *b, int line);
int hesca_scheme_action(hesca_scheme_builder *b);
int hesca_scheme_end(hesca_scheme_builder *b);
/** The finished trace; the builder is then empty. */
int hesca_scheme_finish(hesca_scheme_builder *b, hesca_scheme *trace);
void hesca_scheme_clear(hesca_scheme *trace);
/** \} */

#endif
