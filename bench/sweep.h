/** \file sweep.h
 * The cases of time_gemr2d --sweep: what a redistribution costs, from 8 KiB to
 * 800 MB, between small and large blocks, and on grids of several shapes. */
#ifndef HESCA_BENCH_SWEEP_H
#define HESCA_BENCH_SWEEP_H

#include "cases.h"

/** Parts of the sweep; SWEEP_ALL is all of them. */
enum { SWEEP_SIZE = 1, SWEEP_BLOCK = 2, SWEEP_SHAPE = 4, SWEEP_ALL = 7 };

/** Bytes of the smallest and of the largest matrix. */
enum { SWEEP_LEAST = 8192, SWEEP_MOST = 800000000 };

/** Add the cases of some parts for nprocs processes, each case once.  No
 * matrix has more than max_bytes, which is at least SWEEP_LEAST.
 * \return 1, or 0 if no memory is left. */
int sweep_cases(int parts, int64_t max_bytes, int nprocs, case_list *list);

#endif
