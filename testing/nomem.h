/* Calls that must get over each allocation that fails, see failing.h. */
#ifndef HESCA_TESTING_NOMEM_H
#define HESCA_TESTING_NOMEM_H

#include "hesca/status.h"
#include "testing/failing.h"
#include "testing/unit.h"

/* Let each allocation of a call fail in turn, until it gets through: it must
 * say so each time.  Leaks are found by the address sanitizer. */
static inline void
nomem_check(const char *what, long least, int (*call)(void *), void *data)
{
    int err = HESCA_ERR_NOMEM;
    long n = 0;
    for (; err == HESCA_ERR_NOMEM && n < 100000; ++n) {
        nomem_left = n;
        err = call(data);
        nomem_left = -1;
    }
    CHECK(err == HESCA_SUCCESS && n > least,
          "%s: %d after %ld allocations: %s", what, err, n - 1,
          hesca_error_text());
}

#endif
