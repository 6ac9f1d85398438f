/* SPDX-License-Identifier: BSD-3-Clause */
/* The capacity of a host: its cores and its memory; and whether it is busy. */
#include "base/status.h"
#include "exec/agree.h"
#include "tools/lib/cores.h"
#include "tools/lib/memory.h"
#include "tools/lib/tools.h"
#include "tools/probe/probe.h"
#include <math.h>
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
fail:
    return err;
}

/* ------------------------------------------------ measured again
 * Processor time that a hypervisor or a neighbour on the same core takes is
 * had by the process: only another moment shows it. */

/* The fastest of some measurements of a host, since nothing makes it faster
 * than it is, of those that are certain if any is; as wide as the distance to
 * the next fastest. */
static hesca_survey_host
fastest_of(int times, int n, const hesca_survey_host *made)
{
    hesca_survey_host best = made[0];
    double next = 0;
    int at = 0;
    for (int t = 1; t < times; ++t) {
        const hesca_survey_host *h = &made[(size_t)t * (size_t)n];
        const int more = is_certain(h) - is_certain(&best);
        if (more > 0 || (more == 0 && h->speed > best.speed)) {
            best = *h;
            at = t;
        }
    }
    for (int t = 0; t < times; ++t)
        if (t != at)
            next = fmax(next, made[(size_t)t * (size_t)n].speed);
    best.width = fmax(best.width, fabs(1 - next / best.speed));
    return best;
}

/* \param [in] highest  That was measured. */
static void
complain_of(const hesca_survey_host *h, double highest)
{
    const int busy = h->share < HESCA_SURVEY_BUSY;
    const char *is = h->speed != highest
                         ? "it is taken to be that of the hosts with the same "
                           "processor and quota"
                     : busy ? "the speed is what it would be if it was idle"
                            : "this is the highest";
    if (busy)
        fprintf(stderr,
                "hesca: the speed of host %s is uncertain, within %.0f %%: it "
                "is busy, the probe had %.0f %% of the processor time that it "
                "could have; %s\n",
                h->name, 100 * h->width, 100 * h->share, is);
    else
        fprintf(stderr,
                "hesca: the speed of host %s is uncertain, within %.0f %%: it "
                "was not the same whenever it was measured; %s\n",
                h->name, 100 * h->width, is);
}

int
probe_speeds_confirm(const hesca_comm *c, double seconds, hesca_survey *x)
{
    enum { MOST = 3 };
    const size_t n = (size_t)x->n;
    hesca_survey_host *made = malloc(MOST * n * sizeof *made);
    int err = made == NULL ? hesca_fail(HESCA_ERR_NOMEM, 0, "%d hosts", x->n)
                           : HESCA_SUCCESS;
    int uncertain = 1;
    HESCA_TRY(err, hesca_agree(c, err, 0, NULL));
    memcpy(made, x->host, n * sizeof *made);
    for (int t = 1; t < MOST && uncertain; ++t) {
        HESCA_TRY(err, hesca_survey_speeds(c, seconds, NULL, x));
        memcpy(made + (size_t)t * n, x->host, n * sizeof *made);
        uncertain = 0;
        for (size_t i = 0; i < n; ++i) {
            x->host[i] = fastest_of(t + 1, x->n, made + i);
            uncertain |= !is_certain(&x->host[i]);
        }
    }
    memcpy(made, x->host, n * sizeof *made);
    HESCA_TRY(err, hesca_survey_level_speeds(c, x));
    for (size_t i = 0; i < n && c->rank == 0; ++i)
        if (!is_certain(&x->host[i]))
            complain_of(&x->host[i], made[i].speed);
fail:
    free(made);
    return err;
}
