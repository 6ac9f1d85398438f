/* SPDX-License-Identifier: BSD-3-Clause */
/* Machines that predictions are made for: hosts of given speeds, all links
 * equal; and what is said of those that are wrong. */
#ifndef HESCA_TESTING_HOHE_MACHINES_H
#define HESCA_TESTING_HOHE_MACHINES_H

#include "base/status.h"
#include "hesca/experimental/machine.h"
#include "testing/unit.h"

enum { HOSTS = 12 };

static inline hesca_machine
make_machine(int n, const double *speed, double startup, double rate)
{
    static char names[HOSTS][16];
    const char *name[HOSTS];
    hesca_machine m = hesca_machine_default();
    for (int h = 0; h < n; ++h) {
        snprintf(names[h], sizeof names[h], "host%d", h);
        name[h] = names[h];
    }
    CHECK(hesca_machine_set_hosts(&m, n, name) == HESCA_SUCCESS, "%s",
          hesca_error_text());
    for (int h = 0; h < n; ++h) {
        m.host[h].speed = speed[h];
        m.host[h].memory = 0;
    }
    for (int k = 0; k < n * n; ++k)
        m.wire[k] = (hesca_wire){startup, rate};
    return m;
}

static const int in_order[HOSTS] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11};

/* A refusal of argument info, in these words. */
static inline void
check_refused(int err, int info, const char *says)
{
    CHECK(err == HESCA_ERR_ARG, "%s: %d", says, err);
    CHECK(hesca_error_info() == info, "%s: info %d", says, hesca_error_info());
    CHECK(strstr(hesca_error_text(), says) != NULL, "wanted '%s': %s", says,
          hesca_error_text());
}

#endif
