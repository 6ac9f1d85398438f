/** \file coll/pipelined_bcast.h
 * Passing one message on, piece by piece: each process receives from one other
 * and sends to several, one piece in and one out at a time. */
#ifndef HESCA_COLL_PIPELINED_BCAST_H
#define HESCA_COLL_PIPELINED_BCAST_H

#include "exec/record.h"

/** Whom to send to, in which pieces (transfer.h) each piece goes. */
typedef struct {
    int rank;
    int64_t piece;
} hesca_child;

/** The part of one process. */
typedef struct {
    int parent;           /* -1: it has the message */
    int64_t parent_piece; /* as of children */
    int nchildren;
    const hesca_child *child; /* [nchildren] in their order */
    char *at; /* the message; not looked at if there is no one to
                 receive from or send to */
    int64_t bytes;
    int64_t piece; /* bytes of all pieces but perhaps the last */
} hesca_pipelined_bcast;

/** Carry it out.
 *
 * Collective over the processes that take part.  Every piece goes to all
 * children, one after the other, before the next piece.
 * \return HESCA_SUCCESS or HESCA_ERR_MPI. */
int hesca_pipelined_bcast_run(const hesca_comm *c,
                              const hesca_pipelined_bcast *x,
                              hesca_record *record);

#endif
