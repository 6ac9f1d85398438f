/* SPDX-License-Identifier: BSD-3-Clause */
/* The capacity of a host: its cores and its memory; and whether it is busy. */
#include "tools/lib/cores.h"
#include "tools/lib/memory.h"
#include "tools/lib/tools.h"
#include "tools/probe/probe.h"
#include <stdio.h>

int
probe_room_measure(const hesca_comm *comm, hesca_survey *x)
{
    int err = HESCA_SUCCESS;
    const int host = hesca_survey_host_of(x, comm->rank);
    if (host >= 0) {
        x->host[host].cores = cores_here();
        x->host[host].memory = memory_available();
    }
    for (int i = 0; i < x->n && err == HESCA_SUCCESS; ++i) {
        double room[2] = {x->host[i].cores, x->host[i].memory};
        MPI_Request request;
        MPI_Ibcast(room, 2, MPI_DOUBLE, x->host[i].first, MPI_COMM_WORLD,
                   &request);
        err = hesca_comm_wait(comm, 1, &request);
        x->host[i].cores = room[0];
        x->host[i].memory = room[1];
    }
    return err;
}

int
probe_speeds(const hesca_comm *c, double seconds, hesca_survey *x)
{
    const int err = hesca_survey_speeds(c, seconds, NULL, x);
    for (int i = 0; i < x->n && c->rank == 0 && err == HESCA_SUCCESS; ++i)
        if (x->host[i].share < HESCA_SURVEY_BUSY)
            fprintf(stderr,
                    "hesca: host %s is busy: the probe had %.0f %% of the "
                    "processor time that it could have; its speed is what it "
                    "would be if it was idle\n",
                    x->host[i].name, 100 * x->host[i].share);
    return err;
}
