/* SPDX-License-Identifier: BSD-3-Clause */
/** \file base/log.h
 * Messages to the user, on stderr or at the end of the file HESCA_LOG, one
 * whole line per call. */
#ifndef HESCA_BASE_LOG_H
#define HESCA_BASE_LOG_H

#include "hesca/experimental/param.h"
#include <stddef.h>

/** hesca_log_line() of a text with values. */
void hesca_log(const char *format, ...) __attribute__((format(printf, 1, 2)));

/** Whether a subject differs from that of the previous call with the same
 * memory.  The memory has room bytes and is "" before the first call.  May be
 * called from any thread. */
int hesca_log_is_news(char *last, size_t room, const char *subject);

#endif
