/* SPDX-License-Identifier: BSD-3-Clause */
/** \file dense/args.h
 * The arguments of a routine: checked once, at the public boundary, and agreed
 * on, so that all processes reject the same calls with the same error.
 *
 *     hesca_args x = hesca_args_begin("hesca_gemm", c);
 *     hesca_args_size(&x, 4, "m", m);
 *     hesca_args_matrix(&x, 8, "a", a, m, k);
 *     HESCA_TRY(err, hesca_args_agree(&x, 0, NULL));
 *
 * All arguments are examined, and the first invalid one is reported. */
#ifndef HESCA_DENSE_ARGS_H
#define HESCA_DENSE_ARGS_H

#include "dense/kernels.h"
#include "exec/comm.h"

enum { HESCA_ARGS_MAX = 27 };

/** Fields of hesca_matrix, for hesca_error_info(). */
enum {
    HESCA_FIELD_LAYOUT = 1,
    HESCA_FIELD_I,
    HESCA_FIELD_J,
    HESCA_FIELD_LOCAL,
    HESCA_FIELD_LLD,
    HESCA_FIELD_RESERVED
};

typedef struct {
    const char *routine;
    const hesca_comm *c;
    int err; /* the first failure */
    int n;   /* arguments that must be equal on all processes */
    struct {
        int info;
        const char *name, *field; /* field: NULL, or of a matrix */
        int64_t value;
    } common[HESCA_ARGS_MAX];
} hesca_args;

hesca_args hesca_args_begin(const char *routine, const hesca_comm *c);

/** A type of elements.  \return It, or HESCA_D if it is none. */
hesca_type hesca_args_type(hesca_args *x, int info, hesca_type type);

/** One of the letters allowed, capitals, in either case.
 * \return The capital letter, or the first one allowed. */
char hesca_args_letter(hesca_args *x, int info, const char *name, char letter,
                       const char *allowed);

/** A size, at least 0. */
void hesca_args_size(hesca_args *x, int info, const char *name, int64_t size);

/** A scalar of the type. */
void hesca_args_scalar(hesca_args *x, hesca_type type, int info,
                       const char *name, const void *scalar);

/** sub(A) of m x n elements.  The local part of A must be present, with
 * extents that BLAS can count. */
void hesca_args_matrix(hesca_args *x, int info, const char *name,
                       const hesca_matrix *a, int64_t m, int64_t n);

/** A pointer that may not be NULL. */
void hesca_args_pointer(hesca_args *x, int info, const char *name,
                        const void *pointer);

/** Agree on the errors and that all processes have passed equal arguments;
 * value, n < 8, becomes the minimum over all processes.
 *
 * Collective.
 * \return The same status on all processes. */
int hesca_args_agree(hesca_args *x, int n, int64_t *value);

#endif
