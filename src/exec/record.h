/* SPDX-License-Identifier: BSD-3-Clause */
/** \file exec/record.h
 * Measured begin and end of every message of an exchange, written to the file
 * that HESCA_TRACE names, after the predicted ones.
 *
 * The format is that of order/trace.h. Times count from the beginning of the
 * exchange, for which all processes synchronize. A measured message begins
 * when both its ends are ready, and ends when the receiver has it. Every
 * exchange replaces the file. */
#ifndef HESCA_EXEC_RECORD_H
#define HESCA_EXEC_RECORD_H

#include "exec/comm.h"
#include "order/trace.h"

typedef struct hesca_record hesca_record;

/** Begin to record; *record is NULL if HESCA_TRACE is not set.
 *
 * Collective: all begin at once.  If that is not possible, a message on stderr
 * says so once, and this and all later exchanges on c proceed without a trace,
 * unless HESCA_FALLBACK is error.
 * \param [in] status  (local) The status of this process so far.
 * \return HESCA_SUCCESS; HESCA_ERR_MPI; if HESCA_FALLBACK is error
 * HESCA_ERR_NOMEM, HESCA_ERR_PARAM (the file cannot be written), or status. */
int hesca_record_begin(hesca_comm *c, int status, hesca_record **record);

/** Seconds since it began; 0 without a record. */
double hesca_record_now(const hesca_record *record);

/** The same for a value of MPI_Wtime(). */
double hesca_record_at(const hesca_record *record, double wtime);

/** Note one end of a message; without a record, do nothing. */
void hesca_record_note(hesca_record *record, int sending, int peer,
                       double bytes, double start, double end);

/** Write the file and free the record.
 *
 * Collective. plan, to which the measured messages are added, is significant
 * on rank 0 only. The data has moved, so a file that cannot be written is
 * reported on stderr and is no error.
 * \return HESCA_SUCCESS or HESCA_ERR_MPI. */
int hesca_record_end(hesca_record *record, const char *schedule,
                     hesca_trace *plan);

/** Free a record without writing it; NULL is allowed. */
void hesca_record_drop(hesca_record *record);

#endif
