/** \file hohe/hohe_decide.h
 * Calls that may go another way than the program's: look one up, or decide and
 * plan.
 *
 * A decision depends on what all processes know alike, so a process that finds
 * one leaves without asking the others; whoever makes one agrees on it, and
 * all do so in the same call (decision_cache.h). */
#ifndef HESCA_HOHE_HOHE_DECIDE_H
#define HESCA_HOHE_HOHE_DECIDE_H

#include "hohe/decision_cache.h"

/** A call, as one process has it. */
typedef struct {
    const char *routine; /**< the public function */
    hesca_comm *c;
    int status; /**< what the caller has found, then what this process has */
    hesca_compute way; /**< what the user wants */
    hesca_part part;   /**< of sub(C) that is copied */
    const hesca_hohe_original
        *real; /**< NULL: other grids cannot be reached */
    hesca_hohe_key key;
    hesca_hohe_info *info;
    hesca_hohe_info unwanted; /**< for who wants none */
} hesca_hohe_call;

/** Begin: the communicator, an empty key and info.
 * \return HESCA_SUCCESS, or as hesca_comm_get(), which does not mind hosts
 * that the machine does not have. */
int hesca_hohe_begin(hesca_hohe_call *call, const char *routine, int status,
                     hesca_routine what, MPI_Comm comm,
                     const hesca_hohe_original *real, hesca_hohe_info *info);

/** Whether it may go another way, with no prediction and no message: 1, or 0
 * and why not is in info. */
int hesca_hohe_is_candidate(hesca_hohe_call *call);

/** Find the decision of a call, whose key is complete, or come to one with the
 * others.  info becomes that.
 * \return HESCA_SUCCESS, HESCA_ERR_NOMEM, HESCA_ERR_PARAM, HESCA_ERR_MPI,
 *         HESCA_ERR_UNSUPPORTED. */
int hesca_hohe_decide(hesca_hohe_call *call, hesca_hohe_entry **entry);

/** End: which way it went, and err. */
int hesca_hohe_end(hesca_hohe_call *call, int err);

/** What all know alike of a side, into a part of a zeroed key, whose padding
 * stays 0. */
void hesca_hohe_common(const hesca_side *side, hesca_side *common);

/** This process must be where a layout without ranks has it.
 * \return HESCA_SUCCESS or HESCA_ERR_UNSUPPORTED. */
int hesca_hohe_check_place(const hesca_hohe_call *call,
                           const hesca_side *side);

/** Check what all know alike of a side, argument `arg`: its grid is that of
 * all processes. */
int hesca_hohe_check_side(const hesca_hohe_call *call, int arg,
                          const char *name, const hesca_side *side);

/** The copy of sub(C) that this process computes on: as hesca_gemm() and its
 * like take it.
 *
 * Collective: all agree that they have the memory, and on call->status.
 * \param [out] copy  Its local array is to free with free(); NULL on error.
 */
int hesca_hohe_allocate(const hesca_hohe_call *call,
                        const hesca_hohe_entry *entry, hesca_matrix *copy);

#endif
