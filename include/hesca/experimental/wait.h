/* SPDX-License-Identifier: BSD-3-Clause */
/** \file hesca/experimental/wait.h
 * Yielding waits: a process that waits releases its core.
 *
 * MPI's blocking calls poll without a pause.  If a node has more processes
 * than cores, a process that polls occupies the core of the process that it
 * waits for; if a node has a CPU quota, it consumes the quota.  libhesca
 * itself always yields on such nodes; libhesca_scalapack makes the blocking
 * calls of the program and of ScaLAPACK yield (HESCA_WAIT), with the functions
 * below. */
#ifndef HESCA_EXPERIMENTAL_WAIT_H
#define HESCA_EXPERIMENTAL_WAIT_H

#include "hesca/experimental/param.h"
#include <mpi.h>

#ifdef __cplusplus
extern "C" {
#endif

/** How the processes of a communicator are to wait. */
typedef struct {
    int yields;   /**< 1: yielding, 0: as MPI does */
    double load;  /**< largest number of processes per core of a node; at least
                       1.  A CPU quota counts as a number of cores. */
    int quota;    /**< 1: load is due to a quota, 0: to the number of cores */
    int one_node; /**< 1: all processes share a node */
    hesca_params params; /**< of rank 0 */
    char lacks[400]; /**< why rank 0 cannot read the file that HESCA_MACHINE
                          names; "": it can, or there is none */
} hesca_wait_info;

/** Decide how to wait.
 *
 * Collective over comm; every process gets the same result.
 * \param [in]  comm  (global) Intra-communicator; is duplicated temporarily.
 * \param [out] info  (global) Complete also with HESCA_ERR_PARAM; yields is 0
 *                    on other errors.
 * \return HESCA_SUCCESS, HESCA_ERR_ARG, HESCA_ERR_PARAM (a variable of rank 0
 *         is malformed; its default is used), HESCA_ERR_NOMEM, HESCA_ERR_MPI.
 */
HESCA_API int hesca_wait_agree(MPI_Comm comm, hesca_wait_info *info);

/** Whether a wait is over: not 0 if it is.  Called repeatedly. */
typedef int hesca_wait_over(void *what);

/** Wait until over(what) is not 0: at first poll often, then yield the core,
 * then sleep, for an eighth of the time waited so far and at most 0.2 ms, or
 * until a connection of the MPI library is ready (doc/wait.md).  Local,
 * without MPI.
 * \return The last value of over(what). */
HESCA_API int hesca_wait_until(hesca_wait_over *over, void *what);

/** Seconds that this process has slept in yielding waits, so that others could
 * have its core.  Local. */
HESCA_API double hesca_wait_slept(void);

#ifdef __cplusplus
}
#endif

#endif
