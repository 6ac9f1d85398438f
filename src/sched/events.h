/** \file sched/events.h
 * Communication events and their timing diagram.
 *
 * An event is a message between two processes and the time that it takes.  A
 * process takes part in at most one send and one receive at a time.  The
 * timing diagram says when each event begins; what is carried out of it is
 * the order of every process's sends and of its receives.
 * Source: BHAT-HET 4.1 and 4.2. */
#ifndef HESCA_SCHED_EVENTS_H
#define HESCA_SCHED_EVENTS_H

#include <stdint.h>

/** The events of an exchange among processes 0 ... nproc - 1.  They are
 * numbered by sender, then by receiver, ascending; each pair is there at most
 * once, nobody sends to itself, and every event takes a finite time > 0. */
typedef struct {
    int nproc;
    int64_t n;
    int64_t *first;          /* [nproc + 1] events of sender i: first[i] ...
                                first[i + 1] - 1 */
    int *src, *dest;         /* [n] */
    double *bytes, *seconds; /* [n] */
} hesca_events;

/** When they take place. */
typedef struct {
    int64_t n;
    double *start, *end; /* [n] seconds, by event */
    double finish;       /* the last end, 0 without events */
    int64_t *send;       /* [n] events of sender i, in their order, from
                            events->first[i] on */
    int64_t *recv_first; /* [nproc + 1] */
    int64_t *recv;       /* [n] events of receiver j, in their order, from
                            recv_first[j] on */
} hesca_timetable;

#endif
