/* SPDX-License-Identifier: BSD-3-Clause */
#define _GNU_SOURCE /* fork, pipe, SOCK_NONBLOCK */
#include "tools/lib/launcher.h"
#include "tools/lib/tools.h"
#include <errno.h>
#include <fcntl.h>
#include <netdb.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

/* ------------------------------------------------ programs */

int
program_is(const char *path)
{
    struct stat is;
    return stat(path, &is) == 0 && S_ISREG(is.st_mode) &&
           access(path, X_OK) == 0;
}

const char *
program_find(const char *name, char path[PATH_MAX])
{
    const char *folders = getenv("PATH");
    if (strchr(name, '/') != NULL)
        return program_is(name) ? name : NULL;
    while (folders != NULL) {
        const size_t n = strcspn(folders, ":");
        const int len = snprintf(path, PATH_MAX, "%.*s%s%s", (int)n, folders,
                                 n > 0 ? "/" : "./", name);
        if (len < PATH_MAX && program_is(path))
            return path;
        folders = folders[n] == ':' ? folders + n + 1 : NULL;
    }
    return NULL;
}

/* ------------------------------------------------ kinds */

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
    /* "slurm 23.11.4", Debian's "slurm-wlm 22.05.8" */
    if (strncmp(text, "slurm ", 6) == 0 || strncmp(text, "slurm-", 6) == 0)
        return LAUNCHER_SLURM;
    return LAUNCHER_UNKNOWN;
}

int
launcher_is_own(launcher_kind kind)
{
    return kind == LAUNCHER_SLURM ||
           (kind == LAUNCHER_OPENMPI) == (strcmp(MPI_NAME, "openmpi") == 0);
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
read_all(FILE *f, char *text, size_t size)
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
        read_all(f, text, sizeof text);
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
        complain("%s --version says '%.100s', which is not MPICH's Hydra, "
                 "Open MPI or Slurm: name the right one by --mpiexec, or by "
                 "--launcher " LAUNCHER_NAMES " whose options it takes",
                 command->word[0], text);
    return kind;
}

/* ------------------------------------------------ hosts
 * Launchers that use ssh wait minutes for a host that is down. */

enum { PATIENCE = 3000 /* ms */, SSH_WORD = 128 };

/* NULL, or why the address does not answer. */
static const char *
try_address(const struct addrinfo *a)
{
    const int s = socket(a->ai_family, SOCK_STREAM | SOCK_NONBLOCK, 0);
    struct pollfd wait = {.fd = s, .events = POLLOUT};
    int error = 0;
    socklen_t size = sizeof error;
    if (s < 0)
        return strerror(errno);
    if (connect(s, a->ai_addr, a->ai_addrlen) != 0) {
        error = errno;
        if (error == EINPROGRESS) {
            error = poll(&wait, 1, PATIENCE) == 1 ? 0 : ETIMEDOUT;
            if (error == 0)
                getsockopt(s, SOL_SOCKET, SO_ERROR, &error, &size);
        }
    }
    /* A server of ssh speaks first. */
    wait.events = POLLIN;
    if (error == 0 && poll(&wait, 1, PATIENCE) != 1)
        error = ETIMEDOUT;
    close(s);
    return error == 0 ? NULL : strerror(error);
}

/* Where ssh connects to for a host, by the user's configuration.
 * \return 0 if ssh is not there, or goes by way of another host. */
static int
ask_ssh(const char *name, char host[SSH_WORD], char port[SSH_WORD])
{
    char line[512], command[SSH_WORD + 32], value[SSH_WORD];
    static const char plain[] = "abcdefghijklmnopqrstuvwxyz"
                                "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._-";
    int direct = 1;
    host[0] = port[0] = '\0';
    if (name[0] == '-' || name[strspn(name, plain)] != '\0' ||
        strlen(name) >= SSH_WORD)
        return 0;
    snprintf(command, sizeof command, "ssh -G %s 2>/dev/null", name);
    FILE *f = popen(command, "r");
    if (f == NULL)
        return 0;
    while (fgets(line, sizeof line, f) != NULL) {
        sscanf(line, "hostname %127s", host);
        sscanf(line, "port %127s", port);
        if ((sscanf(line, "proxyjump %127s", value) == 1 ||
             sscanf(line, "proxycommand %127s", value) == 1) &&
            strcmp(value, "none") != 0)
            direct = 0;
    }
    pclose(f);
    return direct && host[0] != '\0' && port[0] != '\0';
}

/* NULL, or why ssh will not get an answer. */
static const char *
try_host(const char *name)
{
    const struct addrinfo hint = {.ai_socktype = SOCK_STREAM};
    struct addrinfo *found;
    char host[SSH_WORD], port[SSH_WORD];
    if (!ask_ssh(name, host, port))
        return NULL;
    const int err = getaddrinfo(host, port, &hint, &found);
    if (err != 0)
        return gai_strerror(err);
    const char *why = NULL;
    for (const struct addrinfo *a = found; a != NULL; a = a->ai_next)
        if ((why = try_address(a)) == NULL)
            break;
    freeaddrinfo(found);
    return why;
}

static int
uses_ssh(launcher_kind kind)
{
    static const char *const other[] = {"HYDRA_LAUNCHER",
                                        "HYDRA_LAUNCHER_EXEC",
                                        "HYDRA_BOOTSTRAP",
                                        "HYDRA_BOOTSTRAP_EXEC",
                                        "OMPI_MCA_plm_rsh_agent",
                                        "OMPI_MCA_plm",
                                        "PRTE_MCA_plm_ssh_agent",
                                        "SLURM_JOB_ID",
                                        "PBS_JOBID",
                                        "LSB_JOBID"};
    for (size_t k = 0; k < sizeof other / sizeof *other; ++k)
        if (getenv(other[k]) != NULL)
            return 0;
    return kind != LAUNCHER_SLURM;
}

int
launcher_reach(launcher_kind kind, int n, const char *const *name,
               const int *count)
{
    char self[256] = "";
    int all = 1;
    if (!uses_ssh(kind))
        return 1;
    gethostname(self, sizeof self - 1);
    for (int i = 0; i < n; ++i) {
        if (count[i] == 0 || strcmp(name[i], self) == 0 ||
            strcmp(name[i], "localhost") == 0)
            continue;
        const char *why = try_host(name[i]);
        if (why != NULL)
            complain("host %s does not answer ssh: %s", name[i], why);
        all = all && why == NULL;
    }
    return all;
}

/* ------------------------------------------------ options */

/* Whether srun connects no processes unless it is asked to. */
static int
site_has_no_mpi(void)
{
    char line[512], value[64];
    int is_none = 0;
    FILE *f = popen("scontrol show config 2>/dev/null", "r");
    while (f != NULL && fgets(line, sizeof line, f) != NULL)
        if (sscanf(line, "MpiDefault = %63s", value) == 1)
            is_none = strcmp(value, "none") == 0;
    if (f != NULL)
        pclose(f);
    return is_none;
}

void
launcher_connect(launcher_kind kind, arglist *command)
{
    if (kind != LAUNCHER_SLURM || getenv("SLURM_MPI_TYPE") != NULL)
        return;
    for (int k = 1; k < command->n; ++k)
        if (strncmp(command->word[k], "--mpi", 5) == 0)
            return;
    if (site_has_no_mpi())
        arglist_add(command, "--mpi=%s",
                    strcmp(MPI_NAME, "openmpi") == 0 ? "pmix" : "pmi2");
}

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

/* Text "a,a,a,b", a name for each process, as srun reads it with an arbitrary
 * distribution. */
static char *
repeat_hosts(int n, const char *const *name, const int *count)
{
    size_t size = 1, at = 0;
    for (int i = 0; i < n; ++i)
        size += (strlen(name[i]) + 1) * (size_t)count[i];
    char *list = calloc(1, size);
    for (int i = 0; i < n && list != NULL; ++i)
        for (int k = 0; k < count[i]; ++k)
            at += (size_t)snprintf(list + at, size - at, "%s%s",
                                   at > 0 ? "," : "", name[i]);
    return list;
}

void
launcher_place(launcher_kind kind, int n, const char *const *name,
               const int *count, arglist *command)
{
    char *list = name == NULL             ? NULL
                 : kind == LAUNCHER_SLURM ? repeat_hosts(n, name, count)
                                          : list_hosts(n, name, count);
    int nprocs = 0;
    for (int i = 0; i < n; ++i)
        nprocs += count[i];
    if (name != NULL && list == NULL)
        command->failed = 1;
    if (list != NULL && kind == LAUNCHER_SLURM) {
        arglist_split(command, "--distribution=arbitrary");
        arglist_add(command, "--nodelist=%s", list);
    } else if (list != NULL) {
        arglist_add(command, kind == LAUNCHER_HYDRA ? "-hosts" : "--host");
        arglist_add(command, "%s", list);
    }
    arglist_add(command, "-n");
    arglist_add(command, "%d", nprocs);
    /* hesca bind binds, to cores that processes may have to share. */
    if (kind == LAUNCHER_OPENMPI)
        arglist_split(command, "--map-by slot --bind-to none --oversubscribe");
    if (kind == LAUNCHER_SLURM)
        arglist_split(command, "--cpu-bind=none --overcommit");
    free(list);
}
