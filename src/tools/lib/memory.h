/** \file tools/lib/memory.h
 * How much memory there is for a process. */
#ifndef HESCA_TOOLS_LIB_MEMORY_H
#define HESCA_TOOLS_LIB_MEMORY_H

/** Bytes that this process may take without paging or being stopped: the
 * least of what the system has available, of what its control groups leave
 * and of what its resource limits leave. */
double memory_available(void);

#endif
