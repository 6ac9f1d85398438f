/** \file exec/run_store_forward.h
 * Carrying out schedules that combine and forward packets
 * (sched/store_forward.h).
 *
 * A bundle is what one step carries: packets one after the other.  A process
 * packs into it what begins with it and copies what it has received; it
 * unpacks what ends with it.  Matrices that do not fit into staging memory are
 * moved in rounds, chunk k of every message in round k. */
#ifndef HESCA_EXEC_RUN_STORE_FORWARD_H
#define HESCA_EXEC_RUN_STORE_FORWARD_H

#include "exec/plan.h"

/** List what each step of the plan's relay carries.
 * \return HESCA_SUCCESS or HESCA_ERR_NOMEM. */
int hesca_store_forward_compile(hesca_plan *plan);

/** Packets that leave and arrive at a process in all steps, at most; the same
 * on all processes. */
int64_t hesca_store_forward_slots(const hesca_store_forward *relay);

/** Packets of one bundle, at most. */
int64_t hesca_store_forward_widest(const hesca_store_forward *relay);

/** Carry out the plan; collective over its communicator. */
int hesca_store_forward_run(hesca_plan *plan, const hesca_arrays *arrays);

/** Bytes of memory behind the lists. */
size_t hesca_store_forward_memory(const hesca_plan *plan);

#endif
