/* SPDX-License-Identifier: BSD-3-Clause */
/** \file base/log.h
 * Messages to the user, on stderr, one whole line per call. */
#ifndef HESCA_BASE_LOG_H
#define HESCA_BASE_LOG_H

#include <stddef.h>

/** Print "hesca: " and the line, in one write so that lines of several
 * processes do not mix. */
void hesca_log(const char *format, ...) __attribute__((format(printf, 1, 2)));

/** Whether a subject differs from that of the previous call with the same
 * memory.  The memory has room bytes and is "" before the first call.  May be
 * called from any thread. */
int hesca_log_is_news(char *last, size_t room, const char *subject);

#endif
