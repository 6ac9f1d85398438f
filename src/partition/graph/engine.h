/** \file partition/graph/engine.h
 * Who finds the parts of a graph.  Engines fill s->part; what they return need
 * not be balanced. */
#ifndef HESCA_PARTITION_GRAPH_ENGINE_H
#define HESCA_PARTITION_GRAPH_ENGINE_H

#include "partition/graph/partition_state.h"

/** What an engine is given. */
typedef struct {
    hesca_adjacency *graph;
    hesca_partition_state *s;
    const hesca_cut_options *how;
    int nparts;      /**< parts with targets above 0 */
    const int *part; /**< [nparts] which */
} hesca_engine_job;

/** Partition by METIS, by SCOTCH.
 * \return HESCA_SUCCESS, HESCA_ERR_UNSUPPORTED, HESCA_ERR_ARG (options that it
 *         refuses) or HESCA_ERR_NOMEM. */
int hesca_engine_metis(const hesca_engine_job *job);
int hesca_engine_scotch(const hesca_engine_job *job);

/** Vertices and edge ends that they can count, at most; 0: not built. */
extern const int64_t hesca_metis_most, hesca_scotch_most;

/** Partition by how->engine, or one that suits.
 * \param [in]  told    Who asks, and the number of its argument how.
 * \param [out] engine  That was used. */
int hesca_engine_run(const char *routine, int arg, hesca_adjacency *graph,
                     hesca_partition_state *s, const hesca_cut_options *how,
                     int *engine);

/** Check how, NULL is allowed, and fill in what is 0. */
int hesca_engine_check(const char *routine, int arg,
                       const hesca_cut_options *how, hesca_cut_options *full);

#endif
