/** \file tools/verdict.h
 * Tell people, or programs, how a process binds the routines, what that means
 * for HESCA, and what to do about it. */
#ifndef HESCA_TOOLS_VERDICT_H
#define HESCA_TOOLS_VERDICT_H

#include "tools/binding.h"

/** Print to stdout, as text or as JSON.
 * \return TOOL_YES if HESCA serves every routine that has a definition, there
 *         is one, and nothing else stands against it; else TOOL_NO. */
int verdict_print(const binding_process *p, int json);

#endif
