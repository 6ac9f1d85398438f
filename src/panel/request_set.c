/* SPDX-License-Identifier: BSD-3-Clause */
#include "panel/request_set.h"
#include "base/arith.h"
#include "base/status.h"
#include "exec/transfer.h"
#include <assert.h>
#include <stdlib.h>

/* The same at both ends. */
static int64_t
piece_of(const hesca_comm *c, int rank)
{
    return hesca_min(hesca_transfer_piece_of(c, c->rank, rank),
                     hesca_transfer_piece_of(c, rank, c->rank));
}

void
hesca_request_set_reserve(hesca_request_set *x, int64_t messages,
                          int64_t bytes)
{
    int64_t piece = INT64_MAX;
    for (int r = 0; r < x->comm->size; ++r)
        piece = hesca_min(piece, piece_of(x->comm, r));
    x->most += messages + bytes / piece;
}

int
hesca_request_set_init(hesca_request_set *x)
{
    const size_t n = (size_t)x->most + 1;
    x->request = malloc(n * sizeof(MPI_Request));
    x->left = malloc(n * sizeof *x->left);
    x->finished = malloc(n * sizeof *x->finished);
    x->status = malloc(n * sizeof *x->status);
    if (x->request == NULL || x->left == NULL || x->finished == NULL ||
        x->status == NULL)
        return hesca_fail(HESCA_ERR_NOMEM, 0, "%lld messages",
                          (long long)x->most);
    return HESCA_SUCCESS;
}

void
hesca_request_set_clear(hesca_request_set *x)
{
    free(x->request);
    free(x->left);
    free(x->finished);
    free(x->status);
    *x = (hesca_request_set){.n = 0};
}

static MPI_Request *
next(hesca_request_set *x, int64_t *left)
{
    assert(x->n < x->most);
    ++*left;
    x->left[x->n] = left;
    return &x->request[x->n++];
}

int
hesca_request_set_send(hesca_request_set *x, int rank, int tag, const void *at,
                       int64_t bytes, int64_t *left)
{
    const int64_t piece = piece_of(x->comm, rank);
    int err = HESCA_SUCCESS;
    hesca_comm_sent(x->comm, rank, bytes);
    for (int64_t done = 0; done < bytes; done += piece)
        HESCA_MPI(err, Isend, (const char *)at + done,
                  (int)hesca_min(piece, bytes - done), MPI_BYTE, rank, tag,
                  x->comm->mpi, next(x, left));
fail:
    return err;
}

int
hesca_request_set_receive(hesca_request_set *x, int rank, int tag, void *at,
                          int64_t bytes, int64_t *left)
{
    const int64_t piece = piece_of(x->comm, rank);
    int err = HESCA_SUCCESS;
    for (int64_t done = 0; done < bytes; done += piece)
        HESCA_MPI(err, Irecv, (char *)at + done,
                  (int)hesca_min(piece, bytes - done), MPI_BYTE, rank, tag,
                  x->comm->mpi, next(x, left));
fail:
    return err;
}

/* Remove completed requests. */
static void
compress(hesca_request_set *x)
{
    int64_t n = 0;
    for (int64_t k = 0; k < x->n; ++k)
        if (x->request[k] != MPI_REQUEST_NULL) {
            x->request[n] = x->request[k];
            x->left[n++] = x->left[k];
        }
    x->n = n;
}

int
hesca_request_set_advance(hesca_request_set *x)
{
    int err = HESCA_SUCCESS, n = 0;
    if (x->n == 0)
        return err;
    HESCA_MPI(err, Testsome, (int)x->n, x->request, &n, x->finished,
              x->status);
    for (int k = 0; k < n; ++k)
        --*x->left[x->finished[k]];
    if (n > 0)
        compress(x);
fail:
    return err;
}
