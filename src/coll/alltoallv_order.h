/* SPDX-License-Identifier: BSD-3-Clause */
/** \file coll/alltoallv_order.h
 * The order of an irregular exchange, and the order cached for repetitions.
 *
 * A program that repeats an exchange gets the order of the previous call.
 * After a refresh of the machine that order is refined, which takes less time
 * than a new one (BHAT-EXC 6, incremental scheduling). */
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

/** Order events as HESCA_EXCHANGE says; they are moved into c->alltoallv, also
 * if that fails.
 *
 * Local and pure, given the cached order, which is the same on all processes.
 * \return HESCA_SUCCESS; HESCA_ERR_NOMEM or HESCA_ERR_UNSUPPORTED: nothing is
 *         cached then. c->alltoallv must be the same on all processes: if one
 *         process fails, all must drop it. */
int hesca_alltoallv_order_make(hesca_comm *c, hesca_events *events);

/** The heuristic of a new order: that of HESCA_EXCHANGE, or the one that auto
 * stands for. */
const hesca_heuristic *hesca_alltoallv_order_heuristic(const hesca_comm *c);

/** Free the cached order; at the same call on all processes. */
void hesca_alltoallv_order_drop(hesca_comm *c);

#endif
