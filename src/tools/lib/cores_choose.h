/* SPDX-License-Identifier: BSD-3-Clause */
/** \file tools/lib/cores_choose.h
 * The cores of one process of several, of any machine that hwloc supports. */
#ifndef HESCA_TOOLS_LIB_CORES_CHOOSE_H
#define HESCA_TOOLS_LIB_CORES_CHOOSE_H

#include <hwloc.h>

/** Cores of a machine, at least 1. */
int cores_of(hwloc_topology_t machine);

/** Choose the processors of process `index` of n, as for cores_bind(); n is at
 * most the cores, or a multiple of them.
 * \param [out] set  To free with hwloc_bitmap_free(); NULL: no memory. */
hwloc_bitmap_t cores_choose(hwloc_topology_t machine, int index, int n);

#endif
