/* SPDX-License-Identifier: BSD-3-Clause */
/** \file exec/speeds.h
 * The speed functions of a machine on all processes. */
#ifndef HESCA_EXEC_SPEEDS_H
#define HESCA_EXEC_SPEEDS_H

#include "exec/comm.h"

/** Give a machine on all processes the models that it has on rank 0.
 *
 * Collective.
 * \param [in,out] machine  (other ranks) Of the same hosts, without models.
 * \return HESCA_SUCCESS, HESCA_ERR_NOMEM, HESCA_ERR_UNSUPPORTED (more knots
 *         than MPI counts), HESCA_ERR_MPI; on error machine may hold some of
 *         the models. */
int hesca_speeds_share(const hesca_comm *c, hesca_machine *machine);

#endif
