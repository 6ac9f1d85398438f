/** \file stopwatch.h
 * Seconds for timers without MPI; those with MPI have polite_clock(). */
#ifndef HESCA_BENCH_STOPWATCH_H
#define HESCA_BENCH_STOPWATCH_H

#include <time.h>

/** \param [in] clock  CLOCK_PROCESS_CPUTIME_ID: of this process alone, other
 *                     work on the machine does not count; CLOCK_MONOTONIC. */
static inline double
stopwatch(clockid_t clock)
{
    struct timespec t;
    clock_gettime(clock, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

#endif
