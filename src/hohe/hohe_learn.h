/* SPDX-License-Identifier: BSD-3-Clause */
/** \file hohe/hohe_learn.h
 * What calls show of predictions: which of the ways that were tried is the
 * fastest, and how far predictions of a routine are off here.  Without
 * survey/learn.h's consent the functions do nothing. */
#ifndef HESCA_HOHE_HOHE_LEARN_H
#define HESCA_HOHE_HOHE_LEARN_H

#include "hohe/hohe_decide.h"

/** What processes tell each other of earlier calls, beside what they agree on:
 * whether speeds have changed, and how long the last call of an entry took; e
 * may be NULL.  To be agreed on by the minimum. */
enum { HESCA_HOHE_NEWS = 2 };
void hesca_hohe_tell(const hesca_comm *c, const hesca_hohe_entry *e,
                     int64_t news[HESCA_HOHE_NEWS]);
void hesca_hohe_hear(hesca_comm *c, hesca_hohe_entry *e,
                     const int64_t news[HESCA_HOHE_NEWS]);

/** Whether a product needs an agreement of its own for these: while ways are
 * tried, and where the call has none anyway, but is long. */
int hesca_hohe_is_to_meet(const hesca_comm *c, const hesca_hohe_entry *e);

/** Whether ways of a call may be tried. */
int hesca_hohe_may_try(const hesca_hohe_call *call,
                       const hesca_hohe_forecast *forecast);

/** Whether other ways of a short call are not predicted yet: later, when such
 * calls of the routine have taken so long that it is worth it. */
int hesca_hohe_may_wait(const hesca_hohe_call *call,
                        const hesca_hohe_forecast *forecast);

/** Whether they are now, for an entry that is found again. */
int hesca_hohe_is_due(const hesca_comm *c, const hesca_hohe_entry *e);

/** List the ways to try, or take over what an earlier run has found. */
void hesca_hohe_begin_trial(hesca_comm *c, hesca_hohe_entry *e);

/** A call has made its entry. */
void hesca_hohe_use_first(hesca_comm *c, const hesca_hohe_entry *e);

/** A call finds its entry again. */
void hesca_hohe_use_again(hesca_comm *c, hesca_hohe_entry *e);

/** Whether the next call takes the way of the last one, whatever is heard. */
int hesca_hohe_stays(const hesca_comm *c, const hesca_hohe_entry *e);

/** The way that the next call takes. */
hesca_way hesca_hohe_way_of(const hesca_hohe_entry *e);

/** Begin to time a call, until hesca_hohe_finish(). */
void hesca_hohe_begin_timing(hesca_hohe_call *call, hesca_hohe_entry *e);

/** Correct predictions of a routine by what was measured here of at least
 * three other calls of it, and their margins by how far these were apart.
 * \param [out] raw  [HESCA_WAYS] The predictions before. */
void hesca_hohe_correct(const hesca_comm *c, const hesca_hohe_job *job,
                        hesca_hohe_forecast *forecast, double *raw);

#endif
