/* SPDX-License-Identifier: BSD-3-Clause */
/** \file shim/fallback.h
 * What HESCA needs in a job and does not have: good values of its variables, a
 * machine file, memory.  Every intercepted routine asks here, so that all go
 * on without it, or fail, by one rule (hesca_fallback in
 * hesca/experimental/param.h), and say so once. */
#ifndef HESCA_SHIM_FALLBACK_H
#define HESCA_SHIM_FALLBACK_H

#include "hesca/experimental/param.h"
#include <mpi.h>
#include <stddef.h>

/** The parameters of a call's processes.  What is wrong with them or with the
 * machine file is reported, once for each cause, by rank 0 of comm.
 *
 * Collective over comm the first time, later local.
 * \param [out] params  Also on error.
 * \return HESCA_SUCCESS: go on; else what hesca_fallback_is_error() is to
 * judge.
 */
int hesca_fallback_params(MPI_Comm comm, hesca_params *params);

/** Whether a call that HESCA cannot serve is an error; else it is the original
 * routine's.
 * \param [in] err  Of a call that has written nothing. */
int hesca_fallback_is_error(int err, const hesca_params *params);

/** Whether to report why a call is left to the original routine: 1 unless the
 * user wants no line, or this process has had that cause.  Numbers do not
 * distinguish causes apart.  Made on all processes of a call. */
int hesca_fallback_is_news(const hesca_params *params, const char *why);

/** A hash of a text without its digits. */
uint64_t hesca_fallback_cause(const char *text);

/** The text of the last error, complete for people. */
void hesca_fallback_text(int err, char *text, size_t room);

/** Report why the machine file cannot be used, unless that has happened; on
 * all processes of comm, of which rank 0 prints. */
void hesca_fallback_report_machine(const hesca_params *params,
                                   const char *missing, MPI_Comm comm);

/** Report what is wrong with the environment, unless that has happened.
 * \param [in] params   As they were read.
 * \param [in] is_root  (local) Whether this process read them, and prints. */
void hesca_fallback_report_findings(const hesca_params *params, int is_root);

#endif
