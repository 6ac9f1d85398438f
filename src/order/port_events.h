/* SPDX-License-Identifier: BSD-3-Clause */
/** \file order/port_events.h
 * The clock of heuristics that never let an event wait while both of its ports
 * are free.
 *
 * Ports: sender i is port i, receiver j is port nproc + j. */
#ifndef HESCA_ORDER_PORT_EVENTS_H
#define HESCA_ORDER_PORT_EVENTS_H

#include "order/unscheduled.h"

/** Ports that become free at a time; -1: none. */
typedef struct {
    double time;
    int send, recv;
} hesca_port_release;

typedef struct {
    hesca_unscheduled p;
    int nheap;
    hesca_port_release *heap; /* [2 nproc] */
    int nwords;               /* words of a set of processes */
    uint64_t *free[2];   /* [nwords] senders, and receivers, that are free and
                            have events left */
    uint64_t *unsent[2]; /* [nproc * nwords] receivers of the unscheduled
                          events of each sender, and senders of those of each
                          receiver; NULL if there are few events */
    int64_t *column;     /* [n] events by receiver */
    int nreleased;
    int *released; /* [2 nproc] ports that became free at the last release */
} hesca_port_events;

/** Initialize as hesca_unscheduled_init() does.
 * \return HESCA_SUCCESS or HESCA_ERR_NOMEM; call hesca_port_events_clear() in
 * both cases. */
int hesca_port_events_init(hesca_port_events *d, const hesca_events *x,
                           const hesca_ready *ready, hesca_timetable *t);

void hesca_port_events_clear(hesca_port_events *d);

/** The time at which the next port becomes free; INFINITY if there is none. */
double hesca_port_events_next(const hesca_port_events *d);

/** Release the ports that become free until now; they are listed in released.
 */
void hesca_port_events_release(hesca_port_events *d, double now);

static inline int
hesca_port_events_is_free(const hesca_port_events *d, int port)
{
    const int side = port >= d->p.x->nproc;
    const int i = side ? port - d->p.x->nproc : port;
    return (int)(d->free[side][i >> 6] >> (i & 63) & 1);
}

/** The events of a free port that can begin now.
 * \param [out] list  At most nproc events, in any order.
 * \return Their number. */
int hesca_port_events_gather(const hesca_port_events *d, int port,
                             int64_t *list);

/** Begin an event; both of its ports must be free. */
void hesca_port_events_start(hesca_port_events *d, int64_t e, double now);

#endif
