/* SPDX-License-Identifier: BSD-3-Clause */
/* The epoll descriptors of the process are found in /proc/self/fd; MPI has no
 * function that tells its own.  One that is ready at once has a message of
 * which a look takes only a piece, so that there is no time to sleep.  But if
 * it stays ready for long, it is none of the MPI library's, or of no use now,
 * and must not turn sleeping into polling. */
#define _GNU_SOURCE /* ppoll, prctl's constants */
#include "wait/wake.h"
#include <dirent.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>
#if defined(__linux__)
#include <sys/prctl.h>
#endif

enum {
    MOST = 8, /* descriptors; MPICH with UCX has two */
    PIECES = 256,
    PIECE_NAP = 100, /* us, at 64 KB per piece 5 Gbit/s */
    COARSE = 500     /* us: the slack does not matter */
};

static const double SEARCH_EVERY = 1; /* s; a search takes 0.05 ms */
static const double AT_ONCE = 50e-6;  /* s */

static __thread struct {
    struct pollfd fd[MOST];
    nfds_t n;
    double searched; /* when */
    int ready;       /* found ready at once, so many times in turn */
    int woken;       /* one of them has ended a sleep since the search */
    int works;       /* the same since the search before that */
} here;

static double
now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void
search(void)
{
    DIR *list = opendir("/proc/self/fd");
    struct dirent *entry;
    here.n = 0;
    while (list != NULL && here.n < MOST && (entry = readdir(list)) != NULL) {
        char target[32];
        const ssize_t n =
            readlinkat(dirfd(list), entry->d_name, target, sizeof target - 1);
        if (n < 0)
            continue;
        target[n] = '\0';
        if (strcmp(target, "anon_inode:[eventpoll]") == 0)
            here.fd[here.n++] =
                (struct pollfd){.fd = atoi(entry->d_name), .events = POLLIN};
    }
    if (list != NULL)
        closedir(list);
    here.works = here.woken;
    here.woken = 0;
    here.searched = now();
}

int
hesca_wake_works(void)
{
    return here.works;
}

/* Sleep on the descriptors.
 * \return 1 if one of them ended it. */
static int
sleep_on_them(const struct timespec *t)
{
    if (ppoll(here.fd, here.n, t, NULL) <= 0)
        return 0;
    for (nfds_t k = 0; k < here.n; ++k)
        if (here.fd[k].revents & POLLIN)
            here.woken = here.works = 1;
    return 1;
}

/* 1 if the descriptors are ready, and were at once so often in turn that a
 * sleep on them would be none. */
static int
is_useless(void)
{
    if (here.ready >= PIECES && poll(here.fd, here.n, 0) == 0)
        here.ready = 0;
    return here.ready >= PIECES;
}

int
hesca_wake_sleep(int us)
{
    int woken = 0;
    const struct timespec t = {.tv_nsec = us * 1000L};
    const struct timespec short_nap = {.tv_nsec = PIECE_NAP * 1000L};
    const double begun = now();
    if (here.searched == 0 || begun - here.searched > SEARCH_EVERY)
        search();
#if defined(__linux__)
    /* The kernel may extend a sleep by the timer slack, 50 us by default. */
    const int slack = us < COARSE ? prctl(PR_GET_TIMERSLACK) : 0;
    if (slack > 0)
        prctl(PR_SET_TIMERSLACK, 1UL);
#endif
    if (here.n == 0)
        nanosleep(&t, NULL);
    else if (is_useless())
        nanosleep(us < PIECE_NAP ? &t : &short_nap, NULL);
    else {
        woken = sleep_on_them(&t);
        here.ready = woken && now() - begun < AT_ONCE ? here.ready + 1 : 0;
    }
#if defined(__linux__)
    if (slack > 0)
        prctl(PR_SET_TIMERSLACK, (unsigned long)slack);
#endif
    return woken;
}
