/* SPDX-License-Identifier: BSD-3-Clause */
/** \file hesca/experimental/model.h
 * A performance model as code: what `hesca model compile` writes, and what it
 * calls.
 *
 * A model (HMPI 3.1.2) says of an algorithm how many processes it has, how
 * much each computes, how many bytes each pair exchanges, and in which order.
 * Generated C has one hesca_model_code per model.  The program that includes
 * or loads it provides a hesca_model_run, to which generated code reports
 * links and the units of the scheme; nothing else is called but functions that
 * the model itself names.
 *
 * Arguments of a model are given as arg[k]: a const int * or const double * to
 * the only value of a scalar parameter, or to the elements of a vector, row by
 * row. */
#ifndef HESCA_EXPERIMENTAL_MODEL_H
#define HESCA_EXPERIMENTAL_MODEL_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/** Changes with these structures. */
#define HESCA_MODEL_VERSION 1

/** In place of a volume: no process. */
#define HESCA_MODEL_VOID (-1.0e300)

/** What generated code calls while it runs.  Every function is set. */
typedef struct hesca_model_run {
    int version;      /**< HESCA_MODEL_VERSION */
    int line, column; /**< in the model: of what runs now */
    /** Whether a loop may go on: 0 after an error, or after too many
     * iterations. */
    int (*go)(struct hesca_model_run *run);
    /** 1 if a divisor is 0, which is then an error. */
    int (*zero)(struct hesca_model_run *run, int is_zero);
    /** A process computes this percentage of its volume. */
    void (*compute)(struct hesca_model_run *run, double percent,
                    const int *at);
    /** This percentage of a link's bytes is sent. */
    void (*transfer)(struct hesca_model_run *run, double percent,
                     const int *from, const int *to);
    /** A par begins, its next action begins, the par ends. */
    void (*begin)(struct hesca_model_run *run);
    void (*action)(struct hesca_model_run *run);
    void (*end)(struct hesca_model_run *run);
    /** Bytes from one process to another by declarator `item` of the link
     * section: values of one item replace, those of different ones add. */
    void (*link)(struct hesca_model_run *run, int item, double bytes,
                 const int *from, const int *to);
    /** Space for a local array, filled with 0, valid until the next request
     * for the same slot; on an error of space for one element. */
    void *(*array)(struct hesca_model_run *run, int slot, long long n,
                   size_t size);
    /** Speeds as HDPI takes them: v itself, or a copy. */
    double *(*doubles)(struct hesca_model_run *run, int slot, const int *v,
                       long long n);
    void *self; /**< of the program */
} hesca_model_run;

/** A parameter of a model. */
typedef struct {
    const char *name;
    int is_double, is_vector;
} hesca_model_param;

/** A model. */
typedef struct {
    int version;      /**< HESCA_MODEL_VERSION */
    const char *name; /**< of the algorithm */
    const char *file; /**< where it is defined */
    int ndims, nparams;
    const hesca_model_param *param; /**< [nparams] */
    const int *extent; /**< [ndims] the parameter that is this extent, -1: it
                            is another expression */
    int is_relative;   /**< volumes are not in units of a benchmark */
    /** Elements of vector k, given the parameters before it. */
    long long (*count)(hesca_model_run *run, int k, const void *const *arg);
    void (*dims)(hesca_model_run *run, const void *const *arg, int *dims);
    /** Volume of the process at coordinates; HESCA_MODEL_VOID: there is
     * none. */
    double (*node)(hesca_model_run *run, const void *const *arg,
                   const int *coord);
    void (*links)(hesca_model_run *run, const void *const *arg);
    void (*parent)(hesca_model_run *run, const void *const *arg, int *coord);
    /** NULL: no scheme, all compute at the same time, then all send. */
    void (*scheme)(hesca_model_run *run, const void *const *arg);
} hesca_model_code;

#ifdef __cplusplus
}
#endif

#endif
