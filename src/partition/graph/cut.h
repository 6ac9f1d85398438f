/* SPDX-License-Identifier: BSD-3-Clause */
/** \file partition/graph/cut.h
 * The result of hesca/experimental/cut.h, and the steps that all kinds of
 * objects have in common.  Pure.
 * */
#ifndef HESCA_PARTITION_GRAPH_CUT_H
#define HESCA_PARTITION_GRAPH_CUT_H

#include "base/private.h"
#include "partition/graph/engine.h"

struct hesca_cut {
    int p, classes, engine, exact;
    int *part;      /**< [n] */
    int64_t *count; /**< [p] */
    int64_t *load;  /**< [classes][p] */
    double *target; /**< [classes][p] */
    int64_t weight, edges, volume, raw_weight;
    double deviation, raw_deviation, time;
};

/** The public functions, with names of arguments for error messages; options
 * are argument how_arg. */
HESCA_PRIVATE int hesca_cut_graph_named(const hesca_argument_names *names,
                                        int p, const hesca_speed *const *speed,
                                        const hesca_graph *graph,
                                        const hesca_cut_options *how,
                                        int how_arg, hesca_cut **cut);
HESCA_PRIVATE int hesca_cut_hypergraph_named(const hesca_argument_names *names,
                                             int p,
                                             const hesca_speed *const *speed,
                                             const hesca_hypergraph *h,
                                             const hesca_cut_options *how,
                                             int how_arg, hesca_cut **cut);
HESCA_PRIVATE int hesca_cut_tree_named(const hesca_argument_names *names,
                                       int p, const hesca_speed *const *speed,
                                       const hesca_graph *tree,
                                       hesca_cut **cut);

/** Check p, and that pointers are not NULL; `name` is the argument
 * `object`. */
int hesca_cut_check(const hesca_argument_names *names, int p,
                    const hesca_speed *const *speed, const void *object,
                    const char *name, hesca_cut **cut);

/** Create the result from s.  It takes over part, load and count from s and
 * target from x, which become NULL there.  Weight, edges and volume are 0.
 * \return HESCA_SUCCESS or HESCA_ERR_NOMEM. */
int hesca_cut_make(hesca_partition_state *s, hesca_partition_problem *x,
                   const hesca_speed *const *speed, hesca_cut **cut);

/** Set edges, weight and volume of the cut of a graph.
 * \return HESCA_SUCCESS or HESCA_ERR_NOMEM. */
int hesca_cut_measure(const hesca_adjacency *graph, hesca_cut *cut);

/** The problem. */
typedef struct {
    const hesca_argument_names *names;
    int how_arg, p;
    const hesca_speed *const *speed;
    hesca_adjacency
        *graph;          /**< the graph, or a graph model of the hypergraph */
    const int *class_of; /**< [n] or NULL */
    hesca_connectivity *connectivity; /**< the objective */
    const hesca_cut_options *how;     /**< checked */
} hesca_cut_job;

/** Find the parts of a graph, then balance and refine them by the
 * connectivity.
 * \param [out] cut  Weight, edges and volume are 0; NULL on error.
 * */
int hesca_cut_solve(const hesca_cut_job *job, hesca_cut **cut);

#endif
