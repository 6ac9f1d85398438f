/* SPDX-License-Identifier: BSD-3-Clause */
/** \file tools/partition/partition_graph.h
 * Partitioned graphs, hypergraphs and trees. */
#ifndef HESCA_TOOLS_PARTITION_PARTITION_GRAPH_H
#define HESCA_TOOLS_PARTITION_PARTITION_GRAPH_H

#include "tools/partition/graphfile.h"
#include "tools/partition/partition.h"

/** The object of a partition_state. */
typedef struct {
    graph_file file;
    int *vtype; /* [n] or NULL */
    hesca_cut *cut;
    double *target;   /* [p] */
    int64_t *leaving; /* [p] weight of the edges that leave a part */
} partition_net;

/** Call pair() for every ordered pair of parts that an edge connects: once for
 * an edge of a graph, once for each pair of parts that an edge of a hypergraph
 * spans. */
void partition_net_pairs(const partition_state *s,
                         void (*pair)(void *to, int i, int k, int64_t weight),
                         void *to);

/** "edge" if it is one, else "edges". */
const char *partition_edges(int64_t n);

/** Draw parts and their targets, the weight of edges between parts, and graphs
 * that are small enough. */
void partition_svg_net(const partition_state *s, FILE *f);

#endif
