/** \file order/port_events.h
 * Events begun as their two processes get free: the clock of heuristics that
 * never let an event wait while both its ends are free.
 *
 * Ports: sender i is port i, receiver j is port nproc + j. */
#ifndef HESCA_ORDER_PORT_EVENTS_H
#define HESCA_ORDER_PORT_EVENTS_H

#include "order/unscheduled.h"

/** Ports that get free at a time; -1: none. */
typedef struct {
    double time;
    int send, recv;
} hesca_port_release;

typedef struct {
    hesca_unscheduled p;
    int nheap;
    hesca_port_release *heap; /* [2 nproc] */
    int nwords;               /* of a set of processes */
    uint64_t *free[2]; /* [nwords] senders, receivers that are free and have
                          something left */
    uint64_t *todo[2]; /* [nproc * nwords] receivers to whom each sender has
                          still to send; senders from whom each receiver has
                          still to receive.  NULL if there are few events */
    int64_t *column;   /* [n] events by receiver */
    int nfresh;
    int *fresh; /* [2 nproc] ports that got free at the last release */
} hesca_port_events;

/** As hesca_unscheduled_init(); end with hesca_port_events_clear(). */
int hesca_port_events_init(hesca_port_events *d, const hesca_events *x,
                           const hesca_ready *ready, hesca_timetable *t);

void hesca_port_events_clear(hesca_port_events *d);

/** When the next port gets free, INFINITY: all are. */
double hesca_port_events_next(const hesca_port_events *d);

/** Free the ports that get free until now; they are the fresh ones. */
void hesca_port_events_release(hesca_port_events *d, double now);

static inline int
hesca_port_events_is_free(const hesca_port_events *d, int port)
{
    const int side = port >= d->p.x->nproc;
    const int i = side ? port - d->p.x->nproc : port;
    return (int)(d->free[side][i >> 6] >> (i & 63) & 1);
}

/** The events of a free port that can begin now: a list, in no order, and how
 * many; at most nproc. */
int hesca_port_events_gather(const hesca_port_events *d, int port,
                             int64_t *list);

/** Begin an event both of whose ports are free. */
void hesca_port_events_start(hesca_port_events *d, int64_t e, double now);

#endif
