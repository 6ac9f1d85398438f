/* hesca bind: sets environment and cores of each process of hesca run, so that
 * they do not depend on the launcher. */
#define _POSIX_C_SOURCE 200809L /* setenv, strndup */
#include "base/log.h"
#include "hesca/experimental/param.h"
#include "tools/lib/cmdline.h"
#include "tools/lib/cores.h"
#include "tools/lib/local_rank.h"
#include "tools/lib/preload.h"
#include "tools/lib/tools.h"
#include "wait/quota.h"
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void
help(void)
{
    printf(
        "Usage: mpiexec [option]... hesca bind [option]... -- PROGRAM "
        "[argument]...\n"
        "Bind the processes that a launcher starts on this host to cores of "
        "their own, then\nbecome PROGRAM.  hesca run starts programs this "
        "way.\n\n"
        "  --set NAME=VALUE  in the environment of PROGRAM\n"
        "  --preload LIST    libraries in front of LD_PRELOAD\n"
        "  --no-bind         leave cores to the system\n\n"
        "With more processes than cores neighbours share one.  Processes are "
        "not bound where\nthat would slow them down: with a CPU quota below "
        "the number of cores, or if some\ncores would have more processes "
        "than others.  HESCA_VERBOSE=1 tells what is done,\n2 of every "
        "process.\n\n"
        "Exit status: PROGRAM's, or 2.\n");
}

/* ------------------------------------------------ options */

static int
set(const char *value)
{
    const char *equals = strchr(value, '=');
    char *name = NULL;
    if (equals == NULL || equals == value)
        return cmdline_fail("bind --set '%s': must be NAME=VALUE", value);
    name = strndup(value, (size_t)(equals - value));
    const int good = name != NULL && setenv(name, equals + 1, 1) == 0;
    free(name);
    return good || cmdline_fail("bind: %s: %s", value, strerror(errno));
}

static int
apply(const cmdline_row *r, const char *value, void *is_bound)
{
    if (r->key == 's')
        return set(value);
    if (r->key == 'p')
        return preload_add(value) || cmdline_fail("bind: no memory left");
    *(int *)is_bound = 0;
    return 1;
}

/* ------------------------------------------------ binding */

/* A failure is a warning: the program still runs. */
static void
bind_and_report(void)
{
    char what[256], host[256] = "";
    hesca_params params;
    int rank = 0, n = 0, bound = -1;
    const int verbose =
        hesca_params_read(&params) == HESCA_SUCCESS ? params.verbose : 0;
    if (local_rank_find(&rank, &n))
        bound = cores_bind(rank, n, hesca_quota(), what, sizeof what);
    else
        strcpy(what, "the launcher does not tell which of the processes of "
                     "this host this is");
    gethostname(host, sizeof host - 1);
    if (bound < 0)
        hesca_log("%s: a process is not bound: %s", host, what);
    else if (verbose >= 2 || (verbose == 1 && rank == 0))
        hesca_log(bound ? "%s: process %d of %d here is bound to %s"
                        : "%s: process %d of %d here is not bound: %s",
                  host, rank, n, what);
}

int
bind_main(int argc, char **argv)
{
    static const cmdline_row table[] = {
        {"help", NULL, NULL, 'h', CMDLINE_LETTER, 0},
        {"no-bind", NULL, NULL, 'n', 0, 0},
        {"preload", "LIST", NULL, 'p', 0, 0},
        {"set", "NAME=VALUE", NULL, 's', 0, 0}};
    const cmdline line = {"bind", table, 4, help, apply};
    int is_bound = 1, first;
    const int status =
        cmdline_command(&line, argc, argv, &is_bound, "+", &first);
    if (status >= 0)
        return status;
    if (first == argc)
        return complain("bind needs a program; see hesca bind --help");
    if (is_bound)
        bind_and_report();
    execvp(argv[first], argv + first);
    return complain("%s: %s", argv[first], strerror(errno));
}
