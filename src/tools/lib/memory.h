/* SPDX-License-Identifier: BSD-3-Clause */
/** \file tools/lib/memory.h
 * The memory available to a process. */
#ifndef HESCA_TOOLS_LIB_MEMORY_H
#define HESCA_TOOLS_LIB_MEMORY_H

/** Bytes that this process may take without paging or being stopped: the
 * minimum over the memory available in the system, in its control groups and
 * in its resource limits. */
double memory_available(void);

#endif
