/* SPDX-License-Identifier: BSD-3-Clause */
/* The machine of hosts that no machine file describes: hesca probe --quick,
 * started on one process of each. */
#define _POSIX_C_SOURCE 200809L /* fork, fileno, nanosleep */
#include "tools/lib/cmdline.h"
#include "tools/lib/local_rank.h"
#include "tools/run/run.h"
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

/* Seconds that starting and measuring may take, and ending after that: an MPI
 * may not end. */
static const double PATIENCE = 120, ENDING = 5;

enum { LINE = 1200 };

/* stdin is for the program. */
static void
become(const arglist *command, int out)
{
    const int nothing = open("/dev/null", O_RDONLY);
    if (dup2(nothing, STDIN_FILENO) < 0 || dup2(out, STDOUT_FILENO) < 0)
        _exit(127);
    local_rank_forget();
    execvp(command->word[0], command->word);
    _exit(127);
}

/* Where a machine is from: the last line of a complete output.
 * \return 1, or 0 if it is not complete. */
static int
find_source(const char *path, char line[LINE])
{
    char next[LINE];
    FILE *f = fopen(path, "r");
    line[0] = '\0';
    while (f != NULL && fgets(next, sizeof next, f) != NULL)
        strcpy(line, next);
    if (f != NULL)
        fclose(f);
    static const char key[] = "# machine: ";
    const size_t n = strlen(line), m = strlen(key);
    if (strncmp(line, key, m) != 0 || line[n - 1] != '\n')
        return 0;
    line[n - 1] = '\0';
    memmove(line, line + m, n - m);
    return 1;
}

/* Wait for the launcher; a while only, once the output is there.
 * \return 1 if it has printed a machine. */
static int
await(pid_t child, const char *path, char source[LINE])
{
    static const double STEP = 0.01;
    const struct timespec nap = {0, (long)(1e9 * STEP)};
    double left = PATIENCE;
    int is_there = 0, status = 0;
    for (;;) {
        const pid_t is = waitpid(child, &status, WNOHANG);
        if (is == child || (is < 0 && errno != EINTR))
            break;
        if (!is_there && (is_there = find_source(path, source)) != 0)
            left = ENDING;
        if ((left -= STEP) < 0) {
            kill(child, SIGTERM);
            waitpid(child, &status, 0);
            break;
        }
        nanosleep(&nap, NULL);
    }
    return is_there || find_source(path, source);
}

static int
start(const arglist *command, int out, const char *path, char source[LINE])
{
    fflush(NULL);
    const pid_t child = fork();
    if (child == 0)
        become(command, out);
    if (child < 0)
        return cmdline_fail("fork: %s", strerror(errno));
    return await(child, path, source) ||
           cmdline_fail("the hosts could not be measured (hesca probe "
                        "--quick); --machine names a machine file");
}

/* Hosts come in the order of the list, under names of their own. */
static int
check(const run_hosts *h, hesca_machine *m)
{
    if (m->nhosts != h->n)
        return cmdline_fail("%s has %d hosts, but processes were started on "
                            "%d",
                            h->from, h->n, m->nhosts);
    for (int i = 0; i < h->n; ++i)
        if (h->slots[i] > 0 && h->slots[i] < m->host[i].cores)
            m->host[i].cores = h->slots[i];
    return 1;
}

static void
report(const run_layout *x)
{
    const int n = x->machine.nhosts, shown = n > 9 ? 8 : n;
    fprintf(stderr, "hesca run: %s:", x->source);
    for (int i = 0; i < shown; ++i)
        fprintf(stderr, "%s %s %.3g", i == 0 ? " speeds" : ",",
                x->machine.host[i].name, x->machine.host[i].speed);
    if (shown < n)
        fprintf(stderr, " and %d hosts more", n - shown);
    fputc('\n', stderr);
}

int
run_survey(run_options *o, run_layout *x)
{
    arglist command = {.n = 0};
    FILE *out = tmpfile();
    char path[64], source[LINE];
    int good =
        out != NULL || cmdline_fail("a temporary file: %s", strerror(errno));
    if (good)
        snprintf(path, sizeof path, "/proc/self/fd/%d", fileno(out));
    good = good && run_command_probe(o, x, &command) &&
           start(&command, fileno(out), path, source);
    if (good && hesca_machine_read(path, &x->machine) < 0)
        good = cmdline_fail("hesca probe --quick: %s", hesca_error_text());
    good = good && check(&x->hosts, &x->machine);
    if (good) {
        snprintf(x->source, sizeof x->source, "%d host%s of %s, %.900s",
                 x->hosts.n, x->hosts.n > 1 ? "s" : "", x->hosts.from, source);
        report(x);
    }
    if (out != NULL)
        fclose(out);
    arglist_free(&command);
    return good;
}
