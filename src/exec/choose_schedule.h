/* SPDX-License-Identifier: BSD-3-Clause */
/** \file exec/choose_schedule.h
 * Choice of the schedule of a redistribution: the one that the user names, or
 * the one that the model predicts to be fastest, if there is memory for it. */
#ifndef HESCA_EXEC_CHOOSE_SCHEDULE_H
#define HESCA_EXEC_CHOOSE_SCHEDULE_H

#include "exec/comm.h"
#include "sched/sched.h"

/** The schedule of this process, the same choice on all.
 * \param [in]  direct   Unless the user names one, all messages go at once from
 *                       owner to owner.
 * \param [out] seconds  Predicted.
 * \return HESCA_SUCCESS (clear the schedule), HESCA_ERR_PARAM if
 * HESCA_SCHEDULE does not apply, HESCA_ERR_UNSUPPORTED if there is no room for
 * it, HESCA_ERR_NOMEM. */
int hesca_choose_schedule(const hesca_comm *c, const hesca_problem *problem,
                          int direct, hesca_schedule *schedule,
                          double *seconds);

/** Bytes of staging memory for messages that do not go through a window. */
size_t hesca_staging_budget(const hesca_comm *c);

/** Bytes of the slot of a packet in a store-and-forward schedule, out of
 * budget bytes in all: there is one slot for each packet that leaves or
 * arrives. */
size_t hesca_store_forward_slot(const hesca_store_forward *forward,
                                size_t budget);

/** Number of local arrays between nphases phases, which are used alternately,
 * and their size in bytes, the largest of all processes. They take half of the
 * budget; the messages of the phases take the other half. */
int hesca_multiphase_arrays(int nphases);
size_t hesca_multiphase_bytes(const hesca_schedule *schedule);

#endif
