/** \file hesca/experimental/wait.h
 * Waiting politely: a process that waits leaves its core to others.
 *
 * MPI's blocking calls ask for their message without a pause.  Where a node
 * has more processes than cores, who waits keeps the core from the process it
 * waits for; where a node has a CPU quota, who waits uses it up.  libhesca
 * itself always waits politely in such places; libhesca_scalapack makes the
 * blocking calls of the program and of ScaLAPACK do so (HESCA_WAIT).  The
 * functions below are what it does that with. */
#ifndef HESCA_EXPERIMENTAL_WAIT_H
#define HESCA_EXPERIMENTAL_WAIT_H

#include "hesca/experimental/param.h"
#include <mpi.h>

#ifdef __cplusplus
extern "C" {
#endif

/** How the processes of a communicator are to wait. */
typedef struct {
    int polite;   /**< 1: with naps, 0: as MPI does */
    double load;  /**< processes per core, where there are most; at least
                       1.  A CPU quota counts as so many cores. */
    int quota;    /**< 1: a quota makes load what it is, else cores */
    int one_node; /**< 1: all processes share a node */
    hesca_params params; /**< of rank 0 */
} hesca_wait_info;

/** Decide how to wait.
 *
 * Collective over comm; every process finds the same.
 * \param [in]  comm  (global) Intra-communicator; is duplicated meanwhile.
 * \param [out] info  (global) Complete also with HESCA_ERR_PARAM; polite is 0
 *                    on other errors.
 * \return HESCA_SUCCESS, HESCA_ERR_ARG, HESCA_ERR_PARAM (a variable of rank 0
 *         is malformed; its default counts), HESCA_ERR_NOMEM, HESCA_ERR_MPI.
 */
HESCA_API int hesca_wait_agree(MPI_Comm comm, hesca_wait_info *info);

/** Whether a wait is over: not 0 if it is.  Called again and again. */
typedef int hesca_wait_over(void *what);

/** Wait politely: at first look often, then offer the core, then nap, an
 * eighth of what was waited, up to 0.2 ms.  Local, without MPI.
 * \return What over(what) returned at last. */
HESCA_API int hesca_wait_until(hesca_wait_over *over, void *what);

#ifdef __cplusplus
}
#endif

#endif
