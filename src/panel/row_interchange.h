/* SPDX-License-Identifier: BSD-3-Clause */
/** \file panel/row_interchange.h
 * Row interchanges of partial pivoting (laswp), and the multicast of the rows
 * of U.
 *
 * The interchanges of a panel are one permutation.  Rows that come to the top
 * become rows of U, which every process needs for its columns: they are sent
 * there directly from their owners, so that every process has them when the
 * interchange is complete and can solve for U itself. Other rows only move.
 * Each process sends one message per exchange to each other process that has
 * some of the same columns.
 *
 * The owner of a row may depend on the column, or that of a column on the row
 * (layout/layout.h): messages hold the columns that two processes have in
 * common. */
#ifndef HESCA_PANEL_ROW_INTERCHANGE_H
#define HESCA_PANEL_ROW_INTERCHANGE_H

#include "layout/layout.h"
#include "panel/request_set.h"

/** sub(A), m x n, begins at A(i,j). */
typedef struct {
    const hesca_layout *layout; /* must live as long as the interchange */
    int64_t i, j, m, n;
    size_t esize;
    int64_t tops, moves; /* most rows of one exchange */
    int64_t width;       /* most columns of one exchange */
} hesca_row_interchange_spec;

/** Row top[t] becomes row t of U, row from[d] becomes row to[d] of sub(A), all
 * at once; no two rows have the same destination. Rows of sub(A) count from
 * 0. */
typedef struct {
    int64_t ntops, nmoves;
    const int64_t *top, *from, *to;
} hesca_row_interchange_rows;

typedef struct hesca_row_interchange hesca_row_interchange;

/** Create it. Local: no communication. All memory is allocated here.
 * \param [in,out] requests  The set for its messages; hesca_request_set_init()
 *                       follows when all users have reserved.
 * \param [in] tag    (global) Not used otherwise at the same time.
 * \param [in] depth  (global) Number of exchanges that may be in flight.
 * \param [out] s     NULL on error.
 * \return HESCA_SUCCESS or HESCA_ERR_NOMEM. */
int hesca_row_interchange_create(hesca_request_set *requests,
                                 const hesca_row_interchange_spec *what,
                                 int tag, int depth,
                                 hesca_row_interchange **s);
/** Free it; NULL is allowed. No exchange may be in flight. */
void hesca_row_interchange_free(hesca_row_interchange *s);

/** Begin to exchange rows of the columns j0 ... j1 - 1 of sub(A).
 *
 * Packs and sends at once; never waits.  All processes of the layout begin the
 * same exchanges in the same order.
 * \param [in,out] local, lld  This process's part of A; its moved rows are
 *                             written until the exchange is complete.
 * \param [out] u, ldu  Rows of U for this process's columns among j0 ... j1 -
 *                      1; ignored if there are none, or no tops.
 * \return HESCA_SUCCESS or HESCA_ERR_MPI. */
int hesca_row_interchange_begin(hesca_row_interchange *s,
                                const hesca_row_interchange_rows *rows,
                                int64_t j0, int64_t j1, void *local,
                                int64_t lld, void *u, int64_t ldu);

/** Whether the next exchange may begin: fewer than depth are in flight. */
int hesca_row_interchange_may_begin(const hesca_row_interchange *s);

/** Unpack the messages that have arrived; hesca_request_set_advance() is the
 * caller's task.
 * \param [out] ready  Number of exchanges complete here, from the first one;
 *                     own sends of them may still be in flight. */
void hesca_row_interchange_advance(hesca_row_interchange *s, int64_t *ready);

/** Whether no exchange is in flight. */
int hesca_row_interchange_is_over(const hesca_row_interchange *s);

/** Row from[d] of ncols columns becomes row to[d], all at once, on one process
 * that has them.
 *
 * Local.
 * \param [in,out] a, lda  Row 0 of the first column.
 * \param [in]     n       Number of rows that move; no two to the same row.
 * \param          line    [n] elements of memory. */
void hesca_rows_move(size_t esize, void *a, int64_t lda, int64_t ncols,
                     int64_t n, const int64_t *from, const int64_t *to,
                     void *line);

#endif
