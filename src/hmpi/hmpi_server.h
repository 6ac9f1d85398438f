/* SPDX-License-Identifier: BSD-3-Clause */
/** \file hmpi/hmpi_server.h
 * The thread of process 0 that serves the registry (hmpi_registry.h).
 *
 * Why a thread and sockets: it must answer while process 0 computes for
 * minutes without a call of MPI, on any MPI library and with any thread level,
 * so it makes no calls of MPI; and a daemon or an extra process would be
 * another thing to start and to find.  Passive targets of one-sided MPI, the
 * alternative, progress only inside MPI calls of process 0 with MPICH and Open
 * MPI over TCP.
 *
 * Nothing of it can be used by others: all processes connect in HMPI_Init(),
 * with a secret of 32 random bytes that they have through MPI; then the
 * listening socket is closed.  A connection without the secret is closed after
 * 10 seconds, or for another one, and nothing that it sends is looked at. */
#ifndef HESCA_HMPI_HMPI_SERVER_H
#define HESCA_HMPI_HMPI_SERVER_H

#include <stddef.h>

enum { HESCA_HMPI_SECRET = 32, HESCA_HMPI_ADDRESSES = 4096 };

/** Where the server listens; sent through MPI as bytes. */
typedef struct {
    int port;
    unsigned char secret[HESCA_HMPI_SECRET];
    char addresses[HESCA_HMPI_ADDRESSES]; /**< separated by blanks */
} hesca_hmpi_contact;

typedef struct hesca_hmpi_server hesca_hmpi_server;

/** Begin to listen, and start the thread.
 * \param [in]  speed      [nprocs]
 * \param [in]  is_local   All processes are on this host: no other can
 *                         connect.
 * \param [in]  patience   Seconds, see HMPI_TIMEOUT; 0: no limit.
 * \param [out] own        The socket of process 0, connected.
 * \return HESCA_SUCCESS, HESCA_ERR_NOMEM, HESCA_ERR_UNSUPPORTED with a text
 *         (sockets, threads). */
int hesca_hmpi_server_create(int nprocs, const double *speed, int is_local,
                             double patience, hesca_hmpi_contact *contact,
                             int *own, hesca_hmpi_server **server);

/** Wait for the thread, which ends when all processes may end,
 * or one is lost; or, with is_failed, at once. */
void hesca_hmpi_server_free(hesca_hmpi_server *server, int is_failed);

/** Seconds on a clock that is not set back. */
double hesca_hmpi_now(void);

#endif
