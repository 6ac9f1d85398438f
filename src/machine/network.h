/** \file machine/network.h
 * What a message costs between any two processes: start-up time and rate by
 * the hosts that they are on.
 * Source: BHAT-HET 4.1, a message of m bytes takes T_ij + m / B_ij. */
#ifndef HESCA_MACHINE_NETWORK_H
#define HESCA_MACHINE_NETWORK_H

#include "hesca/experimental/machine.h"

typedef struct {
    int nproc, nhosts;
    int *host;        /* [nproc] of each process */
    hesca_wire *wire; /* [nhosts * nhosts] from the first to the second; the
                         diagonal: between processes of one host */
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

/** Whether a link is so slow that it pays to keep both its directions busy:
 * less than about 10 Gbit/s. */
static inline int
hesca_wire_is_slow(hesca_wire w)
{
    return w.rate <= 1.5e9;
}

/** Whether some link between two hosts is slow; time O(nhosts^2). */
int hesca_network_has_slow(const hesca_network *network);

/** The wire that costs what they tell of one message. */
hesca_wire hesca_wire_of_costs(const hesca_costs *c);

/** The network of processes on hosts of a machine that has some; hosts that no
 * process is on are left out.
 * \param [in]  host     [nproc] The machine's number of each one's host.
 * \param [out] network  Free with hesca_network_clear(); unchanged on error.
 * \return HESCA_SUCCESS, HESCA_ERR_ARG (no such host), HESCA_ERR_NOMEM. */
int hesca_network_of_hosts(const hesca_machine *machine, int nproc,
                           const int *host, hesca_network *network);

/** The network of processes on nodes that are alike: the costs of one message,
 * inside a node and between nodes.
 * \param [in]  load     Processes per core, >= 1.
 * \param [in]  node     [nproc] Of each process, any numbers.
 * \param [out] network  Free with hesca_network_clear(); unchanged on error.
 * \return HESCA_SUCCESS or HESCA_ERR_NOMEM. */
int hesca_network_of_nodes(const hesca_machine *machine, double load,
                           int nproc, const int *node, hesca_network *network);

/** Free what belongs to a network; it has no processes then. */
void hesca_network_clear(hesca_network *network);

/** What messages cost where a schedule is to be carried out. */
typedef struct {
    hesca_costs costs;            /* of the slowest link, if they differ */
    const hesca_network *network; /* of each link; NULL: all cost the same */
} hesca_link_costs;

/** Costs, and a network or NULL, which makes them those of its slowest link.
 */
hesca_link_costs hesca_link_costs_make(hesca_costs costs,
                                       const hesca_network *network);

/** Seconds that a message takes, > 0 even where a model says 0. */
double hesca_link_seconds(const hesca_link_costs *links, int src, int dest,
                          double bytes);

#endif
