/** \file coll/alltoallv_order.h
 * The order of an irregular exchange, and what is kept of it.
 *
 * A program that repeats an exchange gets the order of the time before, made
 * for it already; after a refresh of the machine that order refined, which
 * takes less time than a new one (BHAT-EXC 6, incremental scheduling). */
#ifndef HESCA_COLL_ALLTOALLV_ORDER_H
#define HESCA_COLL_ALLTOALLV_ORDER_H

#include "exec/comm.h"
#include "hesca/experimental/heuristics.h"
#include "hesca/experimental/timetable.h"

struct hesca_alltoallv_order {
    char name[HESCA_NAME_MAX]; /* of the schedule; "refined" */
    hesca_events events;
    hesca_timetable plan;
};

/** Order events as HESCA_EXCHANGE says; they become c->alltoallv's, also if that
 * fails.
 *
 * Local: pure, with what all processes keep alike.
 * \return HESCA_SUCCESS; HESCA_ERR_NOMEM, HESCA_ERR_UNSUPPORTED: nothing is
 *         kept then.  c->alltoallv must be the same on all processes: who fails
 *         alone makes all drop it. */
int hesca_alltoallv_order_make(hesca_comm *c, hesca_events *events);

/** What orders anew: HESCA_EXCHANGE, or what auto stands for. */
const hesca_heuristic *hesca_alltoallv_order_heuristic(const hesca_comm *c);

/** Keep nothing; at the same call on all processes. */
void hesca_alltoallv_order_drop(hesca_comm *c);

#endif
