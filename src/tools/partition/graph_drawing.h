/* SPDX-License-Identifier: BSD-3-Clause */
/** \file tools/partition/graph_drawing.h
 * Positions of the vertices of small graphs. */
#ifndef HESCA_TOOLS_PARTITION_GRAPH_DRAWING_H
#define HESCA_TOOLS_PARTITION_GRAPH_DRAWING_H

#include "tools/partition/graphfile.h"

/** Positions in the unit square.  O(n^2) steps.
 * \param [out] x, y  [n]
 * \return 1, or 0 if there is no memory. */
int place_graph(const graph_file *g, double *x, double *y);

/** Positions for a tree: its centre at the top, leaves side by side. */
int place_tree(const graph_file *g, double *x, double *y);

#endif
