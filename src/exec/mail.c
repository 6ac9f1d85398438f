#include "exec/mail.h"
#include "base/arith.h"
#include "base/status.h"
#include "exec/outlook.h"
#include "exec/transfer.h"
#include <assert.h>
#include <stdlib.h>

/* The same at both ends. */
static int64_t
piece_of(const hesca_comm *c, int rank)
{
    const hesca_outlook outlook = hesca_outlook_of(c, 1);
    return hesca_min(hesca_transfer_piece(&outlook, c->rank, rank),
                     hesca_transfer_piece(&outlook, rank, c->rank));
}

int64_t
hesca_mail_requests(const hesca_comm *c, int rank, int64_t bytes)
{
    const int64_t piece = piece_of(c, rank);
    return (bytes + piece - 1) / piece;
}

int
hesca_mail_make(hesca_mail *x, const hesca_comm *c, int64_t most)
{
    *x = (hesca_mail){.comm = c, .most = most};
    x->request = malloc((size_t)(most + 1) * sizeof(MPI_Request));
    if (x->request == NULL)
        return hesca_fail(HESCA_ERR_NOMEM, 0, "%lld messages",
                          (long long)most);
    return HESCA_SUCCESS;
}

void
hesca_mail_clear(hesca_mail *x)
{
    free(x->request);
    *x = (hesca_mail){.n = 0};
}

/* What is over makes room where nothing else is on its way. */
static MPI_Request *
next(hesca_mail *x)
{
    if (x->done == x->n)
        x->done = x->n = 0;
    assert(x->n < x->most);
    return &x->request[x->n++];
}

int
hesca_mail_send(hesca_mail *x, int rank, int tag, const void *at,
                int64_t bytes)
{
    const int64_t piece = piece_of(x->comm, rank);
    int err = HESCA_SUCCESS;
    for (int64_t done = 0; done < bytes; done += piece)
        HESCA_TRY(err, hesca_mpi(MPI_Isend((const char *)at + done,
                                           (int)hesca_min(piece, bytes - done),
                                           MPI_BYTE, rank, tag, x->comm->mpi,
                                           next(x)),
                                 "MPI_Isend"));
fail:
    return err;
}

int
hesca_mail_receive(hesca_mail *x, int rank, int tag, void *at, int64_t bytes)
{
    const int64_t piece = piece_of(x->comm, rank);
    int err = HESCA_SUCCESS;
    for (int64_t done = 0; done < bytes; done += piece)
        HESCA_TRY(err, hesca_mpi(MPI_Irecv((char *)at + done,
                                           (int)hesca_min(piece, bytes - done),
                                           MPI_BYTE, rank, tag, x->comm->mpi,
                                           next(x)),
                                 "MPI_Irecv"));
fail:
    return err;
}

int
hesca_mail_advance(hesca_mail *x, int *over)
{
    int err = HESCA_SUCCESS, done = 1;
    while (done && x->done < x->n) {
        HESCA_TRY(err, hesca_mpi(MPI_Test(&x->request[x->done], &done,
                                          MPI_STATUS_IGNORE),
                                 "MPI_Test"));
        x->done += done;
    }
fail:
    *over = x->done == x->n;
    return err;
}
