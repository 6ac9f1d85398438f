/** \file base/log.h
 * Messages for people, on stderr, one whole line per call. */
#ifndef HESCA_BASE_LOG_H
#define HESCA_BASE_LOG_H

/** Print "hesca: " and the line, in one write so that lines of several
 * processes do not mix. */
void hesca_log(const char *format, ...) __attribute__((format(printf, 1, 2)));

#endif
