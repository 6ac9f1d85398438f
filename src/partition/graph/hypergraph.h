/* SPDX-License-Identifier: BSD-3-Clause */
/** \file partition/graph/hypergraph.h
 * Hypergraphs of the caller: checked, with the edges (nets) of each vertex and
 * the number of pins of each edge in each part.  Pure. */
#ifndef HESCA_PARTITION_GRAPH_HYPERGRAPH_H
#define HESCA_PARTITION_GRAPH_HYPERGRAPH_H

#include "base/private.h"
#include "partition/graph/connectivity.h"

/** Pins of an edge in one part. */
typedef struct {
    int part;
    int64_t pins;
} hesca_pins;

typedef struct {
    const hesca_hypergraph *h;
    int objective;         /**< hesca_cut_objective */
    int64_t *first, *edge; /**< v is in edges edge[first[v]] ... */
    int64_t *place;        /**< v is hind[place[first[v]]] ... there */
    hesca_pins *pins;      /**< of edge e: pins[h->hptr[e]] ..., parts
                              ascending */
    int64_t *spans;        /**< [nedges] number of parts */
} hesca_hypergraph_nets;

/** Names of the arguments of hypergraphs. */
extern HESCA_PRIVATE const hesca_argument_names
    hesca_hypergraph_argument_names;

/** Check a hypergraph, which must outlive x.
 * \param [out] x  Free with hesca_hypergraph_nets_clear(); empty on error.
 * \return HESCA_SUCCESS, HESCA_ERR_ARG or HESCA_ERR_NOMEM. */
int hesca_hypergraph_nets_init(const hesca_argument_names *names,
                               const hesca_hypergraph *h, int objective,
                               hesca_hypergraph_nets *x);
void hesca_hypergraph_nets_clear(hesca_hypergraph_nets *x);

/** Connectivity of a hypergraph for its objective. */
hesca_connectivity hesca_connectivity_nets(hesca_hypergraph_nets *x);

/** A graph model of the hypergraph: a clique for each small edge, a cycle with
 * chords for a large one.  Cutting off one vertex of an edge costs the weight
 * of the edge, times a constant.
 * \param [out] graph  Free with hesca_adjacency_clear(); empty on error. */
int hesca_hypergraph_nets_expand(const hesca_hypergraph_nets *x,
                                 hesca_adjacency *graph);

/** Count edges, weight and connectivity of a cut, for given parts. */
void hesca_hypergraph_nets_measure(hesca_hypergraph_nets *x, const int *part,
                                   int64_t *edges, int64_t *weight,
                                   int64_t *volume);

#endif
