/* SPDX-License-Identifier: BSD-3-Clause */
/** \file panel/panel_sum.h
 * Sums over the process rows (or columns) of a grid, of a few elements for
 * each column (row) of a matrix: the inner products of a block of reflectors
 * with the columns of a matrix that is distributed by rows.
 *
 * Every process has a partial sum for each of its columns.  All owners of a
 * column exchange them and add them up in the order of process rows, so they
 * get the same bits, in every run.  Columns are summed by chunks, several of
 * which are in flight:
 *
 *     hesca_panel_sum_begin(s, k0, width);      own memory may be written
 *     for each chunk: compute hesca_panel_sum_own(), hesca_panel_sum_send()
 *     for each chunk: hesca_panel_sum_is_here(), hesca_panel_sum_take()
 *
 * All processes of the grid begin the same blocks and send the same chunks in
 * the same order.  Direct messages between all owners: one latency, but the
 * volume grows with the number of process rows.  Inside a node they read the
 * partial sums where these are computed. */
#ifndef HESCA_PANEL_PANEL_SUM_H
#define HESCA_PANEL_PANEL_SUM_H

#include "layout/layout.h"
#include "panel/panel_multicast.h"
#include "panel/request_set.h"

/** What is summed: over the owners of the same columns (of = HESCA_COLS) or
 * rows (HESCA_ROWS), indices i ... and j ... of the layout.  `summed` is the
 * number of rows (columns) that take part, n that of columns (rows). */
typedef struct {
    const hesca_layout *layout; /* must live as long as the sums */
    int64_t i, j;
    hesca_dim of;
    int64_t summed, n;
    int64_t width;   /* of the widest block */
    int64_t nchunks; /* of a block, at most */
    int is_single;   /* real numbers are floats */
    int is_complex;
    /* Partial sums in memory that the processes of a node share, from memory
     * on, hesca_panel_sum_shared_bytes() of it; NULL: they are sent. */
    hesca_segment *shared;
    int user; /* of the segment */
    char *memory;
} hesca_panel_sum_spec;

typedef struct hesca_panel_sum hesca_panel_sum;

/** Bytes on this process for each element of width. Local. */
int64_t hesca_panel_sum_bytes(const hesca_panel_sum_spec *what, int rank);

/** Bytes of memory that the node shares for all processes; 0: they cannot be
 * shared, because processes are on several nodes, or process rows cut the
 * columns differently. Pure: width, at least, must be the final one. */
int64_t hesca_panel_sum_shared_bytes(const hesca_comm *c,
                                     const hesca_panel_sum_spec *what);

/** Create it, on a process of the grid. Local; hesca_request_set_init()
 * follows, and the caller makes progress with the requests.
 * \return HESCA_SUCCESS or HESCA_ERR_NOMEM. */
int hesca_panel_sum_create(hesca_request_set *requests,
                           const hesca_panel_sum_spec *what, int tag,
                           hesca_panel_sum **s);
/** Free it; NULL is allowed. No sum may be in flight. */
void hesca_panel_sum_free(hesca_panel_sum *s);

/** Whether a block may begin: the memory of the block before last is no longer
 * being sent, or read. */
int hesca_panel_sum_may_begin(const hesca_panel_sum *s);

/** Begin a block of `width` elements for each column; the sums are over rows
 * from k0 on, and processes without such rows take no part. All chunks of the
 * block before have been taken. Local. */
void hesca_panel_sum_begin(hesca_panel_sum *s, int64_t k0, int64_t width);

/** Whether this process takes part, and whether others do. */
int hesca_panel_sum_is_member(const hesca_panel_sum *s);
int hesca_panel_sum_has_others(const hesca_panel_sum *s);

/** The memory of this process's partial sums, width x columns, from column j
 * on; dense. */
char *hesca_panel_sum_own(const hesca_panel_sum *s, int64_t j);

/** Exchange the chunk of columns j0 ... j1 - 1, that is complete in own
 * memory.  Never waits.
 * \return HESCA_SUCCESS or HESCA_ERR_MPI. */
int hesca_panel_sum_send(hesca_panel_sum *s, int64_t j0, int64_t j1);

/** Exchange a square of width x width elements, a chunk of its own.
 * \param [in] square  Must stay valid until the block after next begins. */
int hesca_panel_sum_send_square(hesca_panel_sum *s, const char *square);

/** Whether the oldest chunk that was not taken is here, and its sum, width x
 * columns, dense. */
int hesca_panel_sum_is_here(const hesca_panel_sum *s);
void hesca_panel_sum_take(hesca_panel_sum *s, char *sum);

/** Whether no message is in flight. */
int hesca_panel_sum_is_over(const hesca_panel_sum *s);

#endif
