/* SPDX-License-Identifier: BSD-3-Clause */
/** \file order/trace.h
 * Trace files: the planned and the measured times of messages.
 *
 * A file is CSV, lines shorter than 255 bytes, the first one
 *     kind,schedule,src,dest,bytes,start,end
 * and then one for each message, in any order:
 *   kind      predicted or real
 *   schedule  its name: letters, digits and any of - _ . : + #
 *   src,dest  ranks, 0 ... HESCA_TRACE_PROCS - 1, different from each other
 *   bytes     a number, at least 0
 *   start     seconds, at least 0, from the beginning of the exchange
 *   end       seconds, at least start
 * Numbers have a decimal point, independent of the locale, and no unit.  Lines
 * of the same kind and schedule are one exchange; if a program makes several,
 * the names of the second, third, ... end in #2, #3, ...  Nothing is quoted;
 * an empty line or a blank is an error. */
#ifndef HESCA_ORDER_TRACE_H
#define HESCA_ORDER_TRACE_H

#include "hesca/experimental/events.h"
#include "hesca/experimental/param.h"
#include <stdio.h>

enum { HESCA_TRACE_PROCS = 1 << 20 };

typedef enum { HESCA_TRACE_PREDICTED, HESCA_TRACE_MEASURED } hesca_trace_kind;

/** The name of a kind: "predicted" or "real". */
extern const char *const hesca_trace_kind_name[];

/** One message. */
typedef struct {
    hesca_trace_kind kind;
    char schedule[HESCA_NAME_MAX];
    int src, dest;
    double bytes, start, end;
} hesca_trace_row;

/** The messages of a file, or of several. */
typedef struct {
    int64_t n, room;
    hesca_trace_row *row; /* [n], with a capacity of room */
} hesca_trace;

/** Add a message.
 * \return HESCA_SUCCESS or HESCA_ERR_NOMEM. */
int hesca_trace_add(hesca_trace *t, const hesca_trace_row *row);

/** Add the events of a timetable.
 * \param [in] schedule  Its name; truncated to HESCA_NAME_MAX - 1 bytes.
 * \return HESCA_SUCCESS or HESCA_ERR_NOMEM. */
int hesca_trace_add_timetable(hesca_trace *t, hesca_trace_kind kind,
                              const char *schedule, const hesca_events *x,
                              const hesca_timetable *when);

/** Free the memory of a trace. */
void hesca_trace_clear(hesca_trace *t);

/** Write the first line of a file, and one message.  For errors see ferror().
 */
void hesca_trace_put_head(FILE *f);
void hesca_trace_put(FILE *f, const hesca_trace_row *row);

/** Add the messages of a file.
 * \return HESCA_SUCCESS, HESCA_ERR_PARAM with a text that names file, line and
 *         token, or HESCA_ERR_NOMEM.  On error some messages may have been
 *         added. */
int hesca_trace_read(const char *path, hesca_trace *t);

#endif
