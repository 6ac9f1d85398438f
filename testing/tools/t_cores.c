/* SPDX-License-Identifier: BSD-3-Clause */
/* Which cores each process of a host gets, on machines that hwloc makes up. */
#include "testing/unit.h"
#include "tools/lib/cores.h"
#include "tools/lib/cores_choose.h"

static const char *const machines[] = {
    "pack:1 core:1 pu:1",        "pack:1 core:2 pu:1",
    "pack:2 core:4 pu:2",        "pack:2 l3:2 core:3 pu:2",
    "numa:4 pack:1 core:6 pu:1", "pack:1 core:8 pu:4",
    "pack:1 core:4 pu:2",        "pack:1 core:8 pu:2",
    "pack:2 core:4 pu:2"};
enum { NMACHINES = sizeof machines / sizeof *machines };

/* Processors of the last machines that control groups leave, so that cores
 * have different numbers of them, as of hybrid machines. */
static const char *const some[NMACHINES] = {
    [6] = "0-3,4,6", [7] = "0-7,8,10,12,14", [8] = "0,2-5,8,10-12"};

static void
restrict_to(hwloc_topology_t machine, const char *list)
{
    hwloc_bitmap_t set = hwloc_bitmap_alloc();
    CHECK(set != NULL && hwloc_bitmap_list_sscanf(set, list) == 0 &&
              hwloc_topology_restrict(machine, set, 0) == 0,
          "%s", list);
    hwloc_bitmap_free(set);
}

static hwloc_topology_t
make(int m)
{
    const char *text = machines[m];
    hwloc_topology_t machine;
    CHECK(hwloc_topology_init(&machine) == 0 &&
              hwloc_topology_set_synthetic(machine, text) == 0 &&
              hwloc_topology_load(machine) == 0,
          "%s", text);
    if (some[m] != NULL)
        restrict_to(machine, some[m]);
    return machine;
}

/* Cores that a set has a part of. */
static int
cores_in(hwloc_topology_t machine, hwloc_const_bitmap_t set)
{
    int n = 0;
    hwloc_obj_t core = NULL;
    while ((core = hwloc_get_next_obj_by_type(machine, HWLOC_OBJ_CORE,
                                              core)) != NULL)
        n += hwloc_bitmap_intersects(core->cpuset, set);
    return n;
}

/* With cores for all, no two processes share one, and each has one. */
static void
distribute(void)
{
    for (int m = 0; m < NMACHINES; ++m) {
        hwloc_topology_t machine = make(m);
        const int cores = cores_of(machine);
        for (int n = 1; n <= cores; ++n) {
            hwloc_bitmap_t all = hwloc_bitmap_alloc();
            int given = 0;
            for (int k = 0; k < n; ++k) {
                hwloc_bitmap_t set = cores_choose(machine, k, n);
                CHECK(set != NULL && !hwloc_bitmap_iszero(set) &&
                          !hwloc_bitmap_intersects(set, all),
                      "%s: %d of %d shares", machines[m], k, n);
                CHECK(cores_in(machine, set) >= 1 &&
                          cores_in(machine, set) <= cores - n + 1,
                      "%s: %d of %d has %d cores", machines[m], k, n,
                      cores_in(machine, set));
                given += cores_in(machine, set);
                hwloc_bitmap_or(all, all, set);
                hwloc_bitmap_free(set);
            }
            CHECK(given == cores, "%s: %d processes have %d cores",
                  machines[m], n, given);
            hwloc_bitmap_free(all);
        }
        hwloc_topology_destroy(machine);
    }
}

/* With k processes for each core, processes k c ... k c + k - 1 have core c.
 */
static void
share(void)
{
    for (int m = 0; m < NMACHINES; ++m) {
        hwloc_topology_t machine = make(m);
        const int cores = cores_of(machine);
        for (int each = 2; each <= 6; each += 2)
            for (int k = 0; k < each * cores; ++k) {
                hwloc_bitmap_t set = cores_choose(machine, k, each * cores);
                hwloc_obj_t core = hwloc_get_obj_by_type(
                    machine, HWLOC_OBJ_CORE, (unsigned)(k / each));
                CHECK(set != NULL && hwloc_bitmap_isequal(set, core->cpuset),
                      "%s: %d with %d for each", machines[m], k, each);
                hwloc_bitmap_free(set);
            }
        hwloc_topology_destroy(machine);
    }
}

int
main(void)
{
    const struct CMUnitTest tests[] = {UNIT(distribute), UNIT(share)};
    unit_begin("t_cores", 1);
    return unit_end(cmocka_run_group_tests(tests, NULL, NULL));
}
