/* SPDX-License-Identifier: BSD-3-Clause */
/* The sleep that a message ends, with a pipe for the message. */
#include "testing/unit.h"
#include "wait/wake.h"
#include <sys/epoll.h>
#include <time.h>
#include <unistd.h>

enum { SECOND = 999999 }; /* us */

static double
now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static double
time_sleeps(int n, int us)
{
    const double begun = now();
    for (int k = 0; k < n; ++k)
        hesca_wake_sleep(us);
    return now() - begun;
}

static int set, pipes[2];

static void
write_one(void)
{
    CHECK(write(pipes[1], "x", 1) == 1, "write");
}

static void
no_descriptor(void)
{
    CHECK(time_sleeps(1, 2000) >= 2e-3, "sleeps");
    CHECK(!hesca_wake_works(), "nothing can wake");
}

static void
message(void)
{
    struct epoll_event event = {.events = EPOLLIN};
    set = epoll_create1(0);
    CHECK(set >= 0 && pipe(pipes) == 0 &&
              epoll_ctl(set, EPOLL_CTL_ADD, pipes[0], &event) == 0,
          "descriptors");
    CHECK(time_sleeps(2, SECOND) >= 1.9, "nothing to wake for");
    CHECK(!hesca_wake_works(), "nothing has come");
    write_one();
    CHECK(time_sleeps(60, SECOND) < 30, "60 sleeps that a message ends");
    CHECK(hesca_wake_works(), "a message has come");
}

/* After message(): the message is still there. */
static void
not_taken(void)
{
    char x;
    time_sleeps(300, 1);
    CHECK(time_sleeps(100, SECOND) >= 10e-3, "a message that nobody takes");
    CHECK(read(pipes[0], &x, 1) == 1, "read");
    CHECK(time_sleeps(1, 2000) >= 2e-3, "nothing to wake for any more");
    write_one();
    CHECK(time_sleeps(30, SECOND) < 15, "30 sleeps that a message ends");
}

static void
closed(void)
{
    close(set);
    const double begun = now();
    while (now() < begun + 2.5)
        hesca_wake_sleep(1000);
    CHECK(!hesca_wake_works(), "this is found within two seconds");
    close(pipes[0]);
    close(pipes[1]);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {UNIT(no_descriptor), UNIT(message),
                                       UNIT(not_taken), UNIT(closed)};
    unit_begin("t_wake", 1);
    return unit_end(cmocka_run_group_tests(tests, NULL, NULL));
}
