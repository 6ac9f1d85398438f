/** \file coll/ordered_sendrecv.h
 * Sending and receiving contiguous messages in given orders: one out and one
 * in at a time, the next as one ends (BHAT-HET 4.3). */
#ifndef HESCA_COLL_ORDERED_SENDRECV_H
#define HESCA_COLL_ORDERED_SENDRECV_H

#include "exec/record.h"

/** A message to or from another process. */
typedef struct {
    int rank;
    char *at;             /* only read if it is sent */
    int64_t bytes, piece; /* in pieces of so many, see transfer.h */
    double begin, end;    /* out: by MPI_Wtime() */
} hesca_ordered_message;

/** Carry out both orders.
 *
 * Collective, with orders of all processes that do not wait for each other in
 * a circle.
 * \return HESCA_SUCCESS or HESCA_ERR_MPI. */
int hesca_ordered_run(const hesca_comm *c, int nout,
                      hesca_ordered_message *out, int nin,
                      hesca_ordered_message *in, hesca_record *record);

#endif
