/* SPDX-License-Identifier: BSD-3-Clause */
/** \file tools/partition/graphfile.h
 * Graphs in the format of METIS, and hypergraphs in that of hMETIS, read
 * strictly: errors are reported in one line on stderr that names file, line
 * and word.
 *
 * A graph file begins with "VERTICES EDGES [FMT]" and has a line for every
 * vertex: its weight if FMT is 10 or 11, then its neighbours, from 1, each
 * with the weight of the edge behind it if FMT is 1 or 11.  A hypergraph file
 * begins with "EDGES VERTICES [FMT]" and has a line for every edge: its weight
 * if FMT is 1 or 11, then its vertices; then, if FMT is 10 or 11, a line for
 * every vertex with its weight.  Lines that begin with % are comments. */
#ifndef HESCA_TOOLS_PARTITION_GRAPHFILE_H
#define HESCA_TOOLS_PARTITION_GRAPHFILE_H

#include "hesca/experimental/cut.h"

/** What a file holds: all of hesca_graph or of hesca_hypergraph that the file
 * has is the reader's own. */
typedef struct {
    int64_t n, m;         /* vertices and edges */
    int64_t *first;       /* xadj [n + 1], or hptr [m + 1] */
    int64_t *list;        /* adjacency, or hind */
    int64_t *vwgt, *ewgt; /* [n] and as list (graph) or [m]; or NULL */
} graph_file;

/** \return 1 (clear it), or 0 after an error message. */
int graph_file_read(graph_file *g, const char *path);
int graph_file_read_hyper(graph_file *g, const char *path);
void graph_file_clear(graph_file *g);

hesca_graph graph_file_graph(const graph_file *g);
hesca_hypergraph graph_file_hypergraph(const graph_file *g);

#endif
