/** \file hdpi_probe.h
 * Speed functions of all processes, measured by all at the same time. */
#ifndef HESCA_BENCH_HDPI_PROBE_H
#define HESCA_BENCH_HDPI_PROBE_H

#include "hesca/experimental/speed.h"
#include <stdint.h>

typedef struct {
    /* Seconds for about *x elements, repeated for `least` seconds; *x becomes
     * what it was.  < 0: it fails. */
    double (*measure)(void *state, double least, double *x);
    void *state;
    double from, to;  /* elements */
    double reference; /* of single speeds */
    double accuracy;  /* of the largest speed */
    int points;       /* at most */
} probe_task;

typedef struct {
    hesca_speed **function, **single; /* [processes] elements per second */
    int points;                       /* of the process with most */
    double seconds;                   /* of the process that took longest */
    char complaint[200];
} probed;

/** Measure, and share what was measured.  Who is done keeps its core busy
 * until all are, so that all meet the same conditions.  Collective over
 * MPI_COMM_WORLD.
 * \param [out] p  Free with probe_clear() in any case.
 * \return 1; 0 on all processes if one fails. */
int probe_all(const probe_task *t, probed *p);
void probe_clear(probed *p);

/** Models of rows of `order` elements: [p] to free with units_free(); NULL if
 * speed is, or without memory. */
hesca_speed **rows_of_elements(int p, const hesca_speed *const *speed,
                               int64_t order);

#endif
