/* SPDX-License-Identifier: BSD-3-Clause */
/* The processes report lines "fine TEXT" and "problem TEXT"; whatever else
 * comes is of the launcher. */
#define _POSIX_C_SOURCE 200809L /* fork, pipe, setpgid, readlink */
#include "hesca/experimental/machine.h"
#include "hesca/experimental/wait.h"
#include "tools/check/doctor.h"
#include "tools/lib/arglist.h"
#include "tools/lib/tools.h"
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { PATIENCE = 20 }; /* seconds */
static const char MARK[] = "hesca-doctor: ";

/* ------------------------------------------------ the processes */

static void
print_hosts(int size, char (*name)[MPI_MAX_PROCESSOR_NAME], char *list,
            size_t room)
{
    size_t at = 0;
    int nhosts = 0;
    for (int r = 0; r < size; ++r) {
        int first = 0, n = 0;
        while (strcmp(name[first], name[r]) != 0)
            ++first;
        if (first < r)
            continue;
        for (int q = r; q < size; ++q)
            n += strcmp(name[q], name[r]) == 0;
        ++nhosts;
        if (at < room - 1)
            at += (size_t)snprintf(list + at, room - at, "%s%s %d",
                                   nhosts > 1 ? ", " : "", name[r], n);
    }
}

/* Hosts that the machine file lacks. */
static void
check_machine(const char *path, int size, char (*name)[MPI_MAX_PROCESSOR_NAME])
{
    hesca_machine machine;
    if (path[0] == '\0' || hesca_machine_read(path, &machine) < 0)
        return; /* that is reported before */
    for (int r = 0; r < size && machine.nhosts > 0; ++r) {
        int found = 0, reported = 0;
        for (int i = 0; i < machine.nhosts; ++i)
            found |= strcmp(machine.host[i].name, name[r]) == 0;
        for (int q = 0; q < r; ++q)
            reported |= strcmp(name[q], name[r]) == 0;
        if (!found && !reported)
            printf("%sproblem HESCA_MACHINE is '%s': host %s of process %d is "
                   "not in it: redistributions go on without it, other "
                   "routines are left to ScaLAPACK\n",
                   MARK, path, name[r], r);
    }
    hesca_machine_clear(&machine);
}

int
doctor_process(void)
{
    char mine[MPI_MAX_PROCESSOR_NAME] = "", text[1024];
    char(*name)[MPI_MAX_PROCESSOR_NAME] = NULL;
    hesca_wait_info wait;
    int rank, size, len;
    MPI_Init(NULL, NULL);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    const int is_split =
        size == 1 ? hesca_launch_is_split(text, sizeof text) : 0;
    if (is_split > 0)
        printf("%sproblem %s\n", MARK, text);
    MPI_Get_processor_name(mine, &len);
    if (rank == 0)
        name = calloc((size_t)size, sizeof *name);
    MPI_Gather(mine, sizeof mine, MPI_BYTE, name, sizeof mine, MPI_BYTE, 0,
               MPI_COMM_WORLD);
    hesca_wait_agree(MPI_COMM_WORLD, &wait);
    if (name != NULL && is_split == 0) {
        print_hosts(size, name, text, sizeof text);
        printf("%sfine %d process%s started: %s\n", MARK, size,
               size > 1 ? "es" : "", text);
        if (wait.yields)
            printf("%sfine there are %.3g processes per %s: MPI's blocking "
                   "calls will yield (HESCA_WAIT)\n",
                   MARK, wait.load,
                   wait.quota ? "core of a CPU quota" : "core");
        check_machine(wait.params.machine, size, name);
    }
    free(name);
    MPI_Finalize();
    return TOOL_YES;
}

/* ------------------------------------------------ the launcher */

/* The words up to the program, then this tool, without what is preloaded. */
static int
make_command(const doctor *x, arglist *command)
{
    char self[PATH_MAX];
    const ssize_t n = readlink("/proc/self/exe", self, sizeof self - 1);
    self[n > 0 ? n : 0] = '\0';
    for (int k = 0; k < x->program; ++k)
        arglist_add(command, "%s", x->word[k]);
    arglist_split(command, "env -u LD_PRELOAD");
    arglist_add(command, "%s", self);
    arglist_split(command, "doctor --process");
    return n > 0 && !command->failed;
}

/* Execute the command in a process group of its own, its output in a pipe. */
static void
become(const arglist *command, int out)
{
    const int nothing = open("/dev/null", O_RDONLY);
    setpgid(0, 0);
    if (dup2(nothing, STDIN_FILENO) >= 0 && dup2(out, STDOUT_FILENO) >= 0 &&
        dup2(out, STDERR_FILENO) >= 0)
        execvp(command->word[0], command->word);
    _exit(127);
}

/* All output, until it ends or PATIENCE is over.
 * \return 0 if it did not end. */
static int
read_all(int in, char *text, size_t room)
{
    struct timespec begin, now;
    size_t n = 0;
    char more[512];
    clock_gettime(CLOCK_MONOTONIC, &begin);
    for (;;) {
        struct pollfd p = {.fd = in, .events = POLLIN};
        clock_gettime(CLOCK_MONOTONIC, &now);
        const long left = PATIENCE - (now.tv_sec - begin.tv_sec);
        if (left <= 0 || poll(&p, 1, (int)left * 1000) == 0)
            return 0;
        const ssize_t got = read(in, more, sizeof more);
        if (got == 0 || (got < 0 && errno != EINTR))
            return 1;
        for (ssize_t k = 0; k < got && n + 1 < room; ++k)
            text[n++] = more[k];
        text[n] = '\0';
    }
}

static int
report(doctor *x, char *text)
{
    int n = 0;
    char *save = NULL;
    for (char *line = strtok_r(text, "\n", &save); line != NULL;
         line = strtok_r(NULL, "\n", &save)) {
        const char *at = strstr(line, MARK);
        if (at == NULL)
            continue;
        at += strlen(MARK);
        const int is_fine = strncmp(at, "fine ", 5) == 0;
        doctor_say(x, is_fine ? DOCTOR_FINE : DOCTOR_PROBLEM, "%s",
                   at + strcspn(at, " ") + 1);
        ++n;
    }
    return n;
}

void
doctor_start(doctor *x)
{
    static char text[65536], copy[65536];
    arglist command = {.n = 0};
    int ends[2], status = 0;
    if (!make_command(x, &command) || pipe(ends) != 0) {
        arglist_free(&command);
        return;
    }
    fflush(NULL);
    const pid_t child = fork();
    if (child == 0) {
        close(ends[0]);
        become(&command, ends[1]);
    }
    close(ends[1]);
    const int ended = child > 0 && read_all(ends[0], text, sizeof text);
    close(ends[0]);
    if (child > 0 && !ended)
        kill(-child, SIGKILL);
    while (child > 0 && waitpid(child, &status, 0) < 0 && errno == EINTR)
        ;
    memcpy(copy, text, sizeof copy);
    const int nlines = report(x, copy);
    text[strcspn(text, "\n")] = '\0';
    if (!ended) {
        doctor_say(x, DOCTOR_PROBLEM,
                   "%s did not start and end processes within %d s: %.300s",
                   x->word[0], PATIENCE, text);
    } else if (nlines == 0 || status != 0) {
        doctor_say(x, DOCTOR_PROBLEM, "%s starts no processes: %.300s",
                   x->word[0], text);
    }
    arglist_free(&command);
}
