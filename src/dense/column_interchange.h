/* SPDX-License-Identifier: BSD-3-Clause */
/** \file dense/column_interchange.h
 * Interchanges of the columns of a matrix, as they undo those of the rows of
 * an LU factorization in its inverse: all of them are one permutation, and
 * every process sends one message to each other process that gets columns of
 * it.  (Row interchanges:
 * panel/row_interchange.h.) */
#ifndef HESCA_DENSE_COLUMN_INTERCHANGE_H
#define HESCA_DENSE_COLUMN_INTERCHANGE_H

#include "exec/comm.h"
#include "hesca/layout.h"

/** For i = n - 1, ..., 0 column i of sub(A), m x n, is interchanged with
 * column ipiv[i]. */
typedef struct {
    hesca_matrix a;
    int64_t m, n;
    size_t esize;
    const int64_t *ipiv; /* [n] global */
} hesca_column_interchange_spec;

typedef struct hesca_column_interchange hesca_column_interchange;

/** Local; all memory is allocated here.
 * \param [out] x  NULL on error.
 * \return HESCA_SUCCESS or HESCA_ERR_NOMEM. */
int hesca_column_interchange_create(const hesca_comm *c,
                                    const hesca_column_interchange_spec *what,
                                    int tag, hesca_column_interchange **x);
/** NULL is allowed. */
void hesca_column_interchange_free(hesca_column_interchange *x);

/** Interchange; collective over the processes of the grid.
 * \return HESCA_SUCCESS or HESCA_ERR_MPI. */
int hesca_column_interchange_run(hesca_column_interchange *x);

#endif
