/* SPDX-License-Identifier: BSD-3-Clause */
/** \file bcast/arborescence.h
 * Minimum spanning trees of directed graphs. */
#ifndef HESCA_BCAST_ARBORESCENCE_H
#define HESCA_BCAST_ARBORESCENCE_H

/** The tree of minimum total cost in which all vertices are reached from root.
 *
 * \param [in]  n, cost  cost[i * n + j] of the edge from i to j; INFINITY: no
 *                       edge.
 * \param [out] parent   [n] parent of each vertex; -1 for root.
 * \return HESCA_SUCCESS; HESCA_ERR_UNSUPPORTED: not all can be reached;
 *         HESCA_ERR_NOMEM.
 * Source: Edmonds' algorithm in the path-growing form (H. N. Gabow, Z. Galil,
 * T. Spencer, R. E. Tarjan, Combinatorica 6(2), 1986), on a full matrix: time
 * and memory O(n^2). */
int hesca_arborescence(int n, const double *cost, int root, int *parent);

#endif
