/* SPDX-License-Identifier: BSD-3-Clause */
/* Calls that must survive each allocation that fails, see failing.h. */
#ifndef HESCA_TESTING_NOMEM_H
#define HESCA_TESTING_NOMEM_H

#include "hesca/status.h"
#include "testing/failing.h"
#include "testing/unit.h"

/* Let each allocation of a call fail in turn, until it succeeds: it must
 * report that each time, and not succeed before.  Leaks are found by the
 * address sanitizer. */
static inline void
nomem_check(const char *what, long least, int (*call)(void *), void *data)
{
    int err = HESCA_ERR_NOMEM, all_used = 0;
    long n = 0;
    for (; err == HESCA_ERR_NOMEM && !all_used && n < 100000; ++n) {
        nomem_left = n;
        err = call(data);
        all_used = nomem_left >= 0;
        nomem_left = -1;
        CHECK(err != HESCA_SUCCESS || all_used,
              "%s: success without allocation %ld", what, n);
    }
    CHECK(err == HESCA_SUCCESS && n > least,
          "%s: %d after %ld allocations: %s", what, err, n - 1,
          hesca_error_text());
}

#endif
