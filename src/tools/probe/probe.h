/* SPDX-License-Identifier: BSD-3-Clause */
/** \file tools/probe/probe.h
 * The parts of hesca probe: costs, fitted to times of schedules
 * (probe_costs.c), links, measured by messages between hosts (probe_links.c),
 * speeds (probe_speed.c), cores and memory (probe_room.c), and results
 * (probe_print.c). */
#ifndef HESCA_TOOLS_PROBE_PROBE_H
#define HESCA_TOOLS_PROBE_PROBE_H

#include "exec/directory.h"
#include "hesca/experimental/machine.h"

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

/* ------------------------------------------------ hosts and links */

/** A host with less than this share is busy. */
#define PROBE_BUSY 0.8

typedef struct {
    char name[HESCA_PROCESSOR_MAX];
    int first, second; /* ranks of its first processes; -1: none */
    int nprocs;        /* processes on it */
    double speed;      /* multiplications and additions per second, of one
                          process alone */
    double share;      /* of the processor time that its quota allows, what
                          the measurement of speed had */
    double cores;      /* that compute at that speed concurrently */
    double memory;     /* bytes that its processes may fill */
} probe_host;

/** One direction between two hosts. */
typedef struct {
    double startup, rate; /* as hesca_wire; rate 0: not measured */
    double bytes;         /* of the longest message */
    double times;         /* how often each long size was sent */
    double startup_width,
        rate_width; /* half the widths of the confidence intervals of the times
                       of one byte and of long messages, relative to these
                       times */
} probe_link;

typedef struct {
    int n; /* hosts */
    probe_host *host;
    probe_link *link; /* [n * n] from, to; (rank 0) */
} probe_hosts;

/** Find the hosts of all processes.
 *
 * Collective over MPI_COMM_WORLD.
 * \return HESCA_SUCCESS, HESCA_ERR_NOMEM, HESCA_ERR_MPI, or
 *         HESCA_ERR_UNSUPPORTED (too long a name). */
int probe_hosts_find(const hesca_comm *c, probe_hosts *x);
void probe_hosts_clear(probe_hosts *x);

/** The host that a process represents as its first process; -1: none. */
int probe_hosts_of(const probe_hosts *x, int rank);

/** Measure links for about this many seconds.
 *
 * Collective over MPI_COMM_WORLD; host 0 is that of rank 0.
 * \return HESCA_SUCCESS, HESCA_ERR_NOMEM, HESCA_ERR_MPI. */
int probe_links_measure(const hesca_comm *c, double seconds, probe_hosts *x);

/** Measure speeds for about this many seconds: all hosts concurrently, one
 * process of each.
 *
 * Collective over MPI_COMM_WORLD.
 * \return HESCA_SUCCESS or HESCA_ERR_MPI. */
int probe_speed_measure(const hesca_comm *c, double seconds, probe_hosts *x);

/** Find how many processes compute concurrently at full speed, and the
 * available memory: by the first process of each host.
 *
 * Collective over MPI_COMM_WORLD.
 * \return HESCA_SUCCESS or HESCA_ERR_MPI. */
int probe_room_measure(const hesca_comm *c, probe_hosts *x);

/** Measure the layers of a topology file, after speeds and rooms.
 *
 * Collective over MPI_COMM_WORLD.
 * \param [out] text  (rank 0) The file; free with free().
 * \return HESCA_SUCCESS, HESCA_ERR_NOMEM, HESCA_ERR_MPI. */
int probe_topology_measure(const hesca_comm *c, const probe_hosts *hosts,
                           char **text);

/* ------------------------------------------------ results */

typedef struct {
    double seconds;  /* to spend */
    const char *out; /* file, or NULL */
    int json;
    int costs, links; /* what to measure */
    int topology;     /* only that: a topology file */
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

/** Replace the hosts of a machine; data of hosts of the same name remain.
 * \return HESCA_SUCCESS, HESCA_ERR_ARG, HESCA_ERR_NOMEM; unchanged then. */
int probe_machine_rename(hesca_machine *machine, int n,
                         const char *const *name);

/** Print what was measured, and write the file; on rank 0.
 * \return the exit status. */
int probe_print(const probe_request *q, int nprocs, const probe_costs *costs,
                const probe_hosts *hosts);

#endif
