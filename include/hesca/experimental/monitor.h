/* SPDX-License-Identifier: BSD-3-Clause */
/** \file hesca/experimental/monitor.h
 * Machines that change while programs run: reread the machine file, and call
 * a monitor of the site for current measurements.  This is the directory
 * service of BHAT-EXC, which provides the current state of the network.
 *
 * Between two refreshes costs do not change, and are the same on all
 * processes. */
#ifndef HESCA_EXPERIMENTAL_MONITOR_H
#define HESCA_EXPERIMENTAL_MONITOR_H

#include "hesca/experimental/machine.h"
#include <mpi.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/** A function that supplies current values.
 *
 * Called inside hesca_machine_refresh(), on rank 0 of its communicator only,
 * so it must not call collective functions.  It may overwrite costs, wires and
 * speeds, and set the hosts by hesca_machine_set_hosts().
 * \param [in,out] machine  As in the file HESCA_MACHINE, which was just
 *                          reread; without one, the defaults.  Values written
 *                          by earlier calls are not in it.
 * \param [in]     data     As passed to hesca_machine_set_monitor().
 * \return HESCA_SUCCESS, or a negative hesca_status, after a call of
 *         hesca_error_set() if there is an error text. */
typedef int (*hesca_monitor)(hesca_machine *machine, void *data);

/** Set the monitor of this process; NULL: none.  It must be set on rank 0 of
 * the communicators that are refreshed.  Local. */
HESCA_API void hesca_machine_set_monitor(hesca_monitor monitor, void *data);

/** Update the machine of a communicator.
 *
 * Collective over comm; every process returns the same value.  The file
 * HESCA_MACHINE is reread, the monitor is called, and the result is sent to
 * all processes.  If it differs from the machine so far, redistributions are
 * planned again; plans of hesca_plan_create() do not change.  Other
 * communicators are not affected until they are refreshed.
 * \param [in] comm  (global) Intra-communicator.
 * \return HESCA_SUCCESS; on error nothing changes: HESCA_ERR_PARAM (the file
 *         is malformed, or a process is on none of its hosts), HESCA_ERR_ARG
 *         (the monitor supplied invalid costs), HESCA_ERR_NOMEM,
 *         HESCA_ERR_MPI, or the error of the monitor. */
HESCA_API int hesca_machine_refresh(MPI_Comm comm);

/** Number of refreshes that changed a machine of this process.  Local. */
HESCA_API int64_t hesca_machine_refreshes(void);

/** The machine of a communicator.
 *
 * Collective over comm the first time it is used with comm, later local.
 * \param [in]  comm     (global) Intra-communicator.
 * \param [out] machine  Free with hesca_machine_clear(); unchanged on error.
 * \return HESCA_SUCCESS, HESCA_ERR_ARG, HESCA_ERR_PARAM, HESCA_ERR_NOMEM,
 *         HESCA_ERR_MPI. */
HESCA_API int hesca_machine_agreed(MPI_Comm comm, hesca_machine *machine);

#ifdef __cplusplus
}
#endif

#endif
