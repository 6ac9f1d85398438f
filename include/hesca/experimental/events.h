/* SPDX-License-Identifier: BSD-3-Clause */
/** \file hesca/experimental/events.h
 * Communication events and their timing diagram.
 *
 * An event is a message between two processes and the time that it takes.  A
 * process takes part in at most one send and one receive at a time.  The
 * timing diagram gives the time at which each event begins; execution uses
 * only the order of the sends and of the receives of every process.
 * Source: BHAT-HET 4.1 and 4.2. */
#ifndef HESCA_EXPERIMENTAL_EVENTS_H
#define HESCA_EXPERIMENTAL_EVENTS_H

#include "hesca/status.h"
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/** The events of an exchange among processes 0 ... nproc - 1.  They are
 * numbered by sender, then by receiver, ascending; each pair occurs at most
 * once, no process sends to itself, and every event takes a finite time > 0.
 */
typedef struct {
    int nproc;       /**< processes */
    int64_t n;       /**< events */
    int64_t *first;  /**< [nproc + 1] events of sender i: first[i] ... first[i
                          + 1] - 1 */
    int *src;        /**< [n] sender of each event */
    int *dest;       /**< [n] receiver of each event */
    double *bytes;   /**< [n] length of each message */
    double *seconds; /**< [n] time of each event */
} hesca_events;

/** The times of events; functions: hesca/experimental/timetable.h. */
typedef struct {
    int64_t n;           /**< events */
    double *start;       /**< [n] seconds, by event */
    double *end;         /**< [n] seconds, by event */
    double finish;       /**< the last end, 0 without events */
    int64_t *send;       /**< [n] events of sender i, in their order, from
                              events->first[i] on */
    int64_t *recv_first; /**< [nproc + 1] first entry in recv of a receiver */
    int64_t *recv;       /**< [n] events of receiver j, in their order, from
                              recv_first[j] on */
} hesca_timetable;

/** One message, for hesca_events_init(). */
typedef struct {
    int src;        /**< sender */
    int dest;       /**< receiver */
    double bytes;   /**< length */
    double seconds; /**< time of the event */
} hesca_event;

/** Create the events of n messages, in any order.
 * \param [out] x      Clear it with hesca_events_clear(); cleared on error.
 * \param [in]  nproc  Processes.
 * \param [in]  n      Messages.
 * \param [in]  list   [n] Errors, whose text names pair and value: a message
 *                     of a process to itself, a second one of a pair, a
 *                     process out of range, seconds that are not finite and >
 *                     0 or sum up to more than DBL_MAX / 2, bytes that are not
 *                     finite and >= 0.
 * \return HESCA_SUCCESS, HESCA_ERR_ARG or HESCA_ERR_NOMEM. */
HESCA_API int hesca_events_init(hesca_events *x, int nproc, int64_t n,
                                const hesca_event *list);

/** The same from a matrix: seconds[src * nproc + dest], 0 for no message.
 * \param [out] x        As in hesca_events_init().
 * \param [in]  nproc    Processes.
 * \param [in]  seconds  [nproc * nproc]
 * \param [in]  bytes    As seconds; NULL: all 0.
 * \return As hesca_events_init(). */
HESCA_API int hesca_events_make_dense(hesca_events *x, int nproc,
                                      const double *seconds,
                                      const double *bytes);

/** The same pairs with other seconds, [n] by event, checked as above. */
HESCA_API int hesca_events_retime(hesca_events *y, const hesca_events *x,
                                  const double *seconds);

/** Free the arrays of events. */
HESCA_API void hesca_events_clear(hesca_events *x);

/** The event from src to dest, or -1.  Time O(log of the gaps in the sender's
 * list): in a list of all others the k-th receiver is k or k + 1. */
static inline int64_t
hesca_events_find(const hesca_events *x, int src, int dest)
{
    const int64_t *first = x->first + src;
    const int64_t last = dest - (x->nproc - (first[1] - first[0]));
    int64_t lo = first[0] + (last > 0 ? last : 0);
    int64_t hi = first[0] + dest + 1;
    if (hi > first[1])
        hi = first[1];
    while (lo < hi) {
        const int64_t mid = lo + (hi - lo) / 2;
        if (x->dest[mid] < dest)
            lo = mid + 1;
        else
            hi = mid;
    }
    return lo < first[1] && x->dest[lo] == dest ? lo : -1;
}

/** The earliest times at which processes may send and receive: seconds, 0 ...
 * DBL_MAX / 2. */
typedef struct {
    const double *send; /**< [nproc]; NULL: all 0 */
    const double *recv; /**< [nproc]; NULL: all 0 */
} hesca_ready;

/** Lower bound on the finish of every timetable: the maximum over processes of
 * the time from which it may send (receive), plus all that it sends
 * (receives).
 * Source: BHAT-HET 4.2.
 * \param [in]  x      The events.
 * \param [in]  ready  NULL: all from 0 on.
 * \param [out] bound  Seconds; 0 without events.
 * \return HESCA_SUCCESS or HESCA_ERR_NOMEM. */
HESCA_API int hesca_events_bound(const hesca_events *x,
                                 const hesca_ready *ready, double *bound);

#ifdef __cplusplus
}
#endif

#endif
