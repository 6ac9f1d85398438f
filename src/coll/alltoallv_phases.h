/** \file coll/alltoallv_phases.h
 * A total exchange with checkpoints, by which it falls into phases.
 *
 * The first phase is the half of the messages that begin first in the
 * timetable, the next one half of what is left, and so on.  As a phase begins
 * before the rest in the orders of every process, it can be carried out alone.
 * After it all processes share when its messages began and ended; if that is
 * too far from the timetable all order the rest anew, alike, for they compute
 * the same of the same numbers.
 * Source: BHAT-EXC 6.3. */
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
    const hesca_events *estimates; /* the kept ones, or */
    const hesca_timetable *plan;   /* the kept one, or */
    hesca_events new_estimates;    /* those of the last checkpoint that made */
    hesca_timetable new_plan;      /* that of the last checkpoint */
    int64_t sent, received; /* events of this process in earlier phases */
    int number;             /* of this phase, from 1 */
    int64_t left;           /* events of later phases */
    int *phase;             /* [n] of an event; 0: not known */
    double *begin, *end;    /* [n] NAN: has not happened */
    double *shared;         /* [2n] scratch */
    double zero;            /* MPI_Wtime() that is 0 of plan, begin and end */
    double made;            /* when the plan was made for the rest */
} hesca_phases;

/** Begin with the order that c keeps. Local.
 * \param [out] p  Clear it, also on error.
 * \return HESCA_SUCCESS or HESCA_ERR_NOMEM. */
int hesca_phases_init(hesca_phases *p, hesca_comm *c);

/** Now is the time 0, at once on all processes. */
void hesca_phases_start(hesca_phases *p);

/** Go on to the next phase, if there is one: 1 or 0. */
int hesca_phases_next(hesca_phases *p);

/** The checkpoint after a phase, if one is due.  A process that lacks memory
 * for a new order makes all keep the old one, without further checkpoints: the
 * exchange goes on.
 *
 * Collective.
 * \param [in] out, in  [nout], [nin] The phase's messages as carried out.
 * \return HESCA_SUCCESS or HESCA_ERR_MPI. */
int hesca_phases_check(hesca_phases *p, const hesca_ordered_message *out,
                       const hesca_ordered_message *in);

/** Free what belongs to it. */
void hesca_phases_clear(hesca_phases *p);

#endif
