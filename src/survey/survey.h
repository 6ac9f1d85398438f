/* SPDX-License-Identifier: BSD-3-Clause */
/** \file survey/survey.h
 * What machine this is, found by its processes: hosts (hosts.c), their speeds
 * (speeds.c) and the links between them (links.c); what is equal but for noise
 * is made the same (level.c).  hesca probe measures it
 * with care; HESCA_MACHINE=auto within a second at the program's first grid,
 * and keeps it in files of the user's cache (cache.c). */
#ifndef HESCA_SURVEY_SURVEY_H
#define HESCA_SURVEY_SURVEY_H

#include "exec/directory.h"
#include "hesca/experimental/machine.h"

/** A host that had less than this share of its processor time is busy. */
#define HESCA_SURVEY_BUSY 0.8

typedef struct {
    char name[HESCA_PROCESSOR_MAX];
    int first, second; /* ranks of its first processes; -1: none */
    int nprocs;        /* processes on it */
    double speed;      /* operations per second of a process that has a core,
                          or what the quota allows, to itself */
    double part;       /* of a core that the quota allows a process; 0: not
                          known */
    double share;      /* of the processor time that its quota allows, what
                          the measurement of speed had */
    double width;      /* half the 95 % confidence interval of the speed,
                          relative to it */
    double cores;      /* that compute at that speed concurrently; 0: not
                          known */
    double memory;     /* bytes that its processes may fill; 0: not known */
} hesca_survey_host;

/** One direction between two hosts. */
typedef struct {
    double startup, rate; /* as hesca_wire; rate 0: not measured */
    double bytes;         /* of the longest message */
    double times;         /* how often each long size was sent */
    double startup_width,
        rate_width; /* half the widths of the confidence intervals of the times
                       of one byte and of long messages, relative to these
                       times */
} hesca_survey_link;

typedef struct {
    int n;        /* hosts */
    int mine;     /* that of this process */
    double flops; /* operations per second of dgemm by a process on host 0, as
                     speed; 0: not measured; (rank 0) */
    hesca_survey_host *host;
    hesca_survey_link *link; /* [n * n] from, to; (rank 0) */
    /** Show progress on rank 0; NULL: none. */
    void (*progress)(const char *format, ...);
} hesca_survey;

typedef struct hesca_facts hesca_facts; /* survey/facts.h */

/** Find the hosts of all processes; host 0 is that of rank 0.
 *
 * Collective over c->mpi.
 * \param [out] x  Clear with hesca_survey_clear(), also on error.
 * \return HESCA_SUCCESS, HESCA_ERR_NOMEM, HESCA_ERR_MPI, or
 *         HESCA_ERR_UNSUPPORTED (too long a name). */
int hesca_survey_begin(const hesca_comm *c, hesca_survey *x);
void hesca_survey_clear(hesca_survey *x);

/** The host that a process represents as its first process; -1: none. */
int hesca_survey_host_of(const hesca_survey *x, int rank);

/** Operations that take a known number of operations each. */
typedef struct {
    void (*run)(void *work); /* once */
    void *work;
    double operations;
} hesca_survey_kernel;

/** A product of square matrices by BLAS, if hesca_kernels_fit().  Local.
 * \return Its work is to be freed with free(); NULL: without memory. */
hesca_survey_kernel hesca_survey_dgemm(int order);

/** Measure speeds for about this many seconds, all hosts concurrently.
 *
 * Collective over c->mpi; sets speed, share and width of all hosts on all
 * processes.
 * \param [in] kernel  Run by all processes; NULL: products of small matrices
 *                     in plain C by one process of each host.
 * \return HESCA_SUCCESS, HESCA_ERR_NOMEM or HESCA_ERR_MPI. */
int hesca_survey_speeds(const hesca_comm *c, double seconds,
                        const hesca_survey_kernel *kernel, hesca_survey *x);

/** Measure dgemm on host 0 for about this many seconds, for x->flops.  Local;
 * (rank 0). */
void hesca_survey_flops(double seconds, hesca_survey *x);

/** What a kernel does per second in this process, as hesca_survey_speeds()
 * measures it.  Local. */
double hesca_survey_speed(const hesca_survey_kernel *kernel, double seconds);

/** Measure links for about this many seconds.
 *
 * Collective over c->mpi.
 * \param [in] rounds  Of the tournament in which all pairs of hosts meet, the
 *                     first ones; at least n: all, and links inside hosts.
 * \return HESCA_SUCCESS, HESCA_ERR_NOMEM, HESCA_ERR_MPI. */
int hesca_survey_links(const hesca_comm *c, double seconds, int rounds,
                       hesca_survey *x);

/** Give a machine the hosts; data of hosts of the same name remain.  Speeds
 * are relative to the fastest; links that were not measured keep what they
 * had, or follow from the costs.
 *
 * With x->flops the unit of speeds becomes that of the fastest host.
 *
 * Local; (rank 0).
 * \return HESCA_SUCCESS, HESCA_ERR_ARG, HESCA_ERR_NOMEM; unchanged then. */
int hesca_survey_enter(const hesca_survey *x, hesca_machine *machine);

/** The part of hesca_survey_enter() that needs names alone. */
int hesca_survey_rename(hesca_machine *machine, int n,
                        const char *const *name);

/** Make values of one kind that are close to each other the same: their
 * median, of the certain ones if there are any.  Pure.
 * \param [in]     kind     [n] The first value of its kind; negative: none.
 * \param [in]     certain  [n] 0: becomes the median, whatever it is.
 * \param [in]     part, amount  Certain ones are close if they differ from it
 *                          by no more than that part of it, and an amount.
 * \param [in,out] value    [n]
 * \return HESCA_SUCCESS or HESCA_ERR_NOMEM; unchanged then. */
int hesca_survey_level(int n, const int *kind, const char *certain,
                       double part, double amount, double *value);

/** Whether the speed of a host is to be believed. */
int hesca_survey_is_certain(const hesca_survey_host *h);

/** Level speeds of hosts with the same facts, and links, by
 * hesca_survey_level().  Local; (rank 0).
 * \param [in] of  [x->n]; NULL: speeds were not measured.
 * \return HESCA_SUCCESS or HESCA_ERR_NOMEM. */
int hesca_survey_level_all(hesca_survey *x, const hesca_facts *of);

/** Make the speeds of hosts with the same processors, CPU quota and cores the
 * same by hesca_survey_level(), where they are close or uncertain.
 *
 * Collective over c->mpi.
 * \param [in,out] x  (global)
 * \return HESCA_SUCCESS, HESCA_ERR_NOMEM or HESCA_ERR_MPI; unchanged then. */
int hesca_survey_level_speeds(const hesca_comm *c, hesca_survey *x);

/** If HESCA_MACHINE is auto, make sure that the machine of a communicator is
 * known: found earlier by this program, in the cache, or measured now.  On one
 * node there is nothing to measure.
 *
 * Collective over c->mpi the first time, later local.  What fails leaves the
 * machine unknown; HESCA_VERBOSE says why.
 * \return HESCA_SUCCESS or HESCA_ERR_MPI. */
int hesca_survey_ensure(hesca_comm *c);

/** Measure the links between hosts again, for a second at most.  If one has
 * another rate, the machine of c gets the links as they are now, and all that
 * depends on them is dropped.
 *
 * Collective over c->mpi.
 * \param [in]  least    The least change of a rate that counts, as a logarithm.
 * \param [out] changed  (global)
 * \return HESCA_SUCCESS, HESCA_ERR_NOMEM or HESCA_ERR_MPI; nothing has changed
 *         on errors. */
int hesca_survey_links_again(hesca_comm *c, double least, int *changed);

/** The machine that hesca_survey_ensure() finds, and this host alone if there
 * is one only.
 *
 * Collective over c->mpi.
 * \param [out] machine  (rank 0) Clear it, also on error.
 * \return HESCA_SUCCESS, HESCA_ERR_NOMEM, HESCA_ERR_MPI, HESCA_ERR_UNSUPPORTED
 *         (nothing was found). */
int hesca_survey_machine(hesca_comm *c, hesca_machine *machine);

/** Text, "measured in 1.3 s, kept in ...": where the last machine that this
 * thread has found is from.  (rank 0) */
const char *hesca_survey_source(void);

#endif
