/* SPDX-License-Identifier: BSD-3-Clause */
/** \file base/report_data.h
 * What libhesca records of a run for HESCA_REPORT: bytes sent, and speeds of
 * the processes over time.  Until libhesca_scalapack begins it nothing is
 * recorded.  Memory is bounded.  Processes are ranks of MPI_COMM_WORLD.
 * Several threads may call. */
#ifndef HESCA_BASE_REPORT_DATA_H
#define HESCA_BASE_REPORT_DATA_H

#include "hesca/status.h"
#include <stdint.h>

enum {
    HESCA_REPORT_SPEEDS = 1024, /**< the most processes with speeds */
    HESCA_REPORT_SAMPLES = 64   /**< the most samples that are kept */
};

/** Begin, once.
 * \return 1, or 0 without memory: nothing is recorded. */
HESCA_API int hesca_report_record(int nprocs);

/** Seconds since the beginning; 0: nothing is recorded. */
HESCA_API double hesca_report_seconds(void);

/** This process has sent so many bytes to a process. */
HESCA_API void hesca_report_sent(int rank, int64_t bytes);

/** Bytes sent to each process: [nprocs]; NULL: nothing is recorded. */
HESCA_API const _Atomic int64_t *hesca_report_bytes(void);

/** Speeds of some processes are known from now on, those of the others are as
 * before.  A sample that changes nothing is none; of more than
 * HESCA_REPORT_SAMPLES those are dropped that are closest in time.
 * \param [in] seconds  hesca_report_seconds().
 * \param [in] n        Number of processes.
 * \param [in] speed    [n] Relative, > 0; 0: not known.
 * \param [in] rank     [n] The processes; NULL: 0 ... n-1. */
HESCA_API void hesca_report_speeds(double seconds, int n, const double *speed,
                                   const int *rank);

/** The samples so far, which stay until the next one is recorded.
 * \param [out] nspeeds  Processes, at most HESCA_REPORT_SPEEDS.
 * \param [out] at       [samples] Ascending seconds.
 * \param [out] speed    [samples * nspeeds] 0: not known.
 * \return How many. */
HESCA_API int hesca_report_samples(int *nspeeds, const double **at,
                                   const double **speed);

#endif
