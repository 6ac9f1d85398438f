/* SPDX-License-Identifier: BSD-3-Clause */
#define _GNU_SOURCE /* accept4, getrandom */
#include "hmpi/hmpi_server.h"
#include "base/status.h"
#include "hmpi/hmpi_registry.h"
#include <errno.h>
#include <fcntl.h>
#include <ifaddrs.h>
#include <net/if.h>
#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

enum {
    STRANGERS = 64, /* connections without a rank at a time */
    GREETING = 10,  /* seconds for the secret */
    PING_EVERY = 5, /* seconds; less if patience is less */
    CHUNK = 1 << 16
};

/* Bytes that have come, or are to be sent: data[begin ... end - 1]. */
typedef struct {
    char *data;
    size_t begin, end, room;
} buffer;

typedef struct {
    int fd;   /* -1: none */
    int rank; /* -1: not known yet */
    double since, heard;
    buffer in, out;
} connection;

struct hesca_hmpi_server {
    int nprocs, nknown; /* processes that have connected */
    int listener;       /* -1: closed */
    int wake[2];        /* written to: end at once */
    double patience, pinged;
    unsigned char secret[HESCA_HMPI_SECRET];
    hesca_hmpi_registry *registry;
    connection *process;            /* [nprocs] */
    connection stranger[STRANGERS]; /* fd < 0: none */
    struct pollfd *poll;            /* [nprocs + STRANGERS + 2] */
    int is_over, is_out_of_memory;
    pthread_t thread;
};

double
hesca_hmpi_now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* --- buffers --- */

static int
reserve(buffer *b, size_t more)
{
    if (b->begin == b->end)
        b->begin = b->end = 0;
    if (b->end + more <= b->room)
        return 1;
    size_t room = b->room > 0 ? b->room : 256;
    while (room < b->end + more)
        room *= 2;
    char *data = realloc(b->data, room);
    if (data == NULL)
        return 0;
    b->data = data;
    b->room = room;
    return 1;
}

static int
append(buffer *b, const void *bytes, size_t n)
{
    if (n > 0 && !reserve(b, n))
        return 0;
    if (n > 0)
        memcpy(b->data + b->end, bytes, n);
    b->end += n;
    return 1;
}

static void
close_connection(connection *c)
{
    if (c->fd >= 0)
        close(c->fd);
    free(c->in.data);
    free(c->out.data);
    *c = (connection){.fd = -1, .rank = -1};
}

/* --- sending --- */

static void
send_message(void *self, int rank, hesca_hmpi_type type, int64_t a,
             const void *bytes, size_t n)
{
    hesca_hmpi_server *s = self;
    connection *c = &s->process[rank];
    const hesca_hmpi_message m = {(int32_t)type, (int32_t)n, a};
    if (c->fd < 0)
        return;
    if (!append(&c->out, &m, sizeof m) || !append(&c->out, bytes, n))
        s->is_out_of_memory = 1;
}

/* Write what the socket takes.
 * \return 0 if it is closed. */
static int
flush(connection *c)
{
    while (c->out.begin < c->out.end) {
        const ssize_t n = send(c->fd, c->out.data + c->out.begin,
                               c->out.end - c->out.begin, MSG_NOSIGNAL);
        if (n < 0 && (errno == EAGAIN || errno == EWOULDBLOCK))
            return 1;
        if (n < 0 && errno == EINTR)
            continue;
        if (n < 0)
            return 0;
        c->out.begin += (size_t)n;
    }
    return 1;
}

/* --- receiving --- */

/* A process that has come to its end is missed by nobody. */
static void
lose(hesca_hmpi_server *s, int rank, const char *how)
{
    close_connection(&s->process[rank]);
    if (s->is_over || hesca_hmpi_registry_is_over(s->registry))
        return;
    fprintf(stderr, "hmpi: process %d %s\n", rank, how);
    fflush(stderr);
    hesca_hmpi_registry_lose(s->registry, rank);
    s->is_over = 1;
}

/* One message of a process that is known. */
static void
take(hesca_hmpi_server *s, int rank, const hesca_hmpi_message *m,
     const char *bytes)
{
    s->process[rank].heard = hesca_hmpi_now();
    if (m->type == HESCA_HMPI_PRINT) {
        fwrite(bytes, 1, (size_t)m->n, stdout);
        fflush(stdout);
    } else if (m->type != HESCA_HMPI_PONG) {
        hesca_hmpi_registry_receive(s->registry, rank, m, bytes);
    }
}

/* The complete messages that have come.
 * \return 0 if they are none of HMPI's. */
static int
take_all(hesca_hmpi_server *s, connection *c)
{
    hesca_hmpi_message m;
    while (c->in.end - c->in.begin >= sizeof m) {
        const char *at = c->in.data + c->in.begin;
        memcpy(&m, at, sizeof m);
        if (m.n < 0 || m.n > HESCA_HMPI_BYTES_MAX)
            return 0;
        if (c->in.end - c->in.begin < sizeof m + (size_t)m.n)
            return 1;
        c->in.begin += sizeof m + (size_t)m.n;
        take(s, c->rank, &m, at + sizeof m);
        if (c->fd < 0)
            return 1;
    }
    return 1;
}

/* Read what has come, at most `most` bytes in all in the buffer.
 * \return 0 at the end. */
static int
fill(connection *c, size_t most)
{
    for (;;) {
        const size_t have = c->in.end - c->in.begin;
        const size_t room = have < most ? most - have : 0;
        if (room == 0)
            return 1;
        const size_t ask = room < CHUNK ? room : CHUNK;
        if (!reserve(&c->in, ask))
            return 0;
        const ssize_t n = recv(c->fd, c->in.data + c->in.end, ask, 0);
        if (n > 0)
            c->in.end += (size_t)n;
        else if (n == 0)
            return 0;
        else if (errno != EINTR)
            return errno == EAGAIN || errno == EWOULDBLOCK;
    }
}

static void
hear(hesca_hmpi_server *s, int rank)
{
    connection *c = &s->process[rank];
    const int is_open =
        fill(c, sizeof(hesca_hmpi_message) + (size_t)HESCA_HMPI_BYTES_MAX);
    if (!take_all(s, c))
        lose(s, rank, "sends what is no message");
    else if (!is_open && c->fd >= 0)
        lose(s, rank, "has ended without HMPI_Finalize()");
}

/* --- strangers --- */

enum { HELLO = sizeof(hesca_hmpi_message) + HESCA_HMPI_SECRET };

static int
is_secret(const unsigned char *a, const unsigned char *b)
{
    int differ = 0; /* in the same time wherever they differ */
    for (int k = 0; k < HESCA_HMPI_SECRET; ++k)
        differ |= a[k] ^ b[k];
    return differ == 0;
}

/* A connection becomes that of a process when it has said the secret; it is
 * closed when it has said anything else. */
static void
hear_stranger(hesca_hmpi_server *s, connection *c)
{
    const int is_open = fill(c, HELLO);
    hesca_hmpi_message m;
    if (c->in.end - c->in.begin < HELLO) {
        if (!is_open)
            close_connection(c);
        return;
    }
    memcpy(&m, c->in.data + c->in.begin, sizeof m);
    if (m.type != HESCA_HMPI_HELLO || m.n != HESCA_HMPI_SECRET || m.a < 1 ||
        m.a >= s->nprocs || s->process[m.a].fd >= 0 ||
        !is_secret((unsigned char *)c->in.data + c->in.begin + sizeof m,
                   s->secret)) {
        close_connection(c);
        return;
    }
    c->rank = (int)m.a;
    c->in.begin = c->in.end = 0;
    c->heard = hesca_hmpi_now();
    s->process[c->rank] = *c;
    *c = (connection){.fd = -1, .rank = -1};
    send_message(s, (int)m.a, HESCA_HMPI_DONE, 0, NULL, 0);
    if (++s->nknown == s->nprocs) {
        close(s->listener);
        s->listener = -1;
        for (int k = 0; k < STRANGERS; ++k)
            close_connection(&s->stranger[k]);
    }
}

static void
accept_one(hesca_hmpi_server *s)
{
    int k = 0, oldest = 0;
    for (; k < STRANGERS && s->stranger[k].fd >= 0; ++k)
        if (s->stranger[k].since < s->stranger[oldest].since)
            oldest = k;
    /* Processes greet at once: the oldest connection that has not is no
     * process. */
    if (k == STRANGERS)
        close_connection(&s->stranger[k = oldest]);
    const int fd =
        accept4(s->listener, NULL, NULL, SOCK_NONBLOCK | SOCK_CLOEXEC);
    const int one = 1;
    if (fd < 0)
        return;
    setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one);
    s->stranger[k] =
        (connection){.fd = fd, .rank = -1, .since = hesca_hmpi_now()};
}

/* --- the thread --- */

/* Those that wait are asked whether they still are there. */
static void
ping(hesca_hmpi_server *s)
{
    const double t = hesca_hmpi_now();
    const double every = s->patience > 0 && s->patience < 2 * PING_EVERY
                             ? s->patience / 2
                             : PING_EVERY;
    for (int k = 0; k < STRANGERS; ++k)
        if (s->stranger[k].fd >= 0 && t - s->stranger[k].since > GREETING)
            close_connection(&s->stranger[k]);
    if (t - s->pinged < every)
        return;
    /* Stopped and continued together, nobody has been silent. */
    if (t - s->pinged > 2 * every + 1)
        for (int k = 0; k < s->nprocs; ++k)
            s->process[k].heard = t;
    s->pinged = t;
    for (int k = 0; k < s->nprocs; ++k) {
        connection *c = &s->process[k];
        if (c->fd < 0 || !hesca_hmpi_registry_waits(s->registry, k)) {
            c->heard = t;
            continue;
        }
        if (s->patience > 0 && t - c->heard > s->patience)
            lose(s, k, "does not answer");
        else
            send_message(s, k, HESCA_HMPI_PING, 0, NULL, 0);
    }
}

static void
add_poll(hesca_hmpi_server *s, int *n, int fd, short events)
{
    s->poll[(*n)++] = (struct pollfd){.fd = fd, .events = events};
}

/* \return 0 when all is said. */
static int
serve_once(hesca_hmpi_server *s)
{
    int n = 0, more = 0;
    add_poll(s, &n, s->wake[0], POLLIN);
    add_poll(s, &n, s->listener, POLLIN); /* -1 is ignored */
    for (int k = 0; k < s->nprocs; ++k) {
        connection *c = &s->process[k];
        const int has_more = c->out.begin < c->out.end;
        more |= has_more;
        add_poll(s, &n, c->fd, (short)(POLLIN | (has_more ? POLLOUT : 0)));
    }
    for (int k = 0; k < STRANGERS; ++k)
        add_poll(s, &n, s->stranger[k].fd, POLLIN);
    if (!more && (s->is_over || hesca_hmpi_registry_is_over(s->registry)))
        return 0;
    if (poll(s->poll, (nfds_t)n, 500) < 0 && errno != EINTR)
        return 0;
    if (s->poll[0].revents != 0)
        return 0;
    for (int k = 0; k < s->nprocs; ++k) {
        const short got = s->poll[2 + k].revents;
        if ((got & (POLLIN | POLLHUP | POLLERR)) != 0 && s->process[k].fd >= 0)
            hear(s, k);
    }
    for (int k = 0; k < STRANGERS; ++k)
        if (s->poll[2 + s->nprocs + k].revents != 0 && s->stranger[k].fd >= 0)
            hear_stranger(s, &s->stranger[k]);
    if (s->listener >= 0 && s->poll[1].revents != 0)
        accept_one(s);
    ping(s);
    for (int k = 0; k < s->nprocs; ++k)
        if (s->process[k].fd >= 0 && !flush(&s->process[k]))
            lose(s, k, "has ended without HMPI_Finalize()");
    return !s->is_out_of_memory;
}

static void *
serve(void *self)
{
    while (serve_once(self))
        ;
    /* What processes still read is in their sockets. */
    hesca_hmpi_server *s = self;
    for (int k = 0; k < s->nprocs; ++k)
        close_connection(&s->process[k]);
    return NULL;
}

/* --- begin and end --- */

static int
fail_system(const char *what)
{
    return hesca_fail(HESCA_ERR_UNSUPPORTED, 0, "hmpi: %s: %s", what,
                      strerror(errno));
}

/* The addresses of this host that others may reach, behind 127.0.0.1. */
static void
list_addresses(int is_local, char *text, size_t room)
{
    struct ifaddrs *list = NULL;
    size_t n = (size_t)snprintf(text, room, "127.0.0.1");
    if (is_local || getifaddrs(&list) != 0)
        return;
    for (struct ifaddrs *a = list; a != NULL; a = a->ifa_next) {
        char host[NI_MAXHOST];
        if (a->ifa_addr == NULL || (a->ifa_flags & IFF_LOOPBACK) != 0 ||
            a->ifa_addr->sa_family != AF_INET ||
            getnameinfo(a->ifa_addr, sizeof(struct sockaddr_in), host,
                        sizeof host, NULL, 0, NI_NUMERICHOST) != 0 ||
            n + strlen(host) + 2 > room)
            continue;
        n += (size_t)snprintf(text + n, room - n, " %s", host);
    }
    freeifaddrs(list);
}

static int
begin_to_listen(hesca_hmpi_server *s, int is_local,
                hesca_hmpi_contact *contact)
{
    struct sockaddr_in at = {.sin_family = AF_INET};
    socklen_t size = sizeof at;
    at.sin_addr.s_addr = htonl(is_local ? INADDR_LOOPBACK : INADDR_ANY);
    if (s->nprocs == 1)
        return HESCA_SUCCESS;
    s->listener =
        socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
    if (s->listener < 0)
        return fail_system("socket");
    if (bind(s->listener, (struct sockaddr *)&at, sizeof at) != 0 ||
        listen(s->listener, 1024) != 0 ||
        getsockname(s->listener, (struct sockaddr *)&at, &size) != 0)
        return fail_system("listen");
    contact->port = ntohs(at.sin_port);
    list_addresses(is_local, contact->addresses, sizeof contact->addresses);
    return HESCA_SUCCESS;
}

static int
find_secret(hesca_hmpi_server *s, hesca_hmpi_contact *contact)
{
    if (getrandom(s->secret, sizeof s->secret, 0) != (ssize_t)sizeof s->secret)
        return fail_system("getrandom");
    memcpy(contact->secret, s->secret, sizeof s->secret);
    return HESCA_SUCCESS;
}

/* The socket of process 0 itself. */
static int
connect_own(hesca_hmpi_server *s, int *own)
{
    int pair[2];
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair) != 0)
        return fail_system("socketpair");
    fcntl(pair[0], F_SETFL, O_NONBLOCK);
    s->process[0] =
        (connection){.fd = pair[0], .rank = 0, .heard = hesca_hmpi_now()};
    s->nknown = 1;
    *own = pair[1];
    return HESCA_SUCCESS;
}

/* A socket for each process. */
static void
raise_limit(int nprocs)
{
    struct rlimit limit;
    if (getrlimit(RLIMIT_NOFILE, &limit) != 0)
        return;
    const rlim_t want = (rlim_t)nprocs + 256;
    if (limit.rlim_cur < want) {
        limit.rlim_cur = want < limit.rlim_max ? want : limit.rlim_max;
        setrlimit(RLIMIT_NOFILE, &limit);
    }
}

/* Signals are for the program's own threads. */
static int
start(hesca_hmpi_server *s)
{
    sigset_t all, old;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &old);
    errno = pthread_create(&s->thread, NULL, serve, s);
    const int err = errno != 0 ? fail_system("pthread_create") : 0;
    pthread_sigmask(SIG_SETMASK, &old, NULL);
    return err;
}

static void
clear(hesca_hmpi_server *s)
{
    for (int k = 0; s->process != NULL && k < s->nprocs; ++k)
        close_connection(&s->process[k]);
    for (int k = 0; k < STRANGERS; ++k)
        close_connection(&s->stranger[k]);
    for (int k = 0; k < 2; ++k)
        if (s->wake[k] >= 0)
            close(s->wake[k]);
    if (s->listener >= 0)
        close(s->listener);
    hesca_hmpi_registry_free(s->registry);
    free(s->process);
    free(s->poll);
    free(s);
}

int
hesca_hmpi_server_create(int nprocs, const double *speed, int is_local,
                         double patience, hesca_hmpi_contact *contact,
                         int *own, hesca_hmpi_server **server)
{
    hesca_hmpi_server *s = calloc(1, sizeof *s);
    int err = HESCA_SUCCESS;
    *own = -1;
    *server = NULL;
    if (s == NULL)
        return hesca_fail(HESCA_ERR_NOMEM, 0, "hmpi: the server");
    s->nprocs = nprocs;
    s->patience = patience;
    s->listener = s->wake[0] = s->wake[1] = -1;
    s->pinged = hesca_hmpi_now();
    for (int k = 0; k < STRANGERS; ++k)
        s->stranger[k] = (connection){.fd = -1, .rank = -1};
    s->process = malloc((size_t)nprocs * sizeof *s->process);
    s->poll = calloc((size_t)nprocs + STRANGERS + 2, sizeof *s->poll);
    for (int k = 0; s->process != NULL && k < nprocs; ++k)
        s->process[k] = (connection){.fd = -1, .rank = -1};
    s->registry = hesca_hmpi_registry_create(nprocs, speed, send_message, s);
    if (s->process == NULL || s->poll == NULL || s->registry == NULL) {
        err = hesca_fail(HESCA_ERR_NOMEM, 0, "hmpi: %d processes", nprocs);
        goto fail;
    }
    raise_limit(nprocs);
    if (pipe2(s->wake, O_CLOEXEC) != 0) {
        err = fail_system("pipe");
        goto fail;
    }
    HESCA_TRY(err, find_secret(s, contact));
    HESCA_TRY(err, begin_to_listen(s, is_local, contact));
    HESCA_TRY(err, connect_own(s, own));
    HESCA_TRY(err, start(s));
    *server = s;
    return HESCA_SUCCESS;
fail:
    if (*own >= 0)
        close(*own);
    *own = -1;
    clear(s);
    return err;
}

void
hesca_hmpi_server_free(hesca_hmpi_server *s, int is_failed)
{
    if (s == NULL)
        return;
    if (is_failed && write(s->wake[1], "", 1) < 0)
        pthread_cancel(s->thread);
    pthread_join(s->thread, NULL);
    clear(s);
}
