/* SPDX-License-Identifier: BSD-3-Clause */
#include "tools/lib/cores.h"
#include "tools/lib/cores_choose.h"
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *
cores_library(void)
{
    static char text[32];
    const unsigned version = hwloc_get_api_version();
    snprintf(text, sizeof text, "hwloc, API %u.%u", version >> 16,
             version >> 8 & 0xff);
    return text;
}

/* ------------------------------------------------ any machine
 * A machine may have cores with different numbers of processors. */

/* Where hwloc finds no cores, as in some virtual machines, its processors
 * count as cores. */
static hwloc_obj_type_t
kind(hwloc_topology_t machine)
{
    return hwloc_get_nbobjs_by_type(machine, HWLOC_OBJ_CORE) > 0
               ? HWLOC_OBJ_CORE
               : HWLOC_OBJ_PU;
}

int
cores_of(hwloc_topology_t machine)
{
    const int n = hwloc_get_nbobjs_by_type(machine, kind(machine));
    return n > 0 ? n : 1;
}

static hwloc_obj_t
next_core(hwloc_topology_t machine, hwloc_obj_t core)
{
    return hwloc_get_next_obj_by_type(machine, kind(machine), core);
}

/* hwloc_distrib() distributes processors: where cores have different numbers
 * of them it would return some cores twice.  So it is given one processor of
 * each core. */
static int
keep_one_of_each(hwloc_topology_t machine)
{
    hwloc_bitmap_t some = hwloc_bitmap_alloc();
    hwloc_obj_t core = NULL;
    int good = some != NULL;
    while (good && (core = next_core(machine, core)) != NULL)
        good = hwloc_bitmap_set(
                   some, (unsigned)hwloc_bitmap_first(core->cpuset)) == 0;
    good = good && hwloc_topology_restrict(machine, some, 0) == 0;
    hwloc_bitmap_free(some);
    return good;
}

/* Add the other processors of the cores that a set has one of. */
static void
complete(hwloc_topology_t machine, hwloc_bitmap_t set)
{
    hwloc_obj_t core = NULL;
    while ((core = next_core(machine, core)) != NULL)
        if (hwloc_bitmap_intersects(set, core->cpuset))
            hwloc_bitmap_or(set, set, core->cpuset);
}

/* The caller of hwloc_distrib() frees the sets of all n. */
static hwloc_bitmap_t
pick(hwloc_topology_t machine, int index, int n)
{
    hwloc_obj_t root = hwloc_get_root_obj(machine);
    hwloc_bitmap_t mine, *set = calloc((size_t)n, sizeof *set);
    if (set == NULL ||
        hwloc_distrib(machine, &root, 1, set, (unsigned)n, INT_MAX, 0) < 0) {
        free(set);
        return NULL;
    }
    mine = set[index];
    set[index] = NULL;
    for (int k = 0; k < n; ++k)
        hwloc_bitmap_free(set[k]);
    free(set);
    return mine;
}

static hwloc_bitmap_t
distribute(hwloc_topology_t machine, int index, int n)
{
    hwloc_topology_t copy;
    hwloc_bitmap_t mine = NULL;
    if (hwloc_topology_dup(&copy, machine) < 0)
        return NULL;
    if (keep_one_of_each(copy))
        mine = pick(copy, index, n);
    hwloc_topology_destroy(copy);
    if (mine != NULL)
        complete(machine, mine);
    return mine;
}

hwloc_bitmap_t
cores_choose(hwloc_topology_t machine, int index, int n)
{
    const int cores = cores_of(machine);
    if (n <= cores)
        return distribute(machine, index, n);
    const unsigned core = (unsigned)(index / (n / cores));
    return hwloc_bitmap_dup(
        hwloc_get_obj_by_type(machine, kind(machine), core)->cpuset);
}

/* ------------------------------------------------ this host
 * Control groups limit cores_allowed(); the other functions use the
 * processors of this process. */

/* The processors that control groups allow, found by hwloc.
 * \return 1, or 0 with the reason in errno. */
static int
load(hwloc_topology_t *machine)
{
    if (hwloc_topology_init(machine) < 0)
        return 0;
    if (hwloc_topology_load(*machine) == 0)
        return 1;
    hwloc_topology_destroy(*machine);
    return 0;
}

/* Only the processors that this process may use: its job may have a part of
 * the host. */
static int
restrict_to_own(hwloc_topology_t machine)
{
    hwloc_bitmap_t own = hwloc_bitmap_alloc();
    const int good =
        own != NULL &&
        hwloc_get_cpubind(machine, own, HWLOC_CPUBIND_PROCESS) == 0 &&
        hwloc_topology_restrict(machine, own, 0) == 0;
    hwloc_bitmap_free(own);
    return good;
}

static int
count(int is_own)
{
    hwloc_topology_t machine;
    int n = 1;
    if (load(&machine)) {
        if (!is_own || restrict_to_own(machine))
            n = cores_of(machine);
        hwloc_topology_destroy(machine);
    }
    return n;
}

int
cores_allowed(void)
{
    return count(0);
}

int
cores_own(void)
{
    return count(1);
}

/* Bind to a set, and describe it by the system's numbers of processors. */
static int
bind_to(hwloc_topology_t machine, hwloc_bitmap_t set, char *what, size_t size)
{
    char list[200];
    if (hwloc_set_cpubind(machine, set, HWLOC_CPUBIND_PROCESS) < 0)
        return 0;
    hwloc_bitmap_list_snprintf(list, sizeof list, set);
    snprintf(what, size, "processors %s", list);
    return 1;
}

int
cores_bind(int index, int n, double quota, char *what, size_t size)
{
    hwloc_topology_t machine;
    hwloc_bitmap_t set = NULL;
    const char *why = NULL;
    int bound = -1;
    if (!load(&machine)) {
        snprintf(what, size, "hwloc: %s", strerror(errno));
        return -1;
    }
    if (restrict_to_own(machine)) {
        why = cores_unbound(n, cores_of(machine), quota);
        if (why == NULL)
            set = cores_choose(machine, index, n);
        if (set != NULL && bind_to(machine, set, what, size))
            bound = 1;
    }
    if (why != NULL) {
        snprintf(what, size, "%s", why);
        bound = 0;
    } else if (bound < 0) {
        snprintf(what, size, "hwloc: %s", strerror(errno));
    }
    hwloc_bitmap_free(set);
    hwloc_topology_destroy(machine);
    return bound;
}
