/* SPDX-License-Identifier: BSD-3-Clause */
/** \file tools/probe/probe_options.h
 * The command line of hesca probe. */
#ifndef HESCA_TOOLS_PROBE_PROBE_OPTIONS_H
#define HESCA_TOOLS_PROBE_PROBE_OPTIONS_H

#include "tools/probe/probe_kernel.h"

/** Read it, or print help.
 * \return as cmdline_status(). */
int probe_options_read(int argc, char **argv, probe_request *q,
                       probe_sizes *sizes);

#endif
