/* SPDX-License-Identifier: BSD-3-Clause */
/** \file machine/network.h
 * The cost of a message between any two processes: start-up time and rate,
 * which depend on their hosts.
 * Source: BHAT-HET 4.1, a message of m bytes takes T_ij + m / B_ij. */
#ifndef HESCA_MACHINE_NETWORK_H
#define HESCA_MACHINE_NETWORK_H

#include "hesca/experimental/machine.h"

typedef struct {
    int nproc, nhosts;
    int *host;        /* [nproc] host of each process */
    hesca_wire *wire; /* [nhosts * nhosts] from row to column; diagonal:
                         between processes of one host */
} hesca_network;

static inline hesca_wire
hesca_network_wire(const hesca_network *x, int src, int dest)
{
    return x->wire[(long long)x->host[src] * x->nhosts + x->host[dest]];
}

/** Seconds that a message takes. */
static inline double
hesca_network_seconds(const hesca_network *x, int src, int dest, double bytes)
{
    const hesca_wire w = hesca_network_wire(x, src, dest);
    return w.startup + bytes / w.rate;
}

/** Whether a link is so slow, about 10 Gbit/s or less, that it pays to keep
 * both of its directions busy. */
static inline int
hesca_wire_is_slow(hesca_wire w)
{
    return w.rate <= 1.5e9;
}

/** Whether some link between two hosts is slow; time O(nhosts^2). */
int hesca_network_has_slow(const hesca_network *network);

/** The wire with the costs of one message. */
hesca_wire hesca_wire_of_costs(const hesca_costs *c);

/** The network of processes on hosts of a machine.  Hosts without a process
 * are omitted.
 * \param [in]  host     [nproc] Number of each process's host in machine.
 * \param [out] network  Free with hesca_network_clear(); unchanged on error.
 * \return HESCA_SUCCESS, HESCA_ERR_ARG (no such host), HESCA_ERR_NOMEM. */
int hesca_network_of_hosts(const hesca_machine *machine, int nproc,
                           const int *host, hesca_network *network);

/** The network of processes on identical nodes, with the costs of one message
 * inside a node and between nodes.
 * \param [in]  load     Processes per core, >= 1.
 * \param [in]  node     [nproc] Node of each process, any numbers.
 * \param [out] network  Free with hesca_network_clear(); unchanged on error.
 * \return HESCA_SUCCESS or HESCA_ERR_NOMEM. */
int hesca_network_of_nodes(const hesca_machine *machine, double load,
                           int nproc, const int *node, hesca_network *network);

/** Free the arrays of a network, and leave it without processes. */
void hesca_network_clear(hesca_network *network);

/** The costs of messages on the links that a schedule uses. */
typedef struct {
    hesca_costs costs;            /* of the slowest link, if links differ */
    const hesca_network *network; /* of each link; NULL: all are equal */
} hesca_link_costs;

/** Link costs from costs and a network or NULL.  With a network, costs.startup
 * and costs.byte are raised to those of its slowest link. */
hesca_link_costs hesca_link_costs_make(hesca_costs costs,
                                       const hesca_network *network);

/** Seconds that a message takes; > 0 even if the model gives 0. */
double hesca_link_seconds(const hesca_link_costs *links, int src, int dest,
                          double bytes);

#endif
