/* SPDX-License-Identifier: BSD-3-Clause */
/** \file coll/pipelined_bcast.h
 * Pipelined broadcast of one message: each process receives from its parent
 * and sends to its children, one piece in and one out at a time. */
#ifndef HESCA_COLL_PIPELINED_BCAST_H
#define HESCA_COLL_PIPELINED_BCAST_H

#include "exec/record.h"

/** A child, and the bytes of the MPI messages (transfer.h) to it. */
typedef struct {
    int rank;
    int64_t piece;
} hesca_child;

/** The part of one process. */
typedef struct {
    int parent;           /* -1: this process has the message */
    int64_t parent_piece; /* as of children */
    int nchildren;
    const hesca_child *child; /* [nchildren] in their order */
    char *at; /* the message; ignored without parent and children */
    int64_t bytes;
    int64_t piece; /* bytes of a piece; the last one may be shorter */
} hesca_pipelined_bcast;

/** Execute it.
 *
 * Collective over the processes that take part.  Every piece goes to all
 * children, one after the other, before the next piece.
 * \return HESCA_SUCCESS or HESCA_ERR_MPI. */
int hesca_pipelined_bcast_run(const hesca_comm *c,
                              const hesca_pipelined_bcast *x,
                              hesca_record *record);

#endif
