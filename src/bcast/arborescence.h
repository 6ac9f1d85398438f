/** \file bcast/arborescence.h
 * Minimum spanning trees of directed graphs. */
#ifndef HESCA_BCAST_ARBORESCENCE_H
#define HESCA_BCAST_ARBORESCENCE_H

/** The tree of least total cost in which all are reached from root.
 *
 * \param [in]  n, cost  cost[i * n + j] from i to j; INFINITY: no edge.
 * \param [out] parent   [n] -1 for root.
 * \return HESCA_SUCCESS; HESCA_ERR_UNSUPPORTED: not all can be reached;
 *         HESCA_ERR_NOMEM.
 * Source: Edmonds' algorithm, by growing a path against the edges (H. N.
 * Gabow, Z. Galil, T. Spencer, R. E. Tarjan, Combinatorica 6(2), 1986) on a
 * full matrix: time and memory O(n^2). */
int hesca_arborescence(int n, const double *cost, int root, int *parent);

#endif
