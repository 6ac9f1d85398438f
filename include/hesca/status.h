/* SPDX-License-Identifier: BSD-3-Clause */
/** \file hesca/status.h
 * How HESCA reports failure: every function returns HESCA_SUCCESS or one of
 * the negative codes below, and the process remembers a text that names the
 * routine, the argument and its value.  Collective functions return the same
 * code, and leave the same text, on every process. */
#ifndef HESCA_STATUS_H
#define HESCA_STATUS_H

/** Marks what the libraries export. */
#if defined(__GNUC__)
#define HESCA_API __attribute__((visibility("default")))
#else
#define HESCA_API
#endif

#ifdef __cplusplus
extern "C" {
#endif

/** What a function may return.  When several processes fail, all return the
 * smallest code among them. */
typedef enum {
    HESCA_SUCCESS = 0,
    HESCA_ERR_ARG = -1,         /**< an argument has an illegal value */
    HESCA_ERR_NOMEM = -2,       /**< no memory left */
    HESCA_ERR_MPI = -3,         /**< an MPI function failed */
    HESCA_ERR_PARAM = -4,       /**< a HESCA_* variable has a bad value */
    HESCA_ERR_MISMATCH = -5,    /**< the processes disagree on an argument */
    HESCA_ERR_UNSUPPORTED = -6, /**< not possible for this problem */
    HESCA_ERR_COUNT = 7         /**< number of codes */
} hesca_status;

/** The meaning of a code, in a few words; never NULL. Local. */
HESCA_API const char *hesca_strerror(int err);

/** The text of the last failure seen by this process, "" if there was none.
 * Valid until the next failure. Local. */
HESCA_API const char *hesca_error_text(void);

/** Number of the illegal argument of the last failure, counted from 1 as in
 * LAPACK's INFO (100 i + j for entry j of array i), 0 if it does not concern
 * one argument. Local. */
HESCA_API int hesca_error_info(void);

/** Record a failure that the caller has found as the last one: for libraries
 * built on HESCA that report their own errors on all processes through
 * hesca_redistribute(status, ...). Local.
 * \return err. */
HESCA_API int hesca_error_set(int err, int info, const char *text);

/** For libraries built on HESCA: set the name of the routine on behalf of
 * which this thread calls HESCA from now on, for the reports of HESCA_TIMEOUT;
 * the string must stay valid.  NULL: HESCA's own names. Local. */
HESCA_API void hesca_caller_set(const char *name);

#ifdef __cplusplus
}
#endif

#endif
