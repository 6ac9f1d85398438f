/* SPDX-License-Identifier: BSD-3-Clause */
/** \file order/unscheduled.h
 * The state of heuristics that go through time: the set of unscheduled events,
 * one bit each, and the timetable of the others. */
#ifndef HESCA_ORDER_UNSCHEDULED_H
#define HESCA_ORDER_UNSCHEDULED_H

#include "hesca/experimental/timetable.h"

typedef struct {
    const hesca_events *x;
    hesca_timetable *t;
    uint64_t *bits;           /* bit (e - first[i]) of sender i's words */
    int64_t *word;            /* [nproc + 1] first word of each sender */
    int64_t *sent, *received; /* [nproc] next position in the orders */
    int *left;                /* [nproc] unscheduled events of each sender */
    double *send, *recv;      /* [nproc] time from which on each is free */
} hesca_unscheduled;

/** All events of x are unscheduled; t is allocated here.
 * \return HESCA_SUCCESS or HESCA_ERR_NOMEM; call hesca_unscheduled_clear()
 * in both cases. */
int hesca_unscheduled_init(hesca_unscheduled *p, const hesca_events *x,
                           const hesca_ready *ready, hesca_timetable *t);

/** Free the memory of p, but not the timetable. */
void hesca_unscheduled_clear(hesca_unscheduled *p);

/** Whether event e of sender i is unscheduled. */
static inline int
hesca_unscheduled_has(const hesca_unscheduled *p, int i, int64_t e)
{
    const int64_t k = e - p->x->first[i];
    return (int)(p->bits[p->word[i] + (k >> 6)] >> (k & 63) & 1);
}

/** Schedule event e at `start`, behind the events of its sender and of its
 * receiver that are scheduled so far. */
static inline void
hesca_unscheduled_take(hesca_unscheduled *p, int64_t e, double start)
{
    const hesca_events *x = p->x;
    const int i = x->src[e], j = x->dest[e];
    const int64_t k = e - x->first[i];
    const double end = start + x->seconds[e];
    p->bits[p->word[i] + (k >> 6)] &= ~((uint64_t)1 << (k & 63));
    --p->left[i];
    p->t->start[e] = start;
    p->t->end[e] = p->send[i] = p->recv[j] = end;
    p->t->send[p->sent[i]++] = e;
    p->t->recv[p->received[j]++] = e;
    if (end > p->t->finish)
        p->t->finish = end;
}

#endif
