/* SPDX-License-Identifier: BSD-3-Clause */
/* Unit tests: cmocka runs and names them, CHECK checks, so that a failed check
 * prints what reproduces it and the test goes on.  No MPI is started. */
#ifndef HESCA_TESTING_UNIT_H
#define HESCA_TESTING_UNIT_H

#include "testing/check.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

/* It needs the headers above. */
#include <cmocka.h>

typedef struct {
    void (*run)(void);
} unit_body;

/* An entry of the table of tests. */
#define UNIT(f)                                                               \
    {                                                                         \
#f, unit_run, NULL, NULL, &(unit_body)                                \
        {                                                                     \
            f                                                                 \
        }                                                                     \
    }

static uint64_t unit_seed;

/* Every test begins with the seed, so that it can be repeated alone. */
static inline void
unit_run(void **state)
{
    const unit_body *body = *state;
    const long before = check_failures;
    check_state = unit_seed;
    body->run();
    if (check_failures > before)
        fail_msg("%ld checks failed", check_failures - before);
}

static inline void
unit_begin(const char *name, uint64_t seed)
{
    unit_seed = check_seed(seed);
    printf("%s: seed %llu\n", name, (unsigned long long)unit_seed);
    fflush(stdout);
}

/* The exit status, from what cmocka returned. */
static inline int
unit_end(int failed)
{
    printf("%ld checks, %ld failed\n", check_count, check_failures);
    return failed != 0;
}

#endif
