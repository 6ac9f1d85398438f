/* SPDX-License-Identifier: BSD-3-Clause */
/** \file exec/transfer.h
 * One contiguous message by MPI, in pieces.
 *
 * Over slow links pieces are short: with long ones MPI's rendezvous over TCP
 * does not let both directions of a link run at full rate (MPICH 4.0 with UCX,
 * from 20 KiB on: half of it each), and a process that receives here and sends
 * there slows both down.  They are not shorter, because each piece costs the
 * processors at both ends some microseconds.  The first and
 * the last piece are sent synchronously, so that a sender does not run ahead:
 * when these complete, the receiver has begun to receive the message, and has
 * received it.
 *
 * For one message at a time, in a given order.  What moves while a process
 * computes is in a hesca_request_set (panel/): there the panels in flight
 * bound what is sent ahead, and one call of MPI tests all messages. */
#ifndef HESCA_EXEC_TRANSFER_H
#define HESCA_EXEC_TRANSFER_H

#include "exec/comm.h"
#include "sched/sched.h"

enum { HESCA_TRANSFER_WINDOW = 8 }; /* pieces in flight */

/** One end of a message. */
typedef struct {
    const hesca_comm *comm;
    int rank, sending;
    char *at; /* only read if sending */
    int64_t bytes, piece;
    int64_t posted, done; /* bytes */
    int head, used;       /* a ring of pieces in flight */
    MPI_Request request[HESCA_TRANSFER_WINDOW];
} hesca_transfer;

/** Bytes of a piece of a message between two processes, the same at both ends:
 * short ones over slow links. */
enum { HESCA_SHORT_PIECE = 16 * 1024 };
int64_t hesca_transfer_piece(const hesca_link_costs *links, int src, int dest);

/** The same by the network of a communicator, in time O(1):
 * hesca_comm_link_costs() looks at all links. */
int64_t hesca_transfer_piece_of(const hesca_comm *c, int src, int dest);

/** Begin a transfer. */
hesca_transfer hesca_transfer_begin(const hesca_comm *c, int rank, int sending,
                                    char *at, int64_t bytes, int64_t piece);

/** Make progress; *progress becomes 1 if something was done. The transfer is
 * complete when done == bytes.
 * \return HESCA_SUCCESS or HESCA_ERR_MPI. */
int hesca_transfer_advance(hesca_transfer *t, int *progress);

#endif
