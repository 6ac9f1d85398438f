/* SPDX-License-Identifier: BSD-3-Clause */
/** \file coll/alltoallv_phases.h
 * A total exchange with checkpoints, which divide it into phases.
 *
 * The first phase is the half of the messages that begin first in the
 * timetable, the next one half of what is left, and so on.  As a phase begins
 * before the rest in the orders of every process, it can be carried out alone.
 * After it all processes share the times at which its messages began and
 * ended. If these are too far from the timetable, every process orders the
 * rest again; all compute the same order from the same numbers. Source:
 * BHAT-EXC 6.3. */
#ifndef HESCA_COLL_ALLTOALLV_PHASES_H
#define HESCA_COLL_ALLTOALLV_PHASES_H

#include "coll/alltoallv_order.h"
#include "coll/ordered_sendrecv.h"

/** Of an exchange, on one process. */
typedef struct {
    const int64_t *out, *in; /* [nout], [nin] events of this phase that the
                                process sends and receives, in their order */
    int nout, nin;
    int checkpoints, changes; /* until now; global */
    /* private */
    hesca_comm *comm;
    int on;                        /* checkpoints are made */
    const hesca_events *estimates; /* the cached ones, or new_estimates */
    const hesca_timetable *plan;   /* the cached one, or new_plan */
    hesca_events new_estimates;    /* of the last checkpoint that made some */
    hesca_timetable new_plan;      /* of the last checkpoint */
    int64_t sent, received; /* events of this process in earlier phases */
    int number;             /* of this phase, from 1 */
    int64_t left;           /* events of later phases */
    int *phase;             /* [n] of an event; 0: not known */
    double *begin, *end;    /* [n] NAN: not yet known */
    double *shared;         /* [2n] scratch */
    double zero;            /* MPI_Wtime() at time 0 of plan, begin and end */
    double made;            /* when the plan was made for the rest */
} hesca_phases;

/** Begin with the order in c->alltoallv. Local.
 * \param [out] p  Clear it, also on error.
 * \return HESCA_SUCCESS or HESCA_ERR_NOMEM. */
int hesca_phases_init(hesca_phases *p, hesca_comm *c);

/** Set the time 0, at the same moment on all processes. */
void hesca_phases_start(hesca_phases *p);

/** Proceed to the next phase; 0 if there is none. */
int hesca_phases_next(hesca_phases *p);

/** The checkpoint after a phase, if one is due.  If a process has no memory
 * for a new order, all keep the old one and make no further checkpoints: the
 * exchange continues.
 *
 * Collective.
 * \param [in] out, in  [nout], [nin] The phase's messages as carried out.
 * \return HESCA_SUCCESS or HESCA_ERR_MPI. */
int hesca_phases_check(hesca_phases *p, const hesca_ordered_message *out,
                       const hesca_ordered_message *in);

/** Free the memory of p. */
void hesca_phases_clear(hesca_phases *p);

#endif
