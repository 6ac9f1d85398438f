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
    int64_t who;
} hesca_turn;

static inline hesca_turn
hesca_turn_at(double time, int who)
{
    hesca_turn x = {.who = who};
    memcpy(&x.time, &time, sizeof time);
    return x;
}

static inline double
hesca_turn_time(hesca_turn x)
{
    double time;
    memcpy(&time, &x.time, sizeof time);
    return time;
}

/** Whether a comes before b: is free earlier, or has the lower number. */
static inline int
hesca_before(hesca_turn a, hesca_turn b)
{
    return (a.time < b.time) | ((a.time == b.time) & (a.who < b.who));
}

/** A tournament: in node k >= 1 whoever lost there, in node 0 the winner. */
typedef struct {
    const hesca_pending *p;
    hesca_turn *tree; /* [nproc] */
} hesca_senders;

/** \return HESCA_SUCCESS or HESCA_ERR_NOMEM; free() tree either way. */
int hesca_senders_begin(hesca_senders *s, const hesca_pending *p);

/** The sender that is free first, of several the one with the least number;
 * -1 if nobody has anything left. */
int hesca_senders_first(const hesca_senders *s);

/** The first sender has sent. */
void hesca_senders_renew(hesca_senders *s);

#endif
