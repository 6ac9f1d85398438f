/* SPDX-License-Identifier: BSD-3-Clause */
/** \file tools/check/check_report.h
 * Report how a process binds the routines, what that means for HESCA, and what
 * to do about it. */
#ifndef HESCA_TOOLS_CHECK_CHECK_REPORT_H
#define HESCA_TOOLS_CHECK_CHECK_REPORT_H

#include "tools/lib/binding.h"

/** Print to stdout, as text or as JSON.
 * \return TOOL_YES if HESCA serves every routine that has a definition, there
 *         is one, and there is one MPI library; else TOOL_NO. */
int check_report_print(const binding_process *p, int json);

#endif
