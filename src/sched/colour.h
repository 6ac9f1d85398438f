/* SPDX-License-Identifier: BSD-3-Clause */
/** \file sched/colour.h
 * Edge colouring of bipartite graphs: the minimum number of contention-free
 * steps. */
#ifndef HESCA_SCHED_COLOUR_H
#define HESCA_SCHED_COLOUR_H

#include <stdint.h>

/** The largest degree in the graph whose edges are the pairs of left p and
 * right q with weight[p * nright + q] > 0: no order of the edges has fewer
 * steps. */
int hesca_largest_degree(int nleft, int nright, const int64_t *weight);

/** Colour the edges of this graph with as many colours as its largest degree.
 *
 * Source: the proof of D. Koenig's theorem: an edge whose ends have no free
 * colour in common gets one by exchanging two colours along a path.
 * Time O(edges x (nleft + nright)).
 *
 * \param [out] ncolours  The largest degree.
 * \param [out] to        to[c * nleft + p] = q if edge (p,q) has colour c,
 *                        else -1; free() it.  NULL if there is no edge.
 * \return HESCA_SUCCESS or HESCA_ERR_NOMEM. */
int hesca_colour_edges(int nleft, int nright, const int64_t *weight,
                       int *ncolours, int **to);

#endif
