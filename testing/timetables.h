/* SPDX-License-Identifier: BSD-3-Clause */
/* Timetables for unit tests: made by name, and checked. */
#ifndef HESCA_TESTING_TIMETABLES_H
#define HESCA_TESTING_TIMETABLES_H

#include "hesca/experimental/heuristics.h"
#include "hesca/experimental/timetable.h"
#include "testing/exchanges.h"
#include "testing/unit.h"
#include <hesca/status.h>
#include <math.h>

/* options may be NULL */
static inline hesca_timetable
timetable_make(const char *name, const hesca_events *x,
               const hesca_alltoallv_order_options *options)
{
    hesca_timetable t;
    const int err = hesca_heuristic_find(name)->make(x, options, &t);
    CHECK(err == HESCA_SUCCESS, "%s, P=%d: %s", name, x->nproc,
          hesca_error_text());
    CHECK(hesca_timetable_check(&t, x, options ? &options->ready : NULL) ==
              HESCA_SUCCESS,
          "%s, P=%d: %s", name, x->nproc, hesca_error_text());
    return t;
}

static inline double
timetable_bound(const hesca_events *x)
{
    double bound = -1;
    CHECK(hesca_events_bound(x, NULL, &bound) == HESCA_SUCCESS, "memory");
    return bound;
}

#endif
