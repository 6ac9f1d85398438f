/* SPDX-License-Identifier: BSD-3-Clause */
/** \file partition/graph/adjacency.h
 * Graphs and trees of the caller: checked, and converted to one form.
 * Pure. */
#ifndef HESCA_PARTITION_GRAPH_ADJACENCY_H
#define HESCA_PARTITION_GRAPH_ADJACENCY_H

#include "base/private.h"
#include "hesca/experimental/cut.h"

/** Names for error messages: the routine, the prefix of its arguments
 * ("graph->"), and their numbers from 1. */
typedef struct {
    const char *routine, *prefix;
    int p, n, edges, vwgt, first, to, edge_weight, vtype;
    const char *first_name, *to_name, *vwgt_name, *edge_weight_name;
} hesca_argument_names;

/** Names of the arguments of graphs. */
extern HESCA_PRIVATE const hesca_argument_names hesca_graph_argument_names;

/** A graph: neighbours of v are to[first[v]] ... to[first[v + 1] - 1],
 * ascending. */
typedef struct {
    int64_t n;
    int64_t *first, *to;
    int64_t *weight; /**< of edges, NULL: 1 */
    const int64_t *vwgt;
} hesca_adjacency;

/** Record that entry i of an array has an invalid value; `must` says what is
 * valid.
 * \return HESCA_ERR_ARG. */
HESCA_PRIVATE int hesca_fail_entry(const hesca_argument_names *names, int arg,
                                   const char *name, int64_t i, int64_t value,
                                   const char *must);

/** Check that first[0 ... n] begins with 0 and does not decrease, and that
 * neither first nor to is NULL if it is needed. */
HESCA_PRIVATE int hesca_check_offsets(const hesca_argument_names *names,
                                      int64_t n, const int64_t *first,
                                      const int64_t *to);

/** Check that weights [n] are >= 0 and that their sum is at most 2^53; NULL is
 * allowed. */
int hesca_check_weights(const hesca_argument_names *names, int arg,
                        const char *name, int64_t n, const int64_t *weight,
                        int64_t *sum);

/** Check a graph, and copy it; vwgt is not copied.
 * \param [out] x  Free with hesca_adjacency_clear(); empty on error.
 * \return HESCA_SUCCESS, HESCA_ERR_ARG or HESCA_ERR_NOMEM. */
int hesca_adjacency_init(const hesca_argument_names *names,
                         const hesca_graph *graph, hesca_adjacency *x);

/** The same of a tree, whose edges may be listed once or at both ends. */
int hesca_adjacency_make_tree(const hesca_argument_names *names,
                              const hesca_graph *tree, hesca_adjacency *x);

void hesca_adjacency_clear(hesca_adjacency *x);

#endif
