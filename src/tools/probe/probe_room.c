/* SPDX-License-Identifier: BSD-3-Clause */
/* The capacity of a host: its cores and its memory. */
#include "tools/lib/cores.h"
#include "tools/lib/memory.h"
#include "tools/probe/probe.h"

int
probe_room_measure(const hesca_comm *comm, probe_hosts *x)
{
    int err = HESCA_SUCCESS;
    const int host = probe_hosts_of(x, comm->rank);
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
