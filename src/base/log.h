/** \file base/log.h
 * Messages for people, on stderr, one whole line per call. */
#ifndef HESCA_BASE_LOG_H
#define HESCA_BASE_LOG_H

#include <stddef.h>

/** Print "hesca: " and the line, in one write so that lines of several
 * processes do not mix. */
void hesca_log(const char *format, ...) __attribute__((format(printf, 1, 2)));

/** Whether a subject is another than the last one that was asked about with
 * the same memory, which is room bytes that begin as "".  From any thread. */
int hesca_log_is_news(char *last, size_t room, const char *subject);

#endif
