/* SPDX-License-Identifier: BSD-3-Clause */
/** \file exec/node.h
 * Which processes share a node, and whether they have a core each. */
#ifndef HESCA_EXEC_NODE_H
#define HESCA_EXEC_NODE_H

#include "exec/comm.h"

/** Fill c->node, c->load, c->crowded and c->yields.
 *
 * Collective over c.
 * \return HESCA_SUCCESS, HESCA_ERR_NOMEM or HESCA_ERR_MPI. */
int hesca_node_find(hesca_comm *c);

void hesca_node_clear(hesca_node *node);

#endif
