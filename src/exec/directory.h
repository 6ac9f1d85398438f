/* SPDX-License-Identifier: BSD-3-Clause */
/** \file exec/directory.h
 * The machine as seen by the processes of a communicator: its costs, and the
 * network between the processes if the hosts are known. */
#ifndef HESCA_EXEC_DIRECTORY_H
#define HESCA_EXEC_DIRECTORY_H

#include "exec/comm.h"

enum { HESCA_PROCESSOR_MAX = MPI_MAX_PROCESSOR_NAME + 1 };

/** The name of this process's host. With HESCA_NODE_SIZE it is the name of the
 * emulated node: node0, node1, ... */
void hesca_directory_host(const hesca_comm *c, char name[HESCA_PROCESSOR_MAX]);

/** Make a machine that rank 0 holds the machine of the communicator, with the
 * network of its processes.
 *
 * Collective; c->params are agreed.
 * \param [in,out] machine  (rank 0) Becomes the communicator's, or is cleared
 *                          on error; (other ranks) its arrays are ignored.
 * \return HESCA_SUCCESS; on error nothing changes: HESCA_ERR_PARAM (a process
 *         is on none of its hosts), HESCA_ERR_NOMEM, HESCA_ERR_MPI. */
int hesca_directory_take(hesca_comm *c, hesca_machine *machine);

/** The same for a machine that differs from the one so far: plans and
 * decisions for that one are freed. */
int hesca_directory_replace(hesca_comm *c, hesca_machine *machine);

/** h extended by all of a machine; 0 without memory.  Local. */
uint64_t hesca_directory_hash(uint64_t h, const hesca_machine *machine);

/** Keep a copy of a machine for communicators that this process makes later,
 * if HESCA_MACHINE is auto.  Local; without memory nothing is kept. */
void hesca_directory_keep(const hesca_machine *machine);

/** Check that the hosts of all processes are in a machine that rank 0 holds.
 *
 * Collective; c->params are agreed.
 * \param [in] machine  (rank 0) Its hosts; elsewhere ignored.
 * \return HESCA_SUCCESS, HESCA_ERR_PARAM with the text that
 *         hesca_directory_take() has, HESCA_ERR_NOMEM, HESCA_ERR_MPI. */
int hesca_directory_check(const hesca_comm *c, const hesca_machine *machine);

/** Let the monitor supply values when a communicator is first used, too, not
 * in hesca_machine_refresh() only. Local. */
HESCA_PRIVATE void hesca_directory_ask_at_once(int yes);

/** Read the file that HESCA_MACHINE names, or take the defaults; and ask the
 * monitor, if hesca_directory_ask_at_once() holds. Local.
 * \return as hesca_machine_read(), or the error of the monitor. */
int hesca_directory_begin(const hesca_params *params, hesca_machine *machine);

/** Read the file that HESCA_MACHINE names, or take what is kept, or the
 * defaults. Local.
 * \return as hesca_machine_read(), HESCA_ERR_NOMEM. */
int hesca_directory_read(const hesca_params *params, hesca_machine *machine);

#endif
