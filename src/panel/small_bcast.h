/* SPDX-License-Identifier: BSD-3-Clause */
/** \file panel/small_bcast.h
 * Small broadcast: one message from a process of a list to all others in it,
 * by a binomial tree, while the processes compute. Broadcasts of different
 * senders may be in flight at once, each with a tag of its own.
 *
 * Over slow links the message goes in short pieces (exec/transfer.h), so that
 * it is on its way at once.  The handshake of a longer one ends when large
 * messages that the sender has begun after it already fill the link; and all
 * processes wait for a diagonal block. */
#ifndef HESCA_PANEL_SMALL_BCAST_H
#define HESCA_PANEL_SMALL_BCAST_H

#include "exec/comm.h"

enum {
    HESCA_SMALL_BCAST_CHILDREN = 20, /* of a process, of a million */
    HESCA_SMALL_BCAST_PIECES = 5 /* short ones of a diagonal block, complex */
};

typedef struct {
    const hesca_comm *comm;
    char *data;
    int bytes, tag;
    int arrived; /* the message is here */
    int nchildren, child[HESCA_SMALL_BCAST_CHILDREN];
    int nrequests;
    MPI_Request request[HESCA_SMALL_BCAST_CHILDREN * HESCA_SMALL_BCAST_PIECES];
} hesca_small_bcast;

/** Begin; local, never waits.
 * \param [in]     rank  [n] The processes, the same list in the same order on
 *                       all of them.
 * \param [in]     me, from  Positions in the list of this process and of the
 *                           sender.
 * \param [in,out] data      Must stay valid until the broadcast is complete.
 * \return HESCA_SUCCESS or HESCA_ERR_MPI. */
int hesca_small_bcast_begin(hesca_small_bcast *p, const hesca_comm *c, int tag,
                            const int *rank, int n, int me, int from,
                            void *data, int bytes);

/** Make progress. p->arrived: the data is here; *over: it is here and has been
 * forwarded to the children.
 * \return HESCA_SUCCESS or HESCA_ERR_MPI. */
int hesca_small_bcast_advance(hesca_small_bcast *p, int *over);

#endif
