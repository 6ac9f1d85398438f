/** \file hesca/experimental/monitor.h
 * A machine that changes while programs run: read its file again, and let a
 * site's own monitor supply what it measures.  This is the directory service
 * of BHAT-EXC: it tells the current state of the network.
 *
 * Between two refreshes costs stay as they were, the same on all processes. */
#ifndef HESCA_EXPERIMENTAL_MONITOR_H
#define HESCA_EXPERIMENTAL_MONITOR_H

#include "hesca/experimental/machine.h"
#include <mpi.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/** What supplies current values.
 *
 * Called inside hesca_machine_refresh(), on rank 0 of its communicator only,
 * so it must not call collective functions.  It may overwrite costs, wires and
 * speeds, and name the hosts by hesca_machine_set_hosts().
 * \param [in,out] machine  As in the file HESCA_MACHINE, read again just now;
 *                          without one, the defaults.  What earlier calls
 *                          wrote is not in it.
 * \param [in]     data     What hesca_machine_set_monitor() got.
 * \return HESCA_SUCCESS, or a negative hesca_status, after a call of
 *         hesca_error_set() if it has a text to tell. */
typedef int (*hesca_monitor)(hesca_machine *machine, void *data);

/** The monitor of this process from now on; NULL: none.  It has to be set on
 * rank 0 of the communicators that are refreshed.  Local. */
HESCA_API void hesca_machine_set_monitor(hesca_monitor monitor, void *data);

/** Bring what HESCA knows of the machine under a communicator up to date.
 *
 * Collective over comm; every process returns the same value.  The file
 * HESCA_MACHINE is read again, the monitor called, and what they tell shared.
 * If it differs from what was known, redistributions are planned anew; plans
 * of hesca_plan_create() stay as they are.  Other communicators keep what they
 * know until they are refreshed.
 * \param [in] comm  (global) Intra-communicator.
 * \return HESCA_SUCCESS; on error everything stays as it was: HESCA_ERR_PARAM
 *         (the file is bad, or a process is on none of its hosts),
 *         HESCA_ERR_ARG (the monitor supplied costs that make no sense),
 *         HESCA_ERR_NOMEM, HESCA_ERR_MPI, or what the monitor returned. */
HESCA_API int hesca_machine_refresh(MPI_Comm comm);

/** How many times that has changed what this process knows.  Local. */
HESCA_API int64_t hesca_machine_refreshes(void);

/** What HESCA knows of the machine under a communicator.
 *
 * Collective over comm the first time it is used with comm, later local.
 * \param [out] machine  Free with hesca_machine_clear(); unchanged on error.
 * \return HESCA_SUCCESS, HESCA_ERR_ARG, HESCA_ERR_PARAM, HESCA_ERR_NOMEM,
 *         HESCA_ERR_MPI. */
HESCA_API int hesca_machine_agreed(MPI_Comm comm, hesca_machine *machine);

#ifdef __cplusplus
}
#endif

#endif
