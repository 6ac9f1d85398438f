/* SPDX-License-Identifier: BSD-3-Clause */
#include "tools/lib/cores.h"
#include "wait/quota.h"

double
cores_at_once(int allowed, double quota)
{
    const double some = quota > 1 ? quota : 1;
    return quota > 0 && some < allowed ? some : allowed;
}

double
cores_here(void)
{
    return cores_at_once(cores_allowed(), hesca_quota());
}

double
cores_mine(void)
{
    return cores_at_once(cores_own(), hesca_quota());
}

/* If 3 processes were bound to 2 cores, two would have half a core each;
 * unbound ones have two thirds each. */
const char *
cores_unbound(int n, int cores, double quota)
{
    if (quota > 0 && quota < cores)
        return "the CPU quota is less than the cores";
    if (n > cores && n % cores != 0)
        return "some cores would have more processes than others";
    return NULL;
}
