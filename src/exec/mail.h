/** \file exec/mail.h
 * A few messages at once, out and in, while something else goes on. */
#ifndef HESCA_EXEC_MAIL_H
#define HESCA_EXEC_MAIL_H

#include "exec/comm.h"

typedef struct {
    const hesca_comm *comm;
    int64_t most, n, done; /* requests: room, posted, over */
    MPI_Request *request;
} hesca_mail;

/** MPI requests that a message takes, to or from rank. */
int64_t hesca_mail_requests(const hesca_comm *c, int rank, int64_t bytes);

/** Room for so many requests at once.
 * \return HESCA_SUCCESS or HESCA_ERR_NOMEM. */
int hesca_mail_make(hesca_mail *x, const hesca_comm *c, int64_t most);
void hesca_mail_clear(hesca_mail *x);

/** Post a message; never waits.  All that was posted is over at once, before
 * more is posted, or it adds to what is on its way.
 * \return HESCA_SUCCESS or HESCA_ERR_MPI. */
int hesca_mail_send(hesca_mail *x, int rank, int tag, const void *at,
                    int64_t bytes);
int hesca_mail_receive(hesca_mail *x, int rank, int tag, void *at,
                       int64_t bytes);

/** Let messages go on; *over: all that were posted are.
 * \return HESCA_SUCCESS or HESCA_ERR_MPI. */
int hesca_mail_advance(hesca_mail *x, int *over);

#endif
