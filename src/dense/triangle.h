/* SPDX-License-Identifier: BSD-3-Clause */
/** \file dense/triangle.h
 * The update of a triangle by panels, A := A + alpha op(X) op(Y), as in a
 * Cholesky factorization and in ?SYRK. Each process has a rectangle of it,
 * with rows and columns of arbitrary indices.
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
    int upper;
    /* op(X), op(Y): 'N' and 'T' or 'C', or the other way round.  'C': the
     * matrix is Hermitian, and alpha real. */
    char transx, transy;
    const void *alpha;
    /* Set by hesca_triangle_init(): */
    int64_t esize;
    char *a; /* the local array */
    int64_t lda;
    int64_t row0, row1, col0, col1;
    int64_t *row, *col; /* their indices, from row0 and col0 on */
    char *corner;       /* a block that the diagonal crosses */
} hesca_triangle;

/** The slices of a panel with the indices of this process's rows and columns,
 * the first of which is local row (column) from. */
typedef struct {
    const char *at;
    int64_t ld, from;
} hesca_slices;

/** Set it up for sub(A) of order n; local.
 * \return HESCA_SUCCESS or HESCA_ERR_NOMEM. */
int hesca_triangle_init(hesca_triangle *t, const hesca_local *part, int64_t n,
                        void *a, int64_t lda);
void hesca_triangle_clear(hesca_triangle *t);

/** A := beta A, in the triangle; it is not read if beta is 0. Of a Hermitian
 * matrix the diagonal becomes real. */
void hesca_triangle_scale(const hesca_triangle *t, const void *beta);

/** Update the part of a block inside the triangle by a panel of the given
 * width: op(X) is the count x width array of the rows' slices, op(Y) the width
 * x count array of the columns'. */
void hesca_triangle_update(const hesca_triangle *t, int64_t width,
                           hesca_slices rows, hesca_slices cols,
                           hesca_rectangle block);

#endif
