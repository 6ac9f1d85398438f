/* SPDX-License-Identifier: BSD-3-Clause */
/* Without hwloc: cores are the system's processors, and no process is bound.
 */
#define _GNU_SOURCE /* sched_getaffinity */
#include "tools/lib/cores.h"
#include <sched.h>
#include <stdio.h>
#include <string.h>

const char *
cores_library(void)
{
    return NULL;
}

/* Requested for all processors, the system returns those of the control
 * groups. */
int
cores_allowed(void)
{
    cpu_set_t before, all;
    int n = 1;
    if (sched_getaffinity(0, sizeof before, &before) < 0)
        return n;
    n = CPU_COUNT(&before);
    memset(&all, 0xff, sizeof all);
    if (sched_setaffinity(0, sizeof all, &all) < 0)
        return n;
    if (sched_getaffinity(0, sizeof all, &all) == 0)
        n = CPU_COUNT(&all);
    sched_setaffinity(0, sizeof before, &before);
    return n;
}

int
cores_own(void)
{
    cpu_set_t own;
    return sched_getaffinity(0, sizeof own, &own) < 0 ? 1 : CPU_COUNT(&own);
}

int
cores_bind(int index, int n, double quota, char *what, size_t size)
{
    (void)index;
    (void)n;
    (void)quota;
    snprintf(what, size, "hesca was built without hwloc");
    return 0;
}
