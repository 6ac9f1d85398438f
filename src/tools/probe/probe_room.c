/* SPDX-License-Identifier: BSD-3-Clause */
/* The capacity of a host: its cores and its memory; and whether it is busy. */
#include "base/status.h"
#include "exec/agree.h"
#include "tools/lib/cores.h"
#include "tools/lib/memory.h"
#include "tools/lib/tools.h"
#include "tools/probe/probe.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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

/* Whether a host's speed is to be believed: an idle host shows the same speed
 * in all windows, and gives all the time that it may. */
static int
is_certain(const hesca_survey_host *h)
{
    return h->share >= HESCA_SURVEY_BUSY && h->width <= PROBE_WIDE;
}

/* Measure again, and keep what was measured on the less busy host. */
static int
repeat(const hesca_comm *c, double seconds, hesca_survey *x)
{
    hesca_survey_host *before = malloc((size_t)x->n * sizeof *before);
    int err = before == NULL ? hesca_fail(HESCA_ERR_NOMEM, 0, "%d hosts", x->n)
                             : HESCA_SUCCESS;
    HESCA_TRY(err, hesca_agree(c, err, 0, NULL));
    memcpy(before, x->host, (size_t)x->n * sizeof *before);
    HESCA_TRY(err, hesca_survey_speeds(c, seconds, NULL, x));
    for (int i = 0; i < x->n; ++i)
        if (before[i].share - before[i].width >
            x->host[i].share - x->host[i].width)
            x->host[i] = before[i];
fail:
    free(before);
    return err;
}

int
probe_speeds(const hesca_comm *c, double seconds, hesca_survey *x)
{
    enum { REPEATS = 2 };
    int err, uncertain = 1;
    HESCA_TRY(err, hesca_survey_speeds(c, seconds, NULL, x));
    for (int r = 0; r <= REPEATS && uncertain; ++r) {
        if (r > 0)
            HESCA_TRY(err, repeat(c, seconds, x));
        uncertain = 0;
        for (int i = 0; i < x->n; ++i)
            uncertain |= !is_certain(&x->host[i]);
    }
    for (int i = 0; i < x->n && c->rank == 0; ++i)
        if (!is_certain(&x->host[i]))
            fprintf(
                stderr,
                "hesca: the speed of host %s is uncertain, within %.0f %%: "
                "it is busy, the probe had %.0f %% of the processor time "
                "that it could have; the speed is what it would be if it "
                "was idle\n",
                x->host[i].name, 100 * x->host[i].width,
                100 * x->host[i].share);
fail:
    return err;
}
