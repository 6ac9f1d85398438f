/* SPDX-License-Identifier: BSD-3-Clause */
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
    printf("Usage: mpiexec [option]... hesca bind [option]... -- PROGRAM "
           "[argument]...\n"
           "Bind the processes that a launcher (mpiexec, srun) starts on this "
           "host to cores\n"
           "of their own, then execute PROGRAM.  hesca run starts programs "
           "this way.\n"
           "\n"
           "  --set NAME=VALUE  set a variable in the environment of PROGRAM\n"
           "  --preload LIST    libraries, separated by colons, to put before "
           "those in\n"
           "                    LD_PRELOAD\n"
           "  --no-bind         do not bind\n"
           "\n"
           "With k times as many processes as cores, k processes of "
           "consecutive ranks are\n"
           "bound to the same core.  Processes are not bound where that would "
           "slow them\n"
           "down: with a CPU quota below the number of cores, or if some "
           "cores would have\n"
           "more processes than others.  HESCA_VERBOSE=1 reports what is done "
           "for each host,\n"
           "HESCA_VERBOSE=2 for each process.\n"
           "\n"
           "Exit status: that of PROGRAM, or 2 if it cannot be executed or "
           "for wrong usage.\n");
}

/* ------------------------------------------------ options */

typedef struct {
    int leaves_cores;
} options;

static int
set(const cmdline_row *r, const char *value, void *to)
{
    const char *equals = strchr(value, '=');
    char *name = NULL;
    (void)to;
    if (equals == NULL || equals == value)
        return cmdline_bad(r, value);
    name = strndup(value, (size_t)(equals - value));
    const int good = name != NULL && setenv(name, equals + 1, 1) == 0;
    free(name);
    return good || cmdline_fail("%s: %s", value, strerror(errno));
}

static int
preload(const cmdline_row *r, const char *value, void *to)
{
    (void)r, (void)to;
    return preload_add(value) || cmdline_fail("no memory left");
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
        strcpy(what, "the launcher does not say which of the processes of "
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
        OPT_FLAG("no-bind", NULL, leaves_cores),
        OPT_SET("preload", "LIST", NULL, preload),
        OPT_SET("set", "NAME=VALUE", NULL, set)};
    const cmdline line = {"hesca bind", table, 3, help, 1};
    options o = {0};
    int first;
    const int status =
        cmdline_status(cmdline_read(&line, argc, argv, &o, &first));
    if (status >= 0)
        return status;
    if (first == argc)
        return complain("bind needs a program; see hesca bind --help");
    if (!o.leaves_cores)
        bind_and_report();
    execvp(argv[first], argv + first);
    return complain("%s: %s", argv[first], strerror(errno));
}
