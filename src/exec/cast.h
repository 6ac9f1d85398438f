/** \file exec/cast.h
 * The plans of hesca_bcast() and hesca_multicast() that a communicator keeps.
 */
#ifndef HESCA_EXEC_CAST_H
#define HESCA_EXEC_CAST_H

#include "exec/comm.h"

/** Drop all of them, at the same call on all processes. */
void hesca_cast_plans_drop(hesca_comm *c);

#endif
