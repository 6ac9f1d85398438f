/* SPDX-License-Identifier: BSD-3-Clause */
/** \file dense/trailing.h
 * The update of a trailing triangle, A := A - L L' or A - U' U. Each process
 * has a rectangle of it, with rows and columns of arbitrary indices.
 *
 * Blocks wholly inside the triangle are updated by BLAS calls that are as
 * large as possible; where the diagonal crosses, columns are halved until
 * little is left. */
#ifndef HESCA_DENSE_TRAILING_H
#define HESCA_DENSE_TRAILING_H

#include "dense/kernels.h"
#include "dense/local.h"

/** The part of the triangle that this process has: local rows row0 ... row1 -
 * 1, columns col0 ... col1 - 1. */
typedef struct {
    hesca_type type;
    int64_t esize;
    int upper;
    char *a; /* the local array */
    int64_t lda;
    int64_t row0, row1, col0, col1;
    int64_t *row, *col; /* their indices, from row0 and col0 on */
    char *corner;       /* a block that the diagonal crosses */
} hesca_trailing;

/** The slices of a panel with the indices of this process's trailing rows and
 * columns, the first of which is local row (column) from. */
typedef struct {
    const char *at;
    int64_t ld, from;
} hesca_slices;

/** Set it up for sub(A) of order n; local.
 * \return HESCA_SUCCESS or HESCA_ERR_NOMEM. */
int hesca_trailing_init(hesca_trailing *t, hesca_type type, int upper,
                        const hesca_local *part, int64_t n, void *a,
                        int64_t lda);
void hesca_trailing_clear(hesca_trailing *t);

/** Local rows r0 ... r1 - 1, columns c0 ... c1 - 1. */
typedef struct {
    int64_t r0, r1, c0, c1;
} hesca_block;

/** Update the part of a block inside the triangle by a panel of the given
 * width. Slices are count x width for the lower triangle, width x count for
 * the upper one. */
void hesca_trailing_update(const hesca_trailing *t, int64_t width,
                           hesca_slices rows, hesca_slices cols,
                           hesca_block block);

#endif
