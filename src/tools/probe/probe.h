/* SPDX-License-Identifier: BSD-3-Clause */
/** \file tools/probe/probe.h
 * The parts of hesca probe: costs, fitted to times of schedules
 * (probe_costs.c), hosts, links and speeds (survey/survey.h), cores and memory
 * (probe_room.c), and results (probe_print.c). */
#ifndef HESCA_TOOLS_PROBE_PROBE_H
#define HESCA_TOOLS_PROBE_PROBE_H

#include "hesca/experimental/machine.h"
#include "survey/survey.h"

/* ------------------------------------------------ costs */

/** The costs of hesca_costs. */
enum {
    PROBE_STARTUP,
    PROBE_MESSAGE,
    PROBE_BYTE,
    PROBE_COPY,
    PROBE_UNKNOWNS,
    PROBE_SAMPLES = 64
};

/** One measured time, and how often it contains each cost. */
typedef struct {
    int64_t k, bytes;
    char schedule[HESCA_NAME_MAX];
    double seconds, part[PROBE_UNKNOWNS];
} probe_sample;

typedef struct {
    const char *link; /* the line of machine files with these costs */
    int one_node;
    double load; /* processes per core */
    int n;       /* 0: nothing was measured */
    probe_sample sample[PROBE_SAMPLES];
    double cost[PROBE_UNKNOWNS];
} probe_costs;

/** Time schedules and fit the costs.
 *
 * Collective over MPI_COMM_WORLD.
 * \return HESCA_SUCCESS or HESCA_ERR_*. */
int probe_costs_measure(const hesca_comm *c, double seconds, probe_costs *x);

/** The time of a sample predicted by the costs. */
double probe_costs_fitted(const probe_costs *x, const probe_sample *s);

/** Enter into a machine the costs that the samples determine. */
void probe_costs_enter(const probe_costs *x, hesca_machine *machine);

/* ------------------------------------------------ hosts */

/** Half the width of the confidence interval of a speed that is uncertain,
 * relative to it. */
#define PROBE_WIDE 0.1

/** Measure speeds for about this many seconds, up to three times that if hosts
 * are busy.
 *
 * Collective over c->mpi.
 * \return HESCA_SUCCESS, HESCA_ERR_NOMEM or HESCA_ERR_MPI. */
int probe_speeds(const hesca_comm *c, double seconds, hesca_survey *x);

/** Measure them once more, at another moment, for about this many seconds, up
 * to twice that if a host is not as fast as before; keep the highest, and say
 * (rank 0) of which hosts the speed is uncertain.
 *
 * Collective over c->mpi.
 * \return HESCA_SUCCESS, HESCA_ERR_NOMEM or HESCA_ERR_MPI. */
int probe_speeds_confirm(const hesca_comm *c, double seconds, hesca_survey *x);

/** Find how many processes compute concurrently at full speed, and the
 * available memory: by the first process of each host.
 *
 * Collective over MPI_COMM_WORLD.
 * \return HESCA_SUCCESS or HESCA_ERR_MPI. */
int probe_room_measure(const hesca_comm *c, hesca_survey *x);

/** Measure the layers of a topology file, after speeds and rooms.
 *
 * Collective over MPI_COMM_WORLD.
 * \param [out] text  (rank 0) The file; free with free().
 * \return HESCA_SUCCESS, HESCA_ERR_NOMEM, HESCA_ERR_MPI. */
int probe_topology_measure(const hesca_comm *c, const hesca_survey *hosts,
                           char **text);

/* ------------------------------------------------ results */

typedef struct {
    double seconds;  /* to spend */
    const char *out; /* file, or NULL */
    int json;
    int costs, links; /* what to measure */
    int topology;     /* only that: a topology file */
    int quick;        /* only that: what HESCA_MACHINE=auto finds */
} probe_request;

/** Read a machine file, if there is one; else the defaults.
 * \return as hesca_machine_read(). */
int probe_file_read(const char *path, hesca_machine *machine);

/** Whether rank 0 can read an existing file, and write it, checked before the
 * measurements that are to be added to it.  On all processes.
 * \return the same on all. */
int probe_file_check(const hesca_comm *c, const char *path);

/** Write it.  Programs may be reading it (hesca/experimental/monitor.h), so it
 * replaces an old one atomically.
 * \return the exit status. */
int probe_file_write(const char *path, const char *text);

/** Print what was measured, and write the file; on rank 0.
 * \return the exit status. */
int probe_print(const probe_request *q, int nprocs, const probe_costs *costs,
                const hesca_survey *hosts);

#endif
