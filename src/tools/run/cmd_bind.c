/* hesca bind: sets environment and cores of each process of hesca run, so that
 * they do not depend on the launcher. */
#define _POSIX_C_SOURCE 200809L /* setenv */
#include "base/log.h"
#include "hesca/experimental/param.h"
#include "tools/lib/cores.h"
#include "tools/lib/local_rank.h"
#include "tools/lib/preload.h"
#include "tools/lib/tools.h"
#include "wait/quota.h"
#include <errno.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int
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
    return TOOL_YES;
}

/* ------------------------------------------------ options */

static int
set(char *word)
{
    char *equals = strchr(word, '=');
    if (equals == NULL || equals == word)
        return complain("bind --set '%s': must be NAME=VALUE", word);
    *equals = '\0';
    if (setenv(word, equals + 1, 1) != 0)
        return complain("bind: %s: %s", word, strerror(errno));
    return TOOL_YES;
}

static int
read_options(int argc, char **argv, int *is_bound)
{
    static const struct option names[] = {
        {"help", no_argument, NULL, 'h'},
        {"no-bind", no_argument, NULL, 'n'},
        {"preload", required_argument, NULL, 'p'},
        {"set", required_argument, NULL, 's'},
        {NULL, 0, NULL, 0}};
    int key, status = TOOL_YES;
    opterr = 0;
    while (status == TOOL_YES) {
        const char *word = argv[optind];
        if ((key = getopt_long(argc, argv, "+:h", names, NULL)) == -1)
            break;
        if (key == 'h')
            return -1;
        if (key == 'n')
            *is_bound = 0;
        else if (key == 's')
            status = set(optarg);
        else if (key == 'p')
            status = preload_add(optarg) ? TOOL_YES
                                         : complain("bind: no memory left");
        else
            status = complain(key == ':' ? "bind %s needs a value"
                                         : "bind does not know '%s'; see "
                                           "hesca bind --help",
                              word);
    }
    if (status == TOOL_YES && optind == argc)
        return complain("bind needs a program; see hesca bind --help");
    return status;
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
    int is_bound = 1;
    const int status = read_options(argc, argv, &is_bound);
    if (status < 0)
        return help();
    if (status != TOOL_YES)
        return status;
    if (is_bound)
        bind_and_report();
    execvp(argv[optind], argv + optind);
    return complain("%s: %s", argv[optind], strerror(errno));
}
