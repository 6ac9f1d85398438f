/* SPDX-License-Identifier: BSD-3-Clause */
/** \file survey/learn.h
 * Speeds of hosts and rates of links as the calls of a program find them:
 * hosts that slow down, by a quota, heat or a neighbour, links that do, and
 * those that recover.
 *
 * Around a call a process notes how much of the processor it had of what it
 * wanted, and, twice a second at most and for a hundredth of the time of
 * calls, its CPU quota and the speed of a small product; products of the call
 * itself are of many shapes, the speeds of which differ by more than what is
 * looked for.  Of the links over which redistributions came
 * (exec/link_rates.h) it notes the one that differs least from the model: what
 * slows a host's port down slows all of its links, what is between two other
 * hosts only one.
 *
 * All of these vary without a change: by what the rest of a processor does, by
 * the moments when a quota is used up.  So their means count, until two notes
 * in turn are beyond the noise.
 *
 * A process that finds itself changed says so in the next agreement of its
 * communicator; then all exchange what they found, and if a host has changed
 * relative to the others, the machine gets its new speed, and everything that
 * depends on it is decided again.  Without a change there is no message. */
#ifndef HESCA_SURVEY_LEARN_H
#define HESCA_SURVEY_LEARN_H

#include "exec/comm.h"
#include "survey/memory.h"

/** Let a communicator learn, if HESCA_LEARN says so and its hosts are known by
 * relative speeds.
 *
 * Collective over c->mpi.
 * \param [in] key  (rank 0) Of the files of the cache where what is learnt
 *                  begins and ends; 0: none.
 * \return HESCA_SUCCESS, HESCA_ERR_NOMEM, HESCA_ERR_MPI. */
int hesca_learn_start(hesca_comm *c, uint64_t key);

/** Around a call of some milliseconds at least, also one that is left to the
 * original routine.  Local; without effect on communicators that do not
 * learn. */
void hesca_learn_enter(hesca_comm *c);
void hesca_learn_leave(hesca_comm *c);

/** To be agreed on by the minimum over all processes, and the result to be
 * passed to hesca_learn_heard(). */
int64_t hesca_learn_word(const hesca_comm *c);
void hesca_learn_heard(hesca_comm *c, int64_t word);

/** Whether hesca_learn_exchange() has something to do. */
int hesca_learn_has_heard(const hesca_comm *c);

/** A call takes another time than before: if speeds have not changed, links
 * are measured again, as part of the next hesca_learn_exchange(), unless that
 * was a short time ago.  Local. */
void hesca_learn_doubt_links(hesca_comm *c);

/** Whether decisions may change: HESCA_LEARN is not frozen.  Local, global. */
int hesca_learn_is_active(const hesca_comm *c);

/** What is remembered of calls under a key, which hesca_learn_key() combines
 * with the speeds of the processes and of the links between them; NULL:
 * nothing.  Local; the same on all
 * processes. */
const hesca_memory_record *hesca_learn_recall(const hesca_comm *c,
                                              uint64_t key);
uint64_t hesca_learn_key(const hesca_comm *c, uint64_t key);

/** Remember the times of a call for later runs.  Local, with the same values
 * on all processes. */
void hesca_learn_remember(hesca_comm *c, const hesca_memory_record *record);

/** If some process is changed, exchange what was found; the machine and all
 * that depends on it may be replaced.
 *
 * Collective over c->mpi.
 * \return HESCA_SUCCESS or HESCA_ERR_MPI. */
int hesca_learn_exchange(hesca_comm *c);

/** \name The pure part
 * Changes are differences of logarithms.
 * \{ */

/** Changes of speed that are worth a new decision: 15 %; and those that make
 * hosts of equal speed unequal. */
static const double HESCA_LEARN_CHANGE = 0.14, HESCA_LEARN_UNEQUAL = 0.2;

/** A change must be so many times the usual difference of two notes, so that a
 * machine with noise changes nothing. */
static const double HESCA_LEARN_NOISE = 3;

/** The noise that is expected before it is known. */
static const double HESCA_LEARN_UNKNOWN = 0.15;

/** Changes of rates of links that are worth a new decision, 2.5 times: less is
 * found where processors are overloaded, and nothing has changed. */
static const double HESCA_LEARN_LINK_CHANGE = 0.9;

/** Speeds that differ by less become equal. */
static const double HESCA_LEARN_SAME = 0.06;

/** Measurements that vary, all 0 at first: the mean of the last ones. */
typedef struct {
    double usual; /* a logarithm */
    double noise; /* mean deviation from it */
    double held;  /* deviation of the last one, if it is beyond the noise and
                     does not count yet; 0: none */
    int count;    /* of measurements in usual, up to HESCA_LEARN_COUNT */
} hesca_learn_mean;

enum { HESCA_LEARN_COUNT = 32 };

/** Add a measurement x > 0.  One that differs from the mean by more than
 * HESCA_LEARN_CHANGE and HESCA_LEARN_NOISE times the noise is held back; if
 * the next one does, too, to the same side, the mean begins again with the
 * nearer one, else it was noise. */
void hesca_learn_add(hesca_learn_mean *m, double x);

/** How far the mean may be from the truth, as a logarithm, if a disturbance
 * lasts for some measurements; 0 without any. */
double hesca_learn_doubt(const hesca_learn_mean *m);

/** What a process notes: a mean, 0: none, and how far it may be from the
 * truth, a logarithm. */
typedef struct {
    double mean, doubt;
} hesca_learn_note;

/** By how much the speed of each host has changed relative to the others.
 * \param [in]  n      Processes.
 * \param [in]  host   [n]
 * \param [in]  model  [n] Their speeds so far, > 0.
 * \param [in]  note   [n] Their speeds.
 * \param [in]  nhosts Hosts.
 * \param [out] factor [nhosts] 1: none, or too little to be sure.
 * \return 1 if some host has changed, 0, or HESCA_ERR_NOMEM. */
int hesca_learn_compare(int n, const int *host, const double *model,
                        const hesca_learn_note *note, int nhosts,
                        double *factor);

/** By how much the links of each host have changed.
 * \param [in]     n      Processes.
 * \param [in]     host   [n]
 * \param [in]     note   [n] Measured by modelled rate.
 * \param [in]     nhosts Hosts.
 * \param [in,out] usual  Measured by modelled rate where nothing has changed;
 *                        0: not known yet, and becomes the median.
 * \param [out]    factor [nhosts] Of the rates of a host's links, 1: none, or
 *                        too little to be sure.
 * \return 1 if some host's have changed, 0, or HESCA_ERR_NOMEM. */
int hesca_learn_compare_links(int n, const int *host,
                              const hesca_learn_note *note, int nhosts,
                              double *usual, double *factor);

/** The factor of a link between two hosts, from those of the hosts' links. */
double hesca_learn_link(double one, double other);
/** \} */

#endif
