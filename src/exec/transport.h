/** \file exec/transport.h
 * The ways to carry out a plan.  Collective over the plan's communicator; the
 * processes have agreed that their arrays are valid. */
#ifndef HESCA_EXEC_TRANSPORT_H
#define HESCA_EXEC_TRANSPORT_H

#include "exec/plan.h"

/** Messages between pairs, in the order of the schedule. */
int hesca_transport_mpi(const hesca_plan *plan, const hesca_arrays *x);

/** Rounds of one collective exchange. */
int hesca_transport_alltoall(const hesca_plan *plan, const hesca_arrays *x);

/** The own share: one copy from A to B, without staging. Local. */
void hesca_transport_self(const hesca_plan *plan, const hesca_arrays *x);

#endif
