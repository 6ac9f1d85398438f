/* SPDX-License-Identifier: BSD-3-Clause */
/** \file exec/run_store_forward.h
 * Execution of store-and-forward schedules (sched/store_forward.h).
 *
 * A bundle holds the packets of one step, one after the other. A process packs
 * into it the packets that originate here and copies those that it has
 * received; it unpacks the packets that are destined for it. Matrices that do
 * not fit into the staging buffer are moved in rounds, chunk k of every
 * message in round k. */
#ifndef HESCA_EXEC_RUN_STORE_FORWARD_H
#define HESCA_EXEC_RUN_STORE_FORWARD_H

#include "exec/plan.h"

/** List the packets of each step of the plan's schedule.
 * \return HESCA_SUCCESS or HESCA_ERR_NOMEM. */
int hesca_store_forward_compile(hesca_plan *plan);

/** Upper bound of the packets that leave and arrive at a process in all steps;
 * the same on all processes. */
int64_t hesca_store_forward_slots(const hesca_store_forward *forward);

/** Upper bound of the packets of one bundle. */
int64_t hesca_store_forward_widest(const hesca_store_forward *forward);

/** Execute the plan; collective over its communicator. */
int hesca_store_forward_run(hesca_plan *plan, const hesca_arrays *arrays);

/** Bytes of memory of the lists. */
size_t hesca_store_forward_memory(const hesca_plan *plan);

#endif
