/* SPDX-License-Identifier: BSD-3-Clause */
/** \file partition/matrix/min_makespan.h
 * The minimal time within which the processors can take the parts that a kind
 * of tiling gives them. */
#ifndef HESCA_PARTITION_MATRIX_MIN_MAKESPAN_H
#define HESCA_PARTITION_MATRIX_MIN_MAKESPAN_H

#include "partition/matrix/tiling.h"

/** Counts that each processor can solve within a time, and a test whether they
 * suffice. */
typedef struct {
    const hesca_tiling_task *task;
    int64_t *most;  /* [p] capacities, elements, at most m n */
    int64_t *count; /* [p] the largest count <= most whose time is at most that
                       time */
    const int
        *subset; /* [nsubset] processors whose counts are wanted; NULL: all */
    int nsubset;
    int by_limit; /* time 1 fills each memory, independent of speed */
    int (*suffices)(const void *what, const int64_t *count);
    const void *what;
} hesca_min_makespan;

/** Allocate the counts.  To be cleared also on error. */
int hesca_min_makespan_init(hesca_min_makespan *x,
                            const hesca_tiling_task *task);
void hesca_min_makespan_clear(hesca_min_makespan *x);

/** Find the minimal time whose counts suffice, and leave these in x->count.
 * The test must be monotone: if counts suffice, so do larger ones.
 * \return Whether there is one. */
int hesca_min_makespan_time(hesca_min_makespan *x);

#endif
