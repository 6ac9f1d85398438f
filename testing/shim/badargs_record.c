/* SPDX-License-Identifier: BSD-3-Clause */
/* What a call of t_badargs did: its calls of pxerbla and Cblacs_abort, and
 * what it wrote on stderr. */
#include "config.h"
#include "testing/check.h"
#include "testing/shim/badargs.h"
#include <signal.h>
#include <string.h>
#include <unistd.h>

#define pxerbla FC_FUNC(pxerbla, PXERBLA)
void pxerbla(const int *ictxt, const char *routine, const int *info,
             size_t len);
void Cblacs_abort(int ictxt, int error);

int rank, nprocs;
char what[200];

outcome mine;
double slow;

static double
now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

void
pxerbla(const int *ictxt, const char *routine, const int *info, size_t len)
{
    const struct timespec t = {.tv_nsec = (long)(slow * 1e9)};
    (void)ictxt;
    nanosleep(&t, NULL);
    snprintf(mine.routine, sizeof mine.routine, "%.*s", (int)len, routine);
    mine.message_info = *info;
    mine.message_at = now();
    ++mine.messages;
}

void
Cblacs_abort(int ictxt, int error)
{
    (void)ictxt;
    mine.abort_info = error;
    mine.abort_at = now();
    ++mine.aborts;
}

static FILE *file;
static int terminal, paper; /* the real stderr, the file in its place */

void
capture_begin(void)
{
    memset(&mine, 0, sizeof mine);
    mine.called = 1;
    fflush(stderr);
    if (ftruncate(paper, 0) < 0)
        perror("ftruncate");
    lseek(paper, 0, SEEK_SET);
    dup2(paper, STDERR_FILENO);
}

void
capture_end(void)
{
    fflush(stderr);
    dup2(terminal, STDERR_FILENO);
    const ssize_t n = pread(paper, mine.text, sizeof mine.text - 1, 0);
    mine.text[n < 0 ? 0 : n] = '\0';
}

static void
hangs(int sig)
{
    static const char text[] = " hangs\n";
    (void)sig;
    if (write(terminal, what, strlen(what)) < 0 ||
        write(terminal, text, strlen(text)) < 0)
        _exit(2);
    _exit(1);
}

/* The outcome of each process, on all processes. */
void
gather(outcome *all)
{
    const struct timespec t = {.tv_nsec = 50000};
    MPI_Request request;
    int done = 0;
    MPI_Iallgather(&mine, sizeof mine, MPI_BYTE, all, sizeof mine, MPI_BYTE,
                   MPI_COMM_WORLD, &request);
    while (MPI_Test(&request, &done, MPI_STATUS_IGNORE), !done)
        nanosleep(&t, NULL);
}

int
capture_open(void)
{
    file = tmpfile();
    if (file == NULL) {
        perror("tmpfile");
        return 0;
    }
    paper = fileno(file);
    terminal = dup(STDERR_FILENO);
    signal(SIGALRM, hangs);
    return 1;
}

void
capture_close(void)
{
    fclose(file);
}
