/* SPDX-License-Identifier: BSD-3-Clause */
/** \file exec/copy_runs.h
 * The rows of a message as strided runs: how to walk one column of it.
 *
 * An overlap is compiled three times: A to message (pack), message to B
 * (unpack), A to B (copy of the local share). Adjacent runs are merged and
 * equally spaced runs become one run with a count, so that the kernels process
 * few, long and regular runs. */
#ifndef HESCA_EXEC_COPY_RUNS_H
#define HESCA_EXEC_COPY_RUNS_H

#include "overlap/interval.h"

typedef enum { HESCA_PACK, HESCA_UNPACK, HESCA_COPY } hesca_motion;

/** count pieces of len elements, src_step and dst_step apart. */
typedef struct {
    int64_t src, dst, len, count, src_step, dst_step;
} hesca_run;

/** nrep periods of the first n runs, then ntail runs of the last period. */
typedef struct {
    int64_t nrep, src_step, dst_step;
    int64_t n, ntail;
    hesca_run *run; /* [n + ntail] */
} hesca_runs;

/** \return HESCA_SUCCESS (clear the result) or HESCA_ERR_NOMEM. */
int hesca_runs_init(hesca_runs *r, const hesca_overlap *o,
                    hesca_motion motion);
void hesca_runs_clear(hesca_runs *r);

/** 1 if all rows are one run of consecutive elements on both sides. */
int hesca_runs_is_flat(const hesca_runs *r);

#endif
