/* SPDX-License-Identifier: BSD-3-Clause */
#define _POSIX_C_SOURCE 200809L /* fork, pipe */
#include "tools/run/launcher.h"
#include "tools/lib/tools.h"
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

launcher_kind
launcher_of_version(const char *text)
{
    /* Intel's Hydra does not accept numbers of processes with hosts. */
    if (strstr(text, "Intel") != NULL)
        return LAUNCHER_UNKNOWN;
    if (strstr(text, "HYDRA") != NULL)
        return LAUNCHER_HYDRA;
    if (strstr(text, "Open MPI") != NULL || strstr(text, "OpenRTE") != NULL ||
        strstr(text, "PRRTE") != NULL)
        return LAUNCHER_OPENMPI;
    return LAUNCHER_UNKNOWN;
}

/* ------------------------------------------------ version */

/* Execute the command with its output in a pipe.  It must not read stdin,
 * which is for the program. */
static void
become(const arglist *command, int out)
{
    char **argv = malloc(((size_t)command->n + 2) * sizeof *argv);
    const int nothing = open("/dev/null", O_RDONLY);
    if (argv != NULL && dup2(nothing, STDIN_FILENO) >= 0 &&
        dup2(out, STDOUT_FILENO) >= 0 && dup2(out, STDERR_FILENO) >= 0) {
        memcpy(argv, command->word, (size_t)command->n * sizeof *argv);
        argv[command->n] = "--version";
        argv[command->n + 1] = NULL;
        execvp(argv[0], argv);
    }
    _exit(127);
}

/* The beginning of the output of the command; all of it is read. */
static void
listen(FILE *f, char *text, size_t size)
{
    const size_t n = fread(text, 1, size - 1, f);
    text[n] = '\0';
    while (getc(f) != EOF)
        ;
}

launcher_kind
launcher_ask(const arglist *command)
{
    char text[4096] = "";
    int ends[2], status = 0;
    FILE *f = NULL;
    fflush(NULL);
    if (pipe(ends) != 0) {
        complain("pipe: %s", strerror(errno));
        return LAUNCHER_UNKNOWN;
    }
    const pid_t child = fork();
    if (child == 0)
        become(command, ends[1]);
    close(ends[1]);
    if (child < 0) {
        complain("fork: %s", strerror(errno));
        close(ends[0]);
        return LAUNCHER_UNKNOWN;
    }
    if ((f = fdopen(ends[0], "r")) != NULL) {
        listen(f, text, sizeof text);
        fclose(f);
    } else {
        close(ends[0]);
    }
    while (waitpid(child, &status, 0) < 0 && errno == EINTR)
        ;
    const launcher_kind kind =
        status == 0 ? launcher_of_version(text) : LAUNCHER_UNKNOWN;
    text[strcspn(text, "\n")] = '\0';
    if (kind == LAUNCHER_UNKNOWN)
        complain("%s --version says '%.100s', which is neither MPICH's Hydra "
                 "nor Open MPI: name the right one by --mpiexec, or by "
                 "--launcher " LAUNCHER_NAMES " whose options it takes",
                 command->word[0], text);
    return kind;
}

/* ------------------------------------------------ options */

/* Text "a:3,b:1", free it with free(); NULL: no memory. */
static char *
list_hosts(int n, const char *const *name, const int *count)
{
    size_t size = 1, at = 0;
    for (int i = 0; i < n; ++i)
        size += strlen(name[i]) + 16;
    char *list = calloc(1, size);
    for (int i = 0; i < n && list != NULL; ++i)
        if (count[i] > 0)
            at += (size_t)snprintf(list + at, size - at, "%s%s:%d",
                                   at > 0 ? "," : "", name[i], count[i]);
    return list;
}

void
launcher_place(launcher_kind kind, int n, const char *const *name,
               const int *count, arglist *command)
{
    char *list = name == NULL ? NULL : list_hosts(n, name, count);
    int nprocs = 0;
    for (int i = 0; i < n; ++i)
        nprocs += count[i];
    if (name != NULL && list == NULL)
        command->failed = 1;
    if (list != NULL) {
        arglist_add(command, kind == LAUNCHER_HYDRA ? "-hosts" : "--host");
        arglist_add(command, "%s", list);
    }
    arglist_add(command, "-n");
    arglist_add(command, "%d", nprocs);
    /* hesca bind binds, to cores that processes may have to share. */
    if (kind == LAUNCHER_OPENMPI)
        arglist_split(command, "--map-by slot --bind-to none --oversubscribe");
    free(list);
}
