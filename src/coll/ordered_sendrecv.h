/* SPDX-License-Identifier: BSD-3-Clause */
/** \file coll/ordered_sendrecv.h
 * Ordered send-receive: contiguous messages are sent and received in given
 * orders, one out and one in at a time (BHAT-HET 4.3). */
#ifndef HESCA_COLL_ORDERED_SENDRECV_H
#define HESCA_COLL_ORDERED_SENDRECV_H

#include "exec/record.h"

/** A message to or from another process. */
typedef struct {
    int rank;
    char *at;             /* only read if sending */
    int64_t bytes, piece; /* piece: see transfer.h */
    double begin, end;    /* out: by MPI_Wtime() */
} hesca_ordered_message;

/** Execute both orders.
 *
 * Collective. The orders of the processes must not wait for each other in a
 * cycle.
 * \return HESCA_SUCCESS or HESCA_ERR_MPI. */
int hesca_ordered_run(const hesca_comm *c, int nout,
                      hesca_ordered_message *out, int nin,
                      hesca_ordered_message *in, hesca_record *record);

#endif
