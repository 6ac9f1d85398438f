/* SPDX-License-Identifier: BSD-3-Clause */
/** \file pmdl/emit.h
 * Models as C11: a source file to include in a program or to compile into a
 * shared object, which exports hesca_model_NAME for each model. */
#ifndef HESCA_PMDL_EMIT_H
#define HESCA_PMDL_EMIT_H

#include "pmdl/ast.h"
#include <stdio.h>

/** Write the C of all models of a file. */
void hesca_emit_file(FILE *out, const hesca_file *file);

/** Write an expression as C. */
void hesca_emit_expr(FILE *out, const hesca_expr *e);

/** Write a declaration of a name with a type: "int *x", "int (*h)[n]". */
void hesca_emit_declaration(FILE *out, const hesca_ctype *t, const char *name);

#endif
