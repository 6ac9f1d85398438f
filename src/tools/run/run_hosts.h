/* SPDX-License-Identifier: BSD-3-Clause */
/** \file tools/run/run_hosts.h
 * Hosts without a machine file: lists of --hosts, and of the environment that
 * the launcher would use. */
#ifndef HESCA_TOOLS_RUN_RUN_HOSTS_H
#define HESCA_TOOLS_RUN_RUN_HOSTS_H

#include "hesca/experimental/machine.h"
#include "tools/lib/launcher.h"

typedef struct {
    int n;
    char (*name)[HESCA_HOST_MAX]; /* [n] as the launcher is given them */
    int *slots;                   /* [n] cores to use at most; 0: all */
    char from[64];                /* --hosts, or a variable */
} run_hosts;

/** Forms of a list. */
typedef enum {
    RUN_HOSTS_WORDS, /**< A,B:K */
    RUN_HOSTS_LINES, /**< a host on each line: A, A:K, A K, A slots=K */
    RUN_HOSTS_SLOTS, /**< the same, a line for each slot (PBS) */
    RUN_HOSTS_SLURM  /**< a[1-3,07],b */
} run_hosts_form;

/** Read a list; a host that is there several times has as many slots.
 * \param [out] hosts  Clear it, also if that fails.
 * \return 1, or 0 if it is malformed or empty. */
int run_hosts_parse(const char *text, run_hosts_form form, run_hosts *hosts);

/** The hosts of --hosts, a list or a file.
 * \return 1, or 0 after an error message. */
int run_hosts_given(const char *value, run_hosts *hosts);

/** Whether there may be any of the following. */
int run_hosts_may_be_found(void);

/** The hosts that a launcher finds in its environment.
 * \param [out] hosts  n = 0: there is no list, or it has this host only.
 * \return 1, or 0 after an error message. */
int run_hosts_found(launcher_kind kind, run_hosts *hosts);

void run_hosts_clear(run_hosts *hosts);

#endif
