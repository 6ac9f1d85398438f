/** \file panel/row_interchange.h
 * Row interchanges of partial pivoting, and the rows that they bring to the
 * top, for everybody who needs them.
 *
 * The interchanges of a panel are one permutation.  Rows that come to the top
 * become rows of U, which every process needs for its columns: they go there
 * straight from where they are, so that U is there when the interchange is
 * over, before any process has solved for it.  Other rows only move.  One
 * message goes from each process to each other one that has some of the same
 * columns, in all of them that are exchanged at once.
 *
 * Who owns a row may depend on the column, or who owns a column on the row
 * (layout/layout.h): messages are of the columns that two processes have in
 * common. */
#ifndef HESCA_PANEL_ROW_INTERCHANGE_H
#define HESCA_PANEL_ROW_INTERCHANGE_H

#include "layout/layout.h"
#include "panel/request_set.h"

/** sub(A), m x n, begins at A(i,j). */
typedef struct {
    const hesca_layout *layout; /* lives as long as the swap */
    int64_t i, j, m, n;
    size_t esize;
    int64_t tops, moves; /* most of one exchange */
    int64_t width;       /* most columns of one exchange */
} hesca_row_interchange_spec;

/** Row top[t] becomes row t of U, row from[d] row to[d] of sub(A); all at
 * once, no two to the same place.  Rows of sub(A) count from 0. */
typedef struct {
    int64_t ntops, nmoves;
    const int64_t *top, *from, *to;
} hesca_row_interchange_rows;

typedef struct hesca_row_interchange hesca_row_interchange;

/** Make one.  Local: no communication.  Everything is allocated here.
 * \param [in,out] mail  Carries the messages; opened when all is made.
 * \param [in] tag    (global) Of no one else at the same time.
 * \param [in] depth  (global) So many exchanges may be on their way.
 * \param [out] s     NULL on error.
 * \return HESCA_SUCCESS or HESCA_ERR_NOMEM. */
int hesca_row_interchange_create(hesca_request_set *mail,
                                 const hesca_row_interchange_spec *what,
                                 int tag, int depth,
                                 hesca_row_interchange **s);
/** NULL is allowed.  Nothing may be on its way. */
void hesca_row_interchange_free(hesca_row_interchange *s);

/** Begin to exchange rows of the columns j0 ... j1 - 1 of sub(A).
 *
 * Packs and sends at once; never waits.  All processes of the layout begin the
 * same exchanges in the same order.
 * \param [in,out] local, lld  This process's part of A; its moved rows are
 *                             written until the exchange is over.
 * \param [out] u, ldu  Rows of U for this process's columns among j0 ... j1 -
 *                      1; not looked at if there are none, or no tops.
 * \return HESCA_SUCCESS or HESCA_ERR_MPI. */
int hesca_row_interchange_begin(hesca_row_interchange *s,
                                const hesca_row_interchange_rows *rows,
                                int64_t j0, int64_t j1, void *local,
                                int64_t lld, void *u, int64_t ldu);

/** Whether the next exchange may begin: fewer than depth are on their way. */
int hesca_row_interchange_may_begin(const hesca_row_interchange *s);

/** Take what the mail has brought.
 * \param [out] ready  Exchanges that are complete here, counted from the
 *                     first; own sends of them may still be on their way. */
void hesca_row_interchange_advance(hesca_row_interchange *s, int64_t *ready);

/** Whether nothing is on its way. */
int hesca_row_interchange_is_over(const hesca_row_interchange *s);

#endif
