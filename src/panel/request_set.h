/* SPDX-License-Identifier: BSD-3-Clause */
/** \file panel/request_set.h
 * A set of MPI requests of several kinds, which progress during a computation.
 * One call of MPI tests all of them, because each call that finds nothing
 * costs as much as a few system calls.
 *
 *     hesca_request_set x = {.comm = c};
 *     hesca_request_set_reserve(&x, 2, bytes);          before an agreement
 *     hesca_request_set_init(&x);
 *     hesca_request_set_send(&x, rank, tag, at, bytes, &left);
 *     while (left > 0)
 *         hesca_request_set_advance(&x);                and compute */
#ifndef HESCA_PANEL_REQUEST_SET_H
#define HESCA_PANEL_REQUEST_SET_H

#include "exec/comm.h"

typedef struct {
    const hesca_comm *comm;
    int64_t most, n; /* MPI requests: capacity, in flight */
    MPI_Request *request;
    int64_t **left; /* [most] the counters of their messages */
    int *finished;
    MPI_Status *status;
} hesca_request_set;

/** Reserve capacity for more messages, to or from any process, of so many
 * bytes in all. */
void hesca_request_set_reserve(hesca_request_set *x, int64_t messages,
                               int64_t bytes);
/** Allocate the reserved capacity.
 * \return HESCA_SUCCESS or HESCA_ERR_NOMEM. */
int hesca_request_set_init(hesca_request_set *x);
void hesca_request_set_clear(hesca_request_set *x);

/** Post a message; never waits.
 * \param [in,out] left  Incremented for each request, decremented as these
 *                       complete.
 * \return HESCA_SUCCESS or HESCA_ERR_MPI. */
int hesca_request_set_send(hesca_request_set *x, int rank, int tag,
                           const void *at, int64_t bytes, int64_t *left);
int hesca_request_set_receive(hesca_request_set *x, int rank, int tag,
                              void *at, int64_t bytes, int64_t *left);

/** Make progress.
 * \return HESCA_SUCCESS or HESCA_ERR_MPI. */
int hesca_request_set_advance(hesca_request_set *x);

#endif
