/** \file exec/outlook.h
 * What messages cost between the processes of a communicator. */
#ifndef HESCA_EXEC_OUTLOOK_H
#define HESCA_EXEC_OUTLOOK_H

#include "exec/comm.h"
#include "sched/sched.h"

/** By the machine file.  by_mpi: all messages go by MPI, also inside a node.
 * It refers to the communicator's network. */
hesca_outlook hesca_outlook_of(const hesca_comm *c, int by_mpi);

#endif
