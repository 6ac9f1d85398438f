/** \file tools/probe/probe_options.h
 * The command line of hesca probe. */
#ifndef HESCA_TOOLS_PROBE_PROBE_OPTIONS_H
#define HESCA_TOOLS_PROBE_PROBE_OPTIONS_H

#include "tools/probe/probe_kernel.h"

/** Read it.
 * \return TOOL_YES, TOOL_BAD after an error message, -1 if help is requested.
 */
int probe_options_read(int argc, char **argv, probe_request *q,
                       probe_sizes *sizes);

/** The part of the help about kernels. */
void probe_kernel_help(void);

#endif
