/** \file machine/network.h
 * What a message costs between any two processes: start-up time and rate by
 * the hosts that they are on.
 * Source: BHAT-HET 4.1, a message of m bytes takes T_ij + m / B_ij. */
#ifndef HESCA_MACHINE_NETWORK_H
#define HESCA_MACHINE_NETWORK_H

#include "hesca/machine.h"

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

#endif
