/* SPDX-License-Identifier: BSD-3-Clause */
/** \file hohe/trial.h
 * Ways of a call whose predicted times lie close to each other are tried while
 * the call repeats, and the one with the least measured time stays.
 *
 * The first way is that of the decision, which takes the least risk; another
 * one is tried as soon as its first call costs no more than all calls have
 * taken so far; each is used three times at most, those within 10 % of the
 * best, then 5 %, up to HESCA_TRIES times, if need be by later runs, and its
 * lower median counts: one call may have a whole period of a quota.  The first
 * call of all, and the first one by HoHe, which makes plans, count only if
 * there is no other.  A way that was not to be tried is, if all that were take
 * longer than it is predicted to take. Measured times are the longest of all
 * processes, by an agreement that the next such call makes, so all choose the
 * same. */
#ifndef HESCA_HOHE_TRIAL_H
#define HESCA_HOHE_TRIAL_H

#include "hohe/hohe.h"

enum { HESCA_WAYS = HESCA_WAY_GRID + 1, HESCA_TRIES = 9 };

typedef struct {
    int n;                                /* ways to try; 0: none */
    hesca_way way[HESCA_WAYS];            /* the decision's first */
    int calls[HESCA_WAYS];                /* measured, and counted */
    int is_first[HESCA_WAYS];             /* 1: only a first call was */
    int is_recalled[HESCA_WAYS];          /* 1: all by an earlier run */
    double time[HESCA_WAYS][HESCA_TRIES]; /* their seconds, ascending */
    double seconds[HESCA_WAYS];           /* the lower median of these */
    double predicted[HESCA_WAYS];         /* by way; 0: it is not possible */
    double first[HESCA_WAYS];             /* cost of a first call, by way */
    int is_insured;                       /* 1: the original way is, to be
                                             safe, though predicted slower */
    double expected; /* of the original routine, by calls before speeds
                        changed; 0: not known */
    double spent;    /* seconds of measured calls */
    int now;         /* the way in use */
    int settled;     /* 1: it stays */
    double last;     /* (local) seconds of the last call; 0: none */
} hesca_hohe_trial;

/** List the ways to try.  Pure.
 * \param [in] chosen  The way of the decision. */
void hesca_hohe_trial_init(hesca_hohe_trial *trial, hesca_way chosen,
                           const hesca_hohe_forecast *forecast);

/** Try a way whose first call was too dear so far, and the original routine,
 * if it was not tried: no call that repeats shall be slower than without
 * HESCA. Pure.
 * \param [in] calls  Similar ones so far; the original routine is tried as soon
 *                    as what it is predicted to cost is little compared with
 *                    these; if it was measured before speeds changed, only if
 *                    it is expected to be no slower. */
void hesca_hohe_trial_insure(hesca_hohe_trial *trial, int calls);

/** Take over times that an earlier run measured, if they are of two ways, or
 * there is one to try; the best one stays, unless the trial is resumed.  Pure.
 * \param [in] seconds  By way; 0: not known.
 * \param [in] calls    That were measured, by way.
 * \return 1: it is settled. */
int hesca_hohe_trial_recall(hesca_hohe_trial *trial, const double *seconds,
                            const int *calls);

/** Go on, after the next call, if the times that were taken over were too few
 * to tell the ways apart.  Pure. */
void hesca_hohe_trial_resume(hesca_hohe_trial *trial);

/** Enter the agreed seconds of the last call, by the way in use, and choose
 * the way of the next one.  Pure.
 * \param [in] seconds  0: it was not measured. */
void hesca_hohe_trial_next(hesca_hohe_trial *trial, double seconds);

#endif
