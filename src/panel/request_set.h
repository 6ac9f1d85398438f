/** \file panel/request_set.h
 * Messages of several kinds on their way at once, while something else goes
 * on: one call of MPI looks after all of them, because each call that finds
 * nothing costs the time of a few system calls.
 *
 *     hesca_mail x = {.comm = c};
 *     hesca_mail_reserve(&x, 2, bytes);          before an agreement
 *     hesca_mail_open(&x);
 *     hesca_mail_send(&x, rank, tag, at, bytes, &left);
 *     while (left > 0)
 *         hesca_mail_advance(&x);                and compute */
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
} hesca_mail;

/** So many more messages, to or from any process, of so many bytes together.
 */
void hesca_mail_reserve(hesca_mail *x, int64_t messages, int64_t bytes);
/** Make the room.
 * \return HESCA_SUCCESS or HESCA_ERR_NOMEM. */
int hesca_mail_open(hesca_mail *x);
void hesca_mail_clear(hesca_mail *x);

/** Post a message; never waits.
 * \param [in,out] left  Grows, and shrinks again while the message ends.
 * \return HESCA_SUCCESS or HESCA_ERR_MPI. */
int hesca_mail_send(hesca_mail *x, int rank, int tag, const void *at,
                    int64_t bytes, int64_t *left);
int hesca_mail_receive(hesca_mail *x, int rank, int tag, void *at,
                       int64_t bytes, int64_t *left);

/** Let messages go on.
 * \return HESCA_SUCCESS or HESCA_ERR_MPI. */
int hesca_mail_advance(hesca_mail *x);

#endif
