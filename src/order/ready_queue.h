/** \file order/ready_queue.h
 * Who of the senders that have something left is free first. */
#ifndef HESCA_ORDER_READY_QUEUE_H
#define HESCA_ORDER_READY_QUEUE_H

#include "order/unscheduled.h"
#include <string.h>

/** A process and from when on it is free.  The time is kept as the bits of a
 * double >= 0: as integers they have the same order, and integers are compared
 * and exchanged without branches, which would be guessed wrong half of the
 * time. */
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

/** Whether a comes before b: is free earlier, or has the lower number. */
static inline int
hesca_ready_before(hesca_ready_sender a, hesca_ready_sender b)
{
    return (a.time < b.time) | ((a.time == b.time) & (a.rank < b.rank));
}

/** A tournament: in node k >= 1 whoever lost there, in node 0 the winner. */
typedef struct {
    const hesca_unscheduled *p;
    hesca_ready_sender *tree; /* [nproc] */
} hesca_ready_queue;

/** \return HESCA_SUCCESS or HESCA_ERR_NOMEM; free() tree either way. */
int hesca_ready_queue_init(hesca_ready_queue *s, const hesca_unscheduled *p);

/** The sender that is free first, of several the one with the least number;
 * -1 if nobody has anything left. */
int hesca_ready_queue_first(const hesca_ready_queue *s);

/** The first sender has sent. */
void hesca_ready_queue_renew(hesca_ready_queue *s);

#endif
