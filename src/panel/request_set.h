/** \file panel/request_set.h
 * Messages of several kinds on their way at once, while something else goes
 * on: one call of MPI looks after all of them, because each call that finds
 * nothing costs the time of a few system calls.
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
    int64_t most, n; /* MPI requests: room, on their way */
    MPI_Request *request;
    int64_t **left; /* [most] the counters of their messages */
    int *finished;
    MPI_Status *status;
} hesca_request_set;

/** So many more messages, to or from any process, of so many bytes together.
 */
void hesca_request_set_reserve(hesca_request_set *x, int64_t messages,
                               int64_t bytes);
/** Make the room.
 * \return HESCA_SUCCESS or HESCA_ERR_NOMEM. */
int hesca_request_set_init(hesca_request_set *x);
void hesca_request_set_clear(hesca_request_set *x);

/** Post a message; never waits.
 * \param [in,out] left  Grows, and shrinks again while the message ends.
 * \return HESCA_SUCCESS or HESCA_ERR_MPI. */
int hesca_request_set_send(hesca_request_set *x, int rank, int tag,
                           const void *at, int64_t bytes, int64_t *left);
int hesca_request_set_receive(hesca_request_set *x, int rank, int tag,
                              void *at, int64_t bytes, int64_t *left);

/** Let messages go on.
 * \return HESCA_SUCCESS or HESCA_ERR_MPI. */
int hesca_request_set_advance(hesca_request_set *x);

#endif
