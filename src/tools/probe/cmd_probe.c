/* SPDX-License-Identifier: BSD-3-Clause */
/* hesca probe: measure what messages cost, and write a machine file. */
#define _POSIX_C_SOURCE 200809L /* setenv, unsetenv */
#include "base/status.h"
#include "exec/agree.h"
#include "tools/lib/tools.h"
#include "tools/probe/probe.h"
#include "tools/probe/probe_options.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* ------------------------------------------------ the command
 * Rank 0 reports errors; all processes return its status. */

/* Seconds for dgemm on one host, at most. */
#define FLOPS 0.2

/* Half of the time is for links, and a fifth of that half for speeds. */
static int
measure(probe_request *q, hesca_comm *c, probe_costs *costs,
        hesca_survey *hosts)
{
    int err;
    HESCA_TRY(err, probe_file_check(c, q->out));
    HESCA_TRY(err, hesca_survey_begin(c, hosts));
    hosts->progress = progress;
    if (c->rank == 0 && q->seconds >= 2)
        fprintf(stderr,
                "hesca: probing %d processes on %d host%s, about %.0f s\n",
                c->size, hosts->n, hosts->n > 1 ? "s" : "", q->seconds);
    if (q->costs && hosts->n == 1)
        q->links = 0;
    const double links = !q->links  ? 0
                         : q->costs ? q->seconds / 2
                                    : q->seconds;
    if (q->links) {
        HESCA_TRY(err, probe_room_measure(c, hosts));
        HESCA_TRY(err, probe_speeds(c, links / 10, hosts));
        if (c->rank == 0)
            hesca_survey_flops(fmin(links / 10, FLOPS), hosts);
        HESCA_TRY(err, hesca_survey_links(c, links * 8 / 10, hosts->n, hosts));
        HESCA_TRY(err, probe_speeds_confirm(c, links / 10, hosts));
    }
    if (q->costs)
        HESCA_TRY(err, probe_costs_measure(c, q->seconds - links, costs));
fail:
    return err;
}

/* Rank 0's status for all. */
static int
agree_status(const hesca_comm *c, int status)
{
    MPI_Request request;
    MPI_Ibcast(&status, 1, MPI_INT, 0, MPI_COMM_WORLD, &request);
    hesca_comm_wait(c, 1, &request);
    return status;
}

static int
run_kernel(const probe_request *q, const probe_sizes *sizes)
{
    hesca_survey hosts = {0};
    probe_curve *curve = NULL;
    const char *library;
    hesca_comm *c;
    int rank, err, status = TOOL_NO;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    unsetenv("HESCA_MACHINE");
    HESCA_TRY(err, hesca_comm_get(MPI_COMM_WORLD, &c));
    HESCA_TRY(err, probe_file_check(c, q->out));
    HESCA_TRY(err, hesca_survey_begin(c, &hosts));
    hosts.progress = progress;
    curve = calloc((size_t)hosts.n, sizeof *curve);
    err = curve == NULL ? hesca_fail(HESCA_ERR_NOMEM, 0, "%d hosts", hosts.n)
                        : HESCA_SUCCESS;
    HESCA_TRY(err, hesca_agree(c, err, 0, NULL));
    HESCA_TRY(err, probe_curves_measure(c, q->seconds, sizes, &hosts, curve,
                                        &library));
    if (rank == 0)
        status = probe_curves_print(q, sizes, library, &hosts, curve);
    status = agree_status(c, status);
fail:
    if (err < 0 && rank == 0)
        complain("%s", hesca_error_text());
    if (curve != NULL)
        probe_curves_clear(hosts.n, curve);
    free(curve);
    hesca_survey_clear(&hosts);
    return status;
}

/* A topology file instead of a machine file: an existing one is replaced. */
static int
run_topology(const probe_request *q)
{
    hesca_survey hosts = {0};
    hesca_comm *c;
    char *text = NULL;
    int rank, err, status = TOOL_NO;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    unsetenv("HESCA_MACHINE");
    HESCA_TRY(err, hesca_comm_get(MPI_COMM_WORLD, &c));
    HESCA_TRY(err, hesca_survey_begin(c, &hosts));
    hosts.progress = progress;
    if (rank == 0)
        fprintf(stderr, "hesca: probing %d processes on %d host%s\n", c->size,
                hosts.n, hosts.n > 1 ? "s" : "");
    HESCA_TRY(err, probe_room_measure(c, &hosts));
    HESCA_TRY(err, probe_speeds(c, q->seconds / 20, &hosts));
    HESCA_TRY(err, probe_speeds_confirm(c, q->seconds / 20, &hosts));
    HESCA_TRY(err, probe_topology_measure(c, &hosts, &text));
    if (rank == 0 && q->out != NULL)
        status = probe_file_write(q->out, text);
    else if (rank == 0)
        status = fputs(text, stdout) < 0 ? TOOL_NO : TOOL_YES;
    status = agree_status(c, status);
fail:
    if (err < 0 && rank == 0)
        complain("%s", hesca_error_text());
    free(text);
    hesca_survey_clear(&hosts);
    return status;
}

static int
run(probe_request *q)
{
    static probe_costs costs;
    hesca_survey hosts = {0};
    hesca_comm *c;
    int rank, err, status = TOOL_NO;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    unsetenv("HESCA_MACHINE"); /* it may have other hosts */
    err = hesca_comm_get(MPI_COMM_WORLD, &c);
    if (err == HESCA_SUCCESS)
        err = measure(q, c, &costs, &hosts);
    if (err < 0 && rank == 0)
        complain("%s", hesca_error_text());
    if (err == HESCA_SUCCESS) {
        if (rank == 0)
            status = probe_print(q, c->size, &costs, &hosts);
        status = agree_status(c, status);
    }
    hesca_survey_clear(&hosts);
    return status;
}

/* What HESCA_MACHINE=auto finds, and where it is from as a comment. */
static int
run_quick(void)
{
    hesca_machine machine = {.nhosts = 0};
    hesca_comm *c;
    char *text = NULL;
    int rank, err, status = TOOL_NO;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    setenv("HESCA_MACHINE", "auto", 1);
    HESCA_TRY(err, hesca_comm_get(MPI_COMM_WORLD, &c));
    HESCA_TRY(err, hesca_survey_machine(c, &machine));
    err = rank == 0 ? hesca_machine_format(&machine, &text) : HESCA_SUCCESS;
    HESCA_TRY(err, hesca_agree(c, err, 0, NULL));
    if (rank == 0)
        status =
            printf("%s# machine: %s\n", text, hesca_survey_source()) < 0 ||
                    fflush(stdout) != 0
                ? TOOL_NO
                : TOOL_YES;
    status = agree_status(c, status);
fail:
    if (err < 0 && rank == 0)
        complain("%s", hesca_error_text());
    free(text);
    hesca_machine_clear(&machine);
    return status;
}

/* One process alone: said once, if a launcher meant more. */
static int
refuse(void)
{
    char text[300];
    const int is_split = hesca_launch_is_split(text, sizeof text);
    if (is_split > 0)
        complain("%s", text);
    else if (is_split == 0)
        complain("probe needs at least two processes: mpiexec -n P "
                 "hesca probe");
    return TOOL_BAD;
}

int
probe_main(int argc, char **argv)
{
    probe_request q;
    probe_sizes sizes;
    int nprocs;
    int status = probe_options_read(argc, argv, &q, &sizes);
    if (status >= 0)
        return status;
    MPI_Init(&argc, &argv);
    MPI_Comm_size(MPI_COMM_WORLD, &nprocs);
    if (sizes.kernel != NULL)
        status = run_kernel(&q, &sizes);
    else if (q.quick)
        status = run_quick();
    else if (nprocs > 1)
        status = q.topology ? run_topology(&q) : run(&q);
    else
        status = refuse();
    MPI_Finalize();
    return status;
}
