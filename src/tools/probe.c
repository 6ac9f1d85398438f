/* hesca probe: measure what messages cost, and write a machine file. */
#define _POSIX_C_SOURCE 200809L /* unsetenv */
#include "tools/probe.h"
#include "base/status.h"
#include "tools/tools.h"
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int
help(void)
{
    printf(
        "Usage: mpiexec -n P hesca probe [-o FILE] [--seconds S] [--json]\n"
        "                               [--only costs|links]\n"
        "Measure what messages cost between P processes and print a machine "
        "file, for\nHESCA_MACHINE.  Where the processes share one node its "
        "line `node' is measured, else,\nand with HESCA_TRANSPORT=mpi, its "
        "line `net'; with more processes than cores\n`node-crowded' or "
        "`net-crowded'.  Where they are on several hosts also the links\n"
        "between all pairs of these, by messages there and back in rounds "
        "that leave each\nhost to one pair; inside hosts with two processes "
        "or more; and the speeds of the\nhosts, by products of small "
        "matrices in C, relative to the fastest.\n\n"
        "  -o FILE      write the file; if it exists, what was not measured "
        "is kept\n"
        "  --seconds S  time to spend (10), half of it for links\n"
        "  --only WHAT  costs: no links; links: no schedules, and hosts also "
        "if there is one\n"
        "  --json       what was measured and fitted, for programs\n\n"
        "Messages of a link are repeated until the 95 %% confidence "
        "intervals of their median\ntimes are within 5 %%, or their time is "
        "over: columns `within' tell.\n\n"
        "Run it with as many processes as the programs that it is for, and "
        "with one per core:\n"
        "  mpiexec -n 2 hesca probe -o here.machine\n"
        "  mpiexec -n 16 hesca probe -o here.machine\n\n"
        "Exit status: 0, 1 if a measurement or the file failed, 2 for wrong "
        "usage.\n");
    return TOOL_YES;
}

/* ------------------------------------------------ the command */

/* Links take half of the time, and of that speeds a tenth. */
static int
measure(probe_request *q, hesca_comm *c, probe_costs *costs,
        probe_hosts *hosts)
{
    int err;
    HESCA_TRY(err, probe_hosts_find(c, hosts));
    if (q->costs && hosts->n == 1)
        q->links = 0;
    const double links = !q->links  ? 0
                         : q->costs ? q->seconds / 2
                                    : q->seconds;
    if (q->links) {
        HESCA_TRY(err, probe_speed_measure(c, links / 10, hosts));
        HESCA_TRY(err, probe_links_measure(c, links * 9 / 10, hosts));
    }
    if (q->costs)
        HESCA_TRY(err, probe_costs_measure(c, q->seconds - links, costs));
fail:
    return err;
}

static int
run(probe_request *q)
{
    static probe_costs costs;
    probe_hosts hosts = {0};
    hesca_comm *c;
    int rank, err, status = TOOL_NO;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    unsetenv("HESCA_MACHINE"); /* it may be about other hosts */
    err = hesca_comm_get(MPI_COMM_WORLD, &c);
    if (err == HESCA_SUCCESS)
        err = measure(q, c, &costs, &hosts);
    if (err < 0 && rank == 0)
        complain("%s", hesca_error_text());
    if (err == HESCA_SUCCESS) {
        MPI_Request request;
        if (rank == 0)
            status = probe_tell(q, c->size, &costs, &hosts);
        MPI_Ibcast(&status, 1, MPI_INT, 0, MPI_COMM_WORLD, &request);
        hesca_comm_wait(c, 1, &request);
    }
    probe_hosts_clear(&hosts);
    return status;
}

static int
parse_seconds(const char *text, double *seconds)
{
    char *end;
    *seconds = strtod(text, &end);
    if (end != text && *end == '\0' && *seconds > 0 && *seconds <= 1000)
        return TOOL_YES;
    return complain("probe --seconds is '%s': must be a number in 0 ... 1000",
                    text);
}

static int
parse_only(const char *text, probe_request *q)
{
    q->costs = strcmp(text, "costs") == 0;
    q->links = strcmp(text, "links") == 0;
    if (q->costs || q->links)
        return TOOL_YES;
    return complain("probe --only is '%s': must be costs or links", text);
}

static int
parse(int argc, char **argv, probe_request *q)
{
    static const struct option names[] = {
        {"help", no_argument, NULL, 'h'},
        {"json", no_argument, NULL, 'j'},
        {"output", required_argument, NULL, 'o'},
        {"seconds", required_argument, NULL, 's'},
        {"only", required_argument, NULL, 'y'},
        {NULL, 0, NULL, 0}};
    int key, status = TOOL_YES;
    opterr = 0;
    while (status == TOOL_YES) {
        const char *word = argv[optind];
        if ((key = getopt_long(argc, argv, ":o:h", names, NULL)) == -1)
            break;
        if (key == 'h')
            return -1;
        if (key == 'j')
            q->json = 1;
        else if (key == 'o')
            q->out = optarg;
        else if (key == 's')
            status = parse_seconds(optarg, &q->seconds);
        else if (key == 'y')
            status = parse_only(optarg, q);
        else
            return complain(key == ':' ? "probe %s needs a value"
                                       : "probe does not know '%s'; see hesca "
                                         "probe --help",
                            word);
    }
    if (status != TOOL_YES)
        return status;
    if (optind < argc)
        return complain("probe takes no argument '%s'", argv[optind]);
    return TOOL_YES;
}

int
probe_main(int argc, char **argv)
{
    probe_request q = {.seconds = 10, .costs = 1, .links = 1};
    int nprocs, rank;
    int status = parse(argc, argv, &q);
    if (status < 0)
        return help();
    if (status != TOOL_YES)
        return status;
    MPI_Init(&argc, &argv);
    MPI_Comm_size(MPI_COMM_WORLD, &nprocs);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (nprocs > 1)
        status = run(&q);
    else
        status = complain("probe needs at least two processes: mpiexec -n P "
                          "hesca probe");
    MPI_Finalize();
    return status;
}
