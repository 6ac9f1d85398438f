/* SPDX-License-Identifier: BSD-3-Clause */
/** \file tools/lib/cores.h
 * The cores of this host, and which of them a process uses: by hwloc
 * (cores_hwloc.c), or counted only (cores_plain.c). */
#ifndef HESCA_TOOLS_LIB_CORES_H
#define HESCA_TOOLS_LIB_CORES_H

#include <stddef.h>

/** The library that binds, with the version of its API; NULL: there is none.
 */
const char *cores_library(void);

/** Cores that this process may use, or could if it was not bound: those of
 * its control groups.  At least 1. */
int cores_allowed(void);

/** Cores that this process may run on now, as will those that it starts: it
 * may be bound to a part of the host.  At least 1. */
int cores_own(void);

/** How many processes compute at once as fast as one alone does, with so many
 * cores and a CPU quota of so many (0: none): a quota of less than a core
 * slows down one as well as many. */
double cores_at_once(int allowed, double quota);

/** The same of this host, whatever this process is bound to. */
double cores_here(void);

/** The same of what this process is bound to. */
double cores_mine(void);

/** Bind this process, one of n here, to its share of the cores that it may
 * use.
 *
 * With a core for each a process gets as many as there are for it, close to
 * each other; with more processes than cores neighbours share one.  No process
 * is bound where that would take time from it: with a CPU quota of less than
 * the cores (0: none), which control groups keep better where processes may
 * move, and where some cores would have a process more than others.
 * \param [in]  index  0 ... n - 1.
 * \param [out] what   A description of the binding, or of the error.
 * \return 1: it is bound; 0: it is not meant to be; -1: that failed. */
int cores_bind(int index, int n, double quota, char *what, size_t size);

/** Why no process of n is bound to cores of so many; NULL: they are. */
const char *cores_unbound(int n, int cores, double quota);

#endif
