/* SPDX-License-Identifier: BSD-3-Clause */
/* Requests of a process to the registry, over its socket to process 0.  While
 * it waits it sleeps in poll(), and lets MPI progress now and then. */
#define _GNU_SOURCE /* MSG_NOSIGNAL, SOCK_CLOEXEC */
#include "base/status.h"
#include "hmpi/hmpi_state.h"
#include "wait/backoff.h"
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

enum {
    NAP_MOST = 20,  /* ms between two looks of MPI */
    CONNECT = 5000, /* ms for an address */
    SLACK = 12      /* seconds: more than between two pings */
};

/* --- processes that have ended --- */

/* What MPI does when a process is lost: its error handler decides. */
static int
fail_lost(int rank, const char *how)
{
    if (hesca_hmpi.lost < 0 && rank == 0)
        fprintf(stderr, "hmpi: process 0 %s, says process %d\n", how,
                hesca_hmpi.rank);
    if (hesca_hmpi.lost < 0)
        hesca_hmpi.lost = rank;
    PMPI_Comm_call_errhandler(MPI_COMM_WORLD, MPI_ERR_OTHER);
    return hesca_fail(HMPI_ERR_LOST, 0, "process %d %s", hesca_hmpi.lost, how);
}

/* --- bytes --- */

static int
write_all(const void *bytes, size_t n)
{
    const char *at = bytes;
    while (n > 0) {
        const ssize_t k = send(hesca_hmpi.fd, at, n, MSG_NOSIGNAL);
        if (k < 0 && errno == EINTR)
            continue;
        if (k <= 0)
            return fail_lost(0, "has closed its connection");
        at += k;
        n -= (size_t)k;
    }
    return HESCA_SUCCESS;
}

/* Wait for bytes.  heard: when the server was last heard of. */
static int
wait_readable(double heard)
{
    struct pollfd p = {.fd = hesca_hmpi.fd, .events = POLLIN};
    int nap = 0, flag;
    for (;;) {
        const int n = poll(&p, 1, nap);
        if (n > 0)
            return HESCA_SUCCESS;
        if (n < 0 && errno != EINTR)
            return fail_lost(0, strerror(errno));
        if (hesca_hmpi.comm != MPI_COMM_NULL)
            PMPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, hesca_hmpi.comm, &flag,
                        MPI_STATUS_IGNORE);
        if (hesca_hmpi.patience > 0 &&
            hesca_hmpi_now() - heard > hesca_hmpi.patience + SLACK)
            return fail_lost(0, "does not answer");
        nap = nap < NAP_MOST ? nap + 1 : NAP_MOST;
    }
}

static int
read_all(void *bytes, size_t n)
{
    char *at = bytes;
    const double heard = hesca_hmpi_now();
    int err;
    while (n > 0) {
        if ((err = wait_readable(heard)) < 0)
            return err;
        const ssize_t k = recv(hesca_hmpi.fd, at, n, 0);
        if (k < 0 && (errno == EINTR || errno == EAGAIN))
            continue;
        if (k <= 0)
            return fail_lost(0, "has closed its connection");
        at += k;
        n -= (size_t)k;
    }
    return HESCA_SUCCESS;
}

/* --- requests --- */

int
hesca_hmpi_tell(hesca_hmpi_type type, int64_t a, const void *bytes, size_t n)
{
    const hesca_hmpi_message m = {(int32_t)type, (int32_t)n, a};
    int err;
    if (hesca_hmpi.lost >= 0)
        return fail_lost(hesca_hmpi.lost, "has ended");
    if (n > HESCA_HMPI_BYTES_MAX)
        return hesca_fail(HESCA_ERR_NOMEM, 0, "hmpi: a message of %zu bytes",
                          n);
    HESCA_TRY(err, write_all(&m, sizeof m));
    if (n > 0)
        err = write_all(bytes, n);
fail:
    return err;
}

/* The next message that is an answer. */
static int
read_answer(hesca_hmpi_message *m, char **bytes)
{
    int err;
    *bytes = NULL;
    for (;;) {
        HESCA_TRY(err, read_all(m, sizeof *m));
        if (m->type == HESCA_HMPI_LOST)
            return fail_lost((int)m->a, "has ended");
        if (m->type != HESCA_HMPI_PING)
            break;
        HESCA_TRY(err, hesca_hmpi_tell(HESCA_HMPI_PONG, 0, NULL, 0));
    }
    if (m->n == 0)
        return HESCA_SUCCESS;
    *bytes = malloc((size_t)m->n);
    if (*bytes == NULL)
        return hesca_fail(HESCA_ERR_NOMEM, 0, "hmpi: %d bytes", m->n);
    err = read_all(*bytes, (size_t)m->n);
    if (err < 0) {
        free(*bytes);
        *bytes = NULL;
    }
fail:
    return err;
}

int
hesca_hmpi_ask(hesca_hmpi_type type, int64_t a, const void *bytes, size_t n,
               hesca_hmpi_message *reply, char **answer)
{
    char *got = NULL;
    int err;
    if (answer != NULL)
        *answer = NULL;
    HESCA_TRY(err, hesca_hmpi_tell(type, a, bytes, n));
    HESCA_TRY(err, read_answer(reply, &got));
    if (answer != NULL)
        *answer = got;
    else
        free(got);
fail:
    return err;
}

int
hesca_hmpi_ask_done(const char *routine, hesca_hmpi_type type, int64_t a,
                    const void *bytes, size_t n)
{
    hesca_hmpi_message reply;
    const int err = hesca_hmpi_ask(type, a, bytes, n, &reply, NULL);
    if (err < 0)
        return err;
    return reply.type == HESCA_HMPI_DONE
               ? HESCA_SUCCESS
               : hesca_fail(HMPI_ERR_ORDER, 0,
                            "%s: process %d may not call this now", routine,
                            hesca_hmpi.rank);
}

/* --- connecting --- */

/* Try one address for some seconds.
 * \return A socket, or -1. */
static int
try_address(const char *address, int port)
{
    struct sockaddr_in at = {.sin_family = AF_INET,
                             .sin_port = htons((uint16_t)port)};
    struct pollfd p = {.events = POLLOUT};
    const int one = 1;
    int error = 0;
    socklen_t size = sizeof error;
    if (inet_pton(AF_INET, address, &at.sin_addr) != 1)
        return -1;
    p.fd = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
    if (p.fd < 0)
        return -1;
    if (connect(p.fd, (struct sockaddr *)&at, sizeof at) != 0 &&
        (errno != EINPROGRESS || poll(&p, 1, CONNECT) != 1 ||
         getsockopt(p.fd, SOL_SOCKET, SO_ERROR, &error, &size) != 0 ||
         error != 0)) {
        close(p.fd);
        return -1;
    }
    fcntl(p.fd, F_SETFL, 0);
    setsockopt(p.fd, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one);
    return p.fd;
}

/* The server closes the connection if another program listens there, or this
 * is not the right one. */
static int
greet(const hesca_hmpi_contact *contact)
{
    const hesca_hmpi_message m = {HESCA_HMPI_HELLO, HESCA_HMPI_SECRET,
                                  hesca_hmpi.rank};
    char hello[sizeof m + HESCA_HMPI_SECRET], reply[sizeof m];
    size_t have = 0;
    struct pollfd p = {.fd = hesca_hmpi.fd, .events = POLLIN};
    memcpy(hello, &m, sizeof m);
    memcpy(hello + sizeof m, contact->secret, HESCA_HMPI_SECRET);
    if (send(p.fd, hello, sizeof hello, MSG_NOSIGNAL) != (ssize_t)sizeof hello)
        return 0;
    while (have < sizeof reply) {
        if (poll(&p, 1, CONNECT) != 1)
            return 0;
        const ssize_t n = recv(p.fd, reply + have, sizeof reply - have, 0);
        if (n <= 0)
            return 0;
        have += (size_t)n;
    }
    hesca_hmpi_message done;
    memcpy(&done, reply, sizeof done);
    return done.type == HESCA_HMPI_DONE && done.n == 0;
}

int
hesca_hmpi_connect(const hesca_hmpi_contact *contact)
{
    char list[HESCA_HMPI_ADDRESSES], *rest = NULL;
    snprintf(list, sizeof list, "%s", contact->addresses);
    for (char *a = strtok_r(list, " ", &rest); a != NULL;
         a = strtok_r(NULL, " ", &rest)) {
        hesca_hmpi.fd = try_address(a, contact->port);
        if (hesca_hmpi.fd < 0)
            continue;
        if (greet(contact))
            return HESCA_SUCCESS;
        close(hesca_hmpi.fd);
        hesca_hmpi.fd = -1;
    }
    return hesca_fail(HESCA_ERR_UNSUPPORTED, 0,
                      "HMPI_Init: process %d does not reach process 0 at port "
                      "%d of any of %.200s",
                      hesca_hmpi.rank, contact->port, contact->addresses);
}

/* --- waiting in MPI --- */

int
hesca_hmpi_wait_mpi(MPI_Request *request)
{
    hesca_backoff wait = hesca_backoff_begin(1);
    int done = 0;
    for (;;) {
        if (PMPI_Test(request, &done, MPI_STATUS_IGNORE) != MPI_SUCCESS)
            return hesca_fail(HESCA_ERR_MPI, 0, "hmpi: MPI_Test failed");
        if (done)
            return HESCA_SUCCESS;
        hesca_backoff_pause(&wait);
    }
}
