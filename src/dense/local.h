/* SPDX-License-Identifier: BSD-3-Clause */
/** \file dense/local.h
 * The part of sub(A) that a process has, and where panels may end.
 *
 * Indices are those of sub(A), from 0, unless stated otherwise. The part of
 * sub(A) on a process is a rectangle of its local array. Local rows are in
 * ascending order of indices, so two counts describe any range of them. All
 * functions are pure. */
#ifndef HESCA_DENSE_LOCAL_H
#define HESCA_DENSE_LOCAL_H

#include "layout/layout.h"

/** A process's part of sub(A), which begins at row i, column j. */
typedef struct {
    const hesca_layout *layout;
    int64_t i, j;
    int here;       /* 0: not in the grid */
    int prow, pcol; /* its place there */
} hesca_local;

hesca_local hesca_local_make(const hesca_layout *layout, int64_t i, int64_t j,
                             int rank);

/** Position in the local array of the first local row (column) with an index
 * >= i (j), which is the number of those before it; 0 outside of the grid. */
int64_t hesca_local_row(const hesca_local *part, int64_t i);
int64_t hesca_local_col(const hesca_local *part, int64_t j);

/** Local rows r0 ... r1 - 1, columns c0 ... c1 - 1. */
typedef struct {
    int64_t r0, r1, c0, c1;
} hesca_rectangle;

/** The part of rows and columns 0 ... m - 1, 0 ... n - 1 of sub(A), empty
 * outside of the grid. */
hesca_rectangle hesca_local_rectangle(const hesca_local *part, int64_t m,
                                      int64_t n);

/** The indices of local rows first ... end - 1 (columns). */
void hesca_local_row_indices(const hesca_local *part, int64_t first,
                             int64_t end, int64_t *index);
void hesca_local_col_indices(const hesca_local *part, int64_t first,
                             int64_t end, int64_t *index);

/** Owner of index x of an axis, and the end of its piece: x + 1 ... axis->n.
 */
int hesca_local_owner(const hesca_axis *axis, int64_t x);
int64_t hesca_local_end(const hesca_axis *axis, int64_t x);

/** The process column that owns column j of sub(A) in process row prow, the
 * process row that owns row i in process column pcol, and the rank of the
 * process that owns element (i,j). */
int hesca_local_pcol(const hesca_local *part, int prow, int64_t j);
int hesca_local_prow(const hesca_local *part, int pcol, int64_t i);
int hesca_local_rank(const hesca_local *part, int64_t i, int64_t j);

/** The end, at most `most`, of the columns from j < most on that have one
 * owner in each process row; likewise of the rows from i on, in each process
 * column. */
int64_t hesca_local_cols_end(const hesca_local *part, int64_t j, int64_t most);
int64_t hesca_local_rows_end(const hesca_local *part, int64_t i, int64_t most);

#endif
