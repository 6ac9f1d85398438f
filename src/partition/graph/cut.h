/** \file partition/graph/cut.h
 * What hesca/experimental/cut.h returns, and how it comes about: for all kinds
 * of objects alike, once they are checked and their targets are known.  Pure.
 */
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

/** What each kind of object tells a cut. */
HESCA_PRIVATE int hesca_cut_graph_named(const hesca_argument_names *told,
                                        int p, const hesca_speed *const *speed,
                                        const hesca_graph *graph,
                                        const hesca_cut_options *how,
                                        int how_arg, hesca_cut **cut);
HESCA_PRIVATE int hesca_cut_hypergraph_named(const hesca_argument_names *told,
                                             int p,
                                             const hesca_speed *const *speed,
                                             const hesca_hypergraph *h,
                                             const hesca_cut_options *how,
                                             int how_arg, hesca_cut **cut);
HESCA_PRIVATE int hesca_cut_tree_named(const hesca_argument_names *told, int p,
                                       const hesca_speed *const *speed,
                                       const hesca_graph *tree,
                                       hesca_cut **cut);

/** Check p and that what is pointed to is there; the object is called name. */
int hesca_cut_check(const hesca_argument_names *told, int p,
                    const hesca_speed *const *speed, const void *object,
                    const char *name, hesca_cut **cut);

/** Make the result of s: it takes part, load and count from it, target from
 * x, and leaves them NULL there.  Weight, edges and volume are still 0.
 * \return HESCA_SUCCESS or HESCA_ERR_NOMEM. */
int hesca_cut_make(hesca_partition_state *s, hesca_partition_problem *x,
                   const hesca_speed *const *speed, hesca_cut **cut);

/** Count edges, weight and volume of a graph's cut.
 * \return HESCA_SUCCESS or HESCA_ERR_NOMEM. */
int hesca_cut_measure(const hesca_adjacency *graph, hesca_cut *cut);

/** What is to be partitioned. */
typedef struct {
    const hesca_argument_names *told;
    int how_arg, p;
    const hesca_speed *const *speed;
    hesca_adjacency *graph;           /**< or what stands for the object */
    const int *class_of;              /**< [n] or NULL */
    hesca_connectivity *connectivity; /**< what is to be small */
    const hesca_cut_options *how;     /**< checked */
} hesca_cut_job;

/** Find the parts of a graph, then balance and refine what the connectivity
 * say. \param [out] cut  Weight, edges and volume are still 0; NULL on error.
 */
int hesca_cut_solve(const hesca_cut_job *job, hesca_cut **cut);

#endif
