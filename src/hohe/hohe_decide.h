/* SPDX-License-Identifier: BSD-3-Clause */
/** \file hohe/hohe_decide.h
 * Calls that HoHe or another grid may compute: look up a decision, or decide
 * and plan.
 *
 * A decision depends on values that are equal on all processes, so a process
 * that finds one needs no communication. A new decision is made and agreed on
 * by all processes in the same call (decision_cache.h). */
#ifndef HESCA_HOHE_HOHE_DECIDE_H
#define HESCA_HOHE_HOHE_DECIDE_H

#include "hohe/decision_cache.h"

/** A call on one process. */
typedef struct {
    const char *routine; /**< the public function */
    hesca_comm *c;
    int status;        /**< the caller's status, then that of this process */
    hesca_compute way; /**< requested by the user */
    hesca_part part;   /**< of sub(C) that is copied */
    const hesca_hohe_original
        *original; /**< NULL: other grids cannot be reached */
    hesca_hohe_key key;
    hesca_hohe_info *info;
    hesca_hohe_info no_info; /**< used if the caller passes no info */
} hesca_hohe_call;

/** Whether HESCA has a kernel for a routine; whether HESCA_REGRID is its
 * parameter. */
int hesca_hohe_has_kernel(hesca_routine routine);
int hesca_hohe_is_regrid(hesca_routine routine);

/** Whether HoHe computes on sub(C) itself: the processes have their elements
 * of it. */
int hesca_hohe_is_in_place(const hesca_hohe_entry *entry);

/** Begin: the communicator, an empty key and info.
 * \return As hesca_comm_get_anywhere(). */
int hesca_hohe_begin(hesca_hohe_call *call, const char *routine, int status,
                     hesca_routine what, MPI_Comm comm,
                     const hesca_hohe_original *original,
                     hesca_hohe_info *info);

/** Eligibility check, without prediction and without messages: 1 if the call
 * may go another way, or 0 with the reason in info. */
int hesca_hohe_is_candidate(hesca_hohe_call *call);

/** Find the decision of a call with a complete key, or make one together with
 * all processes. Sets info.
 * \return HESCA_SUCCESS, HESCA_ERR_NOMEM, HESCA_ERR_PARAM, HESCA_ERR_MPI,
 *         HESCA_ERR_UNSUPPORTED. */
int hesca_hohe_decide(hesca_hohe_call *call, hesca_hohe_entry **entry);

/** End an agreement that an earlier call has left going on.  Collective, with
 * that call. */
void hesca_hohe_end_agreement(hesca_comm *c);

/** \name Steps of a decision
 * \{ */
/** Speeds of the processes by rank; all 1 if no hosts are known. */
void hesca_hohe_find_speeds(const hesca_hohe_call *call, double *speed);

/** Whether a rule of sizes decides. */
int hesca_hohe_is_by_rule(const hesca_hohe_call *call);

/** Leave a call to the original routine. */
void hesca_hohe_leave(hesca_hohe_info *info, const char *why);

/** Decide on this process alone: info, and the layouts of the best HoHe and
 * other grid (decide_here.c).  Local.
 * \param [in,out] entry  Zeroed but for its key.
 * \return HESCA_SUCCESS, HESCA_ERR_NOMEM. */
int hesca_hohe_decide_here(const hesca_hohe_call *call,
                           hesca_hohe_entry *entry);

/** Have what hesca_hohe_share_decision() needs, an entry at c->hohe->spare.
 * Local.
 * \return HESCA_SUCCESS, HESCA_ERR_NOMEM. */
int hesca_hohe_reserve(hesca_comm *c);

/** The same on all processes, in an agreement, unless they have it.
 *
 * Collective; all processes return the same status. */
int hesca_hohe_reserve_all(hesca_comm *c);

/** Let the fastest process decide, and take over its info, bounds and ranks
 * (decision_share.c).
 *
 * Collective; all processes return the same status.
 * \param [in,out] entry  The reserved one. */
int hesca_hohe_share_decision(const hesca_hohe_call *call,
                              hesca_hohe_entry *entry);

/** Make the layouts of the entry's way and forecast.  Local, pure.
 * \param [in] ranks  Those of a decision. */
int hesca_hohe_make_layouts(const hesca_hohe_call *call, const int *ranks,
                            hesca_hohe_entry *entry);
/** \} */

/** End: sets the way in info on error, and returns err. */
int hesca_hohe_end(hesca_hohe_call *call, int err);

/** Copy the global members of a side into a zeroed key, the padding of which
 * stays 0. */
void hesca_hohe_common(const hesca_side *side, hesca_side *common);

/** Check that this process is at the place that a layout without ranks assigns
 * to it.
 * \return HESCA_SUCCESS or HESCA_ERR_UNSUPPORTED. */
int hesca_hohe_check_place(const hesca_hohe_call *call,
                           const hesca_side *side);

/** Check the global members of a side, argument `arg`: its grid must have all
 * processes. */
int hesca_hohe_check_side(const hesca_hohe_call *call, int arg,
                          const char *name, const hesca_side *side);

/** The copy of sub(C) that is computed on, as an argument of hesca_gemm() and
 * similar functions; sub(C) itself where no element would change its process.
 *
 * Collective: all agree that they have the memory, and on call->status.
 * \param [in,out] local  This process's part of C, described by side.
 * \param [out]    copy   End with hesca_hohe_copy_free(); empty on error. */
int hesca_hohe_copy_in(const hesca_hohe_call *call,
                       const hesca_hohe_entry *entry, const hesca_side *side,
                       void *local, hesca_matrix *copy);

/** Copy the results back. */
int hesca_hohe_copy_out(const hesca_hohe_entry *entry,
                        const hesca_matrix *copy, const hesca_side *side,
                        void *local);
void hesca_hohe_copy_free(const hesca_hohe_entry *entry, hesca_matrix *copy);

#endif
