/* SPDX-License-Identifier: BSD-3-Clause */
/** \file base/activity.h
 * Where the time of a thread goes, for the programs of bench/ and for
 * HESCA_REPORT: at any moment it has one activity.  libhesca says where it
 * copies and waits; a program that stands in front of BLAS and MPI says the
 * rest.  Until a thread begins
 * to count, the functions do nothing. */
#ifndef HESCA_BASE_ACTIVITY_H
#define HESCA_BASE_ACTIVITY_H

#include "hesca/status.h"

typedef enum {
    HESCA_ACTIVITY_REST,
    HESCA_ACTIVITY_PANEL,   /**< factorizations and triangular solves */
    HESCA_ACTIVITY_UPDATE,  /**< products */
    HESCA_ACTIVITY_WAITING, /**< for messages */
    HESCA_ACTIVITY_COPIES,  /**< pack, unpack, copies in and out, interchanges
                             */
    HESCA_ACTIVITIES
} hesca_activity;

/** Begin to count the time of this thread, from 0. */
HESCA_API void hesca_activity_begin(void);

/** End it.
 * \param [out] seconds  [HESCA_ACTIVITIES] Their sum is the time since the
 *                       beginning. */
HESCA_API void hesca_activity_end(double *seconds);

/** Whether this thread counts. */
HESCA_API int hesca_activity_counts(void);

/** Change the activity.  Waiting ends where another one begins, so that a loop
 * which waits need not say when it is over.
 * \return What to pass to hesca_activity_leave(). */
HESCA_API hesca_activity hesca_activity_enter(hesca_activity activity);
HESCA_API void hesca_activity_leave(hesca_activity before);

#endif
