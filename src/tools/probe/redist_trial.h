/* SPDX-License-Identifier: BSD-3-Clause */
/** \file tools/probe/redist_trial.h
 * Measured times of schedules: R_x(K,P) on a line of all processes, in several
 * cases, with the schedules interleaved so that other activity of the machine
 * affects all of them. */
#ifndef HESCA_TOOLS_PROBE_REDIST_TRIAL_H
#define HESCA_TOOLS_PROBE_REDIST_TRIAL_H

#include "hesca/layout.h"
#include "hesca/redist.h"
#include <mpi.h>
#include <stdint.h>

enum { TRIAL_SCHEDULES = 16 };

/** A communicator for each schedule, since HESCA reads its parameters once for
 * each. */
typedef struct {
    int n, nprocs, rank;
    const char *name[TRIAL_SCHEDULES];
    MPI_Comm comm[TRIAL_SCHEDULES];
} trial;

/** The time of one schedule. */
typedef struct {
    int served;    /* it applies to the case */
    double median; /* seconds of an execution, mean over the processes */
    hesca_plan_info info;
} trial_time;

/** Begin with the named schedules, separated by '|'; the text is modified and
 * must outlive the trial.
 *
 * Collective over MPI_COMM_WORLD.
 * \return HESCA_SUCCESS or an error of HESCA. */
int trial_begin(trial *t, char *names);
void trial_end(trial *t);

/** The layouts of R_x(K,P) in elements of 8 bytes, with about this many bytes
 * per process; free both.
 * \return HESCA_SUCCESS or HESCA_ERR_NOMEM. */
int trial_layouts(int64_t k, int nprocs, int64_t bytes, int64_t *n,
                  hesca_layout **a, hesca_layout **b);

/** One redistribution. */
typedef struct {
    int64_t k, bytes; /* of a process, about */
} trial_case;

/** Time cases for this many seconds in total; time[c * t->n + i] belongs to
 * case c and name[i].
 *
 * Collective.
 * \return HESCA_SUCCESS or HESCA_ERR_*. */
int trial_run(const trial *t, int ncases, const trial_case *cases,
              double seconds, trial_time *time);

#endif
