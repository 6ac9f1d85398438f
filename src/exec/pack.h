/* SPDX-License-Identifier: BSD-3-Clause */
/** \file exec/pack.h
 * The kernels that move elements: matrix to message, message to matrix, and
 * matrix to matrix for the local share.
 *
 * A message holds the common columns one after the other, each with its common
 * rows; elements outside the trapezoid are omitted. It is moved in chunks, so
 * that the staging buffer is bounded and stays in cache. */
#ifndef HESCA_EXEC_PACK_H
#define HESCA_EXEC_PACK_H

#include "exec/copy_runs.h"
#include "overlap/problem.h"

/** The message between two processes: their common rows and columns. */
typedef struct {
    const hesca_problem *problem;
    const hesca_overlap *rows, *cols;
    const hesca_runs *runs; /* of rows, compiled for the motion */
    hesca_motion motion;
    int stream; /* use streaming stores: B is larger than the cache */
} hesca_message;

/** Rows r0 ... r1 - 1 of the columns c0 ... c1 - 1 of a message, by position
 * in the message. */
typedef struct {
    int64_t c0, c1, r0, r1;
} hesca_chunk;

/** Number of chunks of at most cap elements (or of one), cap >= 1. */
int64_t hesca_chunk_count(const hesca_message *msg, int64_t cap);
hesca_chunk hesca_chunk_get(const hesca_message *msg, int64_t cap, int64_t k);

/** Elements of a chunk that are copied, in O(columns) for a trapezoid. */
int64_t hesca_chunk_size(const hesca_message *msg, hesca_chunk chunk);

/** Move a chunk.
 *
 * \param [in]  src  HESCA_UNPACK: the chunk's bytes; else A's local array.
 * \param [out] dst  HESCA_PACK: the chunk's bytes; else B's local array.
 * \param [in]  lds, ldd  Leading dimensions of src and dst in elements,
 *                        ignored for the message's side.
 * \return Elements moved. */
int64_t hesca_chunk_move(const hesca_message *msg, hesca_chunk chunk,
                         const void *src, int64_t lds, void *dst, int64_t ldd);

#endif
