/** \file partition/matrix/min_makespan.h
 * The least time in which processors can hold what a tiling gives them. */
#ifndef HESCA_PARTITION_MATRIX_MIN_MAKESPAN_H
#define HESCA_PARTITION_MATRIX_MIN_MAKESPAN_H

#include "partition/matrix/tiling.h"

/** What each processor can do in a time, and whether it suffices. */
typedef struct {
    const hesca_tiling_task *task;
    int64_t *most;  /* [p] elements that it can hold, at most m n */
    int64_t *count; /* [p] elements that it solves in that time: the largest
                       count <= most whose time is not above it */
    const int *who; /* [nwho] whose counts are wanted; NULL: all */
    int nwho;
    int by_limit; /* time 1 is what fills a memory, whatever its speed */
    int (*suffices)(const void *what, const int64_t *count);
    const void *what;
} hesca_min_makespan;

/** Room for the counts.  To be cleared also on error. */
int hesca_min_makespan_init(hesca_min_makespan *x,
                            const hesca_tiling_task *task);
void hesca_min_makespan_clear(hesca_min_makespan *x);

/** Find the least time whose counts suffice; they remain in x->count.  Larger
 * counts must suffice where smaller ones do.
 * \return whether there is one. */
int hesca_min_makespan_time(hesca_min_makespan *x);

#endif
