/* SPDX-License-Identifier: BSD-3-Clause */
/** \file tools/lib/traffic.h
 * What a schedule makes each process send and receive, step by step, in
 * messages and bytes.  The phases of a schedule follow each other. */
#ifndef HESCA_TOOLS_LIB_TRAFFIC_H
#define HESCA_TOOLS_LIB_TRAFFIC_H

#include "hesca/experimental/timetable.h"
#include "sched/sched.h"

/** What goes between a process and one other in a step. */
typedef struct {
    int rank; /* the other; -1: nothing goes */
    int64_t packets, bytes;
} traffic_message;

typedef struct {
    traffic_message out, in;
} traffic_step;

/** The part of a schedule that is the same on all processes. */
typedef struct {
    const hesca_problem *problem; /* must outlive it */
    hesca_choice choice;
    int nsteps, nphases;
    int *phase_end;      /* [nphases] steps that are over when a phase is */
    int64_t *first;      /* [nsteps + 1] where the lanes of a step begin, in */
    int64_t *lane;       /* the lanes carried by the steps of store-and-forward
                            schedules */
    int queued;          /* it has queues, which come from */
    hesca_events events; /* these */
    hesca_timetable times;
} traffic;

/** \return HESCA_SUCCESS (clear the result) or HESCA_ERR_NOMEM. */
int traffic_make(traffic *t, const hesca_problem *problem,
                 const hesca_choice *choice);
void traffic_clear(traffic *t);

/** The steps of one process.
 * \param [out] step  [nsteps]
 * \return HESCA_SUCCESS or HESCA_ERR_NOMEM. */
int traffic_of(const traffic *t, int rank, traffic_step *step);

#endif
