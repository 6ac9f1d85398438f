/* SPDX-License-Identifier: BSD-3-Clause */
/* The server of HMPI's registry against others: strangers, garbage,
 * processes that end or do not answer; without MPI. */
#include "hesca/status.h"
#include "hmpi/hmpi_registry.h"
#include "hmpi/hmpi_server.h"
#include "testing/unit.h"
#include <arpa/inet.h>
#include <errno.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

enum { PROCS = 3, PATIENCE = 1 };

static hesca_hmpi_contact contact;
static hesca_hmpi_server *server;
static int fd[PROCS];

static int
open_socket(void)
{
    const int s = socket(AF_INET, SOCK_STREAM, 0);
    struct sockaddr_in at = {.sin_family = AF_INET,
                             .sin_port = htons((uint16_t)contact.port)};
    inet_pton(AF_INET, "127.0.0.1", &at.sin_addr);
    if (connect(s, (struct sockaddr *)&at, sizeof at) == 0)
        return s;
    close(s);
    return -1;
}

static void
say(int s, hesca_hmpi_type type, int64_t a, const void *bytes, int n)
{
    const hesca_hmpi_message m = {type, n, a};
    CHECK(send(s, &m, sizeof m, MSG_NOSIGNAL) == (ssize_t)sizeof m, "send");
    if (n > 0)
        CHECK(send(s, bytes, (size_t)n, MSG_NOSIGNAL) == n, "send");
}

/* The next message but for PING, within some seconds; type -1: the end, -2:
 * nothing. */
static hesca_hmpi_message
hear(int s, int answers, int ms)
{
    for (;;) {
        hesca_hmpi_message m = {-2, 0, 0};
        struct pollfd p = {.fd = s, .events = POLLIN};
        char bytes[1000];
        if (poll(&p, 1, ms) != 1)
            return m;
        if (recv(s, &m, sizeof m, MSG_WAITALL) != (ssize_t)sizeof m) {
            m.type = -1;
            return m;
        }
        if (m.n > 0)
            CHECK(recv(s, bytes, (size_t)m.n, MSG_WAITALL) == m.n, "bytes");
        if (m.type != HESCA_HMPI_PING)
            return m;
        if (answers)
            say(s, HESCA_HMPI_PONG, 0, NULL, 0);
    }
}

static void
begin(void)
{
    static const double speed[PROCS] = {1, 2, 3};
    CHECK(hesca_hmpi_server_create(PROCS, speed, 1, PATIENCE, &contact, &fd[0],
                                   &server) == 0,
          "%s", hesca_error_text());
    CHECK(strcmp(contact.addresses, "127.0.0.1") == 0, "%s",
          contact.addresses);
    for (int k = 1; k < PROCS; ++k) {
        fd[k] = open_socket();
        say(fd[k], HESCA_HMPI_HELLO, k, contact.secret, HESCA_HMPI_SECRET);
        CHECK(hear(fd[k], 0, 5000).type == HESCA_HMPI_DONE, "process %d", k);
    }
}

static void
end(int is_failed)
{
    hesca_hmpi_server_free(server, is_failed);
    for (int k = 0; k < PROCS; ++k)
        close(fd[k]);
}

/* A program ends as it should. */
static void
finish(void)
{
    for (int k = 0; k < PROCS; ++k)
        say(fd[k], HESCA_HMPI_WAIT, HESCA_HMPI_AT_FINALIZE, NULL, 0);
    for (int k = 0; k < PROCS; ++k)
        CHECK(hear(fd[k], 1, 5000).type == HESCA_HMPI_LEAVE, "process %d", k);
    end(0);
}

/* Before all processes have come, anybody on the machine can connect. */
static void
strangers(void)
{
    static const double speed[PROCS] = {1, 1, 1};
    unsigned char wrong[HESCA_HMPI_SECRET];
    int s[6];
    CHECK(hesca_hmpi_server_create(PROCS, speed, 1, PATIENCE, &contact, &fd[0],
                                   &server) == 0,
          "%s", hesca_error_text());
    memcpy(wrong, contact.secret, sizeof wrong);
    wrong[HESCA_HMPI_SECRET - 1] ^= 1;
    for (int k = 0; k < 6; ++k)
        s[k] = open_socket();
    /* s[0] says nothing, s[1] a part. */
    send(s[1], "GET / HTTP/1.0\r\n", 16, MSG_NOSIGNAL);
    say(s[2], HESCA_HMPI_HELLO, 1, wrong, HESCA_HMPI_SECRET);
    say(s[3], HESCA_HMPI_HELLO, 0, contact.secret, HESCA_HMPI_SECRET);
    say(s[4], HESCA_HMPI_HELLO, PROCS, contact.secret, HESCA_HMPI_SECRET);
    say(s[5], HESCA_HMPI_STATE, 0, wrong, HESCA_HMPI_SECRET);
    for (int k = 2; k < 6; ++k)
        CHECK(hear(s[k], 0, 5000).type == -1, "stranger %d is answered", k);
    for (int k = 1; k < PROCS; ++k) {
        fd[k] = open_socket();
        say(fd[k], HESCA_HMPI_HELLO, k, contact.secret, HESCA_HMPI_SECRET);
        CHECK(hear(fd[k], 0, 5000).type == HESCA_HMPI_DONE, "process %d", k);
        const int again = open_socket();
        if (again >= 0) {
            say(again, HESCA_HMPI_HELLO, k, contact.secret, HESCA_HMPI_SECRET);
            CHECK(hear(again, 0, 5000).type == -1, "process %d twice", k);
            close(again);
        }
    }
    for (int k = 0; k < 2; ++k)
        CHECK(hear(s[k], 0, 5000).type == -1, "stranger %d is kept", k);
    CHECK(open_socket() < 0 && errno == ECONNREFUSED,
          "the server still listens: %s", strerror(errno));
    for (int k = 0; k < 6; ++k)
        close(s[k]);
    finish();
}

/* Requests that break the rules are refused, and change nothing. */
static void
refused(void)
{
    static const int32_t ranks[] = {2, 1, 1};
    begin();
    say(fd[1], HESCA_HMPI_BEGIN, 0, NULL, 0); /* a free process */
    CHECK(hear(fd[1], 0, 5000).type == HESCA_HMPI_REFUSED, "begin");
    say(fd[1], HESCA_HMPI_WAIT, 7, NULL, 0);
    CHECK(hear(fd[1], 0, 5000).type == HESCA_HMPI_REFUSED, "place 7");
    say(fd[1], HESCA_HMPI_FREE, 5, NULL, 0);
    CHECK(hear(fd[1], 0, 5000).type == HESCA_HMPI_REFUSED, "free");
    say(fd[1], HESCA_HMPI_CONFIRM, 1, NULL, 0);
    CHECK(hear(fd[1], 0, 5000).type == HESCA_HMPI_REFUSED, "confirm");
    say(fd[0], HESCA_HMPI_COMMIT, 0, ranks, sizeof ranks);
    CHECK(hear(fd[0], 0, 5000).type == HESCA_HMPI_REFUSED, "commit");
    say(fd[0], HESCA_HMPI_SPEEDS, 0, ranks, sizeof ranks);
    CHECK(hear(fd[0], 0, 5000).type == HESCA_HMPI_REFUSED, "speeds");
    say(fd[0], 99, 0, NULL, 0);
    CHECK(hear(fd[0], 0, 5000).type == HESCA_HMPI_REFUSED, "type 99");
    for (int k = 1; k < PROCS; ++k)
        say(fd[k], HESCA_HMPI_WAIT, HESCA_HMPI_AT_CREATE, NULL, 0);
    say(fd[0], HESCA_HMPI_BEGIN, 0, NULL, 0);
    CHECK(hear(fd[0], 0, 5000).type == HESCA_HMPI_CANDIDATES, "begin");
    say(fd[0], HESCA_HMPI_COMMIT, 0, ranks, sizeof ranks); /* twice the same */
    CHECK(hear(fd[0], 0, 5000).type == HESCA_HMPI_REFUSED, "commit");
    say(fd[0], HESCA_HMPI_CANCEL, 0, NULL, 0);
    CHECK(hear(fd[0], 0, 5000).type == HESCA_HMPI_DONE, "cancel");
    for (int k = 1; k < PROCS; ++k)
        CHECK(hear(fd[k], 1, 5000).type == HESCA_HMPI_LEAVE, "process %d", k);
    finish();
}

/* A process that has closed its connection, sends no messages, or does not
 * answer while it waits. */
static void
lost(void)
{
    for (int how = 0; how < 3; ++how) {
        hesca_hmpi_message m = {-2, 0, 0};
        begin();
        say(fd[1], HESCA_HMPI_WAIT, HESCA_HMPI_AT_FINALIZE, NULL, 0);
        if (how == 0)
            shutdown(fd[2], SHUT_RDWR);
        else if (how == 1)
            say(fd[2], HESCA_HMPI_STATE, 0, "", -1);
        else
            say(fd[2], HESCA_HMPI_WAIT, HESCA_HMPI_AT_CREATE, NULL, 0);
        m = hear(fd[1], 1, 10000);
        CHECK(m.type == HESCA_HMPI_LOST && m.a == 2, "%d: heard %d", how,
              m.type);
        m = hear(fd[0], 1, 10000);
        CHECK(m.type == HESCA_HMPI_LOST && m.a == 2, "%d: heard %d", how,
              m.type);
        end(1);
    }
}

int
main(void)
{
    const struct CMUnitTest tests[] = {UNIT(strangers), UNIT(refused),
                                       UNIT(lost)};
    unit_begin("hmpi/t_hmpi_server", 1);
    return unit_end(cmocka_run_group_tests(tests, NULL, NULL));
}
