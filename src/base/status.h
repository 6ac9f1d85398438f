/* SPDX-License-Identifier: BSD-3-Clause */
/** \file base/status.h
 * Recording a failure where it is found: code, argument number and text.
 * The record is one per thread; callers forward the code. */
#ifndef HESCA_BASE_STATUS_H
#define HESCA_BASE_STATUS_H

#include "base/private.h"
#include "hesca/status.h"

enum { HESCA_TEXT_MAX = 400 };

/** The record of a failure; plain data, so that it can be sent as bytes. */
typedef struct {
    int err;  /* hesca_status */
    int info; /* number of the illegal argument, or 0 */
    char text[HESCA_TEXT_MAX];
} hesca_failure;

/** Record a failure and return its code. */
HESCA_PRIVATE int hesca_fail(int err, int info, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/** Record an illegal argument: "routine: argument 3, m, is -1: must be >= 0".
 * \return HESCA_ERR_ARG. */
HESCA_PRIVATE int hesca_fail_arg(const char *routine, int info,
                                 const char *name, long long value,
                                 const char *must);

/** Record that an argument is NULL: "routine: argument 4, model, is NULL".
 * \return HESCA_ERR_ARG. */
HESCA_PRIVATE int hesca_fail_null(const char *routine, int info,
                                  const char *name);

/** The last failure of this thread, and its replacement by that of another
 * process. */
HESCA_PRIVATE const hesca_failure *hesca_failure_get(void);
HESCA_PRIVATE int hesca_failure_set(const hesca_failure *failure);

/** The name for messages: the one given to hesca_caller_set(), else the public
 * function that was entered last, as given to hesca_caller_enter(). */
const char *hesca_caller_name(void);
void hesca_caller_enter(const char *function);

/** Go to the label fail if the call returns a negative code. */
#define HESCA_TRY(err, call)                                                  \
    do {                                                                      \
        if (((err) = (call)) < 0)                                             \
            goto fail;                                                        \
    } while (0)

#endif
