/* SPDX-License-Identifier: BSD-3-Clause */
/** \file order/ready_queue.h
 * The sender that is free first, of those that have events left. */
#ifndef HESCA_ORDER_READY_QUEUE_H
#define HESCA_ORDER_READY_QUEUE_H

#include "order/unscheduled.h"
#include <string.h>

/** A process and the time from which on it is free.  The time is stored as the
 * bits of a double >= 0, which have the same order as integers.  Integers are
 * compared and exchanged without branches, half of which would be mispredicted
 * otherwise. */
typedef struct {
    uint64_t time;
    int64_t rank;
} hesca_ready_sender;

static inline hesca_ready_sender
hesca_ready_sender_at(double time, int rank)
{
    hesca_ready_sender x = {.rank = rank};
    memcpy(&x.time, &time, sizeof time);
    return x;
}

static inline double
hesca_ready_sender_time(hesca_ready_sender x)
{
    double time;
    memcpy(&time, &x.time, sizeof time);
    return time;
}

/** Whether a comes before b: it is free earlier, or at the same time and has
 * the lower number. */
static inline int
hesca_ready_before(hesca_ready_sender a, hesca_ready_sender b)
{
    return (a.time < b.time) | ((a.time == b.time) & (a.rank < b.rank));
}

/** A tournament tree: node k >= 1 has the loser of its game, node 0 the
 * overall winner. */
typedef struct {
    const hesca_unscheduled *p;
    hesca_ready_sender *tree; /* [nproc] */
} hesca_ready_queue;

/** Initialize the tree with all senders of p, which must exist as long as s.
 * \return HESCA_SUCCESS or HESCA_ERR_NOMEM; free() tree in both cases. */
int hesca_ready_queue_init(hesca_ready_queue *s, const hesca_unscheduled *p);

/** The sender that is free first, of several the one with the least number;
 * -1 if no events are left. */
int hesca_ready_queue_first(const hesca_ready_queue *s);

/** Update the position of the first sender, after its event was scheduled. */
void hesca_ready_queue_update(hesca_ready_queue *s);

#endif
