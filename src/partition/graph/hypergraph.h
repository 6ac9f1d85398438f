/** \file partition/graph/hypergraph.h
 * Hypergraphs as they are handed in, checked; with what each vertex is in, and
 * how many pins of an edge are in which part.  Pure. */
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
    int64_t *first, *edge; /**< v is in edge[first[v]] ... */
    int64_t *place;        /**< and there it is hind[place[first[v]]] ... */
    hesca_pins *pins;      /**< of edge e: pins[h->hptr[e]] ..., parts
                              ascending */
    int64_t *spans;        /**< [nedges] so many parts */
} hesca_hypergraph_nets;

/** Names of the arguments of hypergraphs. */
extern HESCA_PRIVATE const hesca_argument_names
    hesca_hypergraph_argument_names;

/** Check a hypergraph, which must outlive x.
 * \param [out] x  Free with hesca_hypergraph_nets_clear(); empty on error.
 * \return HESCA_SUCCESS, HESCA_ERR_ARG or HESCA_ERR_NOMEM. */
int hesca_hypergraph_nets_init(const hesca_argument_names *told,
                               const hesca_hypergraph *h, int objective,
                               hesca_hypergraph_nets *x);
void hesca_hypergraph_nets_clear(hesca_hypergraph_nets *x);

/** Bonds of a hypergraph: its objective. */
hesca_connectivity hesca_connectivity_nets(hesca_hypergraph_nets *x);

/** A graph that stands for the hypergraph: a clique for each small edge, a
 * circle with chords for a large one; a vertex that leaves the others cuts the
 * weight of the edge, times a constant.
 * \param [out] graph  Free with hesca_adjacency_clear(); empty on error. */
int hesca_hypergraph_nets_expand(const hesca_hypergraph_nets *x,
                                 hesca_adjacency *graph);

/** Count edges, weight and connectivity of a cut, given the parts. */
void hesca_hypergraph_nets_measure(hesca_hypergraph_nets *x, const int *part,
                                   int64_t *edges, int64_t *weight,
                                   int64_t *volume);

#endif
